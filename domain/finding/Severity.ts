import * as Schema from "effect/Schema"

/** Worst first: the order of summaries, reports and `--fail-on`. */
export const severities = ["critical", "high", "medium", "low", "informational"] as const
export type Severity = (typeof severities)[number]
export const Severity = Schema.Literals(severities)

export const confidences = ["high", "medium", "low"] as const
export type Confidence = (typeof confidences)[number]
export const Confidence = Schema.Literals(confidences)
