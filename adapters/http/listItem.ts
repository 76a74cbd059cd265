import type { AnalysisItem } from "../../application/ports/AnalysisStore.ts"
import type { AnalysisListItem } from "./contract/AnalysisGroup.ts"

/** An analysis as lists show it. */
export const listItem = (item: AnalysisItem): typeof AnalysisListItem.Type => ({
  analysisId: item.analysisId,
  repositoryUrl: item.repositoryUrl,
  branch: item.branch ?? "HEAD",
  framework: item.framework,
  status: item.status,
  createdAt: item.createdAt.toISOString(),
  ...(item.completedAt === undefined ? {} : { completedAt: item.completedAt.toISOString() }),
})
