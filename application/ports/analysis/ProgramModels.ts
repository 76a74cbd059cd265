import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ProgramQueries } from "../../../domain/detection/ask/ProgramQueries.ts"

/**
 * The queries of `ProgramQueries`, plus `excerpt` (`src/Vault.sol:12-14`) for an `Excerpt` of any file, `patched` (JSON
 * with `file` and `diff`) for a `Patched`, `ecosystem` (`programs/vault/src/lib.rs`) for the ecosystem of a file, and
 * `suppression` (JSON with `file`, `line` and `ruleId`) for the comment that suppresses a finding there.
 */
export type ModelQuery = keyof ProgramQueries | "excerpt" | "patched" | "ecosystem" | "suppression"

/** Why there is no answer is in `error`. */
export type ModelAnswer = Readonly<Record<string, unknown>>

/** The program of a repository while it is being queried; queries are read-only. */
export interface ProgramModel {
  readonly ask: (query: ModelQuery, argument: string | undefined) => Effect.Effect<ModelAnswer>
}

export class ProgramModels extends Context.Service<
  ProgramModels,
  {
    /** The files below a directory; built on the first query. */
    readonly open: (directory: string, files: ReadonlyArray<string>) => Effect.Effect<ProgramModel, never, Scope.Scope>
  }
>()("assay/application/ProgramModels") {}
