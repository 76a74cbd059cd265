import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { type StoredWebhookSecret, WebhookSecrets } from "../../../application/ports/notification/WebhookSecrets.ts"
import { decodeRows } from "../decodeRows.ts"
import { whileAvailable } from "../whileAvailable.ts"

const Row = Schema.Struct({
  encrypted: Schema.String,
  createdAt: Schema.Date,
  previous: Schema.NullOr(Schema.String),
  previousUntil: Schema.NullOr(Schema.Date),
})
const decode = decodeRows(Row)

const toSecret = ({ encrypted, createdAt, previous, previousUntil }: typeof Row.Type): StoredWebhookSecret => ({
  encrypted,
  createdAt,
  previous:
    previous === null || previousUntil === null ? undefined : { encrypted: previous, validUntil: previousUntil },
})

const only = ([row]: ReadonlyArray<typeof Row.Type>) =>
  row === undefined ? Effect.die(new Error("An insert returned no row")) : Effect.succeed(toSecret(row))

/** The secrets on a migrated database, embedded or not. */
export const layer = Layer.effect(
  WebhookSecrets,
  Effect.map(SqlClient, (sql) => {
    const columns = sql.literal(`
      secret AS encrypted, created_at AS "createdAt",
      CASE WHEN previous_until > now() THEN previous END AS previous,
      CASE WHEN previous_until > now() THEN previous_until END AS "previousUntil"`)
    return WebhookSecrets.of({
      find: Effect.fn("WebhookSecrets.find")((userId) =>
        whileAvailable(
          Effect.map(
            decode(sql`SELECT ${columns} FROM webhook_secrets WHERE user_id = ${userId}::uuid`),
            ([row]): Option.Option<StoredWebhookSecret> =>
              row === undefined ? Option.none() : Option.some(toSecret(row)),
          ),
        ),
      ),
      rotate: Effect.fn("WebhookSecrets.rotate")((userId, encrypted) =>
        whileAvailable(
          Effect.flatMap(
            decode(sql`
              INSERT INTO webhook_secrets (user_id, secret) VALUES (${userId}::uuid, ${encrypted})
              ON CONFLICT (user_id) DO UPDATE SET
                secret = excluded.secret, created_at = now(),
                previous = webhook_secrets.secret, previous_until = now() + interval '24 hours'
              RETURNING ${columns}`),
            only,
          ),
        ),
      ),
      ensure: Effect.fn("WebhookSecrets.ensure")((userId, encrypted) =>
        whileAvailable(
          Effect.flatMap(
            // The no-op update lets the statement return the existing row.
            decode(sql`
              INSERT INTO webhook_secrets (user_id, secret) VALUES (${userId}::uuid, ${encrypted})
              ON CONFLICT (user_id) DO UPDATE SET secret = webhook_secrets.secret
              RETURNING ${columns}`),
            only,
          ),
        ),
      ),
    })
  }),
)
