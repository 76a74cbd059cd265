import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { DecisionKind, type DecisionRecord } from "../../../domain/finding/Decision.ts"

/** The columns of a decision, null if there is none. */
export const decisionColumns = {
  version: Schema.NullOr(Schema.Int),
  decided: Schema.NullOr(DecisionKind),
  reason: Schema.NullOr(Schema.String),
  decidedBy: Schema.NullOr(Schema.String),
  decidedAt: Schema.NullOr(Schema.Date),
  expiresAt: Schema.NullOr(Schema.Date),
}
const Row = Schema.Struct(decisionColumns)

export const selectDecision = (sql: SqlClient): Fragment =>
  sql.literal(`
    decided.version, decided.decision AS decided, decided.reason, decided.decided_by AS "decidedBy",
    decided.decided_at AS "decidedAt", decided.expires_at AS "expiresAt"`)

export const recordOf = (row: typeof Row.Type): DecisionRecord | undefined => {
  const { version, decided, reason, decidedBy, decidedAt, expiresAt } = row
  if (version === null || decided === null || decidedBy === null || decidedAt === null) return undefined
  return {
    version,
    decision: decided,
    reason: reason ?? undefined,
    decidedBy,
    decidedAt,
    expiresAt: expiresAt ?? undefined,
  }
}

/** The latest decision of an owner on each finding, under the URLs in `urls`, during their periods. */
export const latestDecisions = (sql: SqlClient, ownerId: Fragment): Fragment => sql`
  SELECT DISTINCT ON (made.fingerprint) made.*
  FROM urls JOIN finding_decisions AS made ON made.owner_id = ${ownerId} AND made.url_key = urls.url_key
    AND made.decided_at >= urls.since AND made.decided_at < urls.until
  ORDER BY made.fingerprint, made.id DESC`
