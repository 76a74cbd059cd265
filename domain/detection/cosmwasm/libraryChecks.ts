import type { CallEvent } from "../rust/terms/events.ts"
import { isNamed, pointee } from "../rust/crate/types.ts"

/** Checks of the contract libraries that answer with `Result`. */
export const isLibraryCheck = ({ path, name, method, args }: CallEvent): boolean =>
  method
    ? name === "assert_admin" && args[0] !== undefined && isNamed(pointee(args[0].type), "Admin")
    : /^(cw_\w+|cw2)::(\w+::)*(assert_owner|nonpayable|must_pay|may_pay|one_coin|assert_contract_version|ensure_from_older_version)$/.test(
        path,
      )
