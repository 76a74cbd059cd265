import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { rateLimitHeaders, rateWindows, retryAfter, windowLimit } from "../../../domain/plan/RateLimit.ts"

describe("rate limits", () => {
  it.each([
    ["read", "basic", 100],
    ["read", "pro", 1_000],
    ["sync", "basic", 10],
    ["sync", "pro", 10],
    ["create", "basic", 60],
    ["billing", "pro", 20],
    ["authentication", "basic", 30],
    ["public", "basic", 600],
  ] as const)("lets %s on %s through %d times an hour", (window, plan, limit) => {
    expect(windowLimit(window, plan)).toBe(limit)
  })
})

describe("rate-limit headers", () => {
  it("describe the window in the interface's and the IETF's format", () => {
    const now = Date.parse("2026-11-21T12:00:00Z")
    expect(rateLimitHeaders("read", { limit: 100, remaining: 42, resetsAt: now + 90_500 }, now)).toEqual({
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "42",
      "x-ratelimit-reset": String(now / 1000 + 91),
      ratelimit: '"read";r=42;t=91',
      "ratelimit-policy": '"read";q=100;w=3600',
    })
  })

  it("describe the monthly quota if it is used up", () => {
    const now = Date.parse("2026-11-21T12:00:00Z")
    const resetsAt = Date.parse("2026-12-01T00:00:00Z")
    const headers = rateLimitHeaders("scans", { limit: 10, remaining: 0, resetsAt }, now, 30 * 86_400_000)
    expect(headers["ratelimit-policy"]).toBe('"scans";q=10;w=2592000')
    expect(headers["x-ratelimit-reset"]).toBe(String(resetsAt / 1000))
  })

  it("are nonnegative integers, and the reset is not before the window's end", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...rateWindows),
        fc.integer({ min: -10, max: 5_000 }),
        fc.integer({ min: 0, max: 2 ** 42 }),
        fc.integer({ min: 0, max: 2 ** 42 }),
        (name, remaining, resetsAt, now) => {
          const headers = rateLimitHeaders(name, { limit: 1_000, remaining, resetsAt }, now)
          for (const header of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
            expect(headers[header]).toMatch(/^\d+$/)
          }
          expect(Number(headers["x-ratelimit-reset"]) * 1000).toBeGreaterThanOrEqual(resetsAt)
        },
      ),
    )
  })
})

describe("Retry-After", () => {
  it("is at least 1 second, and long enough to find the window reset", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (resetsAt, now) => {
        const seconds = retryAfter(resetsAt, now)
        expect(Number.isInteger(seconds)).toBe(true)
        expect(seconds).toBeGreaterThanOrEqual(1)
        expect(now + seconds * 1000).toBeGreaterThanOrEqual(resetsAt)
      }),
    )
  })
})
