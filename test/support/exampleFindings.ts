import { createHash } from "node:crypto"
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

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8)

/** Every example of every rule of an ecosystem. */
export const examplesOf = (ecosystem: Ecosystem): ReadonlyArray<NamedExample> =>
  catalog
    .filter(({ meta: { id } }) => id.startsWith(`${ecosystem}/`))
    .flatMap(({ meta: rule, examples: { vulnerable, safe, file } }) =>
      [...vulnerable, ...safe].map((text) => ({ name: `${rule.id}#${digestOf(text)}`, rule, text, file })),
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

/** The findings of an ecosystem's rules in all of its examples, one line per rule that has any. */
export const exampleFindings = (some: SomeFrontEnd): ReadonlyArray<string> => {
  const lines = some(({ ecosystem }) => examplesOf(ecosystem)).flatMap((example) => linesAbout(some, example))
  return [...new Set(lines)]
}
