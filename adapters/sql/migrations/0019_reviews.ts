/** What a model answered, for 30 days, so that nothing is paid for twice, and what each pool spent on it in a month (UTC). */
export const reviews: ReadonlyArray<string> = [
  `CREATE TABLE review_answers (
    pool_id uuid NOT NULL REFERENCES pools (id) ON DELETE CASCADE,
    key text NOT NULL,
    answer text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (pool_id, key)
  )`,
  `CREATE INDEX review_answers_age ON review_answers (created_at)`,
  `CREATE TABLE review_spending (
    pool_id uuid NOT NULL REFERENCES pools (id) ON DELETE CASCADE,
    month date NOT NULL,
    micros bigint NOT NULL,
    PRIMARY KEY (pool_id, month)
  ) WITH (fillfactor = 50)`,
]
