import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { attachExchange, Exchange } from "../../adapters/http/request/Exchange.ts"
import { jsonLine } from "../../apps/wiring/logs.ts"

/** The lines that an effect logs. */
const lines = (effect: Effect.Effect<unknown>): ReadonlyArray<Record<string, unknown>> => {
  const written: Array<string> = []
  Effect.runSync(effect.pipe(Effect.provide(Logger.layer([Logger.map(jsonLine, (line) => void written.push(line))]))))
  return written.map((line) => JSON.parse(line))
}

describe("a line of the log", () => {
  it("starts with time, level and message, followed by context and data", () => {
    const [line] = lines(
      Effect.logWarning("could not write heartbeat", { attempts: 3 }).pipe(Effect.annotateLogs({ analysisId: "a-1" })),
    )
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: "warning",
      message: "could not write heartbeat",
      analysisId: "a-1",
      attempts: 3,
    })
  })

  it("has the request's id if logged in a request", () => {
    const request = HttpServerRequest.fromWeb(new Request("http://localhost/"))
    attachExchange(request, new Exchange("request-1", "::1", 0))
    const [line] = lines(Effect.provideService(Effect.logInfo("asked"), HttpServerRequest.HttpServerRequest, request))
    expect(line).toMatchObject({ message: "asked", requestId: "request-1" })
  })

  it("keeps its own time, level and message, whatever is logged with it", () => {
    const [line] = lines(Effect.logInfo("real", { time: "never", level: "none", message: "false" }))
    expect(line).toMatchObject({ level: "info", message: "real" })
    expect(line!["time"]).not.toBe("never")
  })

  it("is one line whatever is logged: errors, causes, line breaks, circular references", () => {
    const itself: Record<string, unknown> = {}
    itself["itself"] = itself
    const logged = lines(
      Effect.all([
        Effect.logError("failed", new Error("two\nlines")),
        Effect.logError("failed", Cause.fail("a cause")),
        Effect.logInfo("odd", itself),
        Effect.logInfo({ only: "an object" }),
        Effect.logInfo("x".repeat(3), "y".repeat(100_000)),
      ]),
    )
    expect(logged).toHaveLength(5)
    expect(logged[0]!["detail"]).toContain("two\nlines")
    expect(JSON.stringify(logged[1])).toContain("a cause")
    expect(logged[3]!["only"]).toBe("an object")
    expect(JSON.stringify(logged[4]).length).toBeLessThan(10_000)
  })

  it("shows neither redacted values nor the password in a URL", () => {
    const text = JSON.stringify(
      lines(
        Effect.all([
          Effect.logError("no connection", new Error("postgres://assay:geheim@db:5432/assay refused")),
          Effect.logInfo("settings", { token: Redacted.make("geheim") }),
          Effect.logInfo("fetched", { from: "https://user:geheim@example.com/a.git" }),
        ]),
      ),
    )
    expect(text).not.toContain("geheim")
    expect(text).toContain("postgres://***@db:5432/assay refused")
  })
})
