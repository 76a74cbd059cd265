import * as Schema from "effect/Schema"

/** A file that was not analyzed, or only in part, with the reason for its author. */
export const SkippedFile = Schema.Struct({ file: Schema.String, reason: Schema.String })
export type SkippedFile = typeof SkippedFile.Type

/** An engine that took part; `note` says what it could not do. */
export const EngineRun = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  note: Schema.optionalKey(Schema.String),
})
export type EngineRun = typeof EngineRun.Type

/** What a time or memory limit skipped, after a second try on a fresh thread. */
export const Incomplete = Schema.Struct({
  kind: Schema.Literals(["file", "rule", "ecosystem"]),
  name: Schema.String.annotate({ description: "A path or a name." }),
  reason: Schema.String,
})
export type Incomplete = typeof Incomplete.Type

/** How far one program, contract or set of contracts was understood. */
export const ProgramCoverage = Schema.Struct({
  program: Schema.String.annotate({ description: "Its name or folder." }),
  framework: Schema.String,
  entryPoints: Schema.Int.annotate({ description: "Entry points found." }),
  arms: Schema.optionalKey(Schema.Int).annotate({ description: "Arms of its dispatch `match`." }),
  handlers: Schema.Int.annotate({ description: "Handlers found." }),
  understood: Schema.Int.annotate({ description: "Handlers understood." }),
  inputs: Schema.Int.annotate({ description: "Accounts or message fields read." }),
  nearlyEmpty: Schema.Array(Schema.String).annotate({ description: "Handlers that are almost empty." }),
  notFollowed: Schema.Array(Schema.Struct({ name: Schema.String, reason: Schema.String })).annotate({
    description: "Calls not followed, and why.",
  }),
  leftOut: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "Conditions of `cfg` about features whose code is not in the deployed build and was not analyzed.",
  }),
  warning: Schema.optionalKey(Schema.String).annotate({
    description: "Where a lack of findings means little.",
  }),
})
export type ProgramCoverage = typeof ProgramCoverage.Type

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** How many of each did not fit into the result; the worst findings and the first files are listed. */
export const Omitted = Schema.Struct({
  findings: Schema.optionalKey(
    Schema.Struct({ critical: Count, high: Count, medium: Count, low: Count, informational: Count }),
  ).annotate({ description: "Counted, not listed." }),
  suppressed: Schema.optionalKey(Count),
  filesSkipped: Schema.optionalKey(Count),
  details: Schema.optionalKey(Count).annotate({ description: "Listed without trace and snippet." }),
})
export type Omitted = typeof Omitted.Type

/** What an analysis examined, and what it did not. */
export const Coverage = Schema.Struct({
  filesAnalysed: Schema.Int,
  filesSkipped: Schema.Array(SkippedFile),
  rulesRun: Schema.Int,
  engines: Schema.Array(EngineRun),
  programs: Schema.optionalKey(Schema.Array(ProgramCoverage)).annotate({
    description: "What was understood of each program.",
  }),
  incomplete: Schema.optionalKey(Schema.Array(Incomplete)).annotate({
    description: "What limits left out.",
  }),
  omitted: Schema.optionalKey(Omitted).annotate({
    description: "What the size limit left out.",
  }),
})
export type Coverage = typeof Coverage.Type
