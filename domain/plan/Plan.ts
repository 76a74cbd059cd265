import * as Schema from "effect/Schema"

export const planIds = ["basic", "pro"] as const
export type PlanId = (typeof planIds)[number]
export const PlanId = Schema.Literals(planIds)

export interface Plan {
  readonly id: PlanId
  readonly name: string
  /** Scans per month; on `pro`, per seat. */
  readonly monthlyAnalyses: number
  /** General reads per hour. */
  readonly readsPerHour: number
  /** Concurrent analyses of one tenant. */
  readonly concurrentAnalyses: number
  readonly features: ReadonlyArray<string>
}

export const plans: Record<PlanId, Plan> = {
  basic: {
    id: "basic",
    name: "Basic",
    monthlyAnalyses: 10,
    readsPerHour: 100,
    concurrentAnalyses: 1,
    features: ["10 scans per month", "JSON, Markdown and HTML export", "README badge"],
  },
  pro: {
    id: "pro",
    name: "Pro",
    monthlyAnalyses: 60,
    readsPerHour: 1000,
    concurrentAnalyses: 4,
    features: [
      "60 scans per seat and month, pooled",
      "JSON, Markdown, HTML and SARIF export",
      "README badge",
      "Organizations",
    ],
  },
}
