import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { judge, type Verdict, versionOf } from "../../domain/finding/Decision.ts"
import { type FieldIssue, InvalidInput } from "../InvalidInput.ts"
import { DecisionStale, type FindingScope, FindingStore } from "../ports/finding/FindingStore.ts"
import { findFindings } from "./readFindings.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** A finding in the state in which it was read; `undefined` matches any state. */
export interface SeenFinding {
  readonly fingerprint: string
  readonly etag: string | undefined
}

/** Records a decision about findings of a repository, all of them or none, and returns their state afterwards. */
export const decideFindings = Effect.fn("decideFindings")(function* (
  scope: FindingScope,
  given: Verdict,
  seen: ReadonlyArray<SeenFinding>,
  analysisId?: AnalysisId,
) {
  const store = yield* FindingStore
  const verdict = judge(given, new Date(yield* Clock.currentTimeMillis))
  const fields: Array<FieldIssue> = Result.isFailure(verdict)
    ? [{ field: verdict.failure.field, message: verdict.failure.message }]
    : []
  const fingerprints = seen.map(({ fingerprint }) => fingerprint)
  if (new Set(fingerprints).size < fingerprints.length) {
    fields.push({ field: "findings", message: "must not contain a finding twice" })
  }
  if (Result.isFailure(verdict) || fields.length > 0) return yield* new InvalidInput({ fields })

  const standing = new Map(
    (yield* findFindings(scope, fingerprints, analysisId)).map((finding) => [finding.fingerprint, finding]),
  )
  const stale = seen.filter(({ fingerprint, etag }) => {
    return etag !== undefined && versionOf(fingerprint, etag) !== standing.get(fingerprint)?.version
  })
  if (stale.length > 0) return yield* new DecisionStale({ fingerprints: stale.map(({ fingerprint }) => fingerprint) })
  const versions = fingerprints.map((fingerprint) => ({ fingerprint, version: standing.get(fingerprint)!.version }))
  yield* store.decide(scope, verdict.success, versions)
  const decided = yield* findFindings(scope, fingerprints, analysisId)
  return fingerprints.map((fingerprint) => decided.find((finding) => finding.fingerprint === fingerprint)!)
})
