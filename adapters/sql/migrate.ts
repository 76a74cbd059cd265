import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { Deadline } from "../../application/ports/Deadline.ts"
import { analyses } from "./migrations/0002_analyses.ts"
import { identity } from "./migrations/0001_identity.ts"
import { accounts } from "./migrations/0003_accounts.ts"
import { repositories } from "./migrations/0004_repositories.ts"
import { deliveries } from "./migrations/0005_deliveries.ts"
import { traceContext } from "./migrations/0006_trace_context.ts"
import { urlHistory } from "./migrations/0007_url_history.ts"
import { repeatedRequests } from "./migrations/0008_repeated_requests.ts"
import { receivers } from "./migrations/0009_receivers.ts"
import { limitFailures } from "./migrations/0010_limit_failures.ts"
import { reports } from "./migrations/0011_reports.ts"
import { invitationsAndLineage } from "./migrations/0012_invitations_and_lineage.ts"
import { statistics } from "./migrations/0013_statistics.ts"
import { accessTables } from "./migrations/0014_access_tables.ts"
import { decisions } from "./migrations/0015_decisions.ts"
import { sessionsOfKeys } from "./migrations/0016_sessions_of_keys.ts"
import { freeUse } from "./migrations/0017_free_use.ts"
import { htmlReports } from "./migrations/0018_html_reports.ts"
import { reviews } from "./migrations/0019_reviews.ts"

/**
 * Forward only, never edited once released. A new one must keep the running version working: add first, and remove
 * anything unused in a later release.
 */
export const migrations: Readonly<Record<string, ReadonlyArray<string>>> = {
  "0001_identity": identity,
  "0002_analyses": analyses,
  "0003_accounts": accounts,
  "0004_repositories": repositories,
  "0005_deliveries": deliveries,
  "0006_trace_context": traceContext,
  "0007_url_history": urlHistory,
  "0008_repeated_requests": repeatedRequests,
  "0009_receivers": receivers,
  "0010_limit_failures": limitFailures,
  "0011_reports": reports,
  "0012_invitations_and_lineage": invitationsAndLineage,
  "0013_statistics": statistics,
  "0014_access_tables": accessTables,
  "0015_decisions": decisions,
  "0016_sessions_of_keys": sessionsOfKeys,
  "0017_free_use": freeUse,
  "0018_html_reports": htmlReports,
  "0019_reviews": reviews,
}

/**
 * Milliseconds that a migration waits for a table. Everyone after it queues behind it, including readers, so it gives
 * up and retries until no long transaction is in its way.
 */
const lockTimeout = 1_000

const apply = (statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`SET LOCAL statement_timeout = 0`
    yield* sql.unsafe(`SET LOCAL lock_timeout = ${lockTimeout}`)
    yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  })

/** The database's error inside the migrator's. */
export const sqlErrorOf = (error: SqlError | Migrator.MigrationError): SqlError | undefined => {
  if (isSqlError(error)) return error
  return isSqlError(error.cause) ? error.cause : undefined
}

/** The migrations up to a given one: the schema of an earlier release. */
export const migrateUpTo = (last: number) =>
  Migrator.make({})({
    loader: Migrator.fromRecord(
      Object.fromEntries(
        Object.entries(migrations)
          .filter(([name]) => Number.parseInt(name, 10) <= last)
          .map(([name, statements]) => [name, apply(statements)]),
      ),
    ),
    table: "migrations",
  }).pipe(
    Effect.map((applied) => applied.map(([id]) => id)),
    // Conflicts with another process's migrations or a transaction that uses a table; an unavailable database is the
    // caller's concern.
    Effect.retry({
      while: (error) => sqlErrorOf(error)?.reason._tag === "LockTimeoutError",
      schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ times: 60 })),
    }),
    Effect.provideService(Deadline, Infinity),
    Effect.withSpan("migrate"),
  )

/**
 * Brings the schema up to date, all pending migrations in one transaction, and returns the ids of those it applied. If
 * several processes start simultaneously, one applies them: the migrations table is locked in the meantime.
 */
export const migrate = migrateUpTo(Infinity)
