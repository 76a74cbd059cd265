import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import {
  type Decision,
  decisionEtag,
  type DecisionRecord,
  effectiveDecision,
  isDecided,
  judge,
  longestReason,
  versionOf,
  withDecision,
} from "../../../domain/finding/Decision.ts"
import type { FindingStatus } from "../../../domain/finding/FindingStatus.ts"

const day = 24 * 3_600_000
const now = new Date("2026-06-01T00:00:00Z")
const record = (change: Partial<DecisionRecord>): DecisionRecord => ({
  version: 1,
  decision: "accepted_risk",
  reason: "known",
  decidedBy: "u",
  decidedAt: new Date(now.getTime() - day),
  expiresAt: undefined,
  ...change,
})
const kind = (latest: DecisionRecord | undefined, foundIn = now) => {
  const { decision, reopened } = effectiveDecision(latest, foundIn, now)
  return reopened === undefined ? decision : `${decision}, ${reopened}`
}

describe("a decision", () => {
  it("holds until it expires, or what was fixed is found again", () => {
    expect(kind(undefined)).toBe("open")
    expect(kind(record({}))).toBe("accepted_risk")
    expect(kind(record({ expiresAt: new Date(now.getTime() + 1) }))).toBe("accepted_risk")
    expect(kind(record({ expiresAt: now }))).toBe("open, expired")
    expect(kind(record({ decision: "false_positive" }))).toBe("false_positive")
    expect(kind(record({ decision: "fixed" }))).toBe("open, found_again")
    expect(kind(record({ decision: "fixed" }), new Date(now.getTime() - 2 * day))).toBe("fixed")
    expect(kind(record({ decision: "open" }))).toBe("open")
  })

  it("is included in a finding only while in effect", () => {
    const finding: { readonly status: FindingStatus; readonly decision?: Decision } = { status: "unchanged" }
    expect(withDecision(finding, { decision: "open" })).toEqual(finding)
    const again = withDecision(finding, { decision: "open", reopened: "found_again" })
    expect(again).toMatchObject({ status: "reopened", decision: { reopened: "found_again" } })
    expect(isDecided(again)).toBe(false)
    expect(isDecided(withDecision(finding, { decision: "fixed" }))).toBe(true)
  })

  it("has a reason of bounded length without hidden characters", () => {
    const reason = (text: string | undefined) => Result.isSuccess(judge({ decision: "fixed", reason: text }, now))
    expect(["ok", "two\r\nlines", "tab\there", "ü", "x".repeat(longestReason)].map(reason)).not.toContain(false)
    const wrong = [undefined, "", "  ", "\u0007", "\u009b", "\u202e", "\u2066", "x".repeat(longestReason + 1)]
    expect(wrong.map(reason)).not.toContain(true)
    expect(Result.isSuccess(judge({ decision: "open" }, now))).toBe(true)
  })

  it("has a tag that is unique to its finding and state", () => {
    const etag = decisionEtag("0123456789abcdef", 12)
    expect(versionOf("0123456789abcdef", etag)).toBe(12)
    for (const wrong of [
      etag.slice(1),
      `W/${etag}`,
      '"fedcba9876543210.12"',
      '"0123456789abcdef.12.1"',
      '"0123456789abcdef."',
      "",
    ]) {
      expect(versionOf("0123456789abcdef", wrong)).toBeUndefined()
    }
  })
})
