import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { AnalysisType } from "../../domain/analysis/Analysis.ts"
import type { Framework } from "../../domain/analysis/Framework.ts"
import { sha256Hex } from "../../domain/digest/sha256.ts"
import type { Caller } from "../../domain/identity/Caller.ts"
import { webhookUrlObjection } from "../../domain/notification/WebhookUrl.ts"
import { parseFolderPath } from "../../domain/repository/FolderPath.ts"
import { parseRepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"
import { parseRevision } from "../../domain/repository/Revision.ts"
import { type FieldIssue, InvalidInput } from "../InvalidInput.ts"
import { AnalysisStore, type NewAnalysis } from "../ports/analysis/AnalysisStore.ts"
import { SubmissionRules } from "./SubmissionRules.ts"
import { currentTraceParent } from "./traceContext.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

/** A client's request; its types are right, its contents are unchecked. */
export interface Submission {
  readonly repositoryUrl: string
  readonly branch?: string | undefined
  readonly commit?: string | undefined
  readonly path?: string | undefined
  readonly framework?: Framework | undefined
  readonly analysisType?: AnalysisType | undefined
  readonly webhookUrl?: string | undefined
}

/** The analysis described by a submission; fails with every problem found. */
export const newAnalysis = Effect.fnUntraced(function* (userId: UserId, submission: Submission) {
  const rules = yield* SubmissionRules
  const fields: Array<FieldIssue> = []

  const repositoryUrl = parseRepositoryUrl(submission.repositoryUrl, rules.allowedHosts)
  if (Result.isFailure(repositoryUrl)) fields.push({ field: "repositoryUrl", message: repositoryUrl.failure })
  const { branch, webhookUrl } = submission
  const revision = branch === undefined ? undefined : parseRevision(branch)
  if (revision !== undefined && Result.isFailure(revision)) fields.push({ field: "branch", message: revision.failure })
  const path = submission.path === undefined ? undefined : parseFolderPath(submission.path)
  if (path !== undefined && Result.isFailure(path)) fields.push({ field: "path", message: path.failure })
  const webhookIssue =
    webhookUrl === undefined ? undefined : webhookUrlObjection(webhookUrl, rules.allowPrivateWebhooks)
  if (webhookIssue !== undefined) fields.push({ field: "webhookUrl", message: webhookIssue })

  if (Result.isFailure(repositoryUrl) || fields.length > 0) return yield* new InvalidInput({ fields })
  const analysis: NewAnalysis = {
    userId,
    repositoryUrl: repositoryUrl.success,
    branch,
    commit: submission.commit,
    path: path === undefined ? undefined : Result.getOrUndefined(path),
    framework: submission.framework ?? "auto",
    analysisType: submission.analysisType ?? "full",
    webhookUrl,
  }
  return analysis
})

/** Hex SHA-256 of a submission; bodies with the same meaning have the same hash. */
const requestHash = (analysis: NewAnalysis): string => {
  const { repositoryUrl, branch, commit, path, framework, analysisType, webhookUrl } = analysis
  const narrowed = commit === undefined && path === undefined ? [] : [commit ?? null, path ?? null]
  const text = JSON.stringify([
    repositoryUrl,
    branch ?? null,
    framework,
    analysisType,
    webhookUrl ?? null,
    // Hashes from earlier releases remain valid.
    ...narrowed,
  ])
  return sha256Hex(text)
}

/**
 * Queues an analysis and charges one scan to the caller's quota. With an idempotency key, the same submission within 24
 * hours returns the first analysis and charges nothing.
 */
export const createAnalysis = Effect.fn("createAnalysis")(function* (
  caller: Caller,
  submission: Submission,
  idempotencyKey: string | undefined,
) {
  const analysis = yield* newAnalysis(caller.userId, submission)
  const store = yield* AnalysisStore
  const traceParent = yield* currentTraceParent
  return yield* store.create(
    { ...analysis, traceParent },
    idempotencyKey === undefined ? undefined : { key: idempotencyKey, requestHash: requestHash(analysis) },
  )
})
