/** The same as `effectiveDecision` in the domain, verified by a test; over the rows `decided` and `reported`. */
export const effectiveDecision = `CASE
  WHEN decided.decision IS NULL THEN 'open'
  WHEN decided.decision = 'accepted_risk' AND decided.expires_at <= now() THEN 'open'
  WHEN decided.decision = 'fixed' AND decided.decided_at < reported.found_in THEN 'open'
  ELSE decided.decision END`

/** The same as `statusOf` in the domain. */
export const effectiveStatus = `CASE
  WHEN decided.decision = 'fixed' AND decided.decided_at < reported.found_in THEN 'reopened' ELSE reported.status END`
