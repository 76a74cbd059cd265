import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import { catalog } from "../../domain/detection/catalog.ts"
import type { SomeFrontEnd } from "../../domain/detection/FrontEnd.ts"
import type { RuleMeta } from "../../domain/detection/Rule.ts"
import { findingsIn } from "./exampleRun.ts"

/** An example, named by its rule and its text, so that it keeps its name if others are inserted before it. */
export interface NamedExample {
  readonly name: string
  readonly rule: RuleMeta
  readonly text: string
  readonly file: string | undefined
}

/** What all rules are recorded to report in all examples: `npm run pinned:examples` writes it. */
export const recordPath = new URL("../pinned/exampleFindings.txt", import.meta.url)

export const readRecord = (): ReadonlyArray<string> => readFileSync(recordPath, "utf8").trimEnd().split("\n")

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8)

export const exampleName = (ruleId: string, text: string): string => `${ruleId}#${digestOf(text)}`

/** Every example of every rule of an ecosystem. */
export const examplesOf = (ecosystem: Ecosystem): ReadonlyArray<NamedExample> =>
  catalog
    .filter(({ meta: { id } }) => id.startsWith(`${ecosystem}/`))
    .flatMap(({ meta: rule, examples: { vulnerable, safe, file } }) =>
      [...vulnerable, ...safe].map((text) => ({ name: exampleName(rule.id, text), rule, text, file })),
    )

/**
 * What every rule reports in an example: in full if it is the rule's own, and only the lines if it is another rule's,
 * so that an exemption that only another rule's example shows is tested as well.
 */
const linesAbout = (some: SomeFrontEnd, { name, rule, text, file }: NamedExample): ReadonlyArray<string> => {
  const others = new Map<string, Set<number>>()
  const own: Array<string> = []
  for (const finding of findingsIn(some, text, file)) {
    const { ruleId, severity, confidence, fingerprint, description } = finding
    const { lineStart } = finding.location
    const message = description === rule.description ? "" : description.slice(0, -rule.description.length).trim()
    const words = message.replaceAll(/\s+/g, " ")
    if (ruleId === rule.id)
      own.push(`${name} ${lineStart} ${severity} ${confidence} ${fingerprint.slice(0, 8)} ${words}`.trim())
    else others.set(ruleId, (others.get(ruleId) ?? new Set()).add(lineStart))
  }
  const told = [...others].map(([id, lines]) => `${name} ${id} ${[...lines].toSorted((a, b) => a - b).join(",")}`)
  return [...own, ...told].toSorted()
}

/** The lines on record where an example's own rule reports something in it, by the example's name. */
export const recordedLines = (): ReadonlyMap<string, ReadonlyArray<number>> => {
  const lines = new Map<string, Set<number>>()
  for (const [name, line] of readRecord().map((each) => each.split(" ", 2)))
    if (/^\d+$/.test(line!)) lines.set(name!, (lines.get(name!) ?? new Set()).add(Number(line)))
  return new Map([...lines].map(([name, found]) => [name, [...found].toSorted((a, b) => a - b)]))
}

/** The findings of an ecosystem's rules in examples of theirs, one line per rule that has any. */
export const exampleFindings = (
  some: SomeFrontEnd,
  examples: ReadonlyArray<NamedExample> = some(({ ecosystem }) => examplesOf(ecosystem)),
): ReadonlyArray<string> => {
  const lines = examples.flatMap((example) => linesAbout(some, example))
  return [...new Set(lines)]
}
