import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Which connections a statement outside a transaction takes: `shared` ones, where statements follow each other without
 * a wait and none may be slow, or one of its `own` for as long as it runs. A transaction always has its own.
 */
export const Lane = Context.Reference<"shared" | "own">("assay/adapters/sql/Lane", { defaultValue: () => "shared" })

/** For statements that are known to be slow or large: reading or writing a result, statistics. */
export const onOwnConnection = Effect.provideService(Lane, "own")
