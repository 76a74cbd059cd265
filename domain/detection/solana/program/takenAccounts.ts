import type { Value } from "../../rust/terms/events.ts"
import type { CallSite } from "../../rust/walk/state/platform.ts"
import { isNamed, namedType, pointee } from "../../rust/crate/types.ts"
import type { Walk } from "../../rust/walk/state/walk.ts"
import { accountInfo, isAccountList } from "./accountTypes.ts"

/** Ways to take the next account out of the context of Pinocchio's lazy entry point, or out of parts of a list. */
export const takenAccount = (site: CallSite, walk: Walk): Value | undefined => {
  const [receiver, offset] = site.args
  if (receiver === undefined || site.target !== undefined) return undefined
  if (site.method && site.name === "try_into" && isAccountList(receiver.type))
    return { term: receiver.term, type: namedType("Result", [receiver.type]) }
  if (site.method) {
    if (!isNamed(pointee(receiver.type), "InstructionContext") || !site.name.startsWith("next_account"))
      return undefined
    const term = walk.advance(receiver.term)
    return { term, type: site.name === "next_account_unchecked" ? accountInfo : namedType("Result", [accountInfo]) }
  }
  // `array_ref![accounts, 0, 4]`
  if (!/^array_(mut_)?ref!$/.test(site.name) || offset === undefined || !isAccountList(receiver.type)) return undefined
  return { term: walk.terms.call("slice", "", [receiver.term, offset.term]), type: receiver.type }
}

/** `MaybeAccount::Account(pool)`: the other variant is an account that precedes it in the list. */
export const lazyPayload = (base: Value, variant: string): Value | undefined =>
  variant === "MaybeAccount::Account" ? { term: base.term, type: accountInfo } : undefined
