import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

export interface Volume {
  readonly analyses: number
  readonly tenants: number
  /** Tenants with one more analysis, which is waiting. */
  readonly queued: number
  /** How many rows of each kind are deleted once they expire; all of these have. */
  readonly expired: number
}

/** The first tenant has the number 1; ids follow from numbers, so that generating rows requires no joins. */
export const tenantId = (number: string): string => `md5('tenant ' || ${number})::uuid`

interface Definition {
  readonly drop: string
  readonly create: string
}

/** Indexes and the like: ten million rows take a minute without them, and building them afterwards another two. */
const definitions = SqlClient.use(
  (sql) => sql<Definition>`
    SELECT
      format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
    FROM pg_constraint
    WHERE (conrelid = 'analyses'::regclass AND contype IN ('p', 'f')) OR confrelid = 'analyses'::regclass
    -- Foreign keys go first and come last.
    ORDER BY contype
  `,
)
const indexes = SqlClient.use(
  (sql) => sql<Definition>`
    SELECT format('DROP INDEX %I', indexname) AS drop, indexdef AS create FROM pg_indexes
    WHERE tablename = 'analyses' AND indexname <> 'analyses_pkey'`,
)

/**
 * Fills a migrated, empty Postgres database: tenants, each with a synced repository and analyses of it an hour apart,
 * one in twenty failed and the others completed. The session must not have the deadlines of a service.
 */
export const generateRows = ({ analyses, tenants, queued, expired }: Volume) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const run = (statement: string) => sql.unsafe(statement)
    const each = `generate_series(1, ${tenants}) AS n`
    // No triggers and no foreign key checks, row by row.
    yield* run(`SET LOCAL session_replication_role = replica`)
    yield* run(`
      INSERT INTO pools (id, plan, seats, period_start, period_end, waiting, used)
      SELECT ${tenantId("n")}, 'pro', 1000, now() - interval '1 day', now() + interval '29 days',
        (n <= ${queued})::int, (n <= ${queued})::int
      FROM ${each}`)
    yield* run(`INSERT INTO users (id, email) SELECT ${tenantId("n")}, 'tenant-' || n || '@example.com' FROM ${each}`)
    yield* run(`
      INSERT INTO repositories (
        user_id, github_id, name, full_name, url, default_branch, is_private, is_archived, host_updated_at,
        last_synced_at)
      SELECT ${tenantId("n")}, n, 'vault-' || n, 'example/vault-' || n, 'https://github.com/example/vault-' || n, 'main', false, false,
        now(), now()
      FROM ${each}`)
    yield* run(`
      INSERT INTO repository_urls (user_id, url_key, repository_id)
      SELECT user_id, url, id FROM repositories`)

    const over = `now() - interval '2 days' - i * interval '1 millisecond'`
    const owner = tenantId(`(i % ${tenants} + 1)`)
    const expiring = `FROM generate_series(1, ${expired}) AS i`
    yield* run(`
      INSERT INTO idempotency_keys (user_id, key, request_hash, analysis_id, created_at)
      SELECT ${owner}, 'key ' || i, 'hash', gen_random_uuid(), ${over} ${expiring}`)
    yield* run(`INSERT INTO sessions (hash, user_id, expires_at) SELECT 'session ' || i, ${owner}, ${over} ${expiring}`)
    yield* run(`INSERT INTO refresh_families (id, user_id) SELECT md5('family ' || i)::uuid, ${owner} ${expiring}`)
    yield* run(`
      INSERT INTO refresh_tokens (hash, family_id, expires_at)
      SELECT 'token ' || i, md5('family ' || i)::uuid, ${over} ${expiring}`)

    // Nobody sees a table that was emptied in this transaction until its end, and its contents need no log.
    yield* run(`TRUNCATE analyses CASCADE`)
    const rebuilt = [...(yield* definitions), ...(yield* indexes)]
    yield* Effect.forEach(rebuilt, ({ drop }) => run(drop), { discard: true })
    yield* run(`
      INSERT INTO analyses (
        id, user_id, pool_id, repository_url, framework, analysis_type, status, stage, created_at, completed_at,
        analysed_branch, total_findings, analysis_time)
      SELECT
        gen_random_uuid(), tenant, tenant, 'https://github.com/example/vault-' || number, 'evm', 'full',
        CASE WHEN age % 20 = 0 THEN 'failed' ELSE 'completed' END, 'completed',
        now() - age * interval '1 hour', now() - age * interval '1 hour', 'main', 3, 1000
      FROM (
        SELECT ${owner} AS tenant, i % ${tenants} + 1 AS number,
           ${Math.ceil(analyses / tenants)} - i / ${tenants} AS age
        FROM generate_series(0, ${analyses - 1}) AS i
      ) AS made`)
    yield* run(`
      INSERT INTO analyses (id, user_id, pool_id, repository_url, framework, analysis_type)
      SELECT gen_random_uuid(), ${tenantId("n")}, ${tenantId("n")}, 'https://github.com/example/vault-' || n, 'evm', 'full'
      FROM generate_series(1, ${queued}) AS n`)
    yield* run(`
      INSERT INTO analysis_counts (user_id, pending, completed, failed)
      SELECT user_id, count(*) FILTER (WHERE status = 'pending'), count(*) FILTER (WHERE status = 'completed'),
        count(*) FILTER (WHERE status = 'failed')
      FROM analyses GROUP BY user_id`)
    yield* Effect.forEach(rebuilt.toReversed(), ({ create }) => run(create), { discard: true })
  }).pipe(
    (filled) => SqlClient.use((sql) => sql.withTransaction(filled)),
    Effect.andThen(SqlClient.use((sql) => sql`VACUUM ANALYZE`)),
  )
