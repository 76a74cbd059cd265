import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { etagOf, isCurrent } from "../request/conditional.ts"

/** A document that is the same for everybody as long as the process runs; answers 304 to who has it. */
export const fixedDocument = (text: string, contentType: string, extra: Record<string, string> = {}) => {
  const etag = etagOf(text)
  const headers = { etag, "cache-control": "public, max-age=300", ...extra }
  const whole = HttpServerResponse.text(text, { contentType, headers })
  const unchanged = HttpServerResponse.empty({ status: 304, headers })
  return (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse =>
    isCurrent(request.headers["if-none-match"], etag) ? unchanged : whole
}
