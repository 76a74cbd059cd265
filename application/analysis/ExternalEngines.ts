import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { EngineRun } from "../../domain/analysis/Coverage.ts"
import type { RuleMeta } from "../../domain/detection/Rule.ts"
import type { ExternalRun } from "../../domain/external/ExternalResult.ts"

/** Other analyzers that an operator enables for repositories, run one after the other. */
export interface ExternalEngines {
  readonly names: ReadonlyArray<string>
  /** Its report on a folder, or its failure for the coverage. Works on a copy. */
  readonly run: (
    name: string,
    directory: string,
  ) => Effect.Effect<{ readonly runs: ReadonlyArray<ExternalRun>; readonly failed?: EngineRun }>
  /** Our rules, whose classes tell which results are about the same problem. */
  readonly rules: ReadonlyArray<RuleMeta>
}

/** None by default: most of them run code from the repository. */
export const ExternalEngines = Context.Reference<ExternalEngines | undefined>("assay/application/ExternalEngines", {
  defaultValue: () => undefined,
})
