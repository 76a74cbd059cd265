/** The API key that a session was opened with: it may do what the key may, for as long as the key is good. */
export const sessionsOfKeys: ReadonlyArray<string> = [
  `ALTER TABLE sessions ADD COLUMN api_key_id uuid REFERENCES api_keys (id) ON DELETE CASCADE`,
  `CREATE INDEX sessions_api_key ON sessions (api_key_id) WHERE api_key_id IS NOT NULL`,
]
