import * as Context from "effect/Context"
import type { RuleExamples, RuleMeta } from "../../domain/detection/Rule.ts"

/** A rule with what a reader of its page is shown. */
export interface CatalogueEntry extends RuleMeta {
  readonly examples?: Pick<RuleExamples, "vulnerable" | "safe">
}

/** Every rule that the service knows, in the order of the catalogue. */
export class RuleCatalogue extends Context.Service<RuleCatalogue, ReadonlyArray<CatalogueEntry>>()(
  "assay/application/RuleCatalogue",
) {}
