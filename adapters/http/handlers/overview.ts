import * as Effect from "effect/Effect"
import { json, withHeader } from "../answer/answer.ts"
import { compareAnalyses, readOverview } from "../../../application/overview/readOverview.ts"
import { readSource } from "../../../application/overview/readSource.ts"
import type { ReportedFinding } from "../../../application/ports/finding/FindingStore.ts"
import { findingId } from "../../../domain/finding/Fingerprint.ts"
import { type ComparisonView, OverviewGroup, type OverviewView } from "../contract/OverviewGroup.ts"
import { callerEndpoints } from "../serving/endpoints.ts"
import { scanView } from "../answer/listItem.ts"

const findingView = ({ file, lineStart, lineEnd, ...finding }: ReportedFinding): ComparisonView["new"][number] => ({
  ...finding,
  id: findingId(finding.fingerprint),
  location: { file, lineStart, lineEnd },
})

export const overviewRoutes = callerEndpoints(OverviewGroup, {
  overview: ({ caller }) =>
    Effect.map(readOverview(caller), ({ overview, quota }) => {
      const { openFindings, newFindings, since, trend, recent } = overview
      return json({
        openFindings,
        newFindings,
        since: since.toISOString(),
        trend: trend.map(({ weekEnd, counts }) => ({ weekEnd: weekEnd.toISOString(), ...counts })),
        recentAnalyses: recent.map(scanView),
        quota: {
          tier: quota.tier,
          used: quota.monthlyAnalysesUsed,
          limit: quota.monthlyAnalysesLimit,
          resetsAt: quota.currentPeriodEnd.toISOString(),
        },
      } satisfies OverviewView)
    }),

  compare: ({ caller, params }) =>
    Effect.map(compareAnalyses(caller, params.id, params.otherId), (comparison) =>
      json({
        counts: comparison.counts,
        new: comparison.new.map(findingView),
        fixed: comparison.fixed.map(findingView),
        unchanged: comparison.unchanged.map(findingView),
      } satisfies ComparisonView),
    ),

  source: ({ caller, params, query }) =>
    Effect.map(readSource(caller, params.id, query.path), (source) =>
      // A commit's file never changes, but may be private.
      withHeader(json(source), "cache-control", "private, max-age=3600"),
    ),
})
