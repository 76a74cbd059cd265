import * as Schema from "effect/Schema"
import { ResultSummary } from "../finding/ResultSummary.ts"
import { Framework } from "../analysis/Framework.ts"
import { Stage } from "../analysis/Stage.ts"
import { AnalysisId } from "../ids/Ids.ts"

export const NotificationType = Schema.Literals(["analysis.completed", "analysis.failed"])
export type NotificationType = typeof NotificationType.Type

/** `branch` is absent if the analysis failed before the default branch was known, `commit` in every failed one. */
const Repository = Schema.Struct({
  url: Schema.String,
  branch: Schema.optionalKey(Schema.String),
  framework: Framework,
  commit: Schema.optionalKey(Schema.String),
})

const notification = <const Type extends NotificationType, Fields extends Schema.Struct.Fields>(
  type: Type,
  data: Fields,
) =>
  Schema.Struct({
    type: Schema.Literal(type),
    timestamp: Schema.String.annotate({ format: "date-time", description: "When the analysis ended." }),
    data: Schema.Struct({ analysisId: AnalysisId, ...data }),
  })

/** A notification, one per end of an analysis. It never changes, however often it is sent. */
export const Notification = Schema.Union([
  notification("analysis.completed", {
    status: Schema.Literal("completed"),
    repository: Repository,
    summary: ResultSummary,
  }),
  notification("analysis.failed", {
    status: Schema.Literal("failed"),
    repository: Repository,
    /** As in the error returned by the result endpoint. */
    error: Schema.Struct({
      code: Schema.Literal("ANALYSIS_FAILED"),
      message: Schema.String,
      details: Schema.Struct({ analysisId: AnalysisId, stage: Stage }),
    }),
  }),
])
export type Notification = typeof Notification.Type
