import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { FindingStatus } from "./FindingStatus.ts"

/** What people decide about a finding; `open` takes an earlier decision back. */
export const DecisionKind = Schema.Literals(["open", "false_positive", "accepted_risk", "fixed"])
export type DecisionKind = typeof DecisionKind.Type

/** A risk that was accepted until a day which has come, and a problem that was found again after it was fixed. */
export const Reopened = Schema.Literals(["expired", "found_again"])
export type Reopened = typeof Reopened.Type

/** How a finding stands at an instant. */
export const Decision = Schema.Struct({
  decision: DecisionKind,
  reason: Schema.optionalKey(Schema.String),
  decidedBy: Schema.optionalKey(Schema.String),
  decidedAt: Schema.optionalKey(Schema.String),
  expiresAt: Schema.optionalKey(Schema.String),
  reopened: Schema.optionalKey(Reopened),
})
export type Decision = typeof Decision.Type

/** A decision as it was taken, which nothing changes afterwards. */
export interface DecisionRecord {
  /** 1 for a finding's first, without gaps. */
  readonly version: number
  readonly decision: DecisionKind
  readonly reason: string | undefined
  readonly decidedBy: string
  readonly decidedAt: Date
  /** When an accepted risk is open again. */
  readonly expiresAt: Date | undefined
}

/** What somebody wants to decide. */
export interface Verdict {
  readonly decision: DecisionKind
  readonly reason?: string | undefined
  readonly expiresAt?: Date | undefined
}

/** Characters of a reason. */
export const longestReason = 2_000
/** Findings that are decided together. */
export const mostAtOnce = 200
/** Milliseconds that a risk is accepted for at most; longer is without an end. */
const longestAcceptance = 10 * 366 * 24 * 3_600_000

export class VerdictRefused extends Data.TaggedError("VerdictRefused")<{
  readonly field: "reason" | "expiresAt"
  readonly message: string
}> {}

/** Control characters but line break and tab, and those that turn the direction of a text, which hides what it says. */
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

/** The verdict with its reason trimmed, where it can be taken at `now`. */
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
 * How a finding stands at `now` that an analysis of the sources of `foundIn` reports: by its latest decision, unless
 * that was an accepted risk which is over, or a repair that these sources are newer than.
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

/** Whether somebody settled it: thresholds leave it out. */
export const isDecided = ({ decision }: { readonly decision?: Decision }): boolean =>
  decision !== undefined && decision.decision !== "open"

/** What summaries and badges leave out: an accepted risk is one still. */
export const isDismissed = ({ decision }: { readonly decision?: Decision }): boolean =>
  decision?.decision === "false_positive"

/** A repaired problem that is found again is neither new nor unchanged. */
export const statusOf = (compared: FindingStatus, { reopened }: Decision): FindingStatus =>
  reopened === "found_again" ? "reopened" : compared

/** A finding as a result carries it, with its decision where somebody took one that still says something. */
export const withDecision = <F extends { readonly status: FindingStatus }>(finding: F, decision: Decision) =>
  decision.decision === "open" && decision.reopened === undefined
    ? finding
    : { ...finding, status: statusOf(finding.status, decision), decision }

/** Names a state of a finding, for `If-Match`: another decision makes another. */
export const decisionEtag = (fingerprint: string, version: number): string => `"${fingerprint}.${version}"`

/** The version that a tag of `decisionEtag` names, of this finding. */
export const versionOf = (fingerprint: string, etag: string): number | undefined => {
  const [named, version, ...rest] = /^"([0-9a-f.]{1,40})"$/.exec(etag)?.[1]?.split(".") ?? []
  if (named !== fingerprint || version === undefined || rest.length > 0) return undefined
  return /^\d{1,9}$/.test(version) ? Number(version) : undefined
}
