import type { AnalysisItem } from "../../../application/ports/analysis/AnalysisStore.ts"
import type { RepositoryScan } from "../../../application/ports/repositories/RepositoryStore.ts"
import type { AnalysisListItem } from "../contract/AnalysisGroup.ts"
import type { RepositoryScanView } from "../contract/RepositoriesGroup.ts"

/** An analysis as lists show it. */
export const listItem = (item: AnalysisItem): typeof AnalysisListItem.Type => ({
  analysisId: item.analysisId,
  repositoryUrl: item.repositoryUrl,
  branch: item.branch ?? "HEAD",
  framework: item.framework,
  status: item.status,
  createdAt: item.createdAt.toISOString(),
  ...(item.completedAt === undefined ? {} : { completedAt: item.completedAt.toISOString() }),
  ...(item.path === undefined ? {} : { path: item.path }),
  ...(item.userId === undefined ? {} : { userId: item.userId }),
})

/** With its summary, once it is completed. */
export const scanView = (scan: RepositoryScan): RepositoryScanView => ({
  ...listItem(scan),
  ...(scan.commit === undefined ? {} : { commit: scan.commit }),
  ...(scan.summary === undefined ? {} : { summary: scan.summary }),
})
