import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ProgramQueries } from "../../domain/detection/ask/ProgramQueries.ts"

/**
 * The questions of `ProgramQueries`; `excerpt` (`src/Vault.sol:12-14`) gives an `Excerpt` of any file, `patched` (JSON with `file`
 * and `diff`) a `Patched`, `ecosystem` (`programs/vault/src/lib.rs`) what a file is written for, `suppression` (JSON with
 * `file`, `line` and `ruleId`) the comment that sets a finding there aside.
 */
export type ModelQuery = keyof ProgramQueries | "excerpt" | "patched" | "ecosystem" | "suppression"

/** In `error` why there is none. */
export type ModelAnswer = Readonly<Record<string, unknown>>

/** The program of a repository for as long as it is asked; every question reads and none changes anything. */
export interface ProgramModel {
  readonly ask: (query: ModelQuery, argument: string | undefined) => Effect.Effect<ModelAnswer>
}

export class ProgramModels extends Context.Service<
  ProgramModels,
  {
    /** The files below a directory; built when it is first asked. */
    readonly open: (directory: string, files: ReadonlyArray<string>) => Effect.Effect<ProgramModel, never, Scope.Scope>
  }
>()("assay/application/ProgramModels") {}
