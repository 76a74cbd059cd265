import type { AnalysisProgress } from "../../../application/ports/analysis/AnalysisStore.ts"
import type { AnalysisStatusView } from "../contract/AnalysisGroup.ts"

/** The status object: these fields and no others, whatever else a store knows of an analysis. */
export const statusView = (progress: AnalysisProgress): typeof AnalysisStatusView.Type => ({
  analysisId: progress.analysisId,
  status: progress.status,
  progress: progress.progress,
  currentStage: progress.currentStage,
})
