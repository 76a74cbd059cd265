import type { ServerResponse } from "node:http"
import { toServerResponse } from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { PackedReport } from "../../../application/ports/analysis/PackedReport.ts"
import { opaque, type OpaqueResponse } from "./answer.ts"
import { isCurrent } from "../request/conditional.ts"
import { prefersGzip } from "../request/contentCoding.ts"
import { exchangeOf } from "../request/Exchange.ts"
import { LargeAnswers } from "../limits/LargeAnswers.ts"
import { PlainReports } from "./PlainReports.ts"
import { Refusal } from "../request/Problem.ts"

/** A completed result never changes, but belongs to its owner. */
const unchanging = { vary: "Accept-Encoding", "cache-control": "private, max-age=31536000, immutable" }

/** A strong tag names bytes, which are others in gzip. */
const tagOf = (name: string, packed: boolean): string => `"${name}${packed ? "-gzip" : ""}"`

/** The tag of the report `name` that the client holds, whichever coding it was sent in. */
const heldTag = (request: HttpServerRequest, name: string): string | undefined =>
  [tagOf(name, false), tagOf(name, true)].find((tag) => isCurrent(request.headers["if-none-match"], tag))

/** The answer to a client that holds the report already, provided that it is still there: known without reading it. */
export const unmodifiedReport = <E, R>(
  request: HttpServerRequest,
  name: string,
  isThere: Effect.Effect<boolean, E, R>,
): Effect.Effect<OpaqueResponse | undefined, E, R> => {
  const etag = heldTag(request, name)
  return etag === undefined
    ? Effect.undefined
    : Effect.map(isThere, (there) =>
        there ? opaque(HttpServerResponse.empty({ status: 304, headers: { ...unchanging, etag } })) : undefined,
      )
}

/** A report in the coding that the client wants, for it to keep. */
export const reportResponse = Effect.fnUntraced(function* (
  request: HttpServerRequest,
  name: string,
  report: PackedReport,
  contentType: string,
  further: Readonly<Record<string, string>> = {},
) {
  const packed = prefersGzip(request.headers["accept-encoding"])
  const coding = packed ? { "content-encoding": "gzip" } : {}
  const headers = { ...further, ...unchanging, ...coding, etag: tagOf(name, packed) }
  const body = packed ? report.gzip : yield* (yield* PlainReports).unpack(name, report)
  const isWhole = body instanceof Uint8Array
  const length = packed ? report.gzip.length : report.size
  const problem = (yield* LargeAnswers).admit(
    exchangeOf(request),
    toServerResponse(request) as ServerResponse, // the server speaks HTTP/1.1 alone
    isWhole ? body : report.gzip,
    length,
  )
  if (problem !== undefined) {
    if (!isWhole) body.destroy()
    return yield* new Refusal({ problem })
  }
  return opaque(
    isWhole
      ? HttpServerResponse.uint8Array(body, { contentType, headers })
      : HttpServerResponse.raw(body, { contentType, headers: { ...headers, "content-length": String(length) } }),
  )
})
