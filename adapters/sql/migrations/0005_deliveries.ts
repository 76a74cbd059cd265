/** Notifications on their way, the log of their attempts, and what they are signed with. */
export const deliveries: ReadonlyArray<string> = [
  `CREATE TABLE deliveries (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    analysis_id uuid NOT NULL REFERENCES analyses (id) ON DELETE CASCADE,
    type text NOT NULL,
    url text NOT NULL,
    -- Whose deliveries take turns: the user's at one host and port.
    receiver text NOT NULL,
    payload text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),

    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sending', 'delivered', 'failed')),
    -- When the next attempt is due; while one is under way, when its lease ends.
    due_at timestamptz NOT NULL DEFAULT now(),
    attempt_token uuid,
    worker text,
    attempts integer NOT NULL DEFAULT 0,
    -- Those before the last redelivery, from which the schedule counts anew.
    attempts_before integer NOT NULL DEFAULT 0,

    CHECK ((status = 'sending') = (attempt_token IS NOT NULL))
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX deliveries_due ON deliveries (due_at, id) WHERE status IN ('pending', 'sending')`,
  `CREATE INDEX deliveries_analysis ON deliveries (analysis_id, created_at DESC)`,

  `CREATE TABLE delivery_attempts (
    delivery_id uuid NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number integer NOT NULL,
    started_at timestamptz(3) NOT NULL,
    duration integer NOT NULL,
    status_code integer,
    error text,
    PRIMARY KEY (delivery_id, number)
  )`,

  `CREATE TABLE webhook_secrets (
    user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- Both encrypted by the vault.
    secret text NOT NULL,
    previous text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    previous_until timestamptz(3),
    CHECK ((previous IS NULL) = (previous_until IS NULL))
  )`,
]
