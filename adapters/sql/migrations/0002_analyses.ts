/**
 * Analyses, their results, and idempotency keys.
 *
 * The heartbeat changes no indexed column, so it stays a heap-only update; the partial indexes hold only what waits or
 * runs, so that finished analyses cost the queue nothing.
 */
export const analyses: ReadonlyArray<string> = [
  `CREATE TABLE analyses (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    pool_id uuid NOT NULL REFERENCES pools (id),
    repository_url text NOT NULL,
    branch text,
    framework text NOT NULL,
    analysis_type text NOT NULL,
    webhook_url text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    retried_at timestamptz(3),
    completed_at timestamptz(3),

    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed')),
    stage text NOT NULL DEFAULT 'queued',
    progress smallint NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
    failure text,

    available_at timestamptz NOT NULL DEFAULT now(),
    attempts smallint NOT NULL DEFAULT 0,
    attempt_token uuid,
    lease_expires_at timestamptz,
    worker text,
    -- Start of the pool's period in which the scan was charged; null once it was given back.
    charged_period timestamptz(3),

    analysed_branch text,
    commit_id text,
    total_findings integer NOT NULL DEFAULT 0,
    critical_findings integer NOT NULL DEFAULT 0,
    high_findings integer NOT NULL DEFAULT 0,
    medium_findings integer NOT NULL DEFAULT 0,
    low_findings integer NOT NULL DEFAULT 0,
    informational_findings integer NOT NULL DEFAULT 0,
    analysis_time integer,

    CHECK ((status = 'running') = (attempt_token IS NOT NULL AND lease_expires_at IS NOT NULL))
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`,
  `CREATE INDEX analyses_list ON analyses (user_id, created_at DESC, id DESC)`,
  `CREATE INDEX analyses_waiting ON analyses (pool_id, available_at, id) WHERE status = 'pending'`,
  `CREATE INDEX analyses_running ON analyses (pool_id) WHERE status = 'running'`,
  `CREATE INDEX analyses_history ON analyses (user_id, repository_url, completed_at DESC) WHERE status = 'completed'`,

  // Apart from the analysis, so that listing and claiming never read past megabytes of reports.
  `CREATE TABLE analysis_results (
    analysis_id uuid PRIMARY KEY REFERENCES analyses (id) ON DELETE CASCADE,
    json text NOT NULL,
    fingerprints text[] NOT NULL
  )`,

  `CREATE TABLE idempotency_keys (
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key text NOT NULL,
    request_hash text NOT NULL,
    analysis_id uuid NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, key)
  )`,
  `CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)`,
]
