import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { opaque } from "../answer/answer.ts"
import { getBadge } from "../../../application/analysis/getBadge.ts"
import { type BadgeData, badgeSvg, shieldsBadge } from "../../../domain/report/Badge.ts"
import { etagOf, isCurrent } from "../request/conditional.ts"
import { BadgeGroup } from "../contract/AnalysisGroup.ts"
import { publicEndpoints } from "../serving/endpoints.ts"
import type { AnalysisId } from "../../../domain/ids/Ids.ts"

/**
 * Public caches cannot be told that an analysis was deleted: they may show a completed badge, which never changes, for
 * five minutes more. Every other state may change at any time, a failed one by a retry.
 */
const lifetime = ({ status }: BadgeData): string => (status === "completed" ? "public, max-age=300" : "no-store")

/** An image from an API must not run anything when it is opened as a page of its own. */
const inert = {
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

const counts = (badge: BadgeData) => ({
  status: badge.status,
  totalFindings: badge.totalFindings,
  criticalFindings: badge.criticalFindings,
  highFindings: badge.highFindings,
  mediumFindings: badge.mediumFindings,
  lowFindings: badge.lowFindings,
  informationalFindings: badge.informationalFindings,
})

const badge = (render: (badge: BadgeData) => string, contentType: string, extra: Record<string, string> = {}) =>
  Effect.fnUntraced(function* (analysisId: AnalysisId, request: HttpServerRequest) {
    const found = yield* getBadge(analysisId)
    const text = render(found)
    const etag = etagOf(text)
    const headers = { ...extra, etag, "cache-control": lifetime(found) }
    return isCurrent(request.headers["if-none-match"], etag)
      ? opaque(HttpServerResponse.empty({ status: 304, headers }))
      : opaque(HttpServerResponse.text(text, { contentType, headers }))
  })

const data = badge((found) => JSON.stringify(counts(found)), "application/json")
const svg = badge(badgeSvg, "image/svg+xml; charset=utf-8", inert)
const shields = badge((found) => JSON.stringify(shieldsBadge(found)), "application/json")

export const badgeRoutes = publicEndpoints(BadgeGroup, {
  data: ({ params, request }) => data(params.id, request),
  svg: ({ params, request }) => svg(params.id, request),
  shields: ({ params, request }) => shields(params.id, request),
})
