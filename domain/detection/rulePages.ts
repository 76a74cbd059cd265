import type { Ecosystem } from "../analysis/Framework.ts"
import { referencesOf } from "./references.ts"
import type { RuleExamples, RuleMeta } from "./Rule.ts"

/** The parts of a rule that are for readers. */
export interface DocumentedRule {
  readonly meta: RuleMeta
  readonly examples: RuleExamples
}

const titles: Record<Ecosystem, string> = { evm: "EVM (Solidity)", solana: "Solana", cosmwasm: "CosmWasm" }

const ecosystemOf = ({ meta }: DocumentedRule): Ecosystem =>
  // By its type, an id's first segment is its ecosystem.
  meta.id.split("/")[0] as Ecosystem

/** The location of a rule's page, relative to the folder of all pages. */
export const rulePagePath = (meta: RuleMeta): string => `${meta.id}.md`

const weaknesses = ({ cwe, swc }: RuleMeta): string =>
  [...cwe.map((number) => `CWE-${number}`), ...(swc === undefined ? [] : [`SWC-${swc}`])].join(", ")

const code = (rule: DocumentedRule, text: string): string => {
  const { file } = rule.examples
  const language =
    file !== undefined ? file.slice(file.lastIndexOf(".") + 1) : ecosystemOf(rule) === "evm" ? "solidity" : "rust"
  return `\`\`\`${language}\n${text.trim()}\n\`\`\`\n`
}

/** A page shows the first few short examples; the rule's file has all of them, most of which only pin a guard. */
const shownExamples = 3
const shortExample = 60

const examplesOf = (rule: DocumentedRule, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const short = texts.filter((text) => text.trim().split("\n").length <= shortExample)
  const shown = short.length === 0 ? texts.slice(0, 1) : short.slice(0, shownExamples)
  const more = texts.length - shown.length
  const note = `${more} more ${more === 1 ? "example is" : "examples are"} in the rule's source file.\n`
  return [...shown.map((text) => code(rule, text)), ...(more > 0 ? [note] : [])]
}

/** One rule as a Markdown page. */
export const rulePage = (rule: DocumentedRule): string => {
  const { meta, examples } = rule
  return [
    `# ${meta.title}\n`,
    `| | |\n|---|---|\n| Rule | \`${meta.id}\` |\n| Class | \`${meta.class}\` |\n| Severity | ${meta.severity} |\n` +
      `| Confidence | ${meta.confidence} |\n| Weakness | ${weaknesses(meta)} |\n`,
    `${meta.description.trim()}\n`,
    `## What to do\n`,
    `${meta.remediation.trim()}\n`,
    `## Flagged\n`,
    ...examplesOf(rule, examples.vulnerable),
    `## Not flagged\n`,
    ...examplesOf(rule, examples.safe),
    `## References\n`,
    `${referencesOf(meta)
      .map((url) => `- <${url}>`)
      .join("\n")}\n`,
  ].join("\n")
}

const cell = (text: string): string => text.replaceAll("|", "\\|")

const row = ({ meta }: DocumentedRule): string =>
  `| [${cell(meta.title)}](${rulePagePath(meta)}) | \`${meta.id}\` | ${meta.severity} | ${meta.confidence} | ${weaknesses(meta)} |`

/** The list of all rules as a Markdown page, by ecosystem and in the order given. */
export const catalogIndex = (rules: ReadonlyArray<DocumentedRule>): string => {
  const sections = (["evm", "solana", "cosmwasm"] as const).flatMap((ecosystem) => {
    const own = rules.filter((rule) => ecosystemOf(rule) === ecosystem)
    if (own.length === 0) return []
    const head = `## ${titles[ecosystem]}: ${own.length} rule${own.length === 1 ? "" : "s"}\n`
    const table = ["| Rule | Id | Severity | Confidence | Weakness |", "|---|---|---|---|---|", ...own.map(row)]
    return [head, `${table.join("\n")}\n`]
  })
  const intro =
    "What Assay looks for. Written by `npm run docs:rules` from the metadata in each rule's file; " +
    "[writing a rule](../writing-a-rule.md) explains how to add one.\n"
  return ["# Rules\n", intro, ...sections].join("\n")
}

/** Every page by its path, the index among them. */
export const rulePages = (rules: ReadonlyArray<DocumentedRule>): ReadonlyMap<string, string> =>
  new Map([
    ["README.md", catalogIndex(rules)],
    ...rules.map((rule) => [rulePagePath(rule.meta), rulePage(rule)] as const),
  ])
