import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { scopes } from "../../../domain/identity/Caller.ts"
import { endWithin, exceeds, type KeyGrant } from "../../../domain/identity/KeyGrant.ts"

const grant: fc.Arbitrary<KeyGrant> = fc.record({
  scopes: fc.subarray([...scopes]),
  expiresAt: fc.option(fc.date({ noInvalidDate: true }), { nil: undefined }),
})
/** No expiry is later than any date. */
const endOf = ({ expiresAt }: KeyGrant): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY

describe("a key requested by a key", () => {
  it("exceeds it if it has another scope or a later expiry", () => {
    fc.assert(
      fc.property(grant, grant, (wanted, maker) => {
        const more = wanted.scopes.some((scope) => !maker.scopes.includes(scope)) || endOf(wanted) > endOf(maker)
        expect(exceeds(wanted, maker)).toBe(more)
      }),
    )
  })

  it("does not exceed a third key if the one that creates it does not", () => {
    fc.assert(
      fc.property(grant, grant, grant, (a, b, c) => {
        if (!exceeds(a, b) && !exceeds(b, c)) expect(exceeds(a, c)).toBe(false)
      }),
    )
  })

  it("expires as requested, or with the creating key, whichever is sooner", () => {
    fc.assert(
      fc.property(grant, grant, (wanted, maker) => {
        const expiresAt = endWithin(wanted.expiresAt, maker)
        expect(endOf({ ...wanted, expiresAt })).toBe(Math.min(endOf(wanted), endOf(maker)))
        expect(endWithin(wanted.expiresAt, undefined)).toBe(wanted.expiresAt)
      }),
    )
  })
})
