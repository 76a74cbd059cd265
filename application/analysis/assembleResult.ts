import { shownAccess } from "../../domain/access/AccessTable.ts"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import { isDismissed } from "../../domain/finding/Decision.ts"
import type { Finding } from "../../domain/finding/Finding.ts"
import { summarize } from "../../domain/finding/ResultSummary.ts"
import { fitMarkdown, fitResult } from "../../domain/report/fitResult.ts"
import { renderMarkdown } from "../../domain/report/Markdown.ts"
import type { ExaminedRepository } from "./examineRepository.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

export interface Assembly {
  readonly analysisId: AnalysisId
  readonly repositoryUrl: string
  readonly examination: Pick<
    ExaminedRepository,
    "branch" | "commit" | "framework" | "path" | "suppressed" | "coverage" | "access"
  >
  /** The examination's findings, with their status if an earlier analysis is known. */
  readonly findings: ReadonlyArray<Finding>
  readonly analysisTime: number
  readonly completedAt: Date
}

/** The result of an examination, without its Markdown and within its size limit; `analysisTime` in milliseconds. */
export const assembleFindings = (options: Assembly): Omit<AnalysisResult, "markdownReport"> => {
  const { branch, commit, framework, path, suppressed, coverage, access } = options.examination
  return fitResult({
    analysisId: options.analysisId,
    status: "completed",
    repository: {
      url: options.repositoryUrl,
      branch,
      framework,
      ...(commit === undefined ? {} : { commit }),
      ...(path === undefined ? {} : { path }),
    },
    summary: summarize(
      options.findings.filter((finding) => !isDismissed(finding)),
      options.analysisTime,
      coverage.omitted?.findings,
    ),
    findings: options.findings,
    suppressed,
    coverage,
    ...(access === undefined ? {} : { accessTable: shownAccess(access) }),
    completedAt: options.completedAt.toISOString(),
  })
}

export const withMarkdown = (result: Omit<AnalysisResult, "markdownReport">): AnalysisResult => ({
  ...result,
  markdownReport: fitMarkdown(renderMarkdown(result)),
})

/** Both at once. Pure, so that a scan and a worker produce the same. */
export const assembleResult = (options: Assembly): AnalysisResult => withMarkdown(assembleFindings(options))
