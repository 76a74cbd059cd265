import { AnalysisStore } from "../ports/AnalysisStore.ts"

/** Counts of one analysis, whoever asks: nothing of its findings or its repository. */
export const getBadge = (analysisId: string) => AnalysisStore.use((store) => store.badge(analysisId))
