import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Category } from "./Category.ts"
import { Decision } from "./Decision.ts"
import { Review } from "./Review.ts"
import { FindingStatus } from "./FindingStatus.ts"
import { Confidence, Severity } from "./Severity.ts"

/** Lines and columns count from 1; `columnEnd` is exclusive, as in SARIF. */
export const Location = Schema.Struct({
  file: Schema.String,
  lineStart: Schema.Int,
  lineEnd: Schema.Int,
  columnStart: Schema.optionalKey(Schema.Int),
  columnEnd: Schema.optionalKey(Schema.Int),
  snippet: Schema.optionalKey(Schema.String),
})
export type Location = typeof Location.Type

/** One step on the path from a source to a sink, in order. */
export const TraceStep = Schema.Struct({ file: Schema.String, line: Schema.Int, note: Schema.String })
export type TraceStep = typeof TraceStep.Type

/** A problem in the source, as the result endpoint returns it. */
export const Finding = Schema.Struct({
  id: Schema.String,
  ruleId: Schema.String,
  title: Schema.String,
  description: Schema.String,
  severity: Severity,
  confidence: Confidence,
  category: Category,
  location: Location,
  remediation: Schema.String,
  trace: Schema.Array(TraceStep),
  references: Schema.Array(Schema.String),
  fingerprint: Schema.String,
  status: Schema.optionalKey(FindingStatus),
  decision: Schema.optionalKey(Decision),
  engines: Schema.optionalKey(Schema.Array(Schema.String)),
  review: Schema.optionalKey(Review),
})
export type Finding = typeof Finding.Type

/** A finding that a comment in the source excludes from the counts. */
export const SuppressedFinding = Schema.Struct({
  ...Struct.omit(Finding.fields, ["decision", "engines", "review"]),
  suppression: Schema.Struct({ reason: Schema.String, line: Schema.Int }),
})
export type SuppressedFinding = typeof SuppressedFinding.Type
