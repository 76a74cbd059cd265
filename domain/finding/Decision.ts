import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { FindingStatus } from "./FindingStatus.ts"

/** What people decide about a finding; `open` withdraws an earlier decision. */
export const DecisionKind = Schema.Literals(["open", "false_positive", "accepted_risk", "fixed"])
export type DecisionKind = typeof DecisionKind.Type

/** An accepted risk whose time is over, and a fixed problem that was found again. */
export const Reopened = Schema.Literals(["expired", "found_again"])
export type Reopened = typeof Reopened.Type

/** The state of a finding at an instant. */
export const Decision = Schema.Struct({
  decision: DecisionKind,
  reason: Schema.optionalKey(Schema.String),
  decidedBy: Schema.optionalKey(Schema.String),
  decidedAt: Schema.optionalKey(Schema.String),
  expiresAt: Schema.optionalKey(Schema.String),
  reopened: Schema.optionalKey(Reopened),
})
export type Decision = typeof Decision.Type

/** A decision as it was made; it never changes. */
export interface DecisionRecord {
  /** 1 for a finding's first decision, without gaps. */
  readonly version: number
  readonly decision: DecisionKind
  readonly reason: string | undefined
  readonly decidedBy: string
  readonly decidedAt: Date
  /** When an accepted risk reopens. */
  readonly expiresAt: Date | undefined
}

/** A requested decision. */
export interface Verdict {
  readonly decision: DecisionKind
  readonly reason?: string | undefined
  readonly expiresAt?: Date | undefined
}

/** Maximum characters of a reason. */
export const longestReason = 2_000
/** Maximum findings in one decision. */
export const mostAtOnce = 200
/** Maximum milliseconds for which a risk is accepted; anything longer has no end. */
const longestAcceptance = 10 * 366 * 24 * 3_600_000

export class VerdictRefused extends Data.TaggedError("VerdictRefused")<{
  readonly field: "reason" | "expiresAt"
  readonly message: string
}> {}

/** Control characters except line breaks and tabs, and bidirectional controls, which can hide what a text says. */
const isUnprintable = (character: string): boolean => {
  const code = character.codePointAt(0)!
  if (code < 0x20) return code !== 0x0a && code !== 0x09
  return (
    (code >= 0x7f && code <= 0x9f) ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  )
}

const refuse = (field: VerdictRefused["field"], message: string) => Result.fail(new VerdictRefused({ field, message }))

/** The decision with its reason trimmed, if it can be made at `now`. */
export const judge = (verdict: Verdict, now: Date): Result.Result<Verdict, VerdictRefused> => {
  const { decision, expiresAt } = verdict
  const reason = verdict.reason?.replaceAll("\r\n", "\n").trim()
  if (reason === undefined || reason === "") {
    if (decision !== "open") return refuse("reason", "is required for every decision except open")
  } else {
    if (reason.length > longestReason) return refuse("reason", `must have at most ${longestReason} characters`)
    if ([...reason].some(isUnprintable)) return refuse("reason", "must not contain control characters")
  }
  if (expiresAt !== undefined) {
    if (decision !== "accepted_risk") return refuse("expiresAt", "is only allowed for accepted risks")
    const wait = expiresAt.getTime() - now.getTime()
    if (!(wait > 0)) return refuse("expiresAt", "must be in the future")
    if (wait > longestAcceptance) return refuse("expiresAt", "must be within ten years")
  }
  return Result.succeed({ decision, reason: reason === "" ? undefined : reason, expiresAt })
}

const recorded = ({ decision, reason, decidedBy, decidedAt, expiresAt }: DecisionRecord): Decision => ({
  decision,
  ...(reason === undefined ? {} : { reason }),
  decidedBy,
  decidedAt: decidedAt.toISOString(),
  ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
})

/**
 * The state at `now` of a finding reported by an analysis of the sources of `foundIn`: its latest decision, unless that
 * was an accepted risk that has expired, or a fix that these sources are newer than.
 */
export const effectiveDecision = (latest: DecisionRecord | undefined, foundIn: Date, now: Date): Decision => {
  if (latest === undefined) return { decision: "open" }
  const reopened: Reopened | undefined =
    latest.decision === "accepted_risk" && latest.expiresAt !== undefined && latest.expiresAt <= now
      ? "expired"
      : latest.decision === "fixed" && latest.decidedAt < foundIn
        ? "found_again"
        : undefined
  return reopened === undefined ? recorded(latest) : { ...recorded(latest), decision: "open", reopened }
}

/** Whether somebody settled it: thresholds ignore it. */
export const isDecided = ({ decision }: { readonly decision?: Decision }): boolean =>
  decision !== undefined && decision.decision !== "open"

/** What summaries and badges exclude: an accepted risk still counts. */
export const isDismissed = ({ decision }: { readonly decision?: Decision }): boolean =>
  decision?.decision === "false_positive"

/** A fixed problem that is found again is neither new nor unchanged. */
export const statusOf = (compared: FindingStatus, { reopened }: Decision): FindingStatus =>
  reopened === "found_again" ? "reopened" : compared

/** A finding as included in a result, with its decision if one is still in effect. */
export const withDecision = <F extends { readonly status: FindingStatus }>(finding: F, decision: Decision) =>
  decision.decision === "open" && decision.reopened === undefined
    ? finding
    : { ...finding, status: statusOf(finding.status, decision), decision }

/** Identifies a state of a finding, for `If-Match`: another decision results in another tag. */
export const decisionEtag = (fingerprint: string, version: number): string => `"${fingerprint}.${version}"`

/** The version in a tag of `decisionEtag`, if it is for this finding. */
export const versionOf = (fingerprint: string, etag: string): number | undefined => {
  const [named, version, ...rest] = /^"([0-9a-f.]{1,40})"$/.exec(etag)?.[1]?.split(".") ?? []
  if (named !== fingerprint || version === undefined || rest.length > 0) return undefined
  return /^\d{1,9}$/.test(version) ? Number(version) : undefined
}
