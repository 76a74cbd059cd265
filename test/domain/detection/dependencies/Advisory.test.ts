import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type AffectedPackage,
  firstFixed,
  isAffected,
  type RangeEvent,
} from "../../../../domain/detection/dependencies/advisories/Advisory.ts"
import { AdvisorySet, sameProblem } from "../../../../domain/detection/dependencies/advisories/AdvisorySet.ts"
import { bundledAdvisories } from "../../../../domain/detection/dependencies/advisories/bundled.ts"
import { readOsv } from "../../../../domain/detection/dependencies/advisories/osv.ts"
import {
  compareSemVer,
  parseSemVer,
  showSemVer,
  type SemVer,
} from "../../../../domain/detection/dependencies/advisories/SemVer.ts"

const affects = (...ranges: ReadonlyArray<ReadonlyArray<RangeEvent>>): AffectedPackage => ({
  registry: "npm",
  name: "a",
  ranges,
  versions: [],
  commits: [],
})

const from = (version: string): RangeEvent => ({ kind: "introduced", version })
const fixed = (version: string): RangeEvent => ({ kind: "fixed", version })
const last = (version: string): RangeEvent => ({ kind: "last_affected", version })
const at = (text: string): SemVer => parseSemVer(text)!

describe("affected versions", () => {
  it.each([
    [affects([from("0"), fixed("1.2.0")]), ["0.0.1", "0.0.0-alpha", "1.2.0-rc.1"], ["1.2.0", "2.0.0"]],
    [affects([from("1.0.0"), last("1.4.0")]), ["1.0.0", "1.4.0"], ["1.4.1", "0.9.0", "1.0.0-rc.1"]],
    [
      affects([from("1.0.0"), fixed("1.1.0"), from("2.0.0"), fixed("2.1.0")]),
      ["1.0.5", "2.0.0"],
      ["1.1.0", "1.5.0", "2.1.0"],
    ],
    [affects([fixed("2.1.0"), from("2.0.0"), fixed("1.1.0"), from("1.0.0")]), ["1.0.5", "2.0.0"], ["1.1.0", "2.1.0"]],
    [affects([from("3.3.0"), fixed("3.4.2")], [from("4.0.0")]), ["3.4.1", "4.9.0"], ["3.4.2", "3.2.0"]],
    [{ ...affects(), versions: ["4.9.4"] }, ["4.9.4"], ["4.9.3"]],
    [affects([from("no version")]), [], ["1.0.0"]],
  ] as const)("%j", (affected, inside, outside) => {
    for (const version of inside) expect([version, isAffected(affected, at(version))]).toEqual([version, true])
    for (const version of outside) expect([version, isAffected(affected, at(version))]).toEqual([version, false])
  })

  it("are half-open intervals, however many and in whatever order", () => {
    const version = fc
      .tuple(fc.nat(4), fc.nat(4))
      .map(([major, minor]): SemVer => ({ major, minor, patch: 0, prerelease: [] }))
    fc.assert(
      fc.property(
        fc.uniqueArray(version, { selector: showSemVer, minLength: 2, maxLength: 8 }),
        version,
        fc.integer(),
        (bounds, one, seed) => {
          const sorted = bounds.toSorted(compareSemVer).slice(0, bounds.length - (bounds.length % 2))
          const events = sorted.map((bound, index) =>
            index % 2 === 0 ? from(showSemVer(bound)) : fixed(showSemVer(bound)),
          )
          const shuffled = events.toSorted(
            (a, b) => ((a.version.charCodeAt(0) * 31 + seed) % 7) - ((b.version.charCodeAt(0) * 31 + seed) % 7),
          )
          const below = sorted.filter((bound) => compareSemVer(bound, one) <= 0).length
          expect(isAffected(affects(shuffled), one)).toBe(below % 2 === 1)
        },
      ),
    )
  })

  it("are fixed by the lowest later version outside of all ranges", () => {
    const both = [
      affects([from("1.0.0"), fixed("1.4.4")], [from("1.4.0"), fixed("1.6.0")], [from("2.0.0"), fixed("2.0.2")]),
    ]
    expect(showSemVer(firstFixed(both, at("1.4.1"))!)).toBe("1.6.0")
    expect(showSemVer(firstFixed(both, at("2.0.1"))!)).toBe("2.0.2")
    expect(firstFixed([affects([from("0")])], at("1.0.0"))).toBeUndefined()
  })
})

describe("OSV entries", () => {
  const affected = [
    { package: { ecosystem: "crates.io", name: "x" }, ranges: [{ type: "SEMVER", events: [{ introduced: "0" }] }] },
  ]
  const severityOf = (change: object) => readOsv({ id: "X-1", affected, ...change })?.severity

  it("have the severity of their score, or else the database's own, or else medium", () => {
    const scored = {
      severity: [{ type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H" }],
      database_specific: { severity: "LOW" },
    }
    expect(severityOf(scored)).toBe("critical")
    expect(severityOf({ database_specific: { severity: "MODERATE" } })).toBe("medium")
    expect(severityOf({ affected: [{ ...affected[0], database_specific: { informational: "unmaintained" } }] })).toBe(
      "informational",
    )
    expect(
      severityOf({
        severity: [{ type: "CVSS_V4", score: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N" }],
      }),
    ).toBe("high")
    expect(severityOf({})).toBe("medium")
  })

  it("affect nothing if withdrawn or about other registries", () => {
    expect(readOsv({ id: "X-1", affected, withdrawn: "2025-01-01T00:00:00Z" })?.affected).toEqual([])
    expect(readOsv({ id: "X-1", affected: [{ package: { ecosystem: "PyPI", name: "x" } }] })).toBeUndefined()
  })

  it("list the commits of git ranges as affected, except fixed ones", () => {
    const ranges = [
      {
        type: "GIT",
        repo: "https://github.com/a/b",
        events: [{ introduced: "0" }, { introduced: "aa11" }, { fixed: "bb22" }, { last_affected: "cc33" }],
      },
    ]
    expect(readOsv({ id: "X-1", affected: [{ ...affected[0], ranges }] })?.affected[0]?.commits).toEqual([
      "aa11",
      "cc33",
    ])
  })

  it("may contain anything", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        readOsv(json)
        readOsv({ id: "X-1", affected: json, severity: json, references: json, aliases: json, database_specific: json })
        readOsv({ id: "X-1", affected: [{ package: { ecosystem: "npm", name: "a" }, ranges: json, versions: json }] })
      }),
    )
  })

  it("keep only links to web pages", () => {
    const references = [
      { type: "WEB", url: "javascript:alert(1)" },
      { type: "WEB", url: "https://example.com/a" },
    ]
    expect(readOsv({ id: "X-1", affected, references })?.references).toEqual(["https://example.com/a"])
  })
})

describe("a set of advisories", () => {
  const advisory = (id: string, aliases: ReadonlyArray<string>, change: object = {}) =>
    readOsv({
      id,
      aliases,
      affected: [
        { package: { ecosystem: "npm", name: "a" }, ranges: [{ type: "SEMVER", events: [{ introduced: "0" }] }] },
      ],
      ...change,
    })!

  it("reports one problem once, by the entry with a rating", () => {
    const all = [
      advisory("RUSTSEC-1", ["CVE-1"]),
      advisory("GHSA-1", ["CVE-1"], { database_specific: { severity: "LOW" } }),
      advisory("GHSA-2", []),
      advisory("X-3", ["GHSA-2", "RUSTSEC-1"]),
    ]
    const groups = sameProblem(new AdvisorySet(all.slice(0, 3)).about("npm", "a"))
    expect(groups.map((group) => group.map((one) => one.advisory.id))).toEqual([["GHSA-1", "RUSTSEC-1"], ["GHSA-2"]])
    expect(sameProblem(new AdvisorySet(all).about("npm", "a"))).toHaveLength(1)
  })

  it("lets a later entry of the same id replace or withdraw an earlier one", () => {
    const set = new AdvisorySet([
      advisory("A", []),
      advisory("B", []),
      advisory("A", [], { withdrawn: "2025-01-01" }),
      advisory("B", [], { summary: "new" }),
    ])
    expect(set.about("npm", "a").map((one) => one.advisory.summary)).toEqual(["new"])
  })
})

describe("the bundled advisories", () => {
  it("are all read, each once, with a page to read more and an affected version", () => {
    expect(bundledAdvisories.length).toBeGreaterThan(30)
    expect(new Set(bundledAdvisories.map(({ id }) => id)).size).toBe(bundledAdvisories.length)
    for (const { id, affected, references, summary } of bundledAdvisories) {
      expect([id, references.length > 0, summary.length < 100]).toEqual([id, true, true])
      const bounds = affected.flatMap(({ ranges }) => ranges.flat()).filter(({ kind }) => kind === "introduced")
      expect(bounds.length).toBeGreaterThan(0)
      for (const { version } of bounds)
        expect(affected.some((one) => isAffected(one, at(version === "0" ? "0.0.1" : version)))).toBe(true)
    }
  })
})
