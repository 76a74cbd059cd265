import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import type { Stage } from "../../domain/analysis/Stage.ts"
import { durationOf } from "./analysisMetrics.ts"

export interface StageClock {
  /**
   * Ends the previous stage and begins this one, unless it is already current. Synchronous, so it can be called
   * anywhere.
   */
  readonly enter: (stage: Stage) => void
  /** Ends the last stage. */
  readonly end: (exit: Exit.Exit<unknown, unknown>) => void
}

/** Measures the stages of one analysis: a duration for each, and with tracing, a span below the current one. */
export const stageClock: Effect.Effect<StageClock> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const tracer = yield* Effect.tracer
  const context = yield* Effect.context<never>()
  const parent = Context.getOption(context as Context.Context<Tracer.ParentSpan>, Tracer.ParentSpan)
  const traced = tracer !== Tracer.nativeTracer && Option.isSome(parent) && parent.value.sampled

  let current: { readonly stage: Stage; readonly since: bigint; readonly span: Tracer.Span | undefined } | undefined

  const end = (exit: Exit.Exit<unknown, unknown>): void => {
    if (current === undefined) return
    const now = clock.currentTimeNanosUnsafe()
    durationOf(current.stage).updateUnsafe(Number(now - current.since) / 1e9, context)
    current.span?.end(now, exit)
    current = undefined
  }

  return {
    enter: (stage) => {
      if (current?.stage === stage) return
      end(Exit.void)
      const since = clock.currentTimeNanosUnsafe()
      const span = traced
        ? tracer.span({
            name: `stage ${stage}`,
            parent,
            annotations: Context.empty(),
            links: [],
            startTime: since,
            kind: "internal",
            root: false,
            sampled: true,
          })
        : undefined
      current = { stage, since, span }
    },
    end,
  }
})
