import type { Suppressions } from "../finding/Suppression.ts"
import type { Confidence, Severity } from "../finding/Severity.ts"

/** What one result of another engine says, in our terms and within our limits. */
export interface ExternalResult {
  /** The engine's own name of the check, such as `reentrancy-eth`. */
  readonly detector: string
  readonly title: string
  readonly message: string
  readonly remediation: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly helpUri?: string
  /** Relative to what is analyzed, with forward slashes. */
  readonly file: string
  readonly lineStart: number
  readonly lineEnd: number
  readonly columnStart?: number
  readonly columnEnd?: number
  /** Where an engine gives bytes and no lines; the lines are then 1 until somebody counts them. */
  readonly byteOffset?: number
  readonly byteLength?: number
}

/** One engine's report. */
export interface ExternalRun {
  /** Lowercase and hyphenated: `slither`. */
  readonly engine: string
  readonly version: string
  readonly results: ReadonlyArray<ExternalResult>
  /** What of it is not among the results, in words for the coverage. */
  readonly notes: ReadonlyArray<string>
  /** The suppression comments of the files that its results are about, where they could be read. */
  readonly comments?: ReadonlyMap<string, Suppressions>
}

/** A name as a segment of a rule id. */
export const segment = (text: string): string =>
  text
    .slice(0, 200)
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, 80)
    .replace(/-$/, "") || "unnamed"
