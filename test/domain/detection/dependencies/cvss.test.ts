import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cvss3BaseScore, cvss4Severity, severityOfScore } from "../../../../domain/detection/dependencies/cvss.ts"

describe("CVSS 3", () => {
  // Scores that the National Vulnerability Database gives for these vectors.
  it.each([
    ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", 10],
    ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 9.8],
    ["CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H", 8.8],
    ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N", 7.5],
    ["CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:N", 5.9],
    ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N", 5.3],
    ["CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:N/I:H/A:N", 5.3],
    ["CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:L/A:N", 3.7],
    ["CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", 6.1],
    ["CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H", 7.8],
    ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", 0],
  ])("%s is %d", (vector, score) => {
    expect(cvss3BaseScore(vector)).toBe(score)
  })

  it.each([
    "",
    "CVSS:2.0/AV:N",
    "CVSS:3.1/AV:N",
    "CVSS:3.1/AV:Q/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H",
    "AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H",
  ])("%j has no score", (vector) => {
    expect(cvss3BaseScore(vector)).toBeUndefined()
  })

  it("is one decimal between 0 and 10, and no lower where an impact is worse", () => {
    const metric = fc.constantFrom("N", "L", "H")
    fc.assert(
      fc.property(
        fc.constantFrom("N", "A", "L", "P"),
        fc.constantFrom("L", "H"),
        metric,
        fc.constantFrom("N", "R"),
        fc.constantFrom("U", "C"),
        metric,
        metric,
        (av, ac, pr, ui, s, c, i) => {
          const scoreOf = (availability: string) =>
            cvss3BaseScore(`CVSS:3.1/AV:${av}/AC:${ac}/PR:${pr}/UI:${ui}/S:${s}/C:${c}/I:${i}/A:${availability}`)!
          const scores = ["N", "L", "H"].map(scoreOf)
          expect(scores.toSorted((a, b) => a - b)).toEqual(scores)
          for (const score of scores)
            expect([score * 10, score >= 0, score <= 10]).toEqual([Math.round(score * 10), true, true])
        },
      ),
    )
  })

  it("falls into five bands", () => {
    expect([10, 9, 8.9, 7, 6.9, 4, 3.9, 0.1, 0].map(severityOfScore)).toEqual([
      "critical",
      "critical",
      "high",
      "high",
      "medium",
      "medium",
      "low",
      "low",
      "informational",
    ])
  })
})

describe("CVSS 4", () => {
  it("is told by its impacts and by what an attack needs", () => {
    const of = (attack: string, impacts: string) => cvss4Severity(`CVSS:4.0/${attack}/${impacts}`)
    const open = "AV:N/AC:L/AT:N/PR:N/UI:N"
    expect(of(open, "VC:H/VI:H/VA:H/SC:N/SI:N/SA:N")).toBe("critical")
    expect(of(open, "VC:N/VI:H/VA:N/SC:N/SI:N/SA:N")).toBe("high")
    expect(of("AV:L/AC:L/AT:N/PR:L/UI:N", "VC:N/VI:H/VA:N/SC:N/SI:N/SA:N")).toBe("medium")
    expect(of(open, "VC:N/VI:L/VA:N/SC:N/SI:N/SA:N")).toBe("medium")
    expect(of("AV:N/AC:H/AT:P/PR:N/UI:N", "VC:L/VI:N/VA:N/SC:N/SI:N/SA:N")).toBe("low")
    expect(cvss4Severity("CVSS:4.0/AV:N")).toBeUndefined()
  })
})
