import { folderTree } from "./FolderTree.ts"
import { isSource, nameOf } from "./ProjectFiles.ts"

/**
 * What a source file is to its repository. Dependencies and tests are read if the project's own files import them;
 * findings are reported for the project's own files.
 */
export type SourceRole = "first-party" | "test" | "dependency"

/** Besides these, the scope of npm packages wherever they were copied to: `contracts/vendor/@uniswap`. */
const packageFolders = new Set(["node_modules", ".deps", "installed_contracts"])
const solidityTestFolders = new Set([
  "test",
  "tests",
  "testing",
  "test-helpers",
  "mock",
  "mocks",
  "mockups",
  "script",
  "scripts",
  "certora",
])
const rustTestFolders = new Set(["test", "tests", "benches", "fuzz", "multitest", "trident-tests"])
/** `mocks`, `mock_oracle`, `test-hook`, `cpi_examples`: programs that stand in for others, or show how to call one. */
const standIns = new Set(["mock", "mocks", "test", "tests", "tester", "adversarial", "malicious"])
const isStandIn = (name: string): boolean => {
  const words = name.split(/[-_]/)
  const last = words.at(-1)!
  return standIns.has(words[0]!) || standIns.has(last) || (words.length > 1 && /^examples?$/.test(last))
}
const rustTestFile = /^(?:build|tests?|testing|multitest|integration_tests?|mock_querier|\w+_tests?)\.rs$/

/** What the name of a folder says. */
const named = {
  packages: 1,
  lib: 2,
  vendor: 4,
  soldeer: 8,
  sources: 16,
  examples: 32,
  solidityTests: 64,
  rustTests: 128,
} as const

const traitsOf = (name: string): number =>
  (packageFolders.has(name) || name.startsWith("@") ? named.packages : 0) |
  (name === "lib" ? named.lib : 0) |
  (name === "vendor" ? named.vendor : 0) |
  (name === "dependencies" ? named.soldeer : 0) |
  (name === "src" || name === "contracts" ? named.sources : 0) |
  (name === "examples" ? named.examples : 0) |
  (solidityTestFolders.has(name) || /^(?:Test|Mock)s?(?:[A-Z]|$)|[-_]mocks?$/.test(name) ? named.solidityTests : 0) |
  (rustTestFolders.has(name) || isStandIn(name) ? named.rustTests : 0)

/** What a folder contains. */
const holds = { libraries: 1, soldeer: 2, crate: 4, sources: 8 } as const

/**
 * What configuration files say about the folder that contains them: there are packages below `lib/` or in
 * `dependencies/`.
 */
const configurations = new Map<string, number>([
  ["foundry.toml", holds.libraries | holds.soldeer],
  ["remappings.txt", holds.libraries],
  [".gitmodules", holds.libraries],
  ["soldeer.lock", holds.soldeer],
  ["Cargo.toml", holds.crate],
])

/** The role of the files below a folder. */
const below = { dependency: 1, example: 2, solidityTests: named.solidityTests, rustTests: named.rustTests } as const

/** Determines the role of each of `paths`, which are all files of a project, relative to what is analyzed. */
export const sourceRoles = (paths: ReadonlyArray<string>): ((path: string) => SourceRole) => {
  const { count, parents, traits, folderOf } = folderTree(paths, traitsOf)
  const content = new Uint8Array(count)
  for (const path of paths) {
    const configured = configurations.get(nameOf(path))
    if (configured !== undefined) content[folderOf(path)]! |= configured
  }
  for (let id = 1; id < count; id++) if (traits[id]! & named.sources) content[parents[id]!]! |= holds.sources

  /** `lib/<package>` counts as a package if a package manager's configuration or the package's own layout says so. */
  const isInstalled = (parent: number, folder: number, entry: number): boolean => {
    const isCrate = (content[entry]! & holds.crate) !== 0
    const name = traits[folder]!
    if (name & named.soldeer) return (content[parent]! & holds.soldeer) !== 0
    if (name & named.vendor) return isCrate
    if (!(name & named.lib)) return false
    return (content[parent]! & holds.libraries) !== 0 || (!isCrate && (content[entry]! & holds.sources) !== 0)
  }

  const meaning = new Uint8Array(count)
  for (let id = 1; id < count; id++) {
    const parent = parents[id]!
    const isDependency =
      (traits[id]! & named.packages) !== 0 || isInstalled(parents[parent]!, parent, id) ? below.dependency : 0
    const tests = traits[id]! & (below.solidityTests | below.rustTests)
    // `examples/` belongs to the crate beside it; a crate below `examples/` stands for itself.
    const isExamples = (traits[id]! & named.examples) !== 0
    const isCrate = (content[id]! & holds.crate) !== 0
    const inCrate = (content[parent]! & holds.crate) !== 0
    const example = isExamples && inCrate && !isCrate ? below.example : 0
    const inherited = meaning[parent]! & (isExamples || isCrate ? ~below.example : ~0)
    meaning[id] = inherited | isDependency | tests | example
  }

  const isTest = (path: string, folder: number): boolean =>
    path.endsWith(".sol")
      ? /\.[ts]\.sol$|(?:^|\/)(?:Mock|Test)[A-Z0-9_][^/]*$|[a-z0-9](?:Mock|Mockup|Test|Tester)\.sol$/.test(path) ||
        (folder & below.solidityTests) !== 0
      : rustTestFile.test(nameOf(path)) || (folder & (below.rustTests | below.example)) !== 0

  return (path) => {
    const folder = meaning[folderOf(path)]!
    if (folder & below.dependency) return "dependency"
    return isTest(path, folder) ? "test" : "first-party"
  }
}

/**
 * Which source files findings are reported for: the project's own. If there are none, tests; and if there is nothing
 * but dependencies, those, since whoever has such a folder analyzed means it.
 */
export const reportedSources = (
  paths: ReadonlyArray<string>,
  roleOf: (path: string) => SourceRole = sourceRoles(paths),
): ((path: string) => boolean) => {
  const present = new Set(paths.filter(isSource).map(roleOf))
  const reported = (["first-party", "test", "dependency"] as const).find((role) => present.has(role))
  return (path) => roleOf(path) === reported
}
