import { solanaRules } from "../../../../domain/detection/solana/catalog.ts"
import { buildSolanaProgram } from "../../../../domain/detection/solana/buildSolana.ts"
import { solanaUnderstanding } from "../../../../domain/detection/solana/program/understanding.ts"
import { rustProject } from "../../../support/rustProject.ts"

/** A small program for one framework, with and without its caller check. */
export interface Example {
  /** As the coverage names it. */
  readonly framework: string
  /** The feature of the framework that the example shows. */
  readonly shows?: string
  /** The dependencies of its Cargo.toml, one per line. */
  readonly dependencies: string
  readonly safe: string
  /** The part of the safe text that is different in its vulnerable twin. */
  readonly without: readonly [text: string, instead: string]
  /** Instructions or messages, and the accounts of each, if any. */
  readonly handlers: Readonly<Record<string, ReadonlyArray<string>>>
}

const cargo = (dependencies: string): string =>
  `[package]\nname = "demo"\nversion = "0.1.0"\n[lib]\ncrate-type = ["cdylib", "lib"]\n[dependencies]\n${dependencies}\n[profile.release]\noverflow-checks = true\n`

export const projectOf = ({ dependencies }: Example, text: string) =>
  rustProject({ "Cargo.toml": cargo(dependencies), "src/lib.rs": text })

export const vulnerable = ({ safe, without: [text, instead] }: Example): string => {
  if (!safe.includes(text)) throw new Error(`the example does not contain ${text}`)
  return safe.replace(text, instead)
}

/** The analysis of a Solana example: its coverage, its handlers, and the rules with findings in it. */
export const understoodSolana = (example: Example) => {
  const program = buildSolanaProgram(projectOf(example, example.safe))
  const instructions = program.crates.flatMap((one) => one.instructions)
  return {
    coverage: solanaUnderstanding(program)[0],
    handlers: Object.fromEntries(instructions.map(({ name, accounts }) => [name, accounts.map((one) => one.name)])),
  }
}

export const reportedSolana = (example: Example, text: string): ReadonlyArray<string> => {
  const program = buildSolanaProgram(projectOf(example, text))
  const found = new Set<string>()
  for (const { meta, check } of solanaRules) check(program, () => void found.add(meta.class))
  return [...found]
}
