/** Whose a URL was and when, so that a repository that takes another one's name does not get its analyses. */
export const urlHistory: ReadonlyArray<string> = [
  `ALTER TABLE repository_urls ADD COLUMN since timestamptz NOT NULL DEFAULT '-infinity'`,
  `CREATE TABLE former_repository_urls (
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    url_key text NOT NULL,
    repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (user_id, url_key, until)
  )`,
  `CREATE INDEX former_repository_urls_repository ON former_repository_urls (repository_id)`,
  `CREATE VIEW repository_url_spans AS
    SELECT user_id, url_key, repository_id, since, 'infinity'::timestamptz AS until FROM repository_urls
    UNION ALL
    SELECT user_id, url_key, repository_id, since, until FROM former_repository_urls`,
  // When a full sync began to read: what changed after that may have been read before it did.
  `ALTER TABLE repository_syncs ADD COLUMN changes_since timestamptz`,
]
