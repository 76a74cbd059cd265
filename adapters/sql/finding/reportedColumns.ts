import * as Schema from "effect/Schema"
import { Category } from "../../../domain/finding/Category.ts"
import { Confidence } from "../../../domain/finding/Severity.ts"

/** The columns of a finding as an analysis reported it; the severity is its rank. */
export const reportedColumns = {
  fingerprint: Schema.String,
  ruleId: Schema.String,
  title: Schema.String,
  severity: Schema.Int,
  confidence: Confidence,
  category: Category,
  file: Schema.String,
  lineStart: Schema.Int,
  lineEnd: Schema.Int,
}
