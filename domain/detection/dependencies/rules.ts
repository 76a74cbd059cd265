import type { Ecosystem } from "../../analysis/Framework.ts"
import type { Severity } from "../../finding/Severity.ts"
import { severityRank } from "../../finding/severityRank.ts"
import type { Match, Rule } from "../Rule.ts"
import { advisoryExamples } from "./ruleExamples.ts"
import type { Vulnerability } from "./advisories/vulnerabilities.ts"

/** What dependency rules ask of a program. */
export interface Dependencies {
  readonly vulnerabilities: () => ReadonlyArray<Vulnerability>
}

const titleLength = 100

const cut = (text: string): string =>
  text.length > titleLength ? `${text.slice(0, titleLength - 1).trimEnd()}…` : text

const namesOf = ({ concerns }: Vulnerability): string => {
  const [lead] = concerns
  const names = new Set(concerns.flatMap(({ advisory: { id, aliases } }) => [id, ...aliases]))
  names.delete(lead.advisory.id)
  return names.size === 0 ? lead.advisory.id : `${lead.advisory.id} (${[...names].join(", ")})`
}

const routeOf = ({ use: { route, name } }: Vulnerability): string =>
  route.length === 0 ? "" : ` It is linked through ${[...route, name].join(" → ")}.`

const unusedOf = ({ unused }: Vulnerability): string => {
  const [first, ...others] = unused
  if (first === undefined) return ""
  return ` No analyzed contract imports ${first}${others.length === 0 ? "" : ` or another module that depends on it`}: the deployed code may not be affected.`
}

const messageOf = (one: Vulnerability): string => {
  const { use, version, certain, concerns } = one
  const what = certain
    ? `${use.name} ${version} is affected by ${namesOf(one)}`
    : `${use.name} ${version} may resolve to a version that is affected by ${namesOf(one)}`
  const pinned = certain ? "" : " No lock file pins it."
  return `${what}: ${concerns[0].advisory.summary}.${pinned}${routeOf(one)}${unusedOf(one)}`
}

const remediationOf = ({ use, fixed, certain }: Vulnerability): string => {
  const { name, registry, route } = use
  if (fixed === undefined) return `No fixed version of ${name} is known: replace it, or whatever depends on it.`
  const target = `Update ${name} to ${fixed} or later`
  if (!certain) return `${target}: raise the requirement, and commit a lock file.`
  if (registry === "npm") return `${target}.`
  const needs = route.length > 1 ? ` If ${route.at(-1)} does not allow that, update it first.` : ""
  return `${target}: \`cargo update -p ${name} --precise ${fixed}\`, after raising the requirement if it does not allow that.${needs}`
}

const matchOf = (one: Vulnerability): Match => {
  const { use, version, concerns, confidence } = one
  const { advisory } = concerns[0]
  return {
    ...use.place,
    scope: `${use.name} ${advisory.id}`,
    message: messageOf(one),
    confidence,
    // What no contract imports is not deployed, as far as the sources tell.
    ...(one.unused.length > 0 && severityRank(one.severity) < severityRank("low") ? { severity: "low" as const } : {}),
    subject: {
      id: advisory.id,
      title: cut(`${use.name} ${version}: ${advisory.summary}`),
      remediation: remediationOf(one),
      references: [...new Set(concerns.flatMap((concern) => concern.advisory.references))].slice(0, 10),
    },
  }
}

const named: Record<Ecosystem, string> = { evm: "contract", solana: "program", cosmwasm: "contract" }

const source: Record<Ecosystem, string> = {
  evm: "An npm package or a git submodule that the contracts import",
  solana: "A crate that is linked into an on-chain program",
  cosmwasm: "A crate that is linked into a contract",
}

const lowConfidence: Record<Ecosystem, string> = {
  evm: " Where the affected modules are known and no analyzed contract imports one, severity and confidence are low.",
  solana: "",
  cosmwasm: "",
}

const titles: Record<Severity, string> = {
  critical: "Dependency with a known critical-severity vulnerability",
  high: "Dependency with a known high-severity vulnerability",
  medium: "Dependency with a known medium-severity vulnerability",
  low: "Dependency with a known low-severity vulnerability",
  informational: "Dependency with an informational advisory or an unpinned version",
}

const severities: ReadonlyArray<Severity> = ["critical", "high", "medium", "low", "informational"]

/** A rule has one severity, while each advisory has its own: hence one rule for each. */
const advisoryRule = (ecosystem: Ecosystem, severity: Severity): Rule<Dependencies> => ({
  meta: {
    id: `${ecosystem}/dependency/${severity}-advisory`,
    class: "vulnerable-dependency",
    title: titles[severity],
    severity,
    confidence: "high",
    cwe: [1395, 1104],
    description:
      severity === "informational"
        ? `${source[ecosystem]} is the subject of an informational advisory, for example because it is unmaintained, or no lock file pins it and its requirement allows both affected and fixed versions. The next build may then include a known vulnerability.`
        : `${source[ecosystem]} has a published vulnerability of ${severity} severity in the version used. Anyone who reads the advisory knows how to attack every ${named[ecosystem]} that was built with it and reaches the affected code.${lowConfidence[ecosystem]} Dependencies used only by clients or tests are not reported.`,
    remediation: `Upgrade the dependency, check whether the ${named[ecosystem]} reaches the affected code, and build and deploy it again: a deployed ${named[ecosystem]} keeps the version that it was built with.`,
    references: ["https://osv.dev/", "https://owasp.org/Top10/A06_2021-Vulnerable_and_Outdated_Components/"],
  },
  examples: advisoryExamples(ecosystem, severity),
  check: ({ vulnerabilities }, report) => {
    for (const one of vulnerabilities()) if (one.severity === severity) report(matchOf(one))
  },
})

export const dependencyRulesOf = (ecosystem: Ecosystem): ReadonlyArray<Rule<Dependencies>> =>
  severities.map((severity) => advisoryRule(ecosystem, severity))

/** Every rule about dependencies. */
export const dependencyRules: ReadonlyArray<Rule<Dependencies>> = (["cosmwasm", "evm", "solana"] as const).flatMap(
  dependencyRulesOf,
)
