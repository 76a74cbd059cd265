import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { HttpSettings } from "../HttpSettings.ts"

/**
 * The `Link` header (RFC 8288) of a page that another follows: this request's URL with the next cursor. Where no
 * public URL is configured it is relative, which every client resolves: `Host` is a claim of whoever asks.
 */
export const nextPage = (request: HttpServerRequest.HttpServerRequest, cursor: string): Effect.Effect<string> =>
  Effect.map(HttpSettings, ({ publicUrl }) => {
    const url = new URL(request.url, "http://localhost")
    url.searchParams.set("cursor", cursor)
    return `<${publicUrl ?? ""}${url.pathname}${url.search}>; rel="next"`
  })
