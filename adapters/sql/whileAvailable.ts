import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../../application/ports/AnalysisStore.ts"

/** Longer than the connection and statement timeouts, which give the better message when they come first. */
const patience = Duration.seconds(20)

/**
 * SQLSTATE classes in which the database, not our statement, is at fault: connection, authentication, rollback,
 * resources, object state, operator intervention, system, internal.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const outageClasses: ReadonlySet<string> = new Set(["08", "28", "40", "53", "55", "57", "58", "XX"])

const isOutage = ({ reason }: SqlError): boolean => {
  switch (reason._tag) {
    case "ConnectionError":
    case "AuthenticationError":
    case "DeadlockError":
    case "SerializationError":
    case "LockTimeoutError":
    case "StatementTimeoutError":
      return true
    case "UnknownError": {
      const code = hasProperty(reason.cause, "code") ? String(reason.cause.code) : ""
      return outageClasses.has(code.slice(0, 2))
    }
    default:
      return false
  }
}

/** Turns trouble with the database into `StoreUnavailable`, after 20 s at the latest; a wrong statement is a defect. */
export const whileAvailable = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>,
): Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R> =>
  effect.pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(new StoreUnavailable({ cause: "The database did not answer in time" })),
    }),
    Effect.catch((error) => {
      // A type parameter is not narrowed by the negative branch of a guard.
      if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError> | StoreUnavailable)
      return isOutage(error) ? Effect.fail(new StoreUnavailable({ cause: error })) : Effect.die(error)
    }),
  )
