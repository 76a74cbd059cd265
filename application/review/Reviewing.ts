import * as Context from "effect/Context"
import type { Budget, Prices } from "../../domain/review/Budget.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import type { ProgramModels } from "../ports/analysis/ProgramModels.ts"
import type { Reviewer } from "../ports/finding/Reviewer.ts"
import type { ReviewStore } from "../ports/finding/ReviewStore.ts"

export interface ReviewSettings {
  /** Plans whose analyses are reviewed. */
  readonly tiers: ReadonlySet<PlanId>
  readonly budget: Budget
  /** Millionths of a dollar that an account may spend per month. */
  readonly monthlyMicros: number
  readonly prices: Prices
  /** Concurrent requests per analysis. */
  readonly concurrency: number
  readonly maxOutputTokens: number
}

/** What reviews need, if an operator configured a model. */
export interface Reviewing {
  readonly settings: ReviewSettings
  readonly reviewer: Reviewer["Service"]
  readonly models: ProgramModels["Service"]
  readonly store: ReviewStore["Service"]
}

/** By default, no model is configured. */
export const Reviewing = Context.Reference<Reviewing | undefined>("assay/application/Reviewing", {
  defaultValue: () => undefined,
})
