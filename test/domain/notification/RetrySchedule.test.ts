import * as fc from "fast-check"
import * as Duration from "effect/Duration"
import { describe, expect, it } from "vitest"
import {
  maxDeliveryAttempts,
  retryAfterDelay,
  retryDelays,
  verdictOn,
} from "../../../domain/notification/RetrySchedule.ts"

const now = Date.parse("2026-01-31T12:00:00Z")
const answer = (statusCode: number, retryAfter?: string) => ({ statusCode, retryAfter })
const inSeconds = (delays: ReadonlyArray<Duration.Duration>) => delays.map(Duration.toSeconds)

describe("verdictOn", () => {
  it("tries again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, then gives up", () => {
    expect(inSeconds(retryDelays)).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
    expect(maxDeliveryAttempts).toBe(10)
    for (const [index, delay] of retryDelays.entries()) {
      expect(verdictOn(answer(500), index + 1, now)).toEqual({ outcome: "retried", delay })
      expect(verdictOn(undefined, index + 1, now)).toEqual({ outcome: "retried", delay })
    }
    expect(verdictOn(answer(500), maxDeliveryAttempts, now)).toEqual({ outcome: "given_up" })
    expect(verdictOn(undefined, maxDeliveryAttempts, now)).toEqual({ outcome: "given_up" })
  })

  it("treats every 2xx as success, even at the last attempt", () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 299 }), fc.integer({ min: 1, max: 12 }), (status, attempt) => {
        expect(verdictOn(answer(status, "60"), attempt, now)).toEqual({ outcome: "delivered" })
      }),
    )
  })

  it("treats 410 as final, whatever else the response says", () => {
    expect(verdictOn(answer(410), 1, now)).toEqual({ outcome: "given_up" })
    expect(verdictOn(answer(410, "5"), 1, now)).toEqual({ outcome: "given_up" })
  })

  it.each([[100], [101], [199], [300], [301], [302], [304], [307], [308], [400], [404], [429], [500], [503], [0]])(
    "tries again after %d",
    (status) => {
      expect(verdictOn(answer(status), 1, now)).toEqual({ outcome: "retried", delay: Duration.seconds(5) })
    },
  )

  it.each([
    ["120", 120_000],
    [" 120 ", 120_000],
    ["Sat, 31 Jan 2026 12:10:00 GMT", 600_000],
    ["Saturday, 31-Jan-26 12:10:00 GMT", 600_000],
    // Capped at one day.
    ["999999", 86_400_000],
    ["9".repeat(400), 86_400_000],
    ["Sat, 31 Jan 2126 12:10:00 GMT", 86_400_000],
    // Never sooner than the schedule.
    ["1", 5000],
    ["0", 5000],
    ["Sat, 31 Jan 2026 11:00:00 GMT", 5000],
    // Not a delay.
    ["", 5000],
    ["soon", 5000],
    ["-5", 5000],
    ["1.5", 5000],
    ["0x10", 5000],
    ["2026-02-01", 5000],
    ["Sat, 99 Foo 2026 12:10:00 GMT", 5000],
  ])("after Retry-After %j waits %d ms", (header, delay) => {
    for (const status of [429, 503, 500, 302]) {
      expect(verdictOn(answer(status, header), 1, now)).toEqual({ outcome: "retried", delay: Duration.millis(delay) })
    }
  })

  it("never waits less than its schedule says, nor more than a day", () => {
    const header = fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    )
    fc.assert(
      fc.property(header, fc.integer({ min: 1, max: retryDelays.length }), (text, attempt) => {
        const verdict = verdictOn(answer(503, text), attempt, now)
        const delay = verdict.outcome === "retried" ? Duration.toMillis(verdict.delay) : Number.NaN
        expect(delay).toBeGreaterThanOrEqual(Duration.toMillis(retryDelays[attempt - 1]!))
        expect(delay).toBeLessThanOrEqual(86_400_000)
        const asked = retryAfterDelay(text, now)
        if (asked !== undefined) expect(delay).toBeGreaterThanOrEqual(Duration.toMillis(asked))
      }),
      { numRuns: 1000 },
    )
  })
})
