import { examine } from "../../domain/detection/examine.ts"
import { type SomeFrontEnd, someFrontEnd } from "../../domain/detection/FrontEnd.ts"
import type { Sources } from "../../domain/detection/Sources.ts"
import { fileMark } from "./moveRust.ts"
import type { Finding } from "../../domain/finding/Finding.ts"

/** The front end with only some of its rules. */
export const withRules = (some: SomeFrontEnd, wanted: (ruleId: string) => boolean): SomeFrontEnd =>
  some((frontEnd) => someFrontEnd({ ...frontEnd, rules: frontEnd.rules.filter(({ meta: { id } }) => wanted(id)) }))

const projects = {
  evm: {
    path: "src/Example.sol",
    modules: "src/",
    beside: {},
    source: `${["governance/TimelockController", "governance/GovernorCompatibilityBravo", "utils/ECDSA", "utils/MerkleProof", "utils/Multicall", "utils/Base64"].map((path) => `import "@openzeppelin/contracts/${path}.sol";\n`).join("")}contract Example { function f() external {} }\n`,
  },
  solana: {
    path: "programs/example/src/lib.rs",
    modules: "programs/example/src/",
    source: "pub fn f() {}\n",
    beside: {
      "programs/example/Cargo.toml": `[package]\nname = "example"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ncrate-type = ["cdylib", "lib"]\n\n[dependencies]\nanchor-lang = "0.30.1"\nanchor-spl = "0.30.1"\nsolana-program = "1.18.0"\n`,
    },
  },
  cosmwasm: {
    path: "contracts/example/src/contract.rs",
    modules: "contracts/example/src/contract/",
    source: "pub fn f() {}\n",
    beside: {
      "contracts/example/Cargo.toml": `[package]\nname = "example"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ncrate-type = ["cdylib", "rlib"]\n\n[dependencies]\ncosmwasm-std = "2.1.0"\ncw-storage-plus = "2.0.0"\n`,
      "contracts/example/src/lib.rs": "pub mod contract;\n",
    },
  },
} as const

interface ExampleProject {
  readonly sources: Sources
  readonly path: string
  /** Lines of the example before each of its files. */
  readonly before: ReadonlyMap<string, number>
}

/**
 * The smallest project of its ecosystem that contains an example. `file` is the name of an example that is not source.
 */
export const exampleProject = (some: SomeFrontEnd, text: string, file?: string): ExampleProject => {
  const { path, modules, beside, source } = projects[some(({ ecosystem }) => ecosystem)]
  const files: Record<string, string> = { ...beside, [path]: source }
  const before = new Map<string, number>()
  let lines = 0
  for (const [index, part] of text.split(fileMark).entries()) {
    const name = index === 0 ? (file ?? path) : modules + part.slice(0, part.indexOf("\n"))
    files[name] = index === 0 ? part : part.slice(part.indexOf("\n"))
    before.set(name, lines)
    lines += part.split("\n").length - 1
  }
  const sources = { paths: Object.keys(files), read: (file: string) => ({ text: files[file] ?? "" }) }
  return { sources, path: file ?? path, before }
}

/** What the rules of a front end say about one example, with the lines of its text. */
export const findingsIn = (some: SomeFrontEnd, text: string, file?: string): ReadonlyArray<Finding> => {
  const { sources, before } = exampleProject(some, text, file)
  const { findings, coverage } = examine({
    sources,
    frontEnds: [some],
    engine: { name: "assay", version: "0" },
  })
  const problems = [
    ...coverage.filesSkipped.map(({ file, reason }) => `${file}: ${reason}`),
    ...coverage.engines.flatMap(({ note }) => note ?? []),
  ]
  if (problems.length > 0) throw new Error(`the example could not be analyzed: ${problems.join("; ")}`)
  if (before.size === 1) return findings
  return findings.map((finding) => {
    const { lineStart, lineEnd } = finding.location
    const added = before.get(finding.location.file) ?? 0
    return { ...finding, location: { ...finding.location, lineStart: lineStart + added, lineEnd: lineEnd + added } }
  })
}
