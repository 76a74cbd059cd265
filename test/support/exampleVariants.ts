import { readFileSync } from "node:fs"
import { ecosystems } from "../../domain/analysis/Framework.ts"
import type { SomeFrontEnd } from "../../domain/detection/FrontEnd.ts"
import { examplesOf, type NamedExample } from "./exampleFindings.ts"
import { findingsIn, withRules } from "./exampleRun.ts"

/** Replacements for some lines of a program, by line number, starting at 1. */
export type Edits = Readonly<Record<string, string>>

/** Every line keeps its number: a removed line stays empty, and an inserted one shares a line. */
export const edited = (text: string, edits: Edits): string =>
  text
    .split("\n")
    .map((line, index) => edits[index + 1] ?? line)
    .join("\n")

/** A program near an example, and the lines of it that a rule flags. */
export interface Variant {
  readonly rule: string
  /** The example's name, see `exampleFindings.ts`. */
  readonly of: string
  readonly edits: Edits
  readonly flags: ReadonlyArray<number>
}

export const variantsPath = new URL("../pinned/variants.jsonl", import.meta.url)

/** The programs near examples that pin guards which no example shows. */
export const readVariants = (): ReadonlyArray<Variant> =>
  readFileSync(variantsPath, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Variant)

export const namedExamples = (): ReadonlyMap<string, NamedExample> =>
  new Map(ecosystems.flatMap(examplesOf).map((example) => [example.name, example]))

/** The lines that the variant's rule flags. */
export const flaggedIn = (
  some: SomeFrontEnd,
  example: NamedExample,
  { rule, edits }: Variant,
): ReadonlyArray<number> => {
  const alone = withRules(some, (id) => id === rule)
  const found = findingsIn(alone, edited(example.text, edits), example.file)
  return [...new Set(found.map(({ location }) => location.lineStart))].toSorted((a, b) => a - b)
}
