import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import {
  AnalysisNotFound,
  type AnalysisItem,
  type ListFilter,
  type StoredAnalysis,
} from "../../../application/ports/analysis/AnalysisStore.ts"
import { AnalysisStatus } from "../../../domain/analysis/Analysis.ts"
import { Framework } from "../../../domain/analysis/Framework.ts"
import { Stage } from "../../../domain/analysis/Stage.ts"
import { sameRepositoryKey } from "../../../domain/repository/Repository.ts"
import { sharedWith } from "../readers.ts"
import { decodeRows } from "../decodeRows.ts"
import { onOwnConnection } from "../Lane.ts"
import { urlKey } from "../repositories/urlKey.ts"
import { UserId, AnalysisId } from "../../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

export const ItemRow = Schema.Struct({
  analysisId: AnalysisId,
  repositoryUrl: RepositoryUrl,
  branch: Schema.NullOr(Schema.String),
  framework: Framework,
  status: AnalysisStatus,
  createdAt: Schema.Date,
  completedAt: Schema.NullOr(Schema.Date),
  commit: Schema.NullOr(Schema.String),
  path: Schema.NullOr(Schema.String),
  userId: Schema.optionalKey(UserId),
})

const decodeItems = decodeRows(ItemRow)
const decodeStored = decodeRows(
  Schema.Struct({
    ...ItemRow.fields,
    currentStage: Stage,
    failure: Schema.NullOr(Schema.String),
  }),
)
export const itemColumns = (sql: SqlClient) =>
  sql.literal(`
    id AS "analysisId", repository_url AS "repositoryUrl", coalesce(analysed_branch, branch) AS branch, framework,
    status, created_at AS "createdAt", completed_at AS "completedAt", coalesce(commit_id, asked_commit) AS commit, path`)

export const toItem = (row: typeof ItemRow.Type): AnalysisItem => ({
  ...row,
  branch: row.branch ?? undefined,
  completedAt: row.completedAt ?? undefined,
  commit: row.commit ?? undefined,
  path: row.path ?? undefined,
})

/**
 * Newest first. The position is that of the last item, not an offset, so concurrent inserts neither repeat nor skip
 * one.
 * The state is part of the statement's text: a plan for all states cannot use the indexes of waiting and running
 * analyses, and would read all 100,000 analyses of a user who has none waiting.
 */
export const listStatement = (sql: SqlClient, userId: UserId, filter: ListFilter) => {
  const { after } = filter
  const conditions = [
    filter.shared === true ? sql`user_id IN ${sharedWith(sql, userId)}` : sql`user_id = ${userId}::uuid`,
    ...(after === undefined
      ? []
      : [sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.analysisId}::uuid)`]),
    ...(filter.status === undefined ? [] : [sql.literal(`status = '${filter.status}'`)]),
    ...(filter.framework === undefined ? [] : [sql`framework = ${filter.framework}`]),
    ...(filter.repositoryUrl === undefined
      ? []
      : // The first is what the index knows.
        [
          sql`${urlKey(sql, "repository_url")} = ${sameRepositoryKey(filter.repositoryUrl)}`,
          sql`repository_url = ${filter.repositoryUrl}`,
        ]),
  ]
  return sql`
    SELECT ${itemColumns(sql)}${filter.shared === true ? sql`, user_id AS "userId"` : sql``}
    FROM analyses WHERE ${sql.and(conditions)}
    ORDER BY created_at DESC, id DESC LIMIT ${filter.limit}`
}

/** A filtered list may read past many analyses to find a few, without delaying others. */
export const listAnalyses = (sql: SqlClient, userId: UserId, filter: ListFilter) => {
  const items = Effect.map(decodeItems(listStatement(sql, userId, filter)), (rows) => rows.map(toItem))
  const { status, framework, repositoryUrl } = filter
  return (status ?? framework ?? repositoryUrl) === undefined ? items : onOwnConnection(items)
}

export const findAnalysis = (sql: SqlClient, userId: UserId, analysisId: AnalysisId) =>
  decodeStored(sql`
    SELECT ${itemColumns(sql)}, stage AS "currentStage", failure
    FROM analyses WHERE id = ${analysisId}::uuid AND user_id IN ${sharedWith(sql, userId)}`).pipe(
    Effect.flatMap(([row]) => {
      if (row === undefined) return Effect.fail(new AnalysisNotFound({ analysisId }))
      const { failure, currentStage } = row
      return Effect.succeed<StoredAnalysis>({
        ...toItem(row),
        currentStage,
        failure: failure === null ? undefined : { stage: currentStage, message: failure },
      })
    }),
  )
