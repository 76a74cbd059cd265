/** The form under which URLs of one repository are equal, as in migration 4. */
const urlKey = `regexp_replace(lower(repository_url), '\\.git$', '')`

const statuses = ["pending", "running", "completed", "failed"]
const added = (sign: "+" | "-"): string =>
  statuses.map((status) => `${status} = counts.${status} ${sign} changed.${status}`).join(", ")
const counted = statuses.map((status) => `(count(*) FILTER (WHERE status = '${status}'))::int AS ${status}`).join(", ")

/**
 * How many analyses of each state a user has, kept as they change: counting 100,000 takes as long as a thousand requests
 * of others. By triggers, so that the release before counts as well.
 *
 * The row of a user is written last in each statement, after the pool's, so that two of them cannot wait for each other.
 */
export const statistics: ReadonlyArray<string> = [
  `CREATE TABLE analysis_counts (
    user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    ${statuses.map((status) => `${status} integer NOT NULL DEFAULT 0`).join(",\n    ")}
  ) WITH (fillfactor = 50)`,

  // Operators of many rows build these beforehand, without a lock: docs/operations.md has them.
  // A state's list in its order, whatever the others' number. That of failed ones read all others.
  `CREATE INDEX IF NOT EXISTS analyses_by_status ON analyses (user_id, status, created_at DESC, id DESC)`,
  // A repository's list in its order, and its latest results, which is what statistics add up.
  `CREATE INDEX IF NOT EXISTS analyses_by_repository ON analyses (user_id, (${urlKey}), created_at DESC, id DESC)`,
  `CREATE INDEX IF NOT EXISTS analyses_latest ON analyses (user_id, (${urlKey}), completed_at DESC, id) WHERE status = 'completed'`,

  // What is inserted and deleted in numbers is counted by statement; a state changes row by row, and a heartbeat none.
  `CREATE FUNCTION count_made_analyses() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO analysis_counts AS counts (user_id, ${statuses.join(", ")})
      SELECT user_id, ${counted} FROM made GROUP BY user_id ORDER BY user_id
      ON CONFLICT (user_id) DO UPDATE SET
        ${statuses.map((status) => `${status} = counts.${status} + excluded.${status}`).join(", ")};
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION count_gone_analyses() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE analysis_counts AS counts SET ${added("-")}
      FROM (SELECT user_id, ${counted} FROM gone GROUP BY user_id) AS changed
      WHERE counts.user_id = changed.user_id;
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION count_changed_analysis() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE analysis_counts SET
        ${statuses.map((status) => `${status} = ${status} + (NEW.status = '${status}')::int - (OLD.status = '${status}')::int`).join(", ")}
      WHERE user_id = NEW.user_id;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER analyses_made AFTER INSERT ON analyses REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION count_made_analyses()`,
  `CREATE TRIGGER analyses_gone AFTER DELETE ON analyses REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION count_gone_analyses()`,
  `CREATE TRIGGER analyses_changed AFTER UPDATE OF status ON analyses
    FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_changed_analysis()`,
  // Nobody writes meanwhile: a trigger's creation waits for those who do, and keeps others out until the end.
  `INSERT INTO analysis_counts (user_id, ${statuses.join(", ")})
    SELECT user_id, ${counted} FROM analyses GROUP BY user_id`,

  // In place of these. Last, since it keeps readers out.
  `DROP INDEX analyses_url_key`,
  `DROP INDEX analyses_history`,
]
