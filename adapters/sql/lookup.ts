import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "../../application/ports/AnalysisStore.ts"
import { whileAvailable } from "./whileAvailable.ts"

interface Lookup<A> extends Request.Request<A | undefined, StoreUnavailable> {
  readonly key: string
}

/** Keys that one statement looks up: bounds the size of its parameter. */
const batchSize = 500

/**
 * Lookups by key that are in flight in the same tick share one statement. At 32 concurrent connections this is what
 * makes reads cheap: the cost of a statement, in the client and in the database, is divided by the batch.
 */
export const makeLookup = <A>(options: {
  readonly find: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<A>, SqlError>
  readonly keyOf: (found: A) => string
  /** Runs after the answers are out. */
  readonly afterwards?: (found: ReadonlyArray<A>) => Effect.Effect<void>
}): ((key: string) => Effect.Effect<A | undefined, StoreUnavailable>) => {
  const request = Request.of<Lookup<A>>()
  const resolver = RequestResolver.make<Lookup<A>>((entries) => {
    const keys = [...new Set(entries.map((entry) => entry.request.key))]
    return whileAvailable(options.find(keys)).pipe(
      Effect.tap((found) =>
        Effect.sync(() => {
          const byKey = new Map(found.map((one) => [options.keyOf(one), one]))
          for (const entry of entries) entry.completeUnsafe(Exit.succeed(byKey.get(entry.request.key)))
        }),
      ),
      Effect.flatMap((found) => options.afterwards?.(found) ?? Effect.void),
    )
  }).pipe(RequestResolver.batchN(batchSize))
  return (key) => Effect.request(request({ key }), resolver)
}
