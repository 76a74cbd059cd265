import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as PgliteClient from "../../adapters/pglite/PgliteClient.ts"
import * as PostgresClient from "../../adapters/postgres/PostgresClient.ts"
import { migrate } from "../../adapters/sql/migrate.ts"
import { missingMigrations } from "../../adapters/sql/missingMigrations.ts"
import * as SqlDeliveryStore from "../../adapters/sql/notification/SqlDeliveryStore.ts"
import * as SqlWebhookSecrets from "../../adapters/sql/notification/SqlWebhookSecrets.ts"
import * as SqlHostingTokens from "../../adapters/sql/repositories/SqlHostingTokens.ts"
import * as SqlRepositoryStore from "../../adapters/sql/repositories/SqlRepositoryStore.ts"
import * as SqlAnalysisStore from "../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlHealthProbe from "../../adapters/sql/SqlHealthProbe.ts"
import * as SqlIdentities from "../../adapters/sql/SqlIdentities.ts"
import { Refusal } from "../runMain.ts"
import { wrongVariable } from "./wrongVariable.ts"

/** Postgres at `DATABASE_URL`. */
export const postgres = Layer.unwrap(
  Effect.map(PostgresClient.config, PostgresClient.layer).pipe(
    Effect.catchTag("ConfigError", (error) =>
      Effect.fail(
        new Refusal(
          process.env["DATABASE_URL"] === undefined
            ? "Set DATABASE_URL to a Postgres database, such as postgres://user:password@host/name, or run `npm start` for an embedded one."
            : wrongVariable(error).message,
        ),
      ),
    ),
  ),
)

/** The embedded database in a directory of its own. */
export const embedded = (dataDirectory: string) => PgliteClient.layer({ dataDirectory })

const unusable = (error: { readonly message: string }) =>
  new Refusal(`The database cannot be used: ${error.message}. Is it running, and is DATABASE_URL right?`)

/** Brings the schema up to date; answers with the ids of the migrations that were applied. */
export const upToDate = Effect.mapError(migrate, unusable)

/** Another process migrates, with rights that this one lacks: wait for it, at most 100 s. */
const awaited = missingMigrations.pipe(
  Effect.tap((ids) =>
    ids.length === 0 ? Effect.void : Effect.logInfo("waiting for the schema, run `npm run migrate`", { missing: ids }),
  ),
  Effect.repeat({
    until: (ids) => ids.length === 0,
    schedule: Schedule.spaced("2 seconds").pipe(Schedule.upTo({ times: 50 })),
  }),
  Effect.mapError(unusable),
  Effect.filterOrFail(
    (ids) => ids.length === 0,
    (ids) =>
      new Refusal(
        `The database lacks migration ${ids.join(", ")}. Run \`npm run migrate\`, or set ASSAY_MIGRATE=true to let this process do it.`,
      ),
  ),
)

/** `ASSAY_MIGRATE=false` makes every process but `npm run migrate` wait for the schema instead of changing it. */
const mayMigrate = Config.Boolean("ASSAY_MIGRATE").pipe(Config.withDefault(true))

/** The schema, brought up to date or waited for once by whatever needs it. */
export const schema = Layer.effectDiscard(
  mayMigrate.pipe(
    Effect.mapError((error) => new Refusal(`The configuration is wrong. ${error.message}`)),
    Effect.flatMap((may) => (may ? Effect.asVoid(upToDate) : Effect.asVoid(awaited))),
  ),
)

/** Everything that is kept in the database, once its schema is up to date. */
export const stores = Layer.mergeAll(
  SqlAnalysisStore.layer,
  SqlIdentities.layer,
  SqlHealthProbe.layer,
  SqlRepositoryStore.layer,
  SqlHostingTokens.layer,
  SqlDeliveryStore.layer,
  SqlWebhookSecrets.layer,
).pipe(Layer.provide(schema))
