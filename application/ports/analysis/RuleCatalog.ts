import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { RuleMeta } from "../../../domain/detection/Rule.ts"

/** A rule with what a reader of its page is shown. */
export interface CatalogEntry extends RuleMeta {
  readonly examples: { readonly vulnerable: string; readonly safe: string }
}

/** Every rule that the service knows, in the order of the catalog; loaded when first asked for. */
export class RuleCatalog extends Context.Service<RuleCatalog, Effect.Effect<ReadonlyArray<CatalogEntry>>>()(
  "assay/application/RuleCatalog",
) {}
