import * as Cause from "effect/Cause"
import { hasProperty } from "effect/Predicate"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** The SQLSTATE of the database's error, or empty. */
export const stateOf = ({ reason }: SqlError): string =>
  hasProperty(reason.cause, "code") ? String(reason.cause.code) : ""

/**
 * The database errors among all the reasons of a cause. A transaction whose ROLLBACK fails as well has two, the second
 * one as a defect, which hides the first from code that looks only for failures.
 */
export const sqlErrorsIn = (cause: Cause.Cause<unknown>): ReadonlyArray<SqlError> =>
  cause.reasons.flatMap((reason) => {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return isSqlError(error) ? [error] : []
  })

/** The first SQLSTATE among the reasons of a cause. */
export const sqlState = (cause: Cause.Cause<unknown>): string | undefined => {
  const [error] = sqlErrorsIn(cause)
  return error === undefined ? undefined : stateOf(error)
}
