import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import * as SqlCallers from "../../../adapters/sql/identity/SqlCallers.ts"
import * as SqlOrganizations from "../../../adapters/sql/identity/SqlOrganizations.ts"
import * as SqlAnalysisQueue from "../../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../../adapters/sql/SqlAnalysisStore.ts"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { Callers } from "../../../application/ports/identity/Callers.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { Organizations } from "../../../application/ports/identity/Organizations.ts"
import type { PlanId } from "../../../domain/plan/Plan.ts"
import { onBothDatabases } from "../../support/bothDatabases.ts"
import { UserId, OrganizationId } from "../../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const services = Layer.mergeAll(
  SqlAnalysisStore.layer,
  SqlAnalysisQueue.layer,
  SqlAccounts.layer,
  SqlOrganizations.layer,
  SqlCallers.layer.pipe(Layer.provideMerge(SqlAccounts.layer)),
)

let serial = 0
const newUser = (plan: PlanId = "basic") =>
  Accounts.use((accounts) => accounts.createUser(`member-${++serial}@example.com`, plan))
const newUsers = (count: number) => Effect.forEach(Array.from({ length: count }), () => newUser())
const found = (ownerId: UserId, seats: number) =>
  Organizations.use((organizations) => organizations.create(ownerId, "Example", seats))
const add = (organizationId: OrganizationId, userId: UserId) =>
  Organizations.use((organizations) => organizations.addMember(organizationId, userId))
const remove = (actorId: UserId, organizationId: OrganizationId, userId: UserId) =>
  Organizations.use((organizations) => organizations.removeMember(actorId, organizationId, userId))
const find = (userId: UserId, organizationId: OrganizationId) =>
  Organizations.use((organizations) => organizations.find(userId, organizationId))
const analyze = (userId: UserId) =>
  AnalysisStore.use((store) =>
    store.create(
      {
        userId,
        repositoryUrl: RepositoryUrl.make("https://github.com/example/vault"),
        branch: undefined,
        framework: "auto",
        analysisType: "full",
        webhookUrl: undefined,
      },
      undefined,
    ),
  )
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

await onBothDatabases("organizations", services, {
  "a founder is the owner, and the only member": Effect.gen(function* () {
    const owner = yield* newUser()
    const organizationId = yield* found(owner, 3)
    const organization = yield* find(owner, organizationId)
    assert.deepInclude(organization, { organizationId, name: "Example", plan: "pro", seats: 3, role: "owner" })
    assert.deepEqual(
      organization.members.map(({ userId, role }) => ({ userId, role })),
      [{ userId: owner, role: "owner" }],
    )
    const caller = Option.getOrThrow(yield* Callers.use((callers) => callers.ofUser(owner)))
    assert.deepInclude(caller, { plan: "pro", organizationId })
  }),

  "somebody outside sees nothing of an organization, nor does a former member": Effect.gen(function* () {
    const [owner, member, stranger] = (yield* newUsers(3)) as [UserId, UserId, UserId]
    const organizationId = yield* found(owner, 2)
    yield* add(organizationId, member)
    assert.strictEqual((yield* find(member, organizationId)).role, "member")
    assert.strictEqual(yield* tagOf(find(stranger, organizationId)), "OrganizationNotFound")
    yield* remove(owner, organizationId, member)
    assert.strictEqual(yield* tagOf(find(member, organizationId)), "OrganizationNotFound")
    assert.strictEqual(yield* tagOf(find(owner, OrganizationId.make("no-uuid"))), "OrganizationNotFound")
    const caller = Option.getOrThrow(yield* Callers.use((callers) => callers.ofUser(member)))
    assert.deepInclude(caller, { plan: "basic", organizationId: undefined })
  }),

  "30 additions at once fill the seats exactly": Effect.gen(function* () {
    const owner = yield* newUser()
    const organizationId = yield* found(owner, 5)
    const users = yield* newUsers(30)
    const results = yield* Effect.forEach(users, (user) => Effect.result(add(organizationId, user)), {
      concurrency: "unbounded",
    })
    const refused = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
    assert.deepEqual(
      refused,
      Array.from({ length: 26 }, () => "SeatsExhausted"),
    )
    assert.lengthOf((yield* find(owner, organizationId)).members, 5)
  }),

  "a user belongs to one organization, also when two add them at once": Effect.gen(function* () {
    const [ada, bob, user] = (yield* newUsers(3)) as [UserId, UserId, UserId]
    const [first, second] = [yield* found(ada, 2), yield* found(bob, 2)]
    const results = yield* Effect.all([Effect.result(add(first, user)), Effect.result(add(second, user))], {
      concurrency: "unbounded",
    })
    assert.lengthOf(
      results.filter((result) => result._tag === "Success"),
      1,
    )
    assert.strictEqual(yield* tagOf(add(first, user)), "AlreadyMember")
    assert.strictEqual(yield* tagOf(add(second, user)), "AlreadyMember")
    assert.strictEqual(yield* tagOf(found(user, 2)), "AlreadyMember")
  }),

  "a refused foundation leaves no pool behind": Effect.gen(function* () {
    const sql = yield* SqlClient
    const owner = yield* newUser()
    yield* found(owner, 2)
    const count = Effect.map(sql<{ n: number }>`SELECT count(*)::int AS n FROM pools`, ([row]) => row?.n)
    const before = yield* count
    assert.strictEqual(yield* tagOf(found(owner, 2)), "AlreadyMember")
    assert.strictEqual(yield* tagOf(found(UserId.make("00000000-0000-0000-0000-000000000000"), 2)), "UserNotFound")
    assert.strictEqual(yield* count, before)
  }),

  "a member can leave, and be removed by the owner, but not by another member": Effect.gen(function* () {
    const [owner, first, second] = (yield* newUsers(3)) as [UserId, UserId, UserId]
    const organizationId = yield* found(owner, 3)
    yield* add(organizationId, first)
    yield* add(organizationId, second)
    assert.strictEqual(yield* tagOf(remove(first, organizationId, second)), "OwnerRequired")
    assert.strictEqual(yield* tagOf(remove(owner, organizationId, owner)), "OwnerStays")
    yield* remove(first, organizationId, first)
    yield* remove(owner, organizationId, second)
    assert.strictEqual(yield* tagOf(remove(owner, organizationId, second)), "MemberNotFound")
    assert.lengthOf((yield* find(owner, organizationId)).members, 1)
  }),

  "members share 60 scans a seat, to the last one, whoever asks": Effect.gen(function* () {
    const [owner, member] = (yield* newUsers(2)) as [UserId, UserId]
    const organizationId = yield* found(owner, 2)
    yield* add(organizationId, member)
    const sql = yield* SqlClient
    yield* sql`UPDATE pools SET used = 100 WHERE id = ${organizationId}::uuid`
    const results = yield* Effect.all(
      Array.from({ length: 60 }, (_, turn) => Effect.result(analyze(turn % 2 === 0 ? owner : member))),
      { concurrency: "unbounded" },
    )
    assert.lengthOf(
      results.filter((result) => result._tag === "Success"),
      20,
    )
    assert.strictEqual(yield* tagOf(analyze(member)), "QuotaExceeded")
    yield* remove(member, organizationId, member)
    yield* analyze(member)
  }),

  "joining and leaving move nobody's analyses": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const [owner, member] = (yield* newUsers(2)) as [UserId, UserId]
    const filter = {
      limit: 100,
      after: undefined,
      status: undefined,
      framework: undefined,
      repositoryUrl: undefined,
    }
    const listed = (userId: UserId) =>
      Effect.map(store.list(userId, filter), (items) => items.map(({ analysisId }) => analysisId).toSorted())
    const before = yield* analyze(member)
    const organizationId = yield* found(owner, 2)
    yield* add(organizationId, member)
    const during = yield* analyze(member)
    assert.deepEqual(yield* listed(member), [before.analysisId, during.analysisId].toSorted())
    assert.deepEqual(yield* listed(owner), [])
    yield* remove(owner, organizationId, member)
    assert.deepEqual(yield* listed(member), [before.analysisId, during.analysisId].toSorted())
    assert.deepEqual(yield* listed(owner), [])
  }),

  "founding an organization earns no second quota": Effect.gen(function* () {
    const sql = yield* SqlClient
    const owner = yield* newUser("pro")
    yield* sql`UPDATE pools SET used = 59 WHERE id = ${owner}::uuid`
    yield* Organizations.use((organizations) => organizations.create(owner, "Example", undefined))
    yield* analyze(owner)
    assert.strictEqual(yield* tagOf(analyze(owner)), "QuotaExceeded")
  }),

  "an organization whose plan has ended admits nobody": Effect.gen(function* () {
    const sql = yield* SqlClient
    const [owner, user] = (yield* newUsers(2)) as [UserId, UserId]
    const organizationId = yield* found(owner, 5)
    yield* sql`UPDATE pools SET plan_until = now() - interval '1 second' WHERE id = ${organizationId}::uuid`
    assert.strictEqual(yield* tagOf(add(organizationId, user)), "SeatsExhausted")
    assert.strictEqual((yield* find(owner, organizationId)).plan, "basic")
  }),
})
