import * as Context from "effect/Context"
import type { RuleExamples, RuleMeta } from "../../../domain/detection/Rule.ts"

/** A rule with what a reader of its page is shown. */
export interface CatalogEntry extends RuleMeta {
  readonly examples?: Pick<RuleExamples, "vulnerable" | "safe">
}

/** Every rule that the service knows, in the order of the catalog. */
export class RuleCatalog extends Context.Service<RuleCatalog, ReadonlyArray<CatalogEntry>>()(
  "assay/application/RuleCatalog",
) {}
