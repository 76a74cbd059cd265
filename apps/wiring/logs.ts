import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { plainJson } from "../../domain/report/plainJson.ts"
import { findExchange } from "../../adapters/http/request/Exchange.ts"

/** `user:password@` in a URL. */
const credentials = /(\w:\/\/)[^/\s:@"]*:[^/\s@"]*@/g
const mostText = 8_000

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  if (Cause.isCause(value)) return Cause.pretty(value)
  if (value instanceof Error) return value.stack ?? String(value)
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

const field = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" || value === null ? value : textOf(value).slice(0, mostText)

/** Logged values besides the message: plain objects become fields of the line, everything else becomes `detail`. */
const detailsOf = (values: ReadonlyArray<unknown>): Record<string, unknown> => {
  const fields: Record<string, unknown> = {}
  const details: Array<string> = []
  for (const value of values) {
    const plain = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
    if (!plain) details.push(textOf(value))
    else for (const [name, each] of Object.entries(value)) fields[name] = field(each)
  }
  if (details.length > 0) fields["detail"] = details.join("\n").slice(0, mostText)
  return fields
}

const requestIdOf = (context: Context.Context<never>): string | undefined => {
  const request = Context.getOrUndefined(
    context as Context.Context<HttpServerRequest.HttpServerRequest>, // in the fibers that answer one
    HttpServerRequest.HttpServerRequest,
  )
  return request === undefined ? undefined : findExchange(request)?.requestId
}

/** The span that a line belongs to, if spans are collected. */
const spanOf = (context: Context.Context<never>): { readonly traceId?: string; readonly spanId?: string } => {
  if (Context.get(context, Tracer.Tracer) === Tracer.nativeTracer) return {}
  const span = Context.getOrUndefined(context as Context.Context<Tracer.ParentSpan>, Tracer.ParentSpan)
  return span === undefined ? {} : { traceId: span.traceId, spanId: span.spanId }
}

/**
 * One JSON object per line: `time`, `level`, `message`, then its context (`requestId`, `traceId`, `analysisId`) and
 * data. The same fields as in request log lines.
 */
export const jsonLine = Logger.make<unknown, string>(({ cause, date, fiber, logLevel, message }) => {
  const [first, ...rest] = Array.isArray(message) ? message : [message]
  const said = typeof first === "string" ? { message: first } : { message: "", ...detailsOf([first]) }
  const own = {
    time: date.toISOString(),
    level: logLevel === "Warn" ? "warning" : logLevel.toLowerCase(),
    ...said,
    requestId: requestIdOf(fiber.context),
    ...spanOf(fiber.context),
  }
  const details = detailsOf([{ ...fiber.getRef(References.CurrentLogAnnotations) }, ...rest])
  const why = cause.reasons.length === 0 ? {} : { cause: Cause.pretty(cause).slice(0, mostText) }
  // In this order; logged data cannot override the line's own fields.
  const line = Object.assign({}, own, details, why, own)
  return plainJson(JSON.stringify(line)).replaceAll(credentials, "$1***@")
})

/** Lines on stderr, for a log collector. */
export const jsonLogs = Logger.layer([
  Logger.map(jsonLine, (line) => {
    process.stderr.write(`${line}\n`)
  }),
])
