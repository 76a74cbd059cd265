import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { EngineRun } from "../../domain/analysis/Coverage.ts"
import type { RuleMeta } from "../../domain/detection/Rule.ts"
import type { ExternalRun } from "../../domain/external/ExternalResult.ts"

/** Other analyzers that an operator lets run over repositories, one after the other. */
export interface ExternalEngines {
  readonly names: ReadonlyArray<string>
  /** What it reports on a folder, or how the coverage names its failure. Works on a copy. */
  readonly run: (
    name: string,
    directory: string,
  ) => Effect.Effect<{ readonly runs: ReadonlyArray<ExternalRun>; readonly failed?: EngineRun }>
  /** Ours, by whose classes one problem is known as one. */
  readonly rules: ReadonlyArray<RuleMeta>
}

/** None by default: most of them run code of the repository. */
export const ExternalEngines = Context.Reference<ExternalEngines | undefined>("assay/application/ExternalEngines", {
  defaultValue: () => undefined,
})
