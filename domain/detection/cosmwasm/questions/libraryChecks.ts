import type { CallEvent } from "../../rust/terms/events.ts"
import { isNamed, isOutcome, pointee, successType } from "../../rust/crate/types.ts"

/** Checks in contract libraries that return `Result`. */
export const isLibraryCheck = ({ path, name, method, args }: CallEvent): boolean =>
  method
    ? name === "assert_admin" && args[0] !== undefined && isNamed(pointee(args[0].type), "Admin")
    : /^(cw_\w+|cw2)::(\w+::)*(assert_owner|nonpayable|must_pay|may_pay|one_coin|assert_contract_version|ensure_from_older_version)$/.test(
        path,
      )

/** Those that return yes or no. */
const isLibraryQuestion = ({ path, name, method, args }: CallEvent): boolean =>
  method
    ? name === "is_admin" && args[0] !== undefined && isNamed(pointee(args[0].type), "Admin")
    : /^cw_ownable::(\w+::)*is_owner$/.test(path)

/** Whether a fallible function or a query has an unused result: `check(…);`, `is_admin(…)?;`. */
export const isResultIgnored = (event: CallEvent): boolean => {
  if (event.dropped === undefined) return false
  if (isNamed(successType(event.result.type), "bool")) return event.target !== undefined || isLibraryQuestion(event)
  return (
    event.handled !== true && ((event.target !== undefined && isOutcome(event.result.type)) || isLibraryCheck(event))
  )
}
