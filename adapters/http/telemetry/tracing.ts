import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as UrlParams from "effect/http/UrlParams"
import * as Layer from "effect/Layer"
import { routePattern } from "../request/methods.ts"

const pathOf = (url: string): string => url.split("?", 1)[0]!

/**
 * How requests appear in traces: by method and route, without the values of their queries, in which sign-in passes
 * codes. Probes arrive every few seconds for as long as the service lives and are left out.
 */
export const httpTracing = Layer.mergeAll(
  Layer.succeed(
    HttpMiddleware.SpanNameGenerator,
    ({ method, url }) => `${method} ${routePattern(pathOf(url)) ?? "unmatched"}`,
  ),
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => pathOf(url).startsWith("/health")),
  Layer.succeed(UrlParams.CurrentRedactedNames, [/^/]),
)
