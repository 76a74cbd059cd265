import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { HttpSettings } from "./HttpSettings.ts"

const host = /^[A-Za-z0-9.-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/

/** The `Link` header (RFC 8288) of a page that another follows: this request's URL with the next cursor. */
export const nextPage = (request: HttpServerRequest.HttpServerRequest, cursor: string): Effect.Effect<string> =>
  Effect.map(HttpSettings, ({ publicUrl }) => {
    const claimed = request.headers["host"] ?? ""
    const base = publicUrl ?? (host.test(claimed) ? `http://${claimed}` : undefined)
    const url = new URL(request.url, "http://localhost")
    url.searchParams.set("cursor", cursor)
    return `<${base ?? ""}${url.pathname}${url.search}>; rel="next"`
  })
