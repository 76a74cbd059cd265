import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import * as SqlCallers from "../../../adapters/sql/identity/SqlCallers.ts"
import * as SqlOrganizations from "../../../adapters/sql/identity/SqlOrganizations.ts"
import { Callers } from "../../../application/ports/identity/Callers.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { Organizations } from "../../../application/ports/identity/Organizations.ts"
import { onBothDatabases } from "../../support/bothDatabases.ts"
import { UserId, OrganizationId, InvitationId } from "../../../domain/ids/Ids.ts"

const services = Layer.mergeAll(
  SqlAccounts.layer,
  SqlOrganizations.layer,
  SqlCallers.layer.pipe(Layer.provideMerge(SqlAccounts.layer)),
)

let serial = 0
const newUsers = <const Names extends ReadonlyArray<string>>(...names: Names) =>
  Effect.map(
    Effect.forEach(names, (name) =>
      Accounts.use((accounts) => accounts.createUser(`${name}-${++serial}@example.com`, "basic")),
    ),
    (ids) => ids as { readonly [K in keyof Names]: UserId }, // one for each name
  )
const found = (ownerId: UserId, seats: number) =>
  Organizations.use((organizations) => organizations.create(ownerId, "Example", seats))
const find = (userId: UserId, organizationId: OrganizationId) =>
  Organizations.use((organizations) => organizations.find(userId, organizationId))
const invite = (actorId: UserId, organizationId: OrganizationId, userId: UserId) =>
  Organizations.use((organizations) => organizations.invite(actorId, organizationId, userId))
const received = (userId: UserId) => Organizations.use((organizations) => organizations.invitations(userId))
const accept = (userId: UserId, invitationId: InvitationId) =>
  Organizations.use((organizations) => organizations.accept(userId, invitationId))
const end = (actorId: UserId, invitationId: InvitationId) =>
  Organizations.use((organizations) => organizations.endInvitation(actorId, invitationId))
const membersOf = (ownerId: UserId, organizationId: OrganizationId) =>
  Effect.map(find(ownerId, organizationId), ({ members }) => members.map(({ userId }) => userId))
const organizationOf = (userId: UserId) =>
  Effect.map(
    Callers.use((callers) => callers.ofUser(userId)),
    (caller) => Option.getOrThrow(caller).organizationId,
  )
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
const expire = SqlClient.use((sql) => sql`UPDATE invitations SET expires_at = now() - interval '1 second'`)
const nobody = "00000000-0000-0000-0000-000000000000"

await onBothDatabases("invitations", services, {
  "nobody belongs to an organization before they accept, and nothing is told of them": Effect.gen(function* () {
    const [owner, guest] = yield* newUsers("owner", "guest")
    const organizationId = yield* found(owner, 3)
    const invitation = yield* invite(owner, organizationId, guest)
    assert.strictEqual(invitation.expiresAt.getTime() - invitation.createdAt.getTime(), 7 * 86_400_000)
    assert.isUndefined(yield* organizationOf(guest))
    assert.deepEqual(yield* membersOf(owner, organizationId), [owner])
    assert.strictEqual(yield* tagOf(find(guest, organizationId)), "OrganizationNotFound")
    const { invitations } = yield* find(owner, organizationId)
    assert.deepEqual(invitations, [invitation])
    assert.notInclude(JSON.stringify([invitations, yield* received(guest)]), "@")

    assert.strictEqual(yield* accept(guest, invitation.invitationId), organizationId)
    assert.strictEqual(yield* organizationOf(guest), organizationId)
    assert.deepEqual(yield* membersOf(owner, organizationId), [owner, guest])
    assert.deepEqual((yield* find(owner, organizationId)).invitations, [])
    assert.isUndefined((yield* find(guest, organizationId)).invitations)
  }),

  "only owners invite, and only into their own organization": Effect.gen(function* () {
    const [owner, member, stranger, guest] = yield* newUsers("owner", "member", "stranger", "guest")
    const organizationId = yield* found(owner, 9)
    yield* accept(member, (yield* invite(owner, organizationId, member)).invitationId)
    yield* found(stranger, 9)
    assert.strictEqual(yield* tagOf(invite(member, organizationId, guest)), "OwnerRequired")
    assert.strictEqual(yield* tagOf(invite(stranger, organizationId, guest)), "OrganizationNotFound")
    assert.strictEqual(yield* tagOf(invite(owner, OrganizationId.make(nobody), guest)), "OrganizationNotFound")
    assert.strictEqual(yield* tagOf(invite(owner, organizationId, UserId.make(nobody))), "UserNotFound")
    assert.strictEqual(yield* tagOf(invite(owner, organizationId, member)), "AlreadyMember")
    assert.strictEqual(yield* tagOf(invite(owner, organizationId, owner)), "AlreadyMember")
    assert.deepEqual(yield* received(guest), [])
  }),

  "nobody accepts for somebody else, and only the guest and owners end an invitation": Effect.gen(function* () {
    const [owner, member, guest, stranger] = yield* newUsers("owner", "member", "guest", "stranger")
    const organizationId = yield* found(owner, 9)
    yield* accept(member, (yield* invite(owner, organizationId, member)).invitationId)
    const { invitationId } = yield* invite(owner, organizationId, guest)
    for (const other of [owner, member, stranger]) {
      assert.strictEqual(yield* tagOf(accept(other, invitationId)), "InvitationNotFound")
    }
    for (const other of [member, stranger]) {
      assert.strictEqual(yield* tagOf(end(other, invitationId)), "InvitationNotFound")
    }
    yield* end(guest, invitationId)
    assert.strictEqual(yield* tagOf(accept(guest, invitationId)), "InvitationNotFound")
    const again = yield* invite(owner, organizationId, guest)
    yield* end(owner, again.invitationId)
    assert.strictEqual(yield* tagOf(end(owner, again.invitationId)), "InvitationNotFound")
    assert.strictEqual(yield* tagOf(end(owner, InvitationId.make("no-uuid"))), "InvitationNotFound")
    assert.deepEqual(yield* received(guest), [])
  }),

  "an invitation that is over is nobody's, takes no seat, and can be made again": Effect.gen(function* () {
    const [owner, guest, other] = yield* newUsers("owner", "guest", "other")
    const organizationId = yield* found(owner, 2)
    const { invitationId } = yield* invite(owner, organizationId, guest)
    assert.strictEqual(yield* tagOf(invite(owner, organizationId, other)), "SeatsExhausted")
    yield* expire
    assert.deepEqual(yield* received(guest), [])
    assert.deepEqual((yield* find(owner, organizationId)).invitations, [])
    assert.strictEqual(yield* tagOf(accept(guest, invitationId)), "InvitationNotFound")
    assert.strictEqual(yield* tagOf(end(guest, invitationId)), "InvitationNotFound")
    yield* invite(owner, organizationId, other)
    assert.strictEqual(yield* tagOf(invite(owner, organizationId, guest)), "SeatsExhausted")
    yield* expire
    yield* accept(guest, (yield* invite(owner, organizationId, guest)).invitationId)
  }),

  "who is invited again has one invitation, which starts over": Effect.gen(function* () {
    const [owner, guest] = yield* newUsers("owner", "guest")
    const organizationId = yield* found(owner, 2)
    const first = yield* invite(owner, organizationId, guest)
    yield* SqlClient.use((sql) => sql`UPDATE invitations SET expires_at = now() + interval '1 minute'`)
    const second = yield* invite(owner, organizationId, guest)
    assert.strictEqual(second.invitationId, first.invitationId)
    assert.isAtLeast(second.expiresAt.getTime(), first.expiresAt.getTime())
    assert.deepEqual(yield* received(guest), [second])
  }),

  "members and open invitations fill the seats exactly, however many are invited at once": Effect.gen(function* () {
    const [owner] = yield* newUsers("owner")
    const guests = yield* newUsers(...Array.from({ length: 20 }, () => "guest"))
    const organizationId = yield* found(owner, 5)
    const outcomes = yield* Effect.forEach(guests, (guest) => Effect.result(invite(owner, organizationId, guest)), {
      concurrency: "unbounded",
    })
    const made = outcomes.flatMap((outcome) => (outcome._tag === "Success" ? [outcome.success] : []))
    assert.lengthOf(made, 4)
    yield* Effect.forEach(made, ({ userId, invitationId }) => accept(userId, invitationId), {
      concurrency: "unbounded",
    })
    assert.lengthOf(yield* membersOf(owner, organizationId), 5)
    const admin = Organizations.use((organizations) => organizations.addMember(organizationId, guests.at(-1)!))
    assert.include(["SeatsExhausted", "AlreadyMember"], yield* tagOf(admin))
  }),

  "an administrator's addition takes the seat that was set aside for the person, and no other": Effect.gen(
    function* () {
      const [owner, guest, other] = yield* newUsers("owner", "guest", "other")
      const organizationId = yield* found(owner, 2)
      const { invitationId } = yield* invite(owner, organizationId, guest)
      const add = (userId: UserId) =>
        Organizations.use((organizations) => organizations.addMember(organizationId, userId))
      assert.strictEqual(yield* tagOf(add(other)), "SeatsExhausted")
      yield* add(guest)
      assert.strictEqual(yield* tagOf(accept(guest, invitationId)), "InvitationNotFound")
      assert.lengthOf(yield* membersOf(owner, organizationId), 2)
    },
  ),

  "two acceptances at once make one member": Effect.gen(function* () {
    const [owner, guest] = yield* newUsers("owner", "guest")
    const organizationId = yield* found(owner, 9)
    const { invitationId } = yield* invite(owner, organizationId, guest)
    const outcomes = yield* Effect.all(
      Array.from({ length: 5 }, () => Effect.result(accept(guest, invitationId))),
      { concurrency: "unbounded" },
    )
    assert.deepEqual(outcomes.map((outcome) => (outcome._tag === "Failure" ? outcome.failure._tag : "")).toSorted(), [
      "",
      ...Array.from({ length: 4 }, () => "InvitationNotFound"),
    ])
    assert.deepEqual(yield* membersOf(owner, organizationId), [owner, guest])
  }),

  "of two organizations that invite the same person, even simultaneously, one gets them; the other may once they left":
    Effect.gen(function* () {
      const [ada, bob, guest] = yield* newUsers("ada", "bob", "guest")
      const [hers, his] = [yield* found(ada, 2), yield* found(bob, 2)]
      const invitations = [yield* invite(ada, hers, guest), yield* invite(bob, his, guest)]
      assert.lengthOf(yield* received(guest), 2)
      const outcomes = yield* Effect.forEach(
        invitations,
        ({ invitationId }) => Effect.result(accept(guest, invitationId)),
        { concurrency: "unbounded" },
      )
      const refused = outcomes.flatMap((outcome) => (outcome._tag === "Failure" ? [outcome.failure._tag] : []))
      assert.deepEqual(refused, ["AlreadyMember"])
      // An owner learns nothing about a person who belongs elsewhere.
      const [open] = yield* received(guest)
      const [owner, first] = open?.organizationId === hers ? [ada, his] : [bob, hers]
      assert.strictEqual((yield* invite(owner, open!.organizationId, guest)).invitationId, open!.invitationId)
      yield* Organizations.use((organizations) => organizations.removeMember(guest, first, guest))
      assert.strictEqual(yield* accept(guest, open!.invitationId), open!.organizationId)
    }),

  "there is no seat any more: the plan ended, or others took it": Effect.gen(function* () {
    const [owner, guest] = yield* newUsers("owner", "guest")
    const organizationId = yield* found(owner, 2)
    const { invitationId } = yield* invite(owner, organizationId, guest)
    const sql = yield* SqlClient
    yield* sql`UPDATE pools SET plan_until = now() WHERE id = ${organizationId}::uuid`
    assert.strictEqual(yield* tagOf(accept(guest, invitationId)), "SeatsExhausted")
    yield* sql`UPDATE pools SET plan_until = NULL, seats = 1 WHERE id = ${organizationId}::uuid`
    assert.strictEqual(yield* tagOf(accept(guest, invitationId)), "SeatsExhausted")
    yield* sql`UPDATE pools SET seats = 2 WHERE id = ${organizationId}::uuid`
    yield* accept(guest, invitationId)
  }),

  "an organization's end is the end of its invitations": Effect.gen(function* () {
    const [owner, guest] = yield* newUsers("owner", "guest")
    const organizationId = yield* found(owner, 2)
    const { invitationId } = yield* invite(owner, organizationId, guest)
    yield* SqlClient.use((sql) => sql`DELETE FROM organizations WHERE id = ${organizationId}::uuid`)
    assert.strictEqual(yield* tagOf(accept(guest, invitationId)), "InvitationNotFound")
    assert.deepEqual(yield* received(guest), [])
  }),
})
