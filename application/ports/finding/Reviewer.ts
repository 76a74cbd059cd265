import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { RenderedMessage, Reply, ToolSpec } from "../../../domain/review/Conversation.ts"

/**
 * No answer. `unavailable`: the model cannot be expected to respond for now; `refused`: it rejects this request but may
 * accept others. `message` is for the coverage.
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

/** A language model. `domain/review` decides what to ask and what an answer is worth. */
export class Reviewer extends Context.Service<
  Reviewer,
  {
    readonly model: string
    /** Fails within seconds if nothing responds at the model's address. */
    readonly reach: Effect.Effect<void, ModelFailed>
    /** Tool calls as the model made them, possibly with unknown names or wrong arguments. */
    readonly ask: (request: ModelRequest) => Effect.Effect<Reply, ModelFailed>
  }
>()("assay/application/Reviewer") {}
