import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AnalysisStore } from "../ports/AnalysisStore.ts"
import { runAnalysis } from "./runAnalysis.ts"

/** Claims and runs analyses until interrupted, `concurrency` at a time. A running one is then handed back. */
export const consumeQueue = Effect.fn("consumeQueue")(function* (workerId: string, concurrency: number) {
  const store = yield* AnalysisStore

  const next = store.claim(workerId).pipe(
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.logWarning("no analysis claimed", error.cause).pipe(
        Effect.andThen(Effect.sleep("2 seconds")),
        Effect.as(Option.none()),
      ),
    ),
    Effect.flatMap(Option.match({ onNone: () => store.awaitWork, onSome: runAnalysis })),
  )

  yield* Effect.all(
    Array.from({ length: concurrency }, () => Effect.forever(next)),
    { concurrency: "unbounded", discard: true },
  )
})
