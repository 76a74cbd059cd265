import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Decision } from "../../domain/finding/Decision.ts"
import { readBaseline, readDecisions } from "../../domain/report/Baseline.ts"
import { Refusal } from "../runMain.ts"
import { reasonOf } from "../terminal/systemError.ts"
import { printable } from "../terminal/printable.ts"
import { isUuid } from "../../domain/ids/uuid.ts"
import { withoutTrailingSlashes } from "../../domain/network/withoutTrailingSlashes.ts"

/** Larger than any report: GitHub accepts SARIF files up to 10 MB compressed. */
const maxBytes = 200_000_000

/** Milliseconds for a service to respond. */
const patience = 30_000

const decodeEnvelope = Schema.decodeOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) })),
)

const Decided = Schema.Struct({ fingerprint: Schema.String, decision: Decision })
const decodeDecided = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Decided)))
/** Pages of 500 decided findings each: a result lists no more than this. */
const mostPages = 100

const readBounded = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error("it is larger than 200 MB")
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Pipes work, too. */
const fromFile = (path: string) =>
  Effect.tryPromise({
    try: () => readBounded(createReadStream(path)),
    catch: (error) => new Refusal(`Could not read the baseline ${path}: ${reasonOf(error)}.`),
  })

/** The key of `npm start` on this machine, if there is one. */
const localKey = () =>
  readFile(join(process.env["ASSAY_DATA_DIR"] ?? ".assay", "api-key"), "utf8").then(
    (text) => text.trim(),
    () => undefined,
  )

const isLocal = ({ hostname }: URL): boolean => ["127.0.0.1", "[::1]", "localhost"].includes(hostname)

/** The key given for the service; the one found on this machine is only for services on this machine. */
const keyFor = async (service: URL): Promise<string> => {
  const given = (process.env["ASSAY_API_KEY"] ?? "").trim()
  const key = given !== "" || !isLocal(service) ? given : ((await localKey()) ?? "")
  if (key === "") throw new Error("set ASSAY_API_KEY to an API key of the service at ASSAY_URL")
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error("ASSAY_API_KEY is not an API key")
  return key
}

const serviceAt = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "") {
    throw new Error("ASSAY_URL is not a valid service URL: it must look like https://assay.example.com")
  }
  return url
}

/** The message in the service's error envelope; nothing if something else responded. */
const readEnvelope = (text: string): { readonly code?: string; readonly message?: string } =>
  Option.match(decodeEnvelope(text), { onNone: () => ({}), onSome: ({ error }) => error })

const refusalOf = (url: string, status: number, text: string): string => {
  const { code, message } = readEnvelope(text)
  if (code === undefined) return `${url} responded with ${status}. Check that ASSAY_URL is the URL of the service`
  switch (code) {
    case "UNAUTHENTICATED":
      return `${url} rejected the API key. Set ASSAY_API_KEY to a valid one`
    case "FORBIDDEN":
      return `the API key lacks the scope analysis:read at ${url}`
    case "NOT_FOUND":
      return `${url} has no such analysis that you can access`
    case "ANALYSIS_NOT_READY":
      return "the analysis is not finished yet. Try again when it has completed"
    case "ANALYSIS_FAILED":
      return `the analysis failed and has no findings to compare with (${printable(message ?? "")})`
    default:
      return `${url} responded with ${status}: ${printable(message ?? code)}`
  }
}

/**
 * The result of an analysis on a running service: `ASSAY_URL`, with `ASSAY_API_KEY`. Works on any plan, because it is
 * the JSON result, not the SARIF export.
 */
const fromService = (analysisId: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const service = serviceAt(process.env["ASSAY_URL"] || "http://127.0.0.1:8080")
      const url = withoutTrailingSlashes(service.href)
      const authorization = `Bearer ${await keyFor(service)}`
      const answer = async () => {
        const response = await fetch(`${url}/api/v1/analysis/${analysisId}/result`, {
          headers: { authorization },
          signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
          redirect: "manual",
        })
        return { status: response.status, text: response.body === null ? "" : await readBounded(response.body) }
      }
      const { status, text } = await answer().catch((error: unknown) => {
        if (error instanceof Error && /larger than/.test(error.message)) throw error
        if (error instanceof Error && error.name === "TimeoutError") {
          throw new Error(`${url} did not respond within ${patience / 1000} seconds`)
        }
        throw new Error(`could not reach ${url}. Set ASSAY_URL to the URL of the service`)
      })
      if (status >= 300 && status < 400) throw new Error(`${url} redirects elsewhere. Set ASSAY_URL to the new URL`)
      if (status !== 200) throw new Error(refusalOf(url, status, text))
      return text
    },
    catch: (error) => new Refusal(`Could not read the baseline ${analysisId}: ${reasonOf(error)}.`),
  })

/** The current decisions about the analysis's findings, if the service supports decisions. */
const decisionsAt = (analysisId: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const service = withoutTrailingSlashes(serviceAt(process.env["ASSAY_URL"] || "http://127.0.0.1:8080").href)
      const authorization = `Bearer ${await keyFor(new URL(service))}`
      const decided: Array<typeof Decided.Type> = []
      const asked = `analysis=${analysisId}&decision=false_positive,accepted_risk,fixed&limit=500`
      let next: string | undefined = `/api/v1/analysis/${analysisId}/findings?${asked}`
      for (let pages = 0; next !== undefined && pages < mostPages; pages++) {
        const response: Response = await fetch(new URL(next, `${service}/`), {
          headers: { authorization },
          signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
          redirect: "error",
        })
        const text = response.body === null ? "" : await readBounded(response.body)
        // A service of an earlier release, which has just returned the analysis itself.
        if (response.status === 404) return decided
        if (response.status !== 200) throw new Error(refusalOf(service, response.status, text))
        decided.push(...decodeDecided(text))
        const link: string | undefined = /^<([^>]{1,8000})>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1]
        // The service's own pages, whatever the caller's address.
        const page = link === undefined ? undefined : new URL(link, `${service}/`)
        next = page === undefined ? undefined : `${page.pathname}${page.search}`
      }
      return decided
    },
    catch: (error) => new Refusal(`Could not read the decisions about ${analysisId}: ${reasonOf(error)}.`),
  })

/**
 * Fingerprints and decisions of the earlier report given by `--baseline`: a SARIF or JSON file, or the id of an
 * analysis.
 */
export const loadBaseline = Effect.fnUntraced(function* (source: string) {
  const text = yield* isUuid(source) ? fromService(source) : fromFile(source)
  const baseline = readBaseline(text)
  if (Result.isFailure(baseline)) return yield* Effect.fail(new Refusal(`The baseline ${source} ${baseline.failure}.`))
  const decisions = isUuid(source)
    ? new Map((yield* decisionsAt(source)).map(({ fingerprint, decision }) => [fingerprint, decision]))
    : readDecisions(text, new Date(yield* Clock.currentTimeMillis))
  return { fingerprints: baseline.success, decisions }
})
