import * as fc from "fast-check"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { accept, admit, beyondSeats, invite, remove, type Roll } from "../../../domain/identity/Membership.ts"
import { UserId } from "../../../domain/ids/Ids.ts"

const roll: fc.Arbitrary<Roll> = fc
  .record({ seats: fc.nat(8), members: fc.nat(8), invited: fc.nat(8) })
  .map(({ seats, members, invited }) => ({
    seats,
    members: [
      { userId: UserId.make("owner"), role: "owner" as const },
      ...Array.from({ length: members }, (_, i) => ({ userId: UserId.make(`member-${i}`), role: "member" as const })),
    ],
    invited: Array.from({ length: invited }, (_, i) => UserId.make(`guest-${i}`)),
  }))

const taken = ({ members, invited }: Pick<Roll, "members" | "invited">): number => members.length + invited.length

describe("seats", () => {
  it("are never given twice", () => {
    fc.assert(
      fc.property(roll, (before) => {
        const admitted = Result.isSuccess(admit(before, UserId.make("new")))
        expect(admitted).toBe(taken(before) < before.seats)
        expect(Result.isSuccess(invite(before, UserId.make("owner"), UserId.make("new")))).toBe(admitted)
        expect(Result.isSuccess(accept(before))).toBe(before.members.length < before.seats)
      }),
    )
  })

  it("are reserved for the invited person", () => {
    fc.assert(
      fc.property(roll, (before) => {
        const [guest] = before.invited
        if (guest !== undefined && taken(before) <= before.seats) {
          expect([admit(before, guest), accept(before)].every(Result.isSuccess)).toBe(true)
        }
      }),
    )
  })

  it("go to the owner, then to who joined first, then to who was invited first if there are fewer", () => {
    fc.assert(
      fc.property(roll, (before) => {
        const { leaving, uninvited } = beyondSeats(before)
        const order = [...before.members.map(({ userId }) => userId), ...before.invited]
        const gone = [...leaving, ...uninvited]
        expect(gone).toEqual(order.slice(Math.max(1, before.seats)))
      }),
    )
  })
})

describe("an owner", () => {
  it("is the only one who can invite and remove others, and cannot be removed", () => {
    fc.assert(
      fc.property(
        roll,
        fc.constantFrom("owner", "member-0", "guest-0", "stranger").map((id) => UserId.make(id)),
        (before, actor) => {
          const isOwner = actor === "owner"
          expect(Result.isFailure(invite(before, actor, UserId.make("new")))).toBe(
            !isOwner || taken(before) >= before.seats,
          )
          expect(Result.isSuccess(remove(before, actor, UserId.make("member-1")))).toBe(
            isOwner && before.members.length > 2,
          )
          expect(Result.isFailure(remove(before, actor, UserId.make("owner")))).toBe(true)
          expect(Result.isSuccess(remove(before, actor, actor))).toBe(
            !isOwner && before.members.some(({ userId }) => userId === actor),
          )
        },
      ),
    )
  })
})
