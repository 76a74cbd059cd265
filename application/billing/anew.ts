import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import type { AccountChanged } from "../ports/BillingAccounts.ts"

/** Whenever one is refused another one succeeded: so many at the same time no person makes, nor does Stripe. */
const attempts = 10

/** Begins again where another request changed the account between its reading and our writing. */
export const anew = <A, E, R>(
  attempt: Effect.Effect<A, E | AccountChanged, R>,
): Effect.Effect<A, Exclude<E, AccountChanged> | StoreUnavailable, R> =>
  attempt.pipe(
    Effect.retry({ while: Predicate.isTagged("AccountChanged"), times: attempts }),
    Effect.mapError((error) =>
      Predicate.isTagged(error, "AccountChanged")
        ? new StoreUnavailable({ cause: "The account keeps changing" })
        : // A type parameter is not narrowed by the negative branch of a guard.
          (error as Exclude<E, AccountChanged>),
    ),
  )
