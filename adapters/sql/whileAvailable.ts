import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../../application/ports/StoreUnavailable.ts"
import { CurrentWaitingTime, Deadline } from "../../application/ports/Deadline.ts"
import { sqlErrorsIn, stateOf } from "./sqlState.ts"

/** Milliseconds. */
const patience = 4_200

/**
 * Milliseconds by which a statement's own deadline comes first: it states the reason and ends its connection. This one
 * is for requests that still wait for a connection.
 */
const grace = 300

/**
 * SQLSTATE classes in which the database, not our statement, is at fault: connection, invalid transaction state (a
 * database that is read-only, a transaction that was idle for too long), authentication, rollback, resources, object
 * state, operator intervention, system, internal. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const outageClasses: ReadonlySet<string> = new Set(["08", "25", "28", "40", "53", "55", "57", "58", "XX"])

export const isOutage = (error: SqlError): boolean => {
  switch (error.reason._tag) {
    case "ConnectionError":
    case "AuthenticationError":
    case "DeadlockError":
    case "SerializationError":
    case "LockTimeoutError":
    case "StatementTimeoutError":
      return true
    case "UnknownError":
      return outageClasses.has(stateOf(error).slice(0, 2))
    default:
      return false
  }
}

/**
 * Turns database trouble into `StoreUnavailable` after at most this many milliseconds, or earlier if the request has
 * used up its time for the database; an invalid statement is a defect.
 */
export const whileAvailable = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>,
  milliseconds: number = patience,
): Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R> =>
  Effect.withFiber<A, E | SqlError | StoreUnavailable, R>((fiber) => {
    const now = performance.now()
    const time = fiber.getRef(CurrentWaitingTime)
    const left = Math.max(0, Math.min(milliseconds, time?.left ?? Infinity))
    const waiting = effect.pipe(
      Effect.provideService(Deadline, Math.min(fiber.getRef(Deadline) ?? Infinity, now + left)),
      Effect.timeoutOrElse({
        duration: left + grace,
        orElse: () => Effect.fail(new StoreUnavailable({ cause: "The database did not answer in time" })),
      }),
    )
    return time === undefined
      ? waiting
      : Effect.ensuring(
          waiting,
          Effect.sync(() => time.spend(performance.now() - now)),
        )
  }).pipe(
    Effect.catchCause((cause) => {
      const errors = sqlErrorsIn(cause)
      const outage = errors.find(isOutage)
      if (outage !== undefined) return Effect.fail(new StoreUnavailable({ cause: outage }))
      return errors.length > 0
        ? Effect.die(errors[0])
        : // None of its reasons is a database error.
          Effect.failCause(cause as Cause.Cause<Exclude<E, SqlError> | StoreUnavailable>)
    }),
  )
