import { describe, expect, it } from "vitest"
import { carriedOver } from "../../../domain/finding/superseded.ts"
import { compareWithBaseline } from "../../../domain/report/Baseline.ts"
import { exampleFinding } from "../report/arbitraries.ts"

const finding = (fingerprint: string) => ({ ...exampleFinding, id: `f_${fingerprint}`, fingerprint })
const prints = (known: ReadonlyArray<string>) =>
  carriedOver(
    [finding("new1"), finding("new2"), finding("else")],
    { new1: ["old1", "old2"], new2: ["old2", "old1"] },
    (one) => known.includes(one),
  ).map(({ fingerprint }) => fingerprint)

describe("a finding of a rule that supersedes others", () => {
  it("keeps the fingerprint it was known by, one finding per fingerprint", () => {
    expect(prints([])).toEqual(["new1", "new2", "else"])
    expect(prints(["old2"])).toEqual(["old2", "new2", "else"])
    expect(prints(["old1", "old2"])).toEqual(["old1", "old2", "else"])
    expect(prints(["old1", "new1"])).toEqual(["new1", "old1", "else"])
  })

  it("is compared with a baseline, and decided, under that fingerprint", () => {
    const decision = { decision: "accepted_risk", reason: "known" } as const
    const compared = compareWithBaseline(
      [finding("new1"), finding("new2")],
      new Set(["old1", "old2"]),
      new Map([["old2", decision]]),
      { new1: ["old1"], new2: ["old2"] },
    )
    expect(compared).toMatchObject([
      { id: "f_old1", status: "unchanged" },
      { id: "f_old2", status: "unchanged", decision },
    ])
  })
})
