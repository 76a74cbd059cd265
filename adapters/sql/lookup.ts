import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "../../application/ports/StoreUnavailable.ts"
import { CurrentWaitingTime, type WaitingTime } from "../../application/ports/Deadline.ts"
import { whileAvailable } from "./whileAvailable.ts"

interface Waiter<A, K> {
  readonly key: K
  readonly since: number
  readonly time: WaitingTime | undefined
  readonly resume: (answer: Effect.Effect<A | undefined, StoreUnavailable>) => void
}

/** Milliseconds; a request makes two lookups, one for its caller and one for its subject. */
const patience = 2_000

/** Keys per statement: bounds the size of its parameter. */
const batchSize = 500

/**
 * Lookups by key that are in flight in the same turn of the event loop share one statement. At 32 concurrent
 * connections, this is what makes reads cheap: the cost of a statement, in the client and in the database, is divided
 * by the batch.
 * `Effect.request` is not used, because it takes the requests of a batch out of a reused `Set`, and V8 keeps former
 * contents of such a set alive, through a chain of its former tables, until the next full collection. That was 7 KB per
 * request, and pauses of 15 to 40 ms ten times a second.
 */
export const makeLookup = <A, K extends string = string>(options: {
  readonly find: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyArray<A>, SqlError>
  readonly keyOf: (found: A) => K
  /** Maximum number of keys per statement, if a key finds more than one row. */
  readonly most?: number
  /** Runs after the responses are sent. */
  readonly afterwards?: (found: ReadonlyArray<A>) => Effect.Effect<void>
}): ((key: K) => Effect.Effect<A | undefined, StoreUnavailable>) => {
  const most = options.most ?? batchSize
  let waiting: Array<Waiter<A, K>> = []

  const spend = (waiters: ReadonlyArray<Waiter<A, K>>): void => {
    const now = performance.now()
    for (const { since, time } of waiters) time?.spend(now - since)
  }

  const lookUp = (waiters: ReadonlyArray<Waiter<A, K>>): Effect.Effect<void> =>
    Effect.matchCauseEffect(whileAvailable(options.find([...new Set(waiters.map(({ key }) => key))]), patience), {
      onSuccess: (found) => {
        spend(waiters)
        const byKey = new Map(found.map((one) => [options.keyOf(one), one]))
        for (const { key, resume } of waiters) resume(Effect.succeed(byKey.get(key)))
        return options.afterwards?.(found) ?? Effect.void
      },
      onFailure: (cause) =>
        Effect.sync(() => {
          spend(waiters)
          for (const { resume } of waiters) resume(Effect.failCause(cause))
        }),
    })

  return (key) =>
    // The statement's span is a child of the first one's.
    Effect.withFiber((fiber) => {
      const { context } = fiber
      const time = fiber.getRef(CurrentWaitingTime)
      const flush = () => {
        const waiters = waiting
        waiting = []
        // Its time is that of the batch, not of the request that happened to be first.
        const shared = Context.add(context, CurrentWaitingTime, undefined)
        if (waiters.length > 0) Effect.runForkWith(shared)(lookUp(waiters))
      }
      return Effect.callback((resume) => {
        waiting.push({ key, since: performance.now(), time, resume })
        if (waiting.length === 1) setImmediate(flush)
        else if (waiting.length === most) flush()
      })
    })
}
