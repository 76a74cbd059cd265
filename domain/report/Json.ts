import type { AnalysisResult } from "../analysis/Analysis.ts"

/** The JSON export: the body of the result endpoint, and nothing else. */
export const renderJson = (result: AnalysisResult): string => JSON.stringify(result)
