import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import type { LanguageModel, Response } from "effect/ai"
import type { ModelOptions } from "./ModelOptions.ts"

/** A provider's protocol: one request, one response, no streaming. */
export interface Protocol {
  /** Below the base URL. */
  readonly path: string
  readonly headers: (key: Redacted.Redacted | undefined) => Readonly<Record<string, string>>
  readonly body: (asked: LanguageModel.ProviderOptions, options: ModelOptions) => object
  readonly read: (answer: unknown) => Effect.Effect<Array<Response.PartEncoded>, Schema.SchemaError>
}
