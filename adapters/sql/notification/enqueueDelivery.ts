import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Notified when a delivery is due immediately. */
export const deliveryChannel = "assay_deliveries"

/** Wakes the waiting dispatchers when the transaction commits. As text, because `void` has no decoder. */
export const notifyDispatchers = (sql: SqlClient): Fragment => sql.literal(`pg_notify('${deliveryChannel}', '')::text`)

/** ISO 8601 in UTC with milliseconds, like all instants in the API. */
const timestamp = `to_char(now()::timestamptz(3) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The domain's `Notification`, compact and in its order; `json_strip_nulls` omits absent fields. */
const payload = `json_strip_nulls(json_build_object(
  'type', 'analysis.' || status,
  'timestamp', ${timestamp},
  'data', json_build_object(
    'analysisId', id,
    'status', status,
    'repository', json_build_object(
      'url', repository_url, 'branch', coalesce(analysed_branch, branch), 'framework', framework, 'commit', commit_id),
    'summary', CASE status WHEN 'completed' THEN json_build_object(
      'totalFindings', total_findings, 'criticalFindings', critical_findings, 'highFindings', high_findings,
      'mediumFindings', medium_findings, 'lowFindings', low_findings, 'analysisTime', analysis_time) END,
    'error', CASE status WHEN 'failed' THEN json_build_object(
      'code', 'ANALYSIS_FAILED', 'message', failure,
      'details', json_build_object('analysisId', id, 'stage', stage)) END)))::text`

/** Per user, host and port; a URL whose spelling hides both is a receiver of its own. */
const receiver = `user_id || ' ' || lower(coalesce(substring(webhook_url from '^[a-zA-Z]+://([^/?#]+)'), webhook_url))`

/**
 * The notification of an analysis's end, as a common table expression over the rows of `analyses` that a statement has
 * written. Part of that statement, so that every end is announced exactly once; produced by the database, because an
 * analysis whose worker was lost is failed by the database alone. Without a `webhookUrl`, nothing is evaluated.
 */
export const enqueueDelivery = (sql: SqlClient, written: string): Fragment =>
  sql.literal(`
    INSERT INTO deliveries (analysis_id, type, url, receiver, payload)
    SELECT id, 'analysis.' || status, webhook_url, ${receiver}, ${payload}
    FROM ${written} WHERE webhook_url IS NOT NULL AND status IN ('completed', 'failed')
    RETURNING id`)
