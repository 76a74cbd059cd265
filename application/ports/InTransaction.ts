import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Whether the fiber is inside a transaction, as set by the database clients. */
export const InTransaction = Context.Reference<boolean>("assay/application/InTransaction", {
  defaultValue: () => false,
})

/**
 * Guards every operation that waits for another server. Inside a transaction, that is a defect: it would hold a
 * connection and its locks for as long as the other server takes, and a few callers would occupy the whole pool. Read,
 * then ask, then lock, compare and write.
 */
export const outsideTransaction = <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(InTransaction, (inside) =>
    inside ? Effect.die(new Error("A request to another server was made inside a transaction")) : request,
  )
