import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "../../application/ports/AnalysisStore.ts"
import { whileAvailable } from "./whileAvailable.ts"

interface Waiter<A> {
  readonly key: string
  readonly resume: (answer: Effect.Effect<A | undefined, StoreUnavailable>) => void
}

/** Keys that one statement looks up: bounds the size of its parameter. */
const batchSize = 500

/**
 * Lookups by key that are in flight in the same turn of the event loop share one statement. At 32 concurrent
 * connections this is what makes reads cheap: the cost of a statement, in the client and in the database, is divided by
 * the batch.
 *
 * Not `Effect.request`: it takes the requests of a batch out of a `Set` that it uses again, and V8 keeps what such a
 * set once held alive, by a chain from each of its former tables to the next, until the next full collection. That
 * was 7 KB a request, and pauses of 15 to 40 ms ten times a second.
 */
export const makeLookup = <A>(options: {
  readonly find: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<A>, SqlError>
  readonly keyOf: (found: A) => string
  /** Runs after the answers are out. */
  readonly afterwards?: (found: ReadonlyArray<A>) => Effect.Effect<void>
}): ((key: string) => Effect.Effect<A | undefined, StoreUnavailable>) => {
  let waiting: Array<Waiter<A>> = []

  const lookUp = (waiters: ReadonlyArray<Waiter<A>>): Effect.Effect<void> =>
    Effect.matchCauseEffect(whileAvailable(options.find([...new Set(waiters.map(({ key }) => key))])), {
      onSuccess: (found) => {
        const byKey = new Map(found.map((one) => [options.keyOf(one), one]))
        for (const { key, resume } of waiters) resume(Effect.succeed(byKey.get(key)))
        return options.afterwards?.(found) ?? Effect.void
      },
      onFailure: (cause) =>
        Effect.sync(() => {
          for (const { resume } of waiters) resume(Effect.failCause(cause))
        }),
    })

  return (key) =>
    // The statement's span is a child of the first one's.
    Effect.withFiber(({ context }) => {
      const flush = () => {
        const waiters = waiting
        waiting = []
        if (waiters.length > 0) Effect.runForkWith(context)(lookUp(waiters))
      }
      return Effect.callback((resume) => {
        waiting.push({ key, resume })
        if (waiting.length === 1) setImmediate(flush)
        else if (waiting.length === batchSize) flush()
      })
    })
}
