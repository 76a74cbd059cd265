/** The form under which URLs of one repository are equal, as `sameRepositoryKey` in the domain. */
const urlKey = (column: string): string => `regexp_replace(lower(${column}), '\\.git$', '')`

/** Repository records, the tokens and syncs that they come from, and the URLs by which analyses belong to them. */
export const repositories: ReadonlyArray<string> = [
  `CREATE TABLE hosting_tokens (
    user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- Encrypted by the vault.
    token text NOT NULL,
    kind text NOT NULL,
    account text,
    scopes text[],
    origin text NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  )`,

  `CREATE TABLE repositories (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    github_id bigint NOT NULL,
    name text NOT NULL,
    full_name text NOT NULL,
    url text NOT NULL,
    default_branch text NOT NULL,
    language text,
    is_private boolean NOT NULL,
    is_archived boolean NOT NULL,
    host_updated_at timestamptz(3) NOT NULL,
    last_synced_at timestamptz(3) NOT NULL,
    vanished_at timestamptz(3),
    UNIQUE (user_id, github_id)
  )`,

  // A renamed repository keeps its analyses: all the URLs that it ever had are its own, until another takes one over.
  `CREATE TABLE repository_urls (
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    url_key text NOT NULL,
    repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, url_key)
  )`,
  `CREATE INDEX repository_urls_repository ON repository_urls (repository_id)`,
  `CREATE INDEX analyses_url_key ON analyses (user_id, (${urlKey("repository_url")}))`,

  // The lease is what lets one sync of a user run at a time, and another take over when its process died.
  `CREATE TABLE repository_syncs (
    user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    running uuid,
    lease_expires_at timestamptz,
    etag text,
    finished uuid,
    finished_kind text,
    synced integer,
    added integer,
    updated integer,
    synced_at timestamptz(3)
  )`,
  // Pages of a running sync, apart from the records until all of them are there.
  `CREATE TABLE staged_repositories (
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    github_id bigint NOT NULL,
    name text NOT NULL,
    full_name text NOT NULL,
    url text NOT NULL,
    default_branch text NOT NULL,
    language text,
    is_private boolean NOT NULL,
    is_archived boolean NOT NULL,
    host_updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (user_id, github_id)
  )`,
]
