import type { RuleMeta } from "../detection/Rule.ts"
import type { Finding } from "../finding/Finding.ts"
import type { Severity } from "../finding/Severity.ts"
import { link, paragraphs } from "./markdownText.ts"
import { isWebUri } from "./sarifLocation.ts"

export type SarifLevel = "error" | "warning" | "note"

export const levelOf: Readonly<Record<Severity, SarifLevel>> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
  informational: "note",
}

/** Scores on GitHub's scale: above 9 critical, from 7 high, from 4 medium, above 0 low. */
const securitySeverity: Readonly<Record<Severity, string>> = {
  critical: "9.5",
  high: "8.0",
  medium: "5.5",
  low: "2.5",
  informational: "0.5",
}

/** GitHub's limits. https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning */
const limits = { name: 255, description: 1_024, tags: 20 } as const

export interface SarifText {
  readonly text: string
  readonly markdown?: string
}

export interface SarifRule {
  readonly id: string
  readonly name: string
  readonly shortDescription: SarifText
  readonly fullDescription: SarifText
  readonly help: SarifText
  readonly helpUri?: string
  readonly defaultConfiguration: { readonly level: SarifLevel }
  readonly properties: {
    readonly "security-severity": string
    readonly precision: string
    readonly tags: ReadonlyArray<string>
    readonly severity: Severity
    readonly class?: string
  }
}

/** Truncated at a word boundary if possible, with a mark. */
export const cut = (text: string, length: number): string => {
  const whole = text.toWellFormed()
  if (whole.length <= length) return whole
  const head = whole.slice(0, length - 1)
  const space = head.lastIndexOf(" ")
  return `${(space > length / 2 ? head.slice(0, space) : head).toWellFormed()}…`
}

/** SARIF requires text, and GitHub rejects empty ones. */
export const textOr = (text: string, otherwise: string): string =>
  text.trim() === "" ? otherwise : text.toWellFormed()

/** `evm/reentrancy/state-change-after-call` is `StateChangeAfterCall`. */
const nameOf = (id: string): string =>
  id
    .slice(id.lastIndexOf("/") + 1)
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("") || "Rule"

const cwePage = (number: number): string => `https://cwe.mitre.org/data/definitions/${number}.html`

/** A rule's texts, from the catalog or, for an external engine, from its first finding. */
type Described = Pick<RuleMeta, "title" | "severity" | "confidence" | "description" | "remediation" | "references"> & {
  readonly id: string
  readonly category: string
  readonly class?: string
  readonly cwe: ReadonlyArray<number>
  readonly swc?: number
}

const described = (finding: Finding, meta: RuleMeta | undefined): Described =>
  meta === undefined
    ? { ...finding, id: finding.ruleId, cwe: [] }
    : { ...meta, category: meta.id.split("/")[1] ?? finding.category }

const helpOf = ({ description, remediation, references }: Described): SarifText => {
  const text = [description, `Remediation: ${remediation}`]
  const markdown = [...paragraphs(description), "## Remediation", ...paragraphs(remediation)]
  if (references.length > 0) {
    text.push(`References:\n${references.map((url) => `- ${url}`).join("\n")}`)
    markdown.push("## References", references.map((url) => `- ${link(url)}`).join("\n"))
  }
  return { text: text.join("\n\n").toWellFormed(), markdown: markdown.join("\n\n") }
}

/** SARIF's description of a finding's rule; `meta` is undefined for rules of external engines. */
export const sarifRule = (
  finding: Finding,
  meta: RuleMeta | undefined,
  helpUri: ((ruleId: string) => string) | undefined,
): SarifRule => {
  const rule = described(finding, meta)
  const tags = [
    "security",
    rule.category,
    ...(rule.swc === undefined ? [] : [`SWC-${rule.swc}`]),
    ...rule.cwe.map((number) => `external/cwe/cwe-${number}`),
  ]
  const title = cut(textOr(rule.title, rule.id), limits.description)
  const page = [helpUri?.(rule.id), ...rule.references, ...rule.cwe.map(cwePage)].find(
    (url) => url !== undefined && isWebUri(url),
  )
  return {
    id: rule.id,
    name: cut(nameOf(rule.id), limits.name),
    shortDescription: { text: title },
    fullDescription: { text: cut(textOr(rule.description, title), limits.description) },
    help: helpOf(rule),
    ...(page === undefined ? {} : { helpUri: page }),
    defaultConfiguration: { level: levelOf[rule.severity] },
    properties: {
      "security-severity": securitySeverity[rule.severity],
      precision: rule.confidence,
      tags: [...new Set(tags)].slice(0, limits.tags),
      severity: rule.severity,
      ...(rule.class === undefined ? {} : { class: rule.class }),
    },
  }
}
