/**
 * Failures by a limit that gave their scan back. They outlive their analysis: deleting it must not make the next one free.
 *
 * `subject` is a SHA-256 over the repository's URL and the commit, or the branch where fetching came to no commit.
 */
export const limitFailures: ReadonlyArray<string> = [
  `CREATE TABLE limit_failures (
    pool_id uuid NOT NULL REFERENCES pools (id) ON DELETE CASCADE,
    subject bytea NOT NULL,
    -- Of the attempt that gave its scan back.
    attempt_token uuid NOT NULL,
    refunded_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (pool_id, subject)
  )`,
  `CREATE INDEX limit_failures_age ON limit_failures (refunded_at)`,
]
