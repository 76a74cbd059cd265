import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  exactVersion,
  lowestVersion,
  parseRequirement,
  satisfies,
} from "../../../../domain/detection/dependencies/advisories/Requirement.ts"
import {
  compareSemVer,
  parseSemVer,
  type SemVer,
  showSemVer,
} from "../../../../domain/detection/dependencies/advisories/SemVer.ts"

const read = (text: string): SemVer => {
  const version = parseSemVer(text)
  if (version === undefined) throw new Error(`${text} is not a version`)
  return version
}

const identifier = fc.oneof(fc.nat(20).map(String), fc.stringMatching(/^[a-z][a-z0-9-]{0,4}$/))
const versions = fc
  .record({
    major: fc.nat(3),
    minor: fc.nat(3),
    patch: fc.nat(3),
    prerelease: fc.oneof(fc.constant([]), fc.array(identifier, { minLength: 1, maxLength: 3 })),
  })
  .map((version): SemVer => version)

describe("versions", () => {
  it("are ordered as in Semantic Versioning 11.4", () => {
    const order = [
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "2.0.0",
      "2.1.0",
      "2.1.1",
    ]
    for (const [index, version] of order.entries()) {
      for (const [other, later] of order.entries()) {
        expect(Math.sign(compareSemVer(read(version), read(later)))).toBe(Math.sign(index - other))
      }
    }
  })

  it("may have a leading `v`, build metadata and missing parts", () => {
    expect(showSemVer(read("v4.9.3"))).toBe("4.9.3")
    expect(showSemVer(read("1.2.3-rc.1+build.5"))).toBe("1.2.3-rc.1")
    expect(showSemVer(read("2.1"))).toBe("2.1.0")
    for (const none of ["", "master", "1.2.3.4", "1.2.x", "9999999999999999.0.0", `1.0.0-${"a".repeat(300)}`]) {
      expect(parseSemVer(none)).toBeUndefined()
    }
  })

  it("are totally ordered, and parse back from their text", () => {
    fc.assert(
      fc.property(versions, versions, versions, (a, b, c) => {
        expect(Math.sign(compareSemVer(a, b)) + Math.sign(compareSemVer(b, a))).toBe(0)
        if (compareSemVer(a, b) <= 0 && compareSemVer(b, c) <= 0) expect(compareSemVer(a, c)).toBeLessThanOrEqual(0)
        expect(compareSemVer(read(showSemVer(a)), a)).toBe(0)
      }),
    )
  })
})

describe("requirements", () => {
  it.each([
    ["cargo", "1.5.0", ["1.5.0", "1.9.9"], ["1.4.9", "2.0.0", "1.6.0-rc.1"]],
    ["cargo", "0.2.3", ["0.2.3", "0.2.9"], ["0.3.0", "0.2.2"]],
    ["cargo", "0.0.3", ["0.0.3"], ["0.0.4"]],
    ["cargo", "1", ["1.0.0", "1.9.0"], ["0.9.0", "2.0.0"]],
    ["cargo", "0", ["0.1.0", "0.9.0"], ["1.0.0"]],
    ["cargo", "=1.5.3", ["1.5.3"], ["1.5.4"]],
    ["cargo", "~1.2", ["1.2.0", "1.2.9"], ["1.3.0"]],
    ["cargo", ">=1.2, <1.5", ["1.2.0", "1.4.9"], ["1.5.0", "1.1.9"]],
    ["cargo", "1.*", ["1.0.0", "1.7.0"], ["2.0.0"]],
    ["cargo", "2.0.0-rc.1", ["2.0.0-rc.1", "2.0.0-rc.2", "2.1.0"], ["2.0.0-beta", "2.1.0-rc.1"]],
    ["npm", "1.2.3", ["1.2.3"], ["1.2.4"]],
    ["npm", "^4.7.0", ["4.7.0", "4.9.6"], ["5.0.0", "4.6.9"]],
    ["npm", "4.x", ["4.0.0", "4.9.6"], ["5.0.0"]],
    ["npm", "3.4.2 || >=4.3.1 <5", ["3.4.2", "4.3.1"], ["4.3.0", "5.0.0"]],
    ["npm", "1.2 - 2.3", ["1.2.0", "2.3.9"], ["2.4.0", "1.1.0"]],
    ["npm", "*", ["0.0.1", "9.9.9"], ["1.0.0-rc.1"]],
  ] as const)("%s %s", (dialect, text, inside, outside) => {
    const requirement = parseRequirement(text, dialect)
    expect(requirement).toBeDefined()
    for (const version of inside) expect([version, satisfies(requirement!, read(version))]).toEqual([version, true])
    for (const version of outside) expect([version, satisfies(requirement!, read(version))]).toEqual([version, false])
  })

  it.each(["github:a/b", "file:../x", "workspace:*", "https://example.com/x.tgz", "next"])("%s is not one", (text) => {
    expect(parseRequirement(text, "npm")).toBeUndefined()
  })

  it("yield the only or the lowest version that they allow", () => {
    const shown = (version: SemVer | undefined) => (version === undefined ? undefined : showSemVer(version))
    const of = (text: string) => parseRequirement(text, "npm")!
    expect([shown(exactVersion(of("4.3.0"))), shown(exactVersion(of("^4.3.0")))]).toEqual(["4.3.0", undefined])
    expect([">=2 || ^1.5", "^4.3.0", "<3", "*"].map((text) => shown(lowestVersion(of(text))))).toEqual([
      "1.5.0",
      "4.3.0",
      undefined,
      undefined,
    ])
  })

  it("a caret allows its own version, but nothing below it or from the next breaking one", () => {
    fc.assert(
      fc.property(versions, versions, (bound, other) => {
        const requirement = parseRequirement(`^${showSemVer(bound)}`, "npm")!
        expect(satisfies(requirement, bound)).toBe(true)
        if (compareSemVer(other, bound) < 0 || other.major > bound.major) {
          expect(satisfies(requirement, other)).toBe(false)
        }
      }),
    )
  })
})
