import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cvss3BaseScore, severityOfScore } from "../../../../domain/detection/dependencies/advisories/cvss.ts"
import { cvss4Score } from "../../../../domain/detection/dependencies/advisories/cvss4.ts"

describe("CVSS 3", () => {
  // The National Vulnerability Database's scores for these vectors.
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

  it("has one decimal between 0 and 10, and is no lower if an impact is worse", () => {
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
  it.each([
    ["AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:L/SC:H/SI:L/SA:H", 10],
    ["AV:N/AC:L/AT:N/PR:H/UI:A/VC:H/VI:H/VA:N/SC:H/SI:L/SA:H", 9.2],
    ["AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:P", 8.9],
    ["AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N", 8.7],
    ["AV:L/AC:H/AT:N/PR:N/UI:P/VC:H/VI:L/VA:L/SC:H/SI:N/SA:H", 7.1],
    ["AV:A/AC:H/AT:N/PR:H/UI:N/VC:L/VI:H/VA:N/SC:L/SI:N/SA:L", 5.8],
    ["AV:L/AC:L/AT:P/PR:L/UI:P/VC:L/VI:H/VA:N/SC:L/SI:N/SA:N", 4.3],
    ["AV:L/AC:L/AT:P/PR:H/UI:P/VC:N/VI:N/VA:L/SC:N/SI:H/SA:L", 2],
    ["AV:N/AC:L/AT:P/PR:N/UI:P/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N/E:U", 0.6],
    ["AV:A/AC:L/AT:P/PR:L/UI:A/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N", 0],
  ])("%s scores %s, as the calculator of FIRST says", (vector, score) => {
    expect(cvss4Score(`CVSS:4.0/${vector}`)).toBe(score)
  })

  it("is not a score if a metric is missing or unknown", () => {
    expect(cvss4Score("CVSS:4.0/AV:N")).toBeUndefined()
    expect(cvss4Score("CVSS:4.0/AV:_/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:L/SC:H/SI:L/SA:H")).toBeUndefined()
    expect(cvss4Score("CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:L/SC:_/SI:L/SA:H")).toBeUndefined()
  })
})
