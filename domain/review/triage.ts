import * as Schema from "effect/Schema"
import type { Confidence } from "../finding/Severity.ts"
import type { Finding } from "../finding/Finding.ts"
import { worstFirst } from "../finding/worstFirst.ts"
import type { Conversation, ToolSpec } from "./Conversation.ts"
import { said, standing } from "./evidence.ts"
import type { Excerpt } from "./Excerpt.ts"
import { Quote, type Review, Verdict } from "../finding/Review.ts"
import { reviewLimits } from "./reviewLimits.ts"

/** A finding and the code around it. */
export interface Case {
  readonly finding: Finding
  readonly excerpt: Excerpt
}

const Judged = Schema.Struct({
  finding: Schema.Int.annotate({ description: "The number of the finding." }),
  verdict: Verdict.annotate({
    description:
      "confirmed: you can name the calls that exploit it. likely: you cannot, and nothing in the code prevents it. unlikely: a line of the code prevents it.",
  }),
  reasoning: Schema.String.annotate({ description: "Why, in terms of this contract, in at most 120 words." }),
  attack: Schema.optionalKey(Schema.String).annotate({
    description: "For confirmed and likely: who calls what with which values, and what they gain.",
  }),
  quotes: Schema.Array(Quote).annotate({
    description: "Each line that the reasoning is based on, copied verbatim, without its line number.",
  }),
  patch: Schema.optionalKey(Schema.String).annotate({
    description: "For confirmed: the smallest fix, as a unified diff of that file with three lines of context.",
  }),
})

export const Verdicts = Schema.Struct({ verdicts: Schema.Array(Judged) })

export const verdictsTool: ToolSpec = {
  name: "verdicts",
  description: "Gives your verdict on each finding.",
  parameters: Verdicts,
}

const system = `You are a security engineer who reviews the findings of a static analyzer for smart contracts. For each finding, you receive the rule's description and the code in question, with line numbers. Decide whether an attacker can do what the finding says in this particular code. Rules recognize patterns: check who can call the function, what was checked before, which values an attacker controls, and whether the loss is worth anything. Do not trust names, comments or documentation; trust statements. Code that you cannot see may do anything: a guard that you cannot quote is not a guard. Base every claim on a line that you quote verbatim; a verdict with a quote that does not occur in the code is discarded. Answer by calling verdicts, with one entry for each finding.`

/** The findings that are judged, worst first. */
export const chosen = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> =>
  findings
    .filter(({ severity }) => severity !== "informational")
    .toSorted(worstFirst)
    .slice(0, reviewLimits.findings)

const textOf = ({ from, lines }: Excerpt): string => lines.map((line, index) => `${from + index}\t${line}`).join("\n")

/** Cases that are judged together: adjacent ones, so that shared code is sent once. */
export const batches = (cases: ReadonlyArray<Case>): ReadonlyArray<ReadonlyArray<Case>> => {
  const inOrder = cases.toSorted(
    (a, b) =>
      (a.excerpt.file < b.excerpt.file ? -1 : Number(a.excerpt.file > b.excerpt.file)) ||
      a.excerpt.from - b.excerpt.from,
  )
  const all: Array<Array<Case>> = []
  let characters = 0
  let last = ""
  for (const one of inOrder) {
    const text = textOf(one.excerpt)
    const more = text === last ? 0 : text.length
    const current = all.at(-1)
    last = text
    if (
      current === undefined ||
      current.length >= reviewLimits.batch ||
      characters + more > reviewLimits.batchCharacters
    ) {
      all.push([one])
      characters = text.length
    } else {
      current.push(one)
      characters += more
    }
  }
  return all
}

/** Requests verdicts on some cases; `run` distinguishes a second, independent run from the first. */
export const triageConversation = (cases: ReadonlyArray<Case>, run: number): Conversation => {
  const shown: Array<string> = []
  for (const [index, { finding, excerpt }] of cases.entries()) {
    const { ruleId, title, description, severity, location } = finding
    const about = {
      finding: index,
      rule: ruleId,
      title,
      severity,
      description,
      lines: [location.lineStart, location.lineEnd],
    }
    const code = textOf(excerpt)
    const twin = cases.findIndex((one) => textOf(one.excerpt) === code && one.excerpt.file === excerpt.file)
    shown.push(
      JSON.stringify(about),
      twin < index ? `(the same code as that of finding ${twin})` : `${excerpt.file}\n${code}`,
    )
  }
  return {
    system,
    tools: [verdictsTool],
    only: verdictsTool.name,
    run,
    messages: [
      {
        role: "user",
        parts: [
          { said: `Judge these ${cases.length} findings, numbered from 0. Each is followed by its file and code.` },
          { data: shown.join("\n\n") },
        ],
      },
    ],
  }
}

export interface Judgment {
  /** By the position of the case. */
  readonly reviews: ReadonlyMap<number, Review>
  /** Verdicts without a basis, or about no finding. */
  readonly voided: number
}

/** The valid verdicts: those with a quote that does not occur in the code are void, and so are those about nothing. */
export const judged = (cases: ReadonlyArray<Case>, answer: typeof Verdicts.Type, model: string): Judgment => {
  const reviews = new Map<number, Review>()
  let voided = 0
  for (const { finding, verdict, reasoning, attack, quotes, patch } of answer.verdicts) {
    const one = cases[finding]
    const found = quotes.map((quote) => one && standing(one.excerpt, quote))
    const holds = found.length > 0 && found.every((quote) => quote !== undefined)
    if (one === undefined || reviews.has(finding) || !holds || reasoning.trim() === "") {
      voided++
      continue
    }
    reviews.set(finding, {
      verdict,
      reasoning: said(reasoning),
      ...(attack === undefined || attack.trim() === "" || verdict === "unlikely" ? {} : { attack: said(attack) }),
      quotes: found.slice(0, reviewLimits.quotes),
      ...(patch === undefined || verdict !== "confirmed" ? {} : { patch }),
      model,
    })
  }
  return { reviews, voided }
}

/** Whether a verdict that lowers confidence needs a second run: for severe findings, one opinion is not enough. */
export const needsSecond = ({ severity }: Finding, { verdict }: Review): boolean =>
  verdict === "unlikely" && (severity === "critical" || severity === "high")

const lower: Readonly<Record<Confidence, Confidence>> = { high: "medium", medium: "low", low: "low" }

/** A finding with its review: it keeps identity, severity and place, and has less confidence if it is unlikely. */
export const withReview = (finding: Finding, review: Review): Finding => ({
  ...finding,
  review,
  ...(review.verdict === "unlikely" ? { confidence: lower[finding.confidence] } : {}),
})
