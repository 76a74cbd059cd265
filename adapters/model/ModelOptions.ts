import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"

export const providers = ["openai-compatible", "anthropic"] as const
export type Provider = (typeof providers)[number]

/** A model, and how long and how often it is waited for. */
export interface ModelOptions {
  readonly provider: Provider
  /** `https://api.example.com/v1` of an OpenAI-compatible one, `https://api.anthropic.com` of Anthropic's. */
  readonly baseUrl: string
  readonly model: string
  /** Local models have none. */
  readonly apiKey: Redacted.Redacted | undefined
  readonly maxOutputTokens: number
  /** From the request to the end of the answer. */
  readonly timeout: Duration.Duration
  /** Of the first connection, by which an address where nobody answers is known; 3 s. */
  readonly connectTimeout?: Duration.Duration
  /** Between two attempts, doubled each time; 1 s. */
  readonly retryAfter?: Duration.Duration
}
