/**
 * Signing keys, sessions, refresh tokens, sign-in with other issuers, and what Stripe told of a pool's subscription.
 *
 * Secrets are stored as SHA-256 hashes, or encrypted by the vault where the text itself is needed.
 */
export const accounts: ReadonlyArray<string> = [
  // Whoever signs in with another issuer may have none.
  `ALTER TABLE users ALTER COLUMN email DROP NOT NULL`,

  `CREATE TABLE signing_keys (
    id text PRIMARY KEY,
    public_key text NOT NULL,
    -- Encrypted by the vault.
    private_key text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    -- Null for the key that signs now.
    valid_until timestamptz(3)
  )`,
  `CREATE UNIQUE INDEX signing_keys_current ON signing_keys ((true)) WHERE valid_until IS NULL`,

  `CREATE TABLE external_identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject)
  )`,
  `CREATE INDEX external_identities_user ON external_identities (user_id)`,

  `CREATE TABLE sessions (
    hash text PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX sessions_expired ON sessions (expires_at)`,

  // The refresh tokens that came one from another; reuse of one revokes them all.
  `CREATE TABLE refresh_families (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The session that asked for the first of them; closing it revokes them.
    session_hash text,
    revoked_at timestamptz(3)
  )`,
  `CREATE INDEX refresh_families_session ON refresh_families (session_hash)`,
  `CREATE TABLE refresh_tokens (
    hash text PRIMARY KEY,
    family_id uuid NOT NULL REFERENCES refresh_families (id) ON DELETE CASCADE,
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3)
  )`,
  `CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id)`,
  `CREATE INDEX refresh_tokens_expired ON refresh_tokens (expires_at)`,

  `CREATE TABLE billing_accounts (
    pool_id uuid PRIMARY KEY REFERENCES pools (id) ON DELETE CASCADE,
    customer_id text UNIQUE,
    -- Numbers the customers and checkouts asked for, so that asking again after a crash asks for the same one.
    requests integer NOT NULL DEFAULT 0,
    checkout_id text,
    trial_used boolean NOT NULL DEFAULT false,
    subscription_id text,
    status text,
    seats integer,
    period_start timestamptz(3),
    period_end timestamptz(3),
    past_due_since timestamptz(3),
    cancel_at timestamptz(3)
  )`,
  // Stripe delivers an event again for up to three days.
  `CREATE TABLE billing_events (
    id text PRIMARY KEY,
    received_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX billing_events_received ON billing_events (received_at)`,

  // When the plan ends by itself: a payment failed, and the grace runs out.
  `ALTER TABLE pools ADD COLUMN plan_until timestamptz(3)`,
  // Whether the period is Stripe's, and goes on month by month when word of its renewal is late.
  `ALTER TABLE pools ADD COLUMN billed boolean NOT NULL DEFAULT false`,

  // Processes that briefly cache the owners of credentials are notified when these may have changed. Not of use: the
  // columns that a request or a charge writes fire nothing.
  `CREATE FUNCTION credentials_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_notify('assay_credentials', ''); RETURN NULL; END $$`,
  ...[
    ["api_keys", "UPDATE OF revoked_at, expires_at OR DELETE OR TRUNCATE"],
    ["sessions", "UPDATE OR DELETE OR TRUNCATE"],
    ["memberships", "INSERT OR UPDATE OR DELETE OR TRUNCATE"],
    ["pools", "UPDATE OF plan, plan_until"],
    ["users", "DELETE OR TRUNCATE"],
    ["external_identities", "UPDATE OR DELETE OR TRUNCATE"],
  ].map(
    ([table, changes]) =>
      `CREATE TRIGGER credentials_changed AFTER ${changes} ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION credentials_changed()`,
  ),
]
