import * as Schema from "effect/Schema"
import { AccessTable } from "../access/AccessTable.ts"
import { Finding, SuppressedFinding } from "../finding/Finding.ts"
import { ResultSummary } from "../finding/ResultSummary.ts"
import { Coverage } from "./Coverage.ts"
import { Framework } from "./Framework.ts"
import { Stage } from "./Stage.ts"
import { AnalysisId } from "../ids/Ids.ts"

export const AnalysisStatus = Schema.Literals(["pending", "running", "completed", "failed"])
export type AnalysisStatus = typeof AnalysisStatus.Type

export const AnalysisType = Schema.Literals(["full", "quick"])
export type AnalysisType = typeof AnalysisType.Type

/** The sources of an analysis; `commit` is what was actually analyzed, `path` the requested folder. */
export const AnalyzedRepository = Schema.Struct({
  url: Schema.String,
  branch: Schema.String,
  framework: Framework,
  commit: Schema.optionalKey(Schema.String),
  path: Schema.optionalKey(Schema.String),
})
export type AnalyzedRepository = typeof AnalyzedRepository.Type

/** Everything about a completed analysis. It never changes; the result endpoint and the JSON export return it. */
export const AnalysisResult = Schema.Struct({
  analysisId: AnalysisId,
  status: Schema.Literal("completed"),
  repository: AnalyzedRepository,
  summary: ResultSummary,
  findings: Schema.Array(Finding),
  suppressed: Schema.Array(SuppressedFinding),
  coverage: Coverage,
  accessTable: Schema.optionalKey(AccessTable),
  completedAt: Schema.String,
  markdownReport: Schema.String,
})
export type AnalysisResult = typeof AnalysisResult.Type

/** Why and where an analysis failed, in words a user can act on. */
export interface AnalysisFailure {
  readonly stage: Stage
  readonly message: string
  /** Whether a limit of ours ended it (time, memory, size), rather than the sources or an outage. */
  readonly byLimit?: boolean | undefined
  /** What was being analyzed, if known. */
  readonly commit?: string | undefined
}
