import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { opaque, type OpaqueResponse } from "../answer/answer.ts"
import { etagOf, isCurrent } from "../request/conditional.ts"

/** A document that is the same for everybody as long as the process runs; answers 304 to who has it. */
export const fixedDocument = (text: string, contentType: string, extra: Record<string, string> = {}) => {
  const etag = etagOf(text)
  const headers = { etag, "cache-control": "public, max-age=300", ...extra }
  const whole = opaque(HttpServerResponse.text(text, { contentType, headers }))
  const unchanged = opaque(HttpServerResponse.empty({ status: 304, headers }))
  return (request: HttpServerRequest.HttpServerRequest): OpaqueResponse =>
    isCurrent(request.headers["if-none-match"], etag) ? unchanged : whole
}
