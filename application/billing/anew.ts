import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import type { AccountChanged } from "../ports/billing/BillingAccounts.ts"

/** A write is rejected only because another one succeeded, and neither a person nor Stripe makes this many at once. */
const attempts = 10

/** Starts over if another request changed the account between our read and our write. */
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
