import * as Schema from "effect/Schema"

/** A file that was not analysed, or only in part, and why, in words for its author. */
export const SkippedFile = Schema.Struct({ file: Schema.String, reason: Schema.String })
export type SkippedFile = typeof SkippedFile.Type

/** An engine that took part; `note` says what it could not do. */
export const EngineRun = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  note: Schema.optionalKey(Schema.String),
})
export type EngineRun = typeof EngineRun.Type

/** What an analysis looked at, and what it did not. */
export const Coverage = Schema.Struct({
  filesAnalysed: Schema.Int,
  filesSkipped: Schema.Array(SkippedFile),
  rulesRun: Schema.Int,
  engines: Schema.Array(EngineRun),
})
export type Coverage = typeof Coverage.Type
