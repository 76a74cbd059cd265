import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SourceMemory } from "../../../adapters/engine/SourceMemory.ts"
import { frontEnd } from "../../../apps/engine/frontEnds.ts"
import { examine } from "../../../domain/detection/examine.ts"
import { type SomeFrontEnd, someFrontEnd } from "../../../domain/detection/FrontEnd.ts"
import { oncePer } from "../../../domain/detection/oncePer.ts"
import type { SourceFile } from "../../../domain/detection/SourceFile.ts"
import type { Ecosystem } from "../../../domain/analysis/Framework.ts"

const read = (files: ReadonlyMap<string, string>, fileOf: (path: string, text: string) => SourceFile) => ({
  paths: [...files.keys()],
  read: (path: string) => fileOf(path, files.get(path) ?? ""),
})

/** The findings, suppressed ones included, and the coverage: everything that makes up a report. */
const reportOf = (files: ReadonlyMap<string, string>, frontEnds: ReadonlyArray<SomeFrontEnd>, memory: SourceMemory) =>
  examine({
    sources: read(files, (path, text) => memory.file(path, text)),
    frontEnds,
    engine: { name: "assay", version: "0" },
  })

/** Where a small project keeps its sources, and its manifest. */
const layouts: Record<Ecosystem, { readonly source: string; readonly manifest?: string }> = {
  evm: { source: "src/Example.sol" },
  solana: { source: "src/lib.rs", manifest: 'anchor-lang = "0.30.1"\nsolana-program = "1.18.0"\n' },
  cosmwasm: { source: "src/lib.rs", manifest: 'cosmwasm-std = "2.1.0"\ncw-storage-plus = "2.0.0"\n' },
}

/** The first vulnerable example of each rule, each in its own project. */
const examplesOf = (some: SomeFrontEnd): ReadonlyMap<string, string> =>
  some(({ ecosystem, rules }) => {
    const { source, manifest } = layouts[ecosystem]
    const files = new Map<string, string>()
    for (const [index, { examples }] of rules.entries()) {
      if (examples.file !== undefined) continue
      files.set(`p${index}/${source}`, examples.vulnerable[0])
      if (manifest === undefined) continue
      const head = `[package]\nname = "p${index}"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ncrate-type = ["cdylib"]\n`
      files.set(`p${index}/Cargo.toml`, `${head}\n[dependencies]\n${manifest}`)
    }
    return files
  })

const edit = fc.record({
  kind: fc.constantFrom("comment", "drop", "twice", "exchange", "rename", "delete"),
  file: fc.nat(),
  other: fc.nat(),
  line: fc.nat(),
})

type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never

/** The files after one of them was edited, or two were swapped. */
const edited = (files: ReadonlyMap<string, string>, { kind, file, other, line }: Edit): ReadonlyMap<string, string> => {
  const paths = [...files.keys()]
  const [path, second] = [paths[file % paths.length]!, paths[other % paths.length]!]
  const lines = files.get(path)!.split("\n")
  const at = line % lines.length
  const next = new Map(files)
  if (kind === "comment") lines.splice(at, 0, "// a remark")
  if (kind === "drop") lines.splice(at, 1)
  if (kind === "twice") lines.splice(at, 0, lines[at]!)
  next.set(path, lines.join("\n"))
  if (kind === "exchange") next.set(path, files.get(second)!).set(second, files.get(path)!)
  if (kind === "rename") next.set(path.replace(/(\.\w+)$/, "2$1"), files.get(path)!)
  if (kind === "rename" || kind === "delete") next.delete(path)
  return next
}

describe("the memory of source files", () => {
  it("returns the same object only for the same path and text", () => {
    const memory = new SourceMemory()
    const file = memory.file("a.sol", "text")
    expect(memory.file("a.sol", "text")).toBe(file)
    expect(memory.file("b.sol", "text")).not.toBe(file)
    expect(memory.file("a.sol", "other")).not.toBe(file)
    expect(memory.file("a.sol", "text")).toBe(file)
  })

  it("evicts the least recently used beyond its limit, and never keeps a file larger than that", () => {
    const memory = new SourceMemory(10)
    const [a, b] = [memory.file("a", "12345"), memory.file("b", "12345")]
    memory.file("large", "12345678901")
    expect(memory.file("a", "12345")).toBe(a)
    memory.file("c", "1")
    expect(memory.file("a", "12345")).toBe(a)
    expect(memory.file("b", "12345")).not.toBe(b)
  })
})

describe("the second analysis of a repository", () => {
  it("parses only what changed", () => {
    const parsed: Array<string> = []
    const counting = someFrontEnd<SourceFile, null>({
      ecosystem: "evm",
      isSource: () => true,
      parse: oncePer((file: SourceFile) => {
        parsed.push(file.path)
        return { unit: file, errors: [], problems: [], functions: 1, usable: true }
      }),
      build: () => null,
      rules: [],
    })
    const memory = new SourceMemory()
    const files = new Map(["a.sol", "b.sol", "c.sol"].map((path) => [path, `text of ${path}`]))
    reportOf(files, [counting], memory)
    expect(parsed).toEqual(["a.sol", "b.sol", "c.sol"])
    reportOf(new Map([...files, ["b.sol", "changed"]]), [counting], memory)
    expect(parsed.slice(3)).toEqual(["b.sol"])
  })

  it("reports the same as the first one, in every language", { timeout: 60_000 }, async () => {
    for (const ecosystem of ["evm", "solana", "cosmwasm"] as const) {
      const frontEnds = [await frontEnd(ecosystem)]
      const files = examplesOf(frontEnds[0]!)
      const memory = new SourceMemory()
      const first = reportOf(files, frontEnds, memory)
      expect(first.findings.length).toBeGreaterThan(10)
      expect(reportOf(files, frontEnds, memory)).toEqual(first)
      const [path = "", text = ""] = [...files].at(3) ?? []
      const changed = new Map([...files, [path, `// moved\n${text}`]])
      expect(reportOf(changed, frontEnds, memory)).toEqual(reportOf(changed, frontEnds, new SourceMemory()))
    }
  })

  it("reports the same as a first analysis after any edits", { timeout: 120_000 }, async () => {
    const frontEnds = await Promise.all((["evm", "solana"] as const).map((ecosystem) => frontEnd(ecosystem)))
    const files = new Map(
      frontEnds.flatMap((some, index) =>
        [...examplesOf(some)].slice(0, 24).map(([path, text]) => [`${index}/${path}`, text] as const),
      ),
    )
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), (edits) => {
        const memory = new SourceMemory()
        let now: ReadonlyMap<string, string> = files
        reportOf(now, frontEnds, memory)
        for (const one of edits) {
          now = edited(now, one)
          expect(reportOf(now, frontEnds, memory)).toEqual(reportOf(now, frontEnds, new SourceMemory()))
        }
      }),
      { numRuns: 5 },
    )
  })
})
