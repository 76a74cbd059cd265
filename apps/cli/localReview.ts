import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fileReviewStore } from "../../adapters/local/fileReviewStore.ts"
import { ReviewStore } from "../../application/ports/finding/ReviewStore.ts"
import { Reviewing } from "../../application/review/Reviewing.ts"
import { Refusal } from "../runMain.ts"
import { reviewing } from "../wiring/review.ts"

const store = Layer.sync(ReviewStore, () =>
  fileReviewStore(join(import.meta.dirname, "../../node_modules/.cache/assay/review")),
)

/** The configured model for the command line, whose answers are stored on this machine. */
export const localReview = Effect.gen(function* () {
  const found = Context.get(yield* Layer.build(reviewing.pipe(Layer.provide(store))), Reviewing)
  if (found !== undefined) return found
  return yield* Effect.fail(
    new Refusal("--review requires a model: set ASSAY_AI_PROVIDER, ASSAY_AI_BASE_URL and ASSAY_AI_MODEL."),
  )
})
