import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PgliteClient from "../../adapters/pglite/PgliteClient.ts"
import * as PostgresClient from "../../adapters/postgres/PostgresClient.ts"
import { migrate } from "../../adapters/sql/migrate.ts"
import * as SqlHostingTokens from "../../adapters/sql/repositories/SqlHostingTokens.ts"
import * as SqlRepositoryStore from "../../adapters/sql/repositories/SqlRepositoryStore.ts"
import * as SqlAnalysisStore from "../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlHealthProbe from "../../adapters/sql/SqlHealthProbe.ts"
import * as SqlIdentities from "../../adapters/sql/SqlIdentities.ts"
import { Refusal } from "../runMain.ts"

/** Postgres at `DATABASE_URL`. */
export const postgres = Layer.unwrap(
  Effect.map(PostgresClient.config, PostgresClient.layer).pipe(
    Effect.catchTag("ConfigError", (error) =>
      Effect.fail(
        new Refusal(
          `Set DATABASE_URL to a Postgres database, or run \`npm start\` for an embedded one. ${error.message}`,
        ),
      ),
    ),
  ),
)

/** The embedded database in a directory of its own. */
export const embedded = (dataDirectory: string) => PgliteClient.layer({ dataDirectory })

/** Brings the schema up to date; answers with the ids of the migrations that were applied. */
export const upToDate = Effect.mapError(
  migrate,
  (error) => new Refusal(`The database cannot be used: ${error.message}. Is it running, and is DATABASE_URL right?`),
)

/** The migrated schema, brought up to date once by whatever needs it. */
export const schema = Layer.effectDiscard(upToDate)

/** Everything that is kept in the database, once its schema is up to date. */
export const stores = Layer.mergeAll(
  SqlAnalysisStore.layer,
  SqlIdentities.layer,
  SqlHealthProbe.layer,
  SqlRepositoryStore.layer,
  SqlHostingTokens.layer,
).pipe(Layer.provide(schema))
