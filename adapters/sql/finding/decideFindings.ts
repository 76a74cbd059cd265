import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ClaimedAnalysis } from "../../../application/ports/analysis/AnalysisQueue.ts"
import { DecisionStale, type FindingScope } from "../../../application/ports/finding/FindingStore.ts"
import { type Decision, effectiveDecision, type Verdict } from "../../../domain/finding/Decision.ts"
import { sameRepositoryKey } from "../../../domain/repository/Repository.ts"
import { decodeRows } from "../decodeRows.ts"
import { decisionColumns, latestDecisions, recordOf, selectDecision } from "./latestDecisions.ts"
import { urlsOf } from "./reportingAnalyses.ts"

const decodeNames = decodeRows(Schema.Struct({ fingerprint: Schema.String }))
const decodeHistory = decodeRows(Schema.Struct(decisionColumns))
const decodeStanding = decodeRows(
  Schema.Struct({ fingerprint: Schema.String, foundIn: Schema.Date, now: Schema.Date, ...decisionColumns }),
)

/** Limit: decisions about a finding that are shown. */
const mostShown = 200

/**
 * Of two callers who saw the same version, one inserts the next and the other finds it taken; a caller who saw an older
 * one does not match the latest version. Inserts are in the order of the fingerprints, so that concurrent decisions
 * about the same findings cannot deadlock.
 */
export const decideFindings = (
  sql: SqlClient,
  scope: FindingScope,
  { decision, reason, expiresAt }: Verdict,
  findings: ReadonlyArray<{ readonly fingerprint: string; readonly version: number }>,
) =>
  Effect.gen(function* () {
    const recorded = yield* decodeNames(sql`
      WITH urls AS (${urlsOf(sql, scope)}),
      latest AS (${latestDecisions(sql, sql`${scope.ownerId}::uuid`)})
      INSERT INTO finding_decisions
        (owner_id, url_key, fingerprint, version, decision, reason, decided_by, decided_at, expires_at)
      SELECT
        ${scope.ownerId}::uuid, ${scope.urlKey}, asked.fingerprint, asked.version + 1, ${decision},
        ${reason ?? null}::text, ${scope.userId}::uuid, clock_timestamp(),
        ${expiresAt?.toISOString() ?? null}::timestamptz
      FROM unnest(
        ${findings.map(({ fingerprint }) => fingerprint)}::text[], ${findings.map(({ version }) => version)}::integer[]
      ) AS asked (fingerprint, version) LEFT JOIN latest ON latest.fingerprint = asked.fingerprint
      WHERE asked.version = coalesce(latest.version, 0)
      ORDER BY asked.fingerprint
      ON CONFLICT DO NOTHING RETURNING fingerprint`)
    const done = new Set(recorded.map(({ fingerprint }) => fingerprint))
    const stale = findings.map(({ fingerprint }) => fingerprint).filter((fingerprint) => !done.has(fingerprint))
    if (stale.length > 0) return yield* new DecisionStale({ fingerprints: stale })
  }).pipe(sql.withTransaction)

export const historyOf = (sql: SqlClient, scope: FindingScope, fingerprint: string) =>
  decodeHistory(sql`
    WITH urls AS (${urlsOf(sql, scope)})
    SELECT ${selectDecision(sql)}
    FROM urls JOIN finding_decisions AS decided ON decided.owner_id = ${scope.ownerId}::uuid
      AND decided.url_key = urls.url_key AND decided.decided_at >= urls.since AND decided.decided_at < urls.until
    WHERE decided.fingerprint = ${fingerprint}
    ORDER BY decided.id DESC LIMIT ${mostShown}`).pipe(Effect.map((rows) => rows.flatMap((row) => recordOf(row) ?? [])))

/** On behalf of the organization that the user belongs to now, or of the user. */
export const decisionsOf = (
  sql: SqlClient,
  { analysisId, userId, repositoryUrl }: ClaimedAnalysis,
  fingerprints: ReadonlyArray<string>,
) =>
  decodeStanding(sql`
    WITH urls AS (
      SELECT spans.url_key, spans.since, spans.until
      FROM repository_urls AS owner JOIN repository_url_spans AS spans
        ON spans.user_id = owner.user_id AND spans.repository_id = owner.repository_id
      WHERE owner.user_id = ${userId}::uuid AND owner.url_key = ${sameRepositoryKey(repositoryUrl)}
      UNION ALL
      SELECT ${sameRepositoryKey(repositoryUrl)}, '-infinity', 'infinity' WHERE NOT EXISTS (
        SELECT FROM repository_urls
        WHERE user_id = ${userId}::uuid AND url_key = ${sameRepositoryKey(repositoryUrl)})
    ),
    decided AS (${latestDecisions(
      sql,
      sql`coalesce((SELECT organization_id FROM memberships WHERE user_id = ${userId}::uuid), ${userId}::uuid)`,
    )})
    SELECT asked.fingerprint, coalesce(analyses.retried_at, analyses.created_at) AS "foundIn", now() AS now,
      ${selectDecision(sql)}
    FROM unnest(${[...fingerprints]}::text[]) AS asked (fingerprint)
    JOIN decided ON decided.fingerprint = asked.fingerprint
    JOIN analyses ON analyses.id = ${analysisId}::uuid`).pipe(
    Effect.map((rows): ReadonlyArray<Decision> => {
      const standing = new Map(
        rows.map((row) => [row.fingerprint, effectiveDecision(recordOf(row), row.foundIn, row.now)]),
      )
      return fingerprints.map((fingerprint) => standing.get(fingerprint) ?? { decision: "open" })
    }),
  )
