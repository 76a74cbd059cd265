import * as Context from "effect/Context"
import type { RuleMeta } from "../../domain/detection/Rule.ts"

/** Every rule that the service knows, in the order of the catalogue. */
export class RuleCatalogue extends Context.Service<RuleCatalogue, ReadonlyArray<RuleMeta>>()(
  "assay/application/RuleCatalogue",
) {}
