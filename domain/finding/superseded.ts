import type { Finding } from "./Finding.ts"
import { findingId } from "./Fingerprint.ts"

/** By the fingerprint of a finding: those that it would have as a finding of the rules that its rule supersedes. */
export type FormerPrints = Readonly<Record<string, ReadonlyArray<string>>>

/**
 * A finding of a rule that supersedes others keeps the fingerprint under which it was known before, so that decisions,
 * statuses and baselines still match; one that is known under its own, or is new, keeps its own.
 */
export const carriedOver = (
  findings: ReadonlyArray<Finding>,
  formerly: FormerPrints,
  isKnown: (fingerprint: string) => boolean,
): ReadonlyArray<Finding> => {
  const taken = new Set(findings.map(({ fingerprint }) => fingerprint))
  return findings.map((finding) => {
    const former = formerly[finding.fingerprint]
    if (former === undefined || isKnown(finding.fingerprint)) return finding
    const fingerprint = former.find((one) => isKnown(one) && !taken.has(one))
    if (fingerprint === undefined) return finding
    taken.add(fingerprint)
    return { ...finding, id: findingId(fingerprint), fingerprint }
  })
}
