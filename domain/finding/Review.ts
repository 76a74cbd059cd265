import * as Schema from "effect/Schema"

export const Verdict = Schema.Literals(["confirmed", "likely", "unlikely"])
export type Verdict = typeof Verdict.Type

/** A line that a claim is based on, exactly as in the file. */
export const Quote = Schema.Struct({ line: Schema.Int, text: Schema.String })
export type Quote = typeof Quote.Type

/** A model's assessment of a finding; every quote was found in the finding's file. */
export const Review = Schema.Struct({
  verdict: Verdict,
  reasoning: Schema.String,
  attack: Schema.optionalKey(Schema.String),
  quotes: Schema.Array(Quote),
  patch: Schema.optionalKey(Schema.String),
  model: Schema.String,
})
export type Review = typeof Review.Type
