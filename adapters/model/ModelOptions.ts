import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"

export const providers = ["openai-compatible", "anthropic"] as const
export type Provider = (typeof providers)[number]

/** A model, with its timeouts and retries. */
export interface ModelOptions {
  readonly provider: Provider
  /** `https://api.example.com/v1` for an OpenAI-compatible provider, `https://api.anthropic.com` for Anthropic. */
  readonly baseUrl: string
  readonly model: string
  /** Local models have none. */
  readonly apiKey: Redacted.Redacted | undefined
  readonly maxOutputTokens: number
  /** From the request to the end of the response. */
  readonly timeout: Duration.Duration
  /** For the first connection, which shows whether anything responds at the address; 3 s. */
  readonly connectTimeout?: Duration.Duration
  /** Delay between two attempts, doubled each time; 1 s. */
  readonly retryAfter?: Duration.Duration
}
