import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { calendarMonth, quotaPeriod, quotaUsage, scanLimit } from "../../../domain/plan/Quota.ts"

const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
const seats = fc.integer({ min: 1, max: 10_000 })
const month = { start: new Date("2026-11-01"), end: new Date("2026-12-01") }

describe("scan limit", () => {
  it("is 60 per pro seat, pooled, and 10 on basic", () => {
    expect(scanLimit({ plan: "pro", seats: 1 })).toBe(60)
    expect(scanLimit({ plan: "pro", seats: 7 })).toBe(420)
    expect(scanLimit({ plan: "basic", seats: 1 })).toBe(10)
    expect(scanLimit({ plan: "basic", seats: 7 })).toBe(10)
    expect(scanLimit({ plan: "pro", seats: -1 })).toBe(0)
  })

  it("is the same for two combined pools as for one with the seats of both", () => {
    fc.assert(
      fc.property(seats, seats, (a, b) => {
        const limit = (seats: number) => scanLimit({ plan: "pro", seats })
        expect(limit(a) + limit(b)).toBe(limit(a + b))
      }),
    )
  })
})

describe("usage", () => {
  it("leaves the limit minus what was used, and never less than zero", () => {
    fc.assert(
      fc.property(seats, fc.nat(1_000_000), (seats, used) => {
        const { limit, remaining, resetsAt } = quotaUsage(scanLimit({ plan: "pro", seats }), used, month.end)
        expect(remaining).toBe(used > limit ? 0 : limit - used)
        expect(resetsAt).toEqual(month.end)
      }),
    )
  })

  it("is shared by the members, whichever of them scanned", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }), (scans) => {
        const pool = { plan: "pro", seats: scans.length } as const
        const used = scans.reduce((a, b) => a + b, 0)
        expect(quotaUsage(scanLimit(pool), used, month.end).remaining === 0).toBe(used >= 60 * scans.length)
      }),
    )
  })
})

describe("quota period", () => {
  it("is the calendar month in UTC without a subscription", () => {
    expect(quotaPeriod(undefined, new Date("2026-12-31T23:59:59.999Z"))).toEqual({
      start: new Date("2026-12-01"),
      end: new Date("2027-01-01"),
    })
  })

  it("is a subscriber's billing period while it lasts", () => {
    const billing = { start: new Date("2026-11-17T10:00:00Z"), end: new Date("2026-12-17T10:00:00Z") }
    expect(quotaPeriod(billing, new Date("2026-12-17T09:59:59Z"))).toEqual(billing)
  })

  it("continues by months from the billing day if the renewal event is late", () => {
    const billing = { start: new Date("2026-12-31T10:00:00Z"), end: new Date("2027-01-31T10:00:00Z") }
    expect(quotaPeriod(billing, new Date("2027-02-15"))).toEqual({
      start: new Date("2027-01-31T10:00:00Z"),
      end: new Date("2027-02-28T10:00:00Z"),
    })
    expect(quotaPeriod(billing, new Date("2027-03-01"))).toEqual({
      start: new Date("2027-02-28T10:00:00Z"),
      end: new Date("2027-03-31T10:00:00Z"),
    })
  })

  it("always contains the present, and lasts at most 31 days unless it is the given one", () => {
    fc.assert(
      fc.property(moment, moment, (start, now) => {
        const billing = { start, end: new Date(start.getTime() + 30 * 86_400_000) }
        for (const period of [calendarMonth(now), quotaPeriod(billing, now)]) {
          expect(period.start.getTime()).toBeLessThanOrEqual(now.getTime())
          expect(period.end.getTime()).toBeGreaterThan(now.getTime())
          expect(period.end.getTime() - period.start.getTime()).toBeLessThanOrEqual(31 * 86_400_000)
        }
      }),
    )
  })
})
