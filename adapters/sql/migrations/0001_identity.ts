/**
 * Pools, users, organizations and keys.
 *
 * A pool is what scans are charged to and what the queue is fair between: a user's own, under the user's id, or an
 * organization's, under the organization's id. Its row carries the current period's usage and the queue's counters,
 * so that one row lock decides about the quota and about the cap on running analyses.
 *
 * Instants that leave the database have milliseconds, as a `Date` has: a cursor then compares exactly.
 */
export const identity: ReadonlyArray<string> = [
  `CREATE TABLE pools (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    plan text NOT NULL CHECK (plan IN ('basic', 'pro')),
    seats integer NOT NULL DEFAULT 1 CHECK (seats >= 0),
    period_start timestamptz(3) NOT NULL,
    period_end timestamptz(3) NOT NULL CHECK (period_end > period_start),
    used integer NOT NULL DEFAULT 0 CHECK (used >= 0),
    waiting integer NOT NULL DEFAULT 0 CHECK (waiting >= 0),
    running integer NOT NULL DEFAULT 0 CHECK (running >= 0),
    turn timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz(3) NOT NULL DEFAULT now()
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01)`,
  `CREATE INDEX pools_queue ON pools (running, turn) WHERE waiting > 0`,

  `CREATE TABLE users (
    id uuid PRIMARY KEY REFERENCES pools (id),
    email text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE UNIQUE INDEX users_email ON users (lower(email))`,

  `CREATE TABLE organizations (
    id uuid PRIMARY KEY REFERENCES pools (id),
    name text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE memberships (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'member')),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, user_id)
  )`,
  // A user draws on one pool at a time.
  `CREATE UNIQUE INDEX memberships_user ON memberships (user_id)`,

  `CREATE TABLE api_keys (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    hash text NOT NULL,
    prefix text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    last_used_at timestamptz(3)
  )`,
  `CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash)`,
  `CREATE INDEX api_keys_user ON api_keys (user_id)`,
]
