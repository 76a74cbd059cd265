import type { Suppressions } from "../finding/Suppression.ts"
import type { Confidence, Severity } from "../finding/Severity.ts"

/** One result of another engine, in our terms and within our limits. */
export interface ExternalResult {
  /** The engine's own name of the check, such as `reentrancy-eth`. */
  readonly detector: string
  readonly title: string
  readonly message: string
  readonly remediation: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly helpUri?: string
  /** Relative to the analyzed folder, with forward slashes. */
  readonly file: string
  readonly lineStart: number
  readonly lineEnd: number
  readonly columnStart?: number
  readonly columnEnd?: number
  /** For engines that state byte offsets rather than lines; the lines are then 1 until they are computed. */
  readonly byteOffset?: number
  readonly byteLength?: number
}

/** One engine's report. */
export interface ExternalRun {
  /** Lowercase and hyphenated: `slither`. */
  readonly engine: string
  readonly version: string
  readonly results: ReadonlyArray<ExternalResult>
  /** What is not among the results, described for the coverage. */
  readonly notes: ReadonlyArray<string>
  /** The suppression comments of the files that its results are about, if they could be read. */
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
