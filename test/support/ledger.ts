import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import { type LifecycleState, scansTaken, transition, transitions } from "../../domain/analysis/Transition.ts"
import type { Received } from "./webhookReceiver.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/**
 * Records, inside the database and in the same transaction, every change of an analysis's state and charge: the final
 * contents of the tables do not show how often something happened.
 */
const statements: ReadonlyArray<string> = [
  `CREATE TABLE ledger (
    entry bigserial PRIMARY KEY, analysis_id uuid NOT NULL, was text, had integer, became text, has integer,
    charged boolean, given_back boolean)`,
  `CREATE FUNCTION write_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO ledger (analysis_id, became, has, charged)
        VALUES (NEW.id, NEW.status, NEW.attempts, NEW.charged_period IS NOT NULL);
      ELSE
        INSERT INTO ledger (analysis_id, was, had, became, has, charged, given_back)
        SELECT NEW.id, OLD.status, OLD.attempts, NEW.status, NEW.attempts,
          OLD.charged_period IS NULL AND NEW.charged_period IS NOT NULL,
          OLD.charged_period IS NOT NULL AND NEW.charged_period IS NULL
        WHERE (OLD.status, OLD.charged_period, OLD.attempt_token)
          IS DISTINCT FROM (NEW.status, NEW.charged_period, NEW.attempt_token);
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER write_ledger AFTER INSERT OR UPDATE ON analyses FOR EACH ROW EXECUTE FUNCTION write_ledger()`,
]

/** Starts the ledger, in a migrated database. */
export const keepLedger = SqlClient.use((sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }),
)

/** Ends the ledger, in a database that others use afterwards. */
export const closeLedger = SqlClient.use((sql) =>
  Effect.andThen(sql`DROP FUNCTION write_ledger CASCADE`, sql`DROP TABLE ledger`),
)

/**
 * Whether another analysis of the same sources failed and was refunded: hitting a limit again is charged.
 */
const repeated = `EXISTS (
  SELECT FROM analyses AS other JOIN ledger AS change ON change.analysis_id = other.id AND change.given_back
  WHERE other.id <> analyses.id AND other.pool_id = analyses.pool_id AND other.repository_url = analyses.repository_url
    AND (other.branch IS NOT DISTINCT FROM analyses.branch OR other.commit_id = analyses.commit_id))`

/** Each returns one row per violation, saying `what` is wrong with `which`. */
const checks: ReadonlyArray<string> = [
  `SELECT 'has not ended', concat_ws(' ', id, status, stage, attempts)
   FROM analyses WHERE status IN ('pending', 'running')`,
  `SELECT 'has not exactly one terminal state', concat_ws(' ', analyses.id, count(ledger.entry))
   FROM analyses LEFT JOIN ledger ON ledger.analysis_id = analyses.id AND became IN ('completed', 'failed')
   GROUP BY analyses.id HAVING count(ledger.entry) <> 1`,
  `SELECT 'has no result, or one that it should not have', concat_ws(' ', analyses.id, status)
   FROM analyses LEFT JOIN analysis_results ON analysis_id = analyses.id
   WHERE (status = 'completed') <> (analysis_id IS NOT NULL)`,
  `SELECT 'has a half-written end', concat_ws(' ', id, status, stage, progress, failure) FROM analyses
   WHERE (status = 'completed') <> (completed_at IS NOT NULL)
     OR (status = 'completed') <> (progress = 100)
     OR (status = 'failed') <> (failure IS NOT NULL)
     OR attempt_token IS NOT NULL OR lease_expires_at IS NOT NULL OR attempts NOT BETWEEN 1 AND 3`,
  `SELECT 'was not charged exactly once, or not given back exactly where it failed', concat_ws(' ', id, status)
   FROM analyses JOIN (
     SELECT analysis_id, count(*) FILTER (WHERE charged) AS charges, count(*) FILTER (WHERE given_back) AS refunds
     FROM ledger GROUP BY analysis_id) AS money ON analysis_id = id
   WHERE charges <> 1 OR refunds <> (charged_period IS NULL)::int
     OR CASE WHEN charged_period IS NULL THEN status <> 'failed' ELSE status = 'failed' AND NOT ${repeated} END`,
  `SELECT 'has not exactly one notification, of its end, where one was asked for', concat_ws(' ', analyses.id, analyses.status)
   FROM analyses LEFT JOIN deliveries ON analysis_id = analyses.id
   GROUP BY analyses.id
   HAVING count(deliveries.id) <> (webhook_url IS NOT NULL AND analyses.status IN ('completed', 'failed'))::int
     OR bool_or(type <> 'analysis.' || analyses.status)`,
  `SELECT 'is a notification that was not delivered', concat_ws(' ', id, status, attempts) FROM deliveries
   WHERE status <> 'delivered'`,
  `SELECT 'counts what its analyses do not say', concat_ws(' ', pools.id, used, waiting, running)
   FROM pools LEFT JOIN analyses ON pool_id = pools.id
   GROUP BY pools.id
   HAVING waiting <> count(*) FILTER (WHERE status = 'pending') OR running <> count(*) FILTER (WHERE status = 'running')
     OR used <> count(*) FILTER (WHERE charged_period = period_start)`,
]

interface Broken {
  readonly what: string
  readonly which: string
}

interface Entry {
  readonly analysisId: AnalysisId
  readonly was: LifecycleState
  readonly had: number
  readonly became: LifecycleState
  readonly has: number
  readonly scans: number
  readonly repeated: boolean
}

const events = [...new Set(transitions.map(({ on }) => on))]

/**
 * Whether any event of an analysis has this effect on its state, its attempts, and its pool's scans.
 */
const isLegal = ({ was, had, became, has, scans, repeated }: Entry): boolean =>
  // Either of two analyses of the same sources may have been the first.
  (scans === scansTaken(was, became, false) || (repeated && scans === scansTaken(was, became, true))) &&
  events.some((event) => {
    const next = transition({ state: was, attempts: had }, event)
    return Result.isSuccess(next) && next.success.state === became && next.success.attempts === has
  })

/** Changes that the domain's table of transitions does not allow. */
export const illegalChanges = SqlClient.use((sql) =>
  Effect.map(
    sql<Entry>`
      SELECT analysis_id::text AS "analysisId", coalesce(was, 'none') AS was, coalesce(had, 0) AS had, became, has,
        coalesce(charged, false)::int - coalesce(given_back, false)::int AS scans,
        ${sql.literal(repeated)} AS repeated
      FROM ledger LEFT JOIN analyses ON analyses.id = analysis_id ORDER BY entry`,
    (entries): ReadonlyArray<Broken> =>
      entries
        .filter((entry) => !isLegal(entry))
        .map(({ analysisId, was, had, became, has, scans }) => ({
          what: `went from ${was} to ${became}, with ${had} and then ${has} attempts, for ${scans} scans`,
          which: analysisId,
        })),
  ),
)

/** Which analysis a notification is about. */
const notifiedOf = (body: string): string =>
  (JSON.parse(body) as { readonly data: { readonly analysisId: AnalysisId } }).data.analysisId // our own payload

/**
 * The promises that the system has broken once everything is over, as sentences; none if all hold. No acknowledged
 * analysis is lost; each has exactly one terminal state, one charge, and one notification, which has arrived. An
 * analysis whose creation was never acknowledged may exist, and must satisfy the same.
 */
export const brokenPromises = Effect.fnUntraced(function* (
  acknowledged: ReadonlyArray<string>,
  received: ReadonlyArray<Received>,
) {
  const sql = yield* SqlClient
  const lost = yield* sql<Broken>`
    SELECT 'was acknowledged and is lost' AS what, id::text AS which
    FROM unnest(${[...acknowledged]}::uuid[]) AS id WHERE NOT EXISTS (SELECT FROM analyses WHERE analyses.id = id.id)`
  const expected = yield* sql<{ id: string; analysisId: AnalysisId }>`
    SELECT id, analysis_id AS "analysisId" FROM deliveries WHERE status = 'delivered'`
  const arrived = Map.groupBy(received, ({ body }) => notifiedOf(body))
  const unheard = expected.flatMap(({ id, analysisId }) => {
    const ids = new Set((arrived.get(analysisId) ?? []).map(({ headers }) => headers["webhook-id"]))
    return ids.size === 1 && ids.has(id)
      ? []
      : [{ what: `was announced under the ids [${[...ids].join(", ")}]`, which: `${analysisId} ${id}` }]
  })
  const illegal = yield* illegalChanges
  const others = yield* Effect.forEach(checks, (check) =>
    sql.unsafe<Broken>(`SELECT * FROM (${check}) AS broken (what, which)`),
  )
  return [lost, unheard, illegal, ...others].flat().map(({ what, which }) => `${which} ${what}`)
})

/** How many analyses there are in each state. */
export const outcomes = SqlClient.use((sql) =>
  Effect.map(
    sql<{ status: string; count: number }>`SELECT status, count(*)::int AS count FROM analyses GROUP BY status`,
    (rows): Readonly<Record<string, number>> => Object.fromEntries(rows.map(({ status, count }) => [status, count])),
  ),
)

/** How many analyses and notifications are still in progress. */
export const underWay = SqlClient.use((sql) =>
  Effect.map(
    sql<{ count: number }>`
      SELECT
        (SELECT count(*) FROM analyses WHERE status IN ('pending', 'running'))::int
        + (SELECT count(*) FROM deliveries WHERE status IN ('pending', 'sending'))::int AS count`,
    ([row]) => row!.count,
  ),
)
