import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * The connection on which a statement outside a transaction runs: a `shared` one, where statements follow each other
 * without waiting and none may be slow, or one of its `own` while it runs. A transaction always has its own.
 */
export const Lane = Context.Reference<"shared" | "own">("assay/adapters/sql/Lane", { defaultValue: () => "shared" })

/** For statements known to be slow or large: reading or writing a result, statistics. */
export const onOwnConnection = Effect.provideService(Lane, "own")
