import * as Duration from "effect/Duration"
import type { Usage } from "./Conversation.ts"

/** Millionths of a dollar per million tokens; the price of one token in millionths of millionths. */
export interface Prices {
  readonly input: number
  readonly output: number
}

/** The budget of one analysis. */
export interface Budget {
  readonly requests: number
  readonly tokens: number
  readonly time: Duration.Duration
  /** Millionths of a dollar. */
  readonly micros: number
}

export interface Spent {
  readonly requests: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly micros: number
}

export const nothingSpent: Spent = { requests: 0, inputTokens: 0, outputTokens: 0, micros: 0 }

/** Millionths of a dollar, rounded up. */
export const costOf = ({ inputTokens, outputTokens }: Usage, { input, output }: Prices): number =>
  Math.ceil((inputTokens * input + outputTokens * output) / 1_000_000)

/** The maximum usage of a request: three characters per token is a low estimate for code. */
export const estimated = (characters: number, outputTokens: number): Usage => ({
  inputTokens: Math.ceil(characters / 3),
  outputTokens,
})

export const timeLimit = ({ time }: Budget): string => `time limit of ${Duration.toSeconds(time)} s was reached`

/** Why a request may not be made; undefined if it may. */
export const exceeded = (
  budget: Budget,
  spent: Spent,
  next: Usage,
  cost: number,
  elapsed: Duration.Duration,
): string | undefined => {
  if (Duration.isGreaterThanOrEqualTo(elapsed, budget.time)) return timeLimit(budget)
  if (spent.requests >= budget.requests) return `limit of ${budget.requests} requests was reached`
  if (spent.inputTokens + spent.outputTokens + next.inputTokens + next.outputTokens > budget.tokens) {
    return `limit of ${budget.tokens} tokens was reached`
  }
  return spent.micros + cost > budget.micros ? `budget of ${dollars(budget.micros)} was used up` : undefined
}

export const dollars = (micros: number): string => `$${(micros / 1_000_000).toFixed(2)}`
