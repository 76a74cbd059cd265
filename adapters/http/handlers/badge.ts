import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { getBadge } from "../../../application/analysis/getBadge.ts"
import type { BadgeCounts } from "../../../application/ports/AnalysisStore.ts"
import { badgeSvg, shieldsBadge } from "../../../domain/report/Badge.ts"
import { json } from "../answer.ts"
import { etagOf, isCurrent } from "../conditional.ts"
import { BadgeGroup } from "../contract/AnalysisGroup.ts"
import { publicEndpoints } from "../endpoints.ts"

/** READMEs are read through caching proxies: a minute keeps a badge current and them off our back. */
const shortLived = { "cache-control": "public, max-age=60" }

/** An image from an API must not run anything when it is opened as a page of its own. */
const inert = {
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

const counts = (badge: BadgeCounts) => ({
  status: badge.status,
  totalFindings: badge.totalFindings,
  criticalFindings: badge.criticalFindings,
  highFindings: badge.highFindings,
  mediumFindings: badge.mediumFindings,
  lowFindings: badge.lowFindings,
  informationalFindings: badge.informationalFindings,
})

export const badgeRoutes = publicEndpoints(BadgeGroup, {
  data: ({ params }) =>
    Effect.map(getBadge(params.id), (badge) => HttpServerResponse.setHeaders(json(counts(badge)), shortLived)),

  svg: ({ params, request }) =>
    Effect.map(getBadge(params.id), (badge) => {
      const svg = badgeSvg(badge)
      const etag = etagOf(svg)
      const headers = { ...shortLived, ...inert, etag }
      return isCurrent(request.headers["if-none-match"], etag)
        ? HttpServerResponse.empty({ status: 304, headers })
        : HttpServerResponse.text(svg, { contentType: "image/svg+xml; charset=utf-8", headers })
    }),

  shields: ({ params }) =>
    Effect.map(getBadge(params.id), (badge) => HttpServerResponse.setHeaders(json(shieldsBadge(badge)), shortLived)),
})
