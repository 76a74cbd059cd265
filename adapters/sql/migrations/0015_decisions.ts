/**
 * The findings of completed analyses one by one, so that they can be listed over analyses, and what people decide about
 * them. Both stand beside the results, which never change.
 */
export const decisions: ReadonlyArray<string> = [
  // From an earlier release or its processes: the findings of such a result are indexed when they are first listed.
  `ALTER TABLE analysis_results ADD COLUMN indexed boolean NOT NULL DEFAULT false`,
  `CREATE TABLE findings (
    analysis_id uuid NOT NULL REFERENCES analysis_results (analysis_id) ON DELETE CASCADE,
    fingerprint text NOT NULL,
    rule_id text NOT NULL,
    title text NOT NULL,
    -- 0 is the worst, as in the domain.
    severity smallint NOT NULL,
    confidence text NOT NULL,
    category text NOT NULL,
    file text NOT NULL,
    line_start integer NOT NULL,
    line_end integer NOT NULL,
    status text NOT NULL,
    PRIMARY KEY (analysis_id, fingerprint)
  )`,

  `CREATE TABLE finding_decisions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The organization, or the user where there is none.
    owner_id uuid NOT NULL REFERENCES pools (id) ON DELETE CASCADE,
    url_key text NOT NULL,
    fingerprint text NOT NULL,
    -- 1 for the first about a finding: of two that saw the same state one finds its number taken.
    version integer NOT NULL CHECK (version > 0),
    decision text NOT NULL CHECK (decision IN ('open', 'false_positive', 'accepted_risk', 'fixed')),
    reason text CHECK (decision = 'open' OR reason <> ''),
    decided_by uuid NOT NULL,
    decided_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) CHECK (expires_at IS NULL OR decision = 'accepted_risk'),
    UNIQUE (owner_id, url_key, fingerprint, version)
  )`,
  // Only together with its owner: a deletion by a reference comes from within another trigger.
  `CREATE FUNCTION decisions_stay() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN RETURN OLD; END IF;
      RAISE EXCEPTION 'decisions about findings are never changed' USING ERRCODE = 'restrict_violation';
    END $$`,
  `CREATE TRIGGER decisions_stay BEFORE UPDATE OR DELETE ON finding_decisions
    FOR EACH ROW EXECUTE FUNCTION decisions_stay()`,

  // What was asked for; commit_id is what was analyzed.
  `ALTER TABLE analyses ADD COLUMN asked_commit text`,
  `ALTER TABLE analyses ADD COLUMN path text`,

  `ALTER TABLE organizations ADD COLUMN sharing boolean NOT NULL DEFAULT false`,
]
