import { describe, expect, it } from "vitest"
import { granted, type PoolUse, usedNow, withdrawn } from "../../../domain/plan/PoolUse.ts"
import { calendarMonth, type Period } from "../../../domain/plan/Quota.ts"

const at = (day: string) => new Date(`2026-${day}T00:00:00Z`)
const free = (used: number): PoolUse => ({
  period: calendarMonth(at("11-10")),
  billed: false,
  used,
  carried: undefined,
})
const from = (day: string, end: string): Period => ({ start: at(day), end: at(end) })
const using = (pool: PoolUse, used: number): PoolUse => ({ ...pool, used })

describe("usage after a plan change", () => {
  const subscribed = granted(free(10), from("11-10", "12-10"), false, at("11-10"))

  it("a subscription starts at zero, whatever was used for free that month", () => {
    expect(usedNow(subscribed, at("11-10"))).toBe(0)
    expect(usedNow(using(subscribed, 4), at("11-20"))).toBe(4)
  })

  it("a user who stops paying within the month has used both, until the paid period would have ended", () => {
    const canceled = withdrawn(using(subscribed, 4), at("11-20"))
    expect(usedNow(canceled, at("11-20"))).toBe(14)
    expect(usedNow(canceled, at("12-09"))).toBe(14)
    expect(usedNow(canceled, at("12-10"))).toBe(0)
    expect(usedNow(withdrawn(subscribed, at("11-20")), at("11-20"))).toBe(10)
    expect(usedNow(withdrawn(subscribed, at("11-20")), at("12-01"))).toBe(0)
  })

  it("a user who cancels and resubscribes gets no second quota for the paid period", () => {
    const canceled = withdrawn(using(subscribed, 60), at("11-20"))
    const again = granted(canceled, from("11-21", "12-21"), false, at("11-21"))
    expect(usedNow(again, at("11-21"))).toBe(70)
    expect(usedNow(again, at("12-10"))).toBe(0)
    const directly = granted(using(subscribed, 60), from("11-21", "12-21"), false, at("11-21"))
    expect(usedNow(directly, at("11-21"))).toBeGreaterThanOrEqual(60)
  })
})
