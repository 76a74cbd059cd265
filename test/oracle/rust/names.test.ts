import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { makeRustParser } from "../../../adapters/tree-sitter/rust.ts"
import type { FunctionDefinition, Module } from "../../../domain/detection/rust/crate/crate.ts"
import { readManifest } from "../../../domain/detection/rust/crate/manifest.ts"
import { buildRustProject, type RustProject } from "../../../domain/detection/rust/crate/program.ts"
import type { Path } from "../../../domain/detection/rust/syntax/syntax.ts"
import { columnAt, lineAt, sourceFile, type SourceFile } from "../../../domain/detection/SourceFile.ts"
import { readWithAnalyzer } from "./analyzer.ts"

const parse = await makeRustParser()
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "assay-names-")))
afterAll(() => rmSync(scratch, { recursive: true }))

const placeOf = (file: SourceFile, offset: number): string =>
  `${file.path}:${lineAt(file, offset)}:${columnAt(file, offset)}`

/** The paths that a function calls: `helpers::pay(…)`. */
const calledPaths = (definition: FunctionDefinition): ReadonlyArray<Path> => {
  const found: Array<Path> = []
  const stack: Array<unknown> = [definition.item.body]
  for (let one = stack.pop(); stack.length > 0 || one !== undefined; one = stack.pop()) {
    if (typeof one !== "object" || one === null) continue
    const { kind, callee } = one as {
      readonly kind?: string
      readonly callee?: { readonly kind: string; readonly path?: Path }
    }
    // A function in a function is one of its own.
    if (kind === "function") continue
    if (kind === "call" && callee?.kind === "path" && callee.path !== undefined) found.push(callee.path)
    stack.push(...Object.values(one))
  }
  return found
}

/** What the library's root leads to: modules of tests, which we leave out, stand by themselves. */
const isReached = (module: Module): boolean => {
  let root = module
  for (let up = root.around ?? root.parent; up !== undefined; up = root.around ?? root.parent) root = up
  return root === module.crate.roots[0]
}

/** Each call that names a function of the project, and where that is declared. */
const ourAnswers = ({ crates, resolver }: RustProject): ReadonlyMap<string, string | undefined> => {
  const answers = new Map<string, string | undefined>()
  for (const crate of crates)
    for (const definition of crate.functions.filter(({ module }) => isReached(module)))
      for (const path of calledPaths(definition)) {
        const last = path.segments.at(-1)
        if (last === undefined || last.generics.length > 0 || path.selfType !== undefined) continue
        if (path.segments[0]?.name === "Self") continue
        const { module } = definition
        const names = path.segments.map(({ name }) => name)
        const found = resolver.resolve(module, names, "value")
        const target =
          found.kind === "definition" && found.definition.kind === "function" ? found.definition : undefined
        answers.set(
          placeOf(module.file, path.end - last.name.length),
          target === undefined ? undefined : placeOf(target.module.file, target.item.nameSpan.start),
        )
      }
  return answers
}

interface Comparison {
  readonly same: number
  /** Calls of functions of the project that we take for something else, or for nothing. */
  readonly different: ReadonlyArray<string>
}

const compare = (folder: string): Comparison => {
  const files = (pattern: string): ReadonlyArray<string> =>
    globSync(pattern, { cwd: folder })
      .filter((path) => !/(^|\/)(target|node_modules)\//.test(path))
      .toSorted()
  const read = (path: string): SourceFile => sourceFile(path, readFileSync(join(folder, path), "utf8"))
  const manifests = files("**/Cargo.toml")
  const theirs = readWithAnalyzer(folder, manifests)
  const project = buildRustProject(
    files("**/*.rs").map((path) => parse(read(path))),
    manifests.map((path) => readManifest(read(path))),
  )
  let same = 0
  const different: Array<string> = []
  for (const [place, ours] of ourAnswers(project)) {
    const symbol = theirs.symbols.get(place)
    // Not theirs either: of a feature that is off, of a crate outside, of a macro.
    if (symbol === undefined || !symbol.endsWith("().")) continue
    const declared = theirs.definitions.get(symbol)
    if (declared === undefined) continue
    if (declared === ours) same++
    else different.push(`${place}: theirs ${declared}, ours ${ours ?? "none"}`)
  }
  return { same, different }
}

const hasAnalyzer = (() => {
  try {
    execFileSync("rust-analyzer", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

/** Folders with Rust projects; `rustup component add rust-analyzer` installs what answers. */
const roots = process.env["ASSAY_ORACLE_PATHS"]?.split(":") ?? []

describe.skipIf(!hasAnalyzer)("a called path refers to what rust-analyzer says", () => {
  it.each(roots)("below %s", (root) => {
    const folder = join(scratch, basename(root))
    cpSync(root, folder, { recursive: true, filter: (path) => !/\/(\.git|target|node_modules)$/.test(path) })
    const { same, different } = compare(folder)
    console.log(`${root}: ${same} calls mean the same, ${different.length} do not`)
    expect(different).toEqual([])
    expect(same).toBeGreaterThan(0)
  })
})
