import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { urlKey } from "../repositories/urlKey.ts"

/** How long a failure by a limit is remembered: a second failure of the same sources in this time is charged. */
const memory = "interval '1 hour'"

/** The message for a user whose scan is not refunded. */
const stayedCharged =
  " The same sources hit a limit within the last hour and that scan was refunded; this one remains charged."

/** The subject of an attempt, from the columns of `analyses`: a commit, or the branch if no commit is known. */
export const limitSubject = (sql: SqlClient, commit: string | undefined): Fragment => sql`
  sha256(convert_to(
    ${urlKey(sql, "repository_url")} || ' ' || coalesce(${commit ?? null}::text, 'branch ' || coalesce(branch, '')), 'UTF8'))`

/**
 * Whether the scan of a failed attempt is refunded, as common table expressions from `ending` (`pool_id`,
 * `attempt_token`, `requeue`, `by_limit`, `subject`) to `decided`, which adds `refund` and `remark`. Of two attempts
 * that fail simultaneously, the second waits for the first one's row and finds it there. The row is locked before the
 * pool's, always in this order.
 */
export const decideRefund = (sql: SqlClient): Fragment => sql`
  remembered AS (
    INSERT INTO limit_failures AS earlier (pool_id, subject, attempt_token)
    SELECT pool_id, subject, attempt_token FROM ending WHERE by_limit AND NOT requeue
    ON CONFLICT (pool_id, subject) DO UPDATE SET
      attempt_token = CASE WHEN earlier.refunded_at > now() - ${sql.literal(memory)}
        THEN earlier.attempt_token ELSE excluded.attempt_token END,
      refunded_at = CASE WHEN earlier.refunded_at > now() - ${sql.literal(memory)} THEN earlier.refunded_at ELSE now() END
    RETURNING attempt_token
  ),
  forgotten AS (
    DELETE FROM limit_failures WHERE ctid = ANY(ARRAY(
      SELECT old.ctid FROM limit_failures AS old, ending
      WHERE ending.by_limit AND old.refunded_at <= now() - ${sql.literal(memory)}
        AND (old.pool_id, old.subject) <> (ending.pool_id, ending.subject)
      LIMIT 10 FOR UPDATE OF old SKIP LOCKED))
  ),
  decided AS MATERIALIZED (
    SELECT ending.*, refund, CASE WHEN requeue OR refund THEN '' ELSE ${stayedCharged}::text END AS remark
    FROM ending, LATERAL (SELECT NOT requeue AND NOT EXISTS (
      SELECT FROM remembered WHERE remembered.attempt_token <> ending.attempt_token) AS refund) AS decision
  )`
