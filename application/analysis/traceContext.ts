import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

const version00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The span named by a `traceparent`; undefined if it is invalid. https://www.w3.org/TR/trace-context/ */
export const parseTraceParent = (text: string): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId, flags] = version00.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}

/** Whether spans are collected: nobody reads those of Effect's own tracer. */
export const isTracing: Effect.Effect<boolean> = Effect.map(Effect.tracer, (tracer) => tracer !== Tracer.nativeTracer)

/** The current span as a `traceparent`, for work that continues in another process; undefined without tracing. */
export const currentTraceParent: Effect.Effect<string | undefined> = Effect.gen(function* () {
  if (!(yield* isTracing)) return undefined
  const span = yield* Effect.orElseSucceed(Effect.currentSpan, () => undefined)
  return span === undefined
    ? undefined
    : `00-${span.traceId.padStart(32, "0")}-${span.spanId}-${span.sampled ? "01" : "00"}`
})
