import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { describe, expect, it } from "vitest"
import { currentTraceParent, parseTraceParent } from "../../../application/analysis/traceContext.ts"

const kept = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })

describe("traceparent", () => {
  it("names the current span and can be read back", () => {
    const text = Effect.runSync(
      currentTraceParent.pipe(Effect.withSpan("current"), Effect.provideService(Tracer.Tracer, kept)),
    )
    expect(text).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    const [, traceId, spanId] = text!.split("-")
    expect(parseTraceParent(text!)).toMatchObject({ traceId, spanId, sampled: true })
  })

  it("is absent without tracing, and outside of any span", () => {
    expect(Effect.runSync(Effect.withSpan(currentTraceParent, "kept by nobody"))).toBeUndefined()
    expect(Effect.runSync(Effect.provideService(currentTraceParent, Tracer.Tracer, kept))).toBeUndefined()
  })

  it.each([
    "",
    "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
    "00-0AF7651916CD43DD8448EB211C80319C-00f067aa0ba902b7-01",
    "ff-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
  ])("is none: %j", (text) => {
    expect(parseTraceParent(text)).toBeUndefined()
  })

  it("says whether its trace is sampled", () => {
    expect(parseTraceParent("00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-00")?.sampled).toBe(false)
  })
})
