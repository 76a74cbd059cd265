import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hasProperty } from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlError } from "effect/sql/SqlError"
import * as PgliteClient from "../../adapters/pglite/PgliteClient.ts"
import * as PostgresClient from "../../adapters/postgres/PostgresClient.ts"
import { migrate, sqlErrorOf } from "../../adapters/sql/migrate.ts"
import { missingMigrations } from "../../adapters/sql/missingMigrations.ts"
import * as SqlFindingStore from "../../adapters/sql/finding/SqlFindingStore.ts"
import * as SqlOverviews from "../../adapters/sql/finding/SqlOverviews.ts"
import * as SqlDeliveryStore from "../../adapters/sql/notification/SqlDeliveryStore.ts"
import * as SqlWebhookSecrets from "../../adapters/sql/notification/SqlWebhookSecrets.ts"
import * as SqlHostingTokens from "../../adapters/sql/repositories/SqlHostingTokens.ts"
import * as SqlRepositoryStore from "../../adapters/sql/repositories/SqlRepositoryStore.ts"
import * as SqlReviewStore from "../../adapters/sql/review/SqlReviewStore.ts"
import * as SqlAnalysisQueue from "../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlHealthProbe from "../../adapters/sql/SqlHealthProbe.ts"
import * as SqlAccounts from "../../adapters/sql/identity/SqlAccounts.ts"
import { isOutage } from "../../adapters/sql/whileAvailable.ts"
import { Refusal } from "../runMain.ts"
import { wrongVariable } from "./wrongVariable.ts"

/** Postgres at `DATABASE_URL`. */
export const postgres = Layer.unwrap(
  PostgresClient.config.pipe(
    Effect.filterOrFail(
      ({ url }) => URL.canParse(Redacted.value(url)) && /^postgres(?:ql)?:/.test(Redacted.value(url)),
      () =>
        new Refusal("DATABASE_URL is not the URL of a Postgres database, such as postgres://user:password@host/name."),
    ),
    Effect.map(PostgresClient.layer),
    Effect.catchTag("ConfigError", (error) =>
      Effect.fail(
        new Refusal(
          process.env["DATABASE_URL"] === undefined
            ? "Set DATABASE_URL to the URL of a Postgres database, such as postgres://user:password@host/name, or run `npm start` to use an embedded one."
            : wrongVariable(error).message,
        ),
      ),
    ),
  ),
)

/** The embedded database in a directory of its own. */
export const embedded = (dataDirectory: string) => PgliteClient.layer({ dataDirectory })

const unusable = (error: { readonly message: string }) =>
  new Refusal(`Could not use the database: ${error.message}. Check DATABASE_URL.`)

/** Whether waiting may help: any error that is not a statement's, except for wrong credentials. */
const passes = (error: SqlError | MigrationError): boolean => {
  const cause = sqlErrorOf(error)
  return cause !== undefined && isOutage(cause) && cause.reason._tag !== "AuthenticationError"
}

/** Such as ECONNREFUSED or ENOTFOUND, which the error itself omits. */
const reasonOf = (error: SqlError | MigrationError): string => {
  const cause = sqlErrorOf(error)?.reason.cause
  return hasProperty(cause, "code") ? `${error.message} (${String(cause.code)})` : error.message
}

/** Doubles from 0.5 s up to every 10 s. */
const patience = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("10 seconds")])

/** A process may start before its database: while the database is unavailable, it waits and logs that. */
const onceAvailable = <A, R>(effect: Effect.Effect<A, SqlError | MigrationError, R>) =>
  effect.pipe(
    Effect.tapError((error) =>
      passes(error) ? Effect.logWarning("waiting for the database", reasonOf(error)) : Effect.void,
    ),
    Effect.retry({ while: passes, schedule: patience }),
    Effect.mapError(unusable),
  )

/** Brings the schema up to date; returns the ids of the applied migrations. */
export const upToDate = onceAvailable(migrate)

/** Another process, with permissions that this one lacks, runs the migrations: wait for it, at most 100 s. */
const awaited = onceAvailable(missingMigrations).pipe(
  Effect.tap((ids) =>
    ids.length === 0
      ? Effect.void
      : Effect.logInfo("waiting for schema migrations, run `npm run migrate`", { missing: ids }),
  ),
  Effect.repeat({
    until: (ids) => ids.length === 0,
    schedule: Schedule.spaced("2 seconds").pipe(Schedule.upTo({ times: 50 })),
  }),
  Effect.filterOrFail(
    (ids) => ids.length === 0,
    (ids) =>
      new Refusal(
        `The database is missing migration ${ids.join(", ")}. Run \`npm run migrate\`, or set ASSAY_MIGRATE=true to let this process migrate it.`,
      ),
  ),
)

/** `ASSAY_MIGRATE=false` makes every process but `npm run migrate` wait for the schema instead of changing it. */
const mayMigrate = Config.Boolean("ASSAY_MIGRATE").pipe(Config.withDefault(true))

/** The schema, migrated or waited for once on behalf of everything that needs it. */
export const schema = Layer.effectDiscard(
  mayMigrate.pipe(
    Effect.mapError((error) => new Refusal(`Invalid configuration. ${error.message}`)),
    Effect.flatMap((may) => (may ? Effect.asVoid(upToDate) : Effect.asVoid(awaited))),
  ),
)

/** Everything that is stored in the database, once its schema is up to date. */
export const stores = Layer.mergeAll(
  SqlAnalysisStore.layer,
  SqlAnalysisQueue.layer,
  SqlAccounts.layer,
  SqlHealthProbe.layer,
  SqlRepositoryStore.layer,
  SqlHostingTokens.layer,
  SqlDeliveryStore.layer,
  SqlFindingStore.layer,
  SqlOverviews.layer,
  SqlWebhookSecrets.layer,
  SqlReviewStore.layer,
).pipe(Layer.provide(schema))
