import * as Schema from "effect/Schema"
import type { AccessEffect, AccessRow } from "../access/AccessTable.ts"
import type { Ecosystem } from "../analysis/Framework.ts"
import { Category } from "../finding/Category.ts"
import type { Finding } from "../finding/Finding.ts"
import { findingId, fingerprints } from "../finding/Fingerprint.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import { applicable } from "./checklists/all.ts"
import type { Conversation, ToolSpec } from "./Conversation.ts"
import { said, standing } from "./evidence.ts"
import type { Excerpt } from "./Excerpt.ts"
import { queryTools } from "./queryTools.ts"
import { Quote, type Review } from "../finding/Review.ts"
import { reviewLimits } from "./reviewLimits.ts"

/** A contract or program that holds value or authority, with what can be done to it. */
export interface Target {
  readonly contract: string
  readonly rows: ReadonlyArray<AccessRow>
}

/** CosmWasm tokens move by messages to their contracts. */
const isWorth = ({ kind, what }: AccessEffect): boolean =>
  kind === "assets" || kind === "authority" || what.includes("WasmMsg::Execute")

const weightOf = ({ rows }: Target): number => rows.flatMap(({ effects }) => effects).filter(isWorth).length

/** A crate is one program whatever file a message is in; contracts of the same name in several files are separate. */
const targetOf = ({ contract, file }: AccessRow): string =>
  file.endsWith(".rs") && contract !== "" ? contract : `${file}\n${contract}`

/** Where to hunt, most valuable first. A target with too many entry points for one conversation is split. */
export const targets = (rows: ReadonlyArray<AccessRow>): ReadonlyArray<Target> =>
  [...Map.groupBy(rows, targetOf).values()]
    .flatMap((own) => {
      const parts: Array<Target> = []
      for (let from = 0; from < own.length; from += reviewLimits.rows)
        parts.push({ contract: own[0]!.contract, rows: own.slice(from, from + reviewLimits.rows) })
      return parts
    })
    .filter((target) => weightOf(target) > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .slice(0, reviewLimits.targets)

const Claim = Schema.Struct({
  category: Category,
  severity: Schema.Literals(["critical", "high", "medium", "low"]).annotate({
    description: "What an attacker gains; critical means that anyone can take most of the funds.",
  }),
  title: Schema.String.annotate({ description: "What is wrong, in one line." }),
  file: Schema.String,
  function: Schema.String.annotate({ description: "As the tools name it, such as Vault.withdraw(uint256)" }),
  lineStart: Schema.Int,
  lineEnd: Schema.Int,
  description: Schema.String.annotate({ description: "What the code does, and what it should do." }),
  attack: Schema.String.annotate({ description: "Who calls what with which values, in which order, and the result." }),
  remediation: Schema.String,
  quotes: Schema.Array(Quote).annotate({
    description: "The lines that show it, copied verbatim, without line numbers.",
  }),
})
export type Claim = typeof Claim.Type

export const Claims = Schema.Struct({ claims: Schema.Array(Claim) })

export const reportTool: ToolSpec = {
  name: "report",
  description: "Ends your work with the problems that you found, or with an empty list.",
  parameters: Claims,
}

const huntSystem = `You are a security engineer who audits smart contracts. Rules have already looked for known patterns; look for problems that only someone who understands the contract finds: a broken invariant, a value that anyone can move, a step that can be skipped, an amount counted twice. The tools answer from a model of the whole program: before you judge, read the functions that move assets or change authority, and everything they depend on. Report only what you can demonstrate with a sequence of calls that an attacker can make. One true problem is worth more than ten guesses, because every claim goes to someone who tries to refute it. Each claim names the file, function and lines as the tools returned them, and quotes the lines that show it verbatim. At most ${reviewLimits.claims} claims. End by calling report.`

/** The start of a hunt in one contract, with the checklists for its platform. */
export const huntConversation = (
  { contract, rows }: Target,
  ecosystem: Ecosystem | undefined,
  known: ReadonlyArray<Finding>,
): Conversation => {
  const entryPoints = rows.map(({ function: name, file, line, standing: stands, effects }) => ({
    function: name,
    file,
    line,
    standing: stands,
    effects: effects.map(({ kind, what, who }) => `${kind}: ${what}; ${who}`),
  }))
  const files = new Set(rows.map(({ file }) => file))
  const reported = known
    .filter(({ location }) => files.has(location.file))
    .slice(0, 30)
    .map(({ title, location }) => `${location.file}:${location.lineStart} ${title}`)
  const lists = applicable(ecosystem, JSON.stringify(entryPoints)).map(
    ({ topic, questions }) => `${topic}\n${questions.map((question) => `- ${question}`).join("\n")}`,
  )
  return {
    system: huntSystem,
    tools: [...queryTools, reportTool],
    messages: [
      {
        role: "user",
        parts: [
          { said: `Audit the contract named first below. Questions to ask:\n\n${lists.join("\n\n")}` },
          { said: "The contract, and who can do what in it:" },
          { data: JSON.stringify({ contract, entryPoints }) },
          ...(reported.length === 0
            ? []
            : [{ said: "Already reported, do not report again:" }, { data: reported.join("\n") }]),
        ],
      },
    ],
  }
}

const bareName = (name: string): string =>
  name
    .split("(")[0]!
    .split(/\.|::| > /)
    .at(-1)!
    .trim()

/** Messages are variants in Rust and snake case in JSON. */
const isSameName = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((name) => bareName(name).replaceAll("_", "").toLowerCase())
  return a === b
}

/** A claim whose lines, function and quotes match the code. */
export interface Anchored {
  readonly claim: Claim
  readonly excerpt: Excerpt
  readonly quotes: ReadonlyArray<Quote>
}

/**
 * The claim at its place in the code; undefined if the lines do not exist, belong to another function, or have
 * different contents.
 */
export const anchored = (claim: Claim, excerpt: Excerpt): Anchored | undefined => {
  const { lineStart, lineEnd } = claim
  const last = excerpt.from + excerpt.lines.length - 1
  if (excerpt.file !== claim.file || lineStart < excerpt.from || lineEnd < lineStart || lineEnd > last) return undefined
  if (excerpt.function === undefined || !isSameName(excerpt.function, claim.function)) return undefined
  const quotes = claim.quotes.map((quote) => standing(excerpt, quote))
  return quotes.length > 0 && quotes.every((quote) => quote !== undefined)
    ? { claim, excerpt, quotes: quotes.slice(0, reviewLimits.quotes) }
    : undefined
}

/** Whether a finding says the same: the same category, on overlapping lines. */
export const isKnown = ({ claim }: Anchored, known: ReadonlyArray<Pick<Finding, "category" | "location">>): boolean =>
  known.some(
    ({ category, location }) =>
      category === claim.category &&
      location.file === claim.file &&
      location.lineStart <= claim.lineEnd &&
      location.lineEnd >= claim.lineStart,
  )

const Step = Schema.Struct({
  caller: Schema.String,
  function: Schema.String.annotate({ description: "The called function, such as Vault.withdraw" }),
  values: Schema.String.annotate({ description: "Each argument and account, and the coins sent with the call." }),
  effect: Schema.String.annotate({ description: "What changes, in numbers." }),
})

export const Refutation = Schema.Struct({
  verdict: Schema.Literals(["exploitable", "rejected"]),
  steps: Schema.Array(Step).annotate({ description: "For exploitable: every call in order, with concrete values." }),
  reasoning: Schema.String,
  quotes: Schema.Array(Quote).annotate({
    description: "The lines of the claim's code that your judgment is based on, copied verbatim.",
  }),
})

export const judgmentTool: ToolSpec = {
  name: "judgment",
  description: "Ends your work with your judgment of the claim.",
  parameters: Refutation,
}

const refuteSystem = `You are a security engineer who is paid for every false claim that you refute. You receive a claim about a smart contract, and the code. Try to refute it: use the tools to look for the check, lock, statement order, type or arithmetic that prevents it. Only if you fail, write the concrete sequence of calls, with values, that does the harm, starting from a state that the contract can be in. If you cannot write that sequence, reject the claim; most claims are rejected. Quote the lines that your judgment is based on verbatim. End by calling judgment.`

/** A conversation that knows a claim and the code, and nothing about how the claim came about. */
export const refuteConversation = ({ claim, excerpt }: Anchored): Conversation => {
  const { category, severity, title, function: name, description, attack } = claim
  const code = excerpt.lines.map((line, index) => `${excerpt.from + index}\t${line}`).join("\n")
  return {
    system: refuteSystem,
    tools: [...queryTools, judgmentTool],
    messages: [
      {
        role: "user",
        parts: [
          { said: "The claim:" },
          { data: JSON.stringify({ category, severity, title, function: name, description, attack }) },
          { said: "The code in question:" },
          { data: `${excerpt.file}\n${code}` },
        ],
      },
    ],
  }
}

/** The outcome: a finding, or undefined if the claim was refuted or the judgment has no basis. */
export const survivor = (
  { claim, excerpt, quotes }: Anchored,
  { verdict, steps, reasoning, quotes: rests }: typeof Refutation.Type,
  model: string,
): Finding | undefined => {
  const found = rests.map((quote) => standing(excerpt, quote))
  if (verdict === "rejected" || steps.length === 0 || reasoning.trim() === "") return undefined
  if (found.length === 0 || found.some((quote) => quote === undefined)) return undefined
  const { category, severity, title, file, lineStart, lineEnd, description, attack, remediation } = claim
  const ruleId = `external/ai/${category}`
  const shown = excerpt.lines.slice(lineStart - excerpt.from, lineEnd - excerpt.from + 1)
  const snippet = shown.join("\n").slice(0, reviewLimits.snippet).toWellFormed()
  const scope = excerpt.function ?? ""
  const ways = [scope, ...(excerpt.reachedFrom ?? [])]
  const [fingerprint] = fingerprints([{ ruleId, file, scope, snippet: quotes[0]!.text }])
  const calls = steps
    .slice(0, 12)
    .map((step, index) => `${index + 1}. ${step.caller} calls ${step.function}(${step.values}): ${step.effect}`)
  const review: Review = {
    verdict: "likely",
    reasoning: said(reasoning),
    attack: said(calls.join("\n")),
    quotes,
    model,
  }
  return {
    id: findingId(fingerprint!),
    ruleId,
    title: said(title.replaceAll(/\s+/g, " "), resultLimits.name),
    description: said(`${description.trim()}\n\n${attack.trim()}`),
    severity,
    // The sequence has to include the function that the claim is about.
    confidence: steps.some((step) => ways.some((way) => isSameName(step.function, way))) ? "medium" : "low",
    category,
    location: { file, lineStart, lineEnd, snippet },
    remediation: said(remediation),
    trace: [],
    references: [],
    fingerprint: fingerprint!,
    engines: ["ai"],
    review,
  }
}
