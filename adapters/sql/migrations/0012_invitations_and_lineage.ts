/** Who was invited to an organization, which key made which, what was signed in with, and scans that outlast a switch. */
export const invitationsAndLineage: ReadonlyArray<string> = [
  `CREATE TABLE invitations (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz(3) NOT NULL,
    -- Over from then on: the row stays until the person is invited again or the next invitation removes it.
    expires_at timestamptz(3) NOT NULL
  )`,
  // Inviting somebody again renews the invitation.
  `CREATE UNIQUE INDEX invitations_person ON invitations (organization_id, user_id)`,
  `CREATE INDEX invitations_user ON invitations (user_id)`,

  // The key whose credentials asked for this one; a successor takes over its predecessor's.
  `ALTER TABLE api_keys ADD COLUMN parent_id uuid REFERENCES api_keys (id) ON DELETE SET NULL`,
  // The key whose credentials asked for the rotation that this one came of.
  `ALTER TABLE api_keys ADD COLUMN rotated_by uuid REFERENCES api_keys (id) ON DELETE SET NULL`,
  `CREATE INDEX api_keys_parent ON api_keys (parent_id) WHERE parent_id IS NOT NULL`,
  `CREATE INDEX api_keys_rotated_by ON api_keys (rotated_by) WHERE rotated_by IS NOT NULL`,
  `CREATE INDEX api_keys_successor ON api_keys (successor_id) WHERE successor_id IS NOT NULL`,

  // Hashes of the states that came back from the issuer, for as long as each of them could come back again.
  `CREATE TABLE used_sign_ins (
    hash text PRIMARY KEY,
    expires_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX used_sign_ins_expired ON used_sign_ins (expires_at)`,

  // An access token ends with the sign-in that it came from. Not on a deletion, which each refresh tries: what is deleted
  // has been over for weeks.
  `CREATE TRIGGER credentials_changed AFTER UPDATE OF revoked_at ON refresh_families
    FOR EACH STATEMENT EXECUTE FUNCTION credentials_changed()`,

  // Scans of the periods before a switch between calendar month and billing period: they count until those would have
  // ended. One that fails and was charged since `carried_since` is given back there.
  `ALTER TABLE pools ADD COLUMN carried integer NOT NULL DEFAULT 0 CHECK (carried >= 0)`,
  `ALTER TABLE pools ADD COLUMN carried_since timestamptz(3)`,
  `ALTER TABLE pools ADD COLUMN carried_until timestamptz(3)`,
]
