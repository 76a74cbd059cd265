import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { RenderedMessage, Reply, ToolSpec } from "../../domain/review/Conversation.ts"

/**
 * No answer. `unavailable`: nothing more can be expected of the model now; `refused`: it does not take this request, others it
 * may. `message` is for the coverage.
 */
export class ModelFailed extends Schema.TaggedError<ModelFailed>()("ModelFailed", {
  reason: Schema.Literals(["unavailable", "refused"]),
  message: Schema.String,
}) {}

export interface ModelRequest {
  readonly messages: ReadonlyArray<RenderedMessage>
  readonly tools: ReadonlyArray<ToolSpec>
  /** The only tool that may be called. */
  readonly only?: string | undefined
}

/** A language model. It is asked and answers; what is asked and what an answer is worth, `domain/review` decides. */
export class Reviewer extends Context.Service<
  Reviewer,
  {
    readonly model: string
    /** Fails within seconds where nobody answers at the model's address. */
    readonly reach: Effect.Effect<void, ModelFailed>
    /** Calls of tools as the model made them: unknown names and wrong arguments among them. */
    readonly ask: (request: ModelRequest) => Effect.Effect<Reply, ModelFailed>
  }
>()("assay/application/Reviewer") {}
