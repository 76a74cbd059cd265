import type { Severity } from "./Severity.ts"

/** Separate from `Severity`'s schema: loading `effect/Schema` would cost each of the engine's threads 110 ms. */
const ranks: Readonly<Record<Severity, number>> = { critical: 0, high: 1, medium: 2, low: 3, informational: 4 }

/** 0 for critical up to 4 for informational; a lower rank is worse. */
export const severityRank = (severity: Severity): number => ranks[severity]
