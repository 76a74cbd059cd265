import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type { WorkerId } from "../../domain/ids/Ids.ts"
import { supervise } from "../supervise.ts"
import { AnalysisQueue, type ClaimedAnalysis } from "../ports/analysis/AnalysisQueue.ts"
import { announceOutcomes } from "./analysisMetrics.ts"
import { ConsumerState } from "./ConsumerState.ts"
import { runAnalysis } from "./runAnalysis.ts"

/** After a failed claim. */
const pause = Effect.sleep("2 seconds")

/** The time for returning an analysis to the queue; after that, its lease has to expire. */
const handBackTime = "3 seconds"

/**
 * Claims and runs analyses, `concurrency` at a time, until stopped. When interrupted, it returns running ones to the
 * queue.
 */
const claimLoops = (workerId: WorkerId, concurrency: number, stopped: Latch.Latch) =>
  Effect.gen(function* () {
    const queue = yield* AnalysisQueue
    const state = yield* ConsumerState

    const running = (job: ClaimedAnalysis) =>
      Effect.suspend(() => {
        state.running++
        return Effect.ensuring(
          runAnalysis(job),
          Effect.sync(() => state.running--),
        )
      })

    const idle = Effect.interruptible(Effect.raceFirst(queue.awaitWork, stopped.await))

    // One line per outage rather than per failed claim.
    let failing = false

    // Once the claim is committed, we must finish the analysis or return it: nothing may interrupt in between.
    const turn = Effect.uninterruptible(
      queue.claim(workerId).pipe(
        Effect.withTracerEnabled(false),
        Effect.matchCauseEffect({
          onFailure: (cause) => {
            const log = failing ? Effect.logDebug : Effect.logWarning
            failing = true
            state.claiming = false
            return Effect.interruptible(
              Effect.andThen(log("no analysis claimed", cause), Effect.raceFirst(pause, stopped.await)),
            )
          },
          onSuccess: (claimed) => {
            failing = false
            state.claiming = !state.stopping
            if (Option.isNone(claimed)) return idle
            return state.stopping ? Effect.ignore(queue.handBack(claimed.value)) : running(claimed.value)
          },
        }),
      ),
    )

    const turns = Effect.whileLoop({ while: () => !state.stopping, body: () => turn, step: () => {} })
    const loop = supervise("analyses", turns, () => state.stopping)
    state.alive = true
    state.concurrency = concurrency
    yield* Effect.all(
      Array.from({ length: concurrency }, () => loop),
      { concurrency: "unbounded", discard: true },
    )
  }).pipe(
    Effect.ensuring(
      ConsumerState.useSync((state) => {
        state.alive = false
        state.claiming = false
      }),
    ),
  )

/**
 * Consumes the queue until the scope closes. Then it stops claiming, lets running analyses end within `gracePeriod`,
 * and returns the rest to the queue.
 */
export const consumeQueue = Effect.fnUntraced(function* (
  workerId: WorkerId,
  concurrency: number,
  gracePeriod: Duration.Duration,
) {
  const state = yield* ConsumerState
  const stopped = Latch.makeUnsafe()
  yield* announceOutcomes
  const fiber = yield* Effect.forkDetach(claimLoops(workerId, concurrency, stopped))
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      state.stopping = true
      state.claiming = false
      yield* stopped.open
      yield* Effect.logInfo("stopped claiming", { running: state.running })
      yield* Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), gracePeriod)
      yield* Effect.timeoutOption(Effect.interruptible(Fiber.interrupt(fiber)), handBackTime)
    }),
  )
})
