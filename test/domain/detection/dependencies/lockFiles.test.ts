import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readCargoLock } from "../../../../domain/detection/dependencies/files/cargoLock.ts"
import { readJson } from "../../../../domain/detection/dependencies/files/json.ts"
import type { LockFile, Unreadable } from "../../../../domain/detection/dependencies/files/LockFile.ts"
import { readPackageLock } from "../../../../domain/detection/dependencies/files/packageLock.ts"
import { readPnpmLock } from "../../../../domain/detection/dependencies/files/pnpmLock.ts"
import { readYarnLock } from "../../../../domain/detection/dependencies/files/yarnLock.ts"
import { lineAt, type SourceFile, sourceFile } from "../../../../domain/detection/SourceFile.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

type Reader = (file: SourceFile) => LockFile | Unreadable

const read = (reader: Reader, text: string): LockFile => {
  const lock = reader(sourceFile("lock", text))
  if ("reason" in lock) throw new Error(lock.reason)
  return lock
}

/** `name version:line → names of what it needs`. */
const shown = (lock: LockFile): ReadonlyArray<string> =>
  lock.packages.map(({ name, version, span, requires }) => {
    const needs = requires.map((index) => `${lock.packages[index]!.name}@${lock.packages[index]!.version}`)
    return `${name} ${version}:${lineAt(lock.file, span.start)}${needs.length === 0 ? "" : ` → ${needs.join(", ")}`}`
  })

const registry = 'source = "registry+https://github.com/rust-lang/crates.io-index"'

describe("Cargo.lock", () => {
  it("versions 3 and 4 name what a package needs as briefly as they can", () => {
    const lock = read(
      readCargoLock,
      `version = 4\n\n[[package]]\nname = "app"\nversion = "0.1.0"\ndependencies = [\n "b 1.0.0",\n "c",\n]\n\n[[package]]\nname = "b"\nversion = "1.0.0"\n${registry}\n\n[[package]]\nname = "b"\nversion = "2.0.0"\n${registry}\n\n[[package]]\nname = "c"\nversion = "3.0.0"\n${registry}\ndependencies = [\n "b 2.0.0 (registry+https://github.com/rust-lang/crates.io-index)",\n]\n`,
    )
    expect(shown(lock)).toEqual(["app 0.1.0:5 → b@1.0.0, c@3.0.0", "b 1.0.0:13", "b 2.0.0:18", "c 3.0.0:23 → b@2.0.0"])
    expect(lock.packages.map(({ published }) => published)).toEqual([false, true, true, true])
  })

  it("versions 1 and 2 have no number, keep checksums apart, and may have a root", () => {
    const lock = read(
      readCargoLock,
      `[root]\nname = "app"\nversion = "0.1.0"\ndependencies = [\n "b 1.0.0 (registry+https://github.com/rust-lang/crates.io-index)",\n]\n\n[[package]]\nname = "b"\nversion = "1.0.0"\n${registry}\n\n[metadata]\n"checksum b 1.0.0 (registry+https://github.com/rust-lang/crates.io-index)" = "00"\n`,
    )
    expect(shown(lock)).toEqual(["app 0.1.0:3 → b@1.0.0", "b 1.0.0:10"])
  })

  it("of an empty workspace is one, other text is none", () => {
    expect(read(readCargoLock, "version = 3\n").packages).toEqual([])
    expect(readCargoLock(sourceFile("Cargo.lock", "hello"))).toHaveProperty("reason")
  })
})

describe("package-lock.json", () => {
  it("versions 2 and 3 say where each package is installed", () => {
    const packages = {
      "": { dependencies: { a: "^1.0.0" }, version: "9.9.9" },
      "node_modules/a": { version: "1.0.0", dependencies: { "@s/b": "1", c: "1" } },
      "node_modules/@s/b": { version: "1.1.0", peerDependencies: { c: "2" } },
      "node_modules/a/node_modules/c": { version: "1.5.0" },
      "node_modules/c": { version: "2.0.0" },
      "node_modules/w": { resolved: "packages/w", link: true },
      "node_modules/alias": { name: "real", version: "4.0.0" },
      "packages/w/node_modules/c": { version: "3.0.0" },
    }
    const lock = read(readPackageLock, JSON.stringify({ lockfileVersion: 3, packages }, null, 2))
    expect(shown(lock).map((line) => line.replace(/:\d+/, ""))).toEqual([
      "a 1.0.0 → @s/b@1.1.0, c@1.5.0",
      "@s/b 1.1.0 → c@2.0.0",
      "c 1.5.0",
      "c 2.0.0",
      "real 4.0.0",
      "c 3.0.0",
    ])
    const found = ["", "packages/w"].map((folder) => lock.packages[lock.direct("c", "*", folder)!]?.version)
    expect(found).toEqual(["2.0.0", "3.0.0"])
    const [first] = lock.packages
    expect(lock.file.text.slice(first!.span.start, first!.span.end)).toBe('"version": "1.0.0"')
  })

  it("version 1 nests what is installed for one package inside it", () => {
    const dependencies = {
      a: { version: "1.0.0", requires: { c: "1" }, dependencies: { c: { version: "1.5.0" } } },
      c: { version: "2.0.0" },
      d: { version: "npm:real@4.0.0" },
    }
    const lock = read(readPackageLock, JSON.stringify({ lockfileVersion: 1, dependencies }, null, 2))
    expect(
      shown(lock)
        .map((line) => line.replace(/:\d+/, ""))
        .toSorted(),
    ).toEqual(["a 1.0.0 → c@1.5.0", "c 1.5.0", "c 2.0.0", "real 4.0.0"])
  })
})

describe("yarn.lock", () => {
  it("of Yarn 1 resolves by name and requirement", () => {
    const lock = read(
      readYarnLock,
      '# yarn lockfile v1\n\n\n"@s/a@^1.0.0", "@s/a@~1.2.0":\n  version "1.2.3"\n  resolved "https://example.com/a.tgz"\n  dependencies:\n    b "^2.0.0"\n    "@s/c" "1 || 2"\n\nb@^1.0.0:\n  version "1.0.0"\n\nb@^2.0.0:\n  version "2.0.0"\n\n"@s/c@1 || 2":\n  version "2.2.2"\n\n"alias@npm:real@^4.0.0":\n  version "4.1.0"\n',
    )
    expect(shown(lock)).toEqual([
      "@s/a 1.2.3:5 → b@2.0.0, @s/c@2.2.2",
      "b 1.0.0:12",
      "b 2.0.0:15",
      "@s/c 2.2.2:18",
      "real 4.1.0:21",
    ])
    expect(lock.direct("b", "^1.0.0", "")).toBe(1)
    expect(lock.direct("b", "^3.0.0", "")).toBeUndefined()
  })

  it("of Yarn 2 and later has protocols and the workspace's own packages", () => {
    const lock = read(
      readYarnLock,
      '__metadata:\n  version: 8\n\n"@s/a@npm:^1.0.0":\n  version: 1.2.3\n  resolution: "@s/a@npm:1.2.3"\n  dependencies:\n    b: "npm:^2.0.0"\n  peerDependencies:\n    c: ^1\n  checksum: 10/00\n  languageName: node\n\n"b@npm:^2.0.0":\n  version: 2.0.0\n  resolution: "b@npm:2.0.0"\n\n"own@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "own@workspace:."\n',
    )
    expect(shown(lock).slice(0, 2)).toEqual(["@s/a 1.2.3:5 → b@2.0.0", "b 2.0.0:15"])
    expect(lock.packages.at(-1)?.published).toBe(false)
    expect(lock.direct("@s/a", "^1.0.0", "")).toBe(0)
  })
})

describe("pnpm-lock.yaml", () => {
  it.each([
    [
      "5.4",
      "dependencies:\n  '@s/a': 1.2.3\n\npackages:\n\n  /@s/a/1.2.3:\n    resolution: {integrity: x}\n    dependencies:\n      b: 2.0.0_c@1.0.0\n    dev: false\n\n  /b/2.0.0_c@1.0.0:\n    resolution: {integrity: x}\n",
    ],
    [
      "'6.0'",
      "dependencies:\n  '@s/a':\n    specifier: ^1.0.0\n    version: 1.2.3(c@1.0.0)\n\npackages:\n\n  /@s/a@1.2.3(c@1.0.0):\n    resolution: {integrity: x}\n    dependencies:\n      b: 2.0.0\n\n  /b@2.0.0:\n    resolution: {integrity: x}\n",
    ],
    [
      "'9.0'",
      "importers:\n\n  .:\n    dependencies:\n      '@s/a':\n        specifier: ^1.0.0\n        version: 1.2.3(c@1.0.0)\n\npackages:\n\n  '@s/a@1.2.3':\n    resolution: {integrity: x}\n\n  b@2.0.0:\n    resolution: {integrity: x}\n\nsnapshots:\n\n  '@s/a@1.2.3(c@1.0.0)':\n    dependencies:\n      b: 2.0.0\n\n  b@2.0.0: {}\n",
    ],
  ])("of lockfile version %s", (version, rest) => {
    const lock = read(readPnpmLock, `lockfileVersion: ${version}\n\n${rest}`)
    expect(shown(lock).map((line) => line.replace(/:\d+/, ""))).toEqual(["@s/a 1.2.3 → b@2.0.0", "b 2.0.0"])
    expect(lock.direct("@s/a", "^1.0.0", "")).toBe(0)
  })
})

describe("hostile lock files", () => {
  const readers: ReadonlyArray<readonly [string, Reader, string]> = [
    ["Cargo.lock", readCargoLock, `[[package]]\nname = "a"\nversion = "1.0.0"\ndependencies = [\n "a",\n]\n`],
    ["package-lock.json", readPackageLock, '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0"}}}'],
    ["yarn.lock", readYarnLock, '# yarn lockfile v1\n"a@1":\n  version "1.0.0"\n  dependencies:\n    a "1"\n'],
    ["pnpm-lock.yaml", readPnpmLock, "lockfileVersion: 9\npackages:\n  a@1.0.0:\n    dependencies:\n      a: 1.0.0\n"],
  ]

  it.each(readers)("a %s with any text in it is read or refused", (_name, reader, valid) => {
    const damaged = fc
      .tuple(fc.nat(valid.length), fc.nat(valid.length), fc.string())
      .map(([from, to, text]) => valid.slice(0, from) + text + valid.slice(to))
    fc.assert(
      fc.property(damaged, (text) => {
        const lock = reader(sourceFile("lock", text))
        if ("reason" in lock) {
          expect(lock.reason).not.toBe("")
          return
        }
        for (const { span, requires } of lock.packages) {
          expect(span.end).toBeLessThanOrEqual(text.length)
          for (const index of requires) expect(lock.packages[index]).toBeDefined()
        }
      }),
    )
  })

  it.each(readers)("a %s of several megabytes takes time in proportion", (_name, reader, valid) => {
    const seconds = (text: string): number => {
      const start = cpuTime()
      reader(sourceFile("lock", text))
      return (cpuTime() - start) / 1_000
    }
    // A quadratic reader needs minutes for one of these.
    for (const text of [
      valid.repeat(30_000),
      '"'.repeat(2_000_000),
      " ".repeat(2_000_000),
      "[".repeat(2_000_000),
      "\n#".repeat(1_000_000),
      `${valid.slice(0, 20)}${"a@1, ".repeat(400_000)}`,
    ]) {
      expect(seconds(text)).toBeLessThan(5)
    }
  })

  it("JSON that nests without end is refused by its depth", () => {
    expect(readJson('{"a":'.repeat(100_000))).toEqual({ reason: expect.stringContaining("levels") })
    expect(readJson(`${"[".repeat(150)}${"]".repeat(150)}`)).not.toHaveProperty("reason")
  })
})

describe("JSON", () => {
  it("is read as JSON.parse reads it", () => {
    const plain = (node: ReturnType<typeof readJson>): unknown => {
      if ("reason" in node) throw new Error(node.reason)
      if (node.kind === "object")
        return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, plain(value)]))
      if (node.kind === "list") return node.items.map(plain)
      return node.kind === "string" ? node.value : JSON.parse(node.text)
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (json, indent) => {
        const text = JSON.stringify(json, null, indent)
        expect(JSON.stringify(plain(readJson(text)))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it("says near which line it is broken", () => {
    expect(readJson('{\n  "a": 1\n  "b": 2\n}')).toEqual({ reason: "is not JSON: a comma is missing near line 3" })
  })
})
