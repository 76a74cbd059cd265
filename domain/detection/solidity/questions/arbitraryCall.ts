import type { Expr } from "../cfg.ts"
import type { CallSite } from "../effects.ts"
import type { Flow } from "../flow.ts"
import { has, only, Source } from "../origins.ts"
import { strangersPath } from "./attackerControl.ts"

const chosen = Source.parameter | Source.calldata

const targetAndData = ({ callKind, call, name, receiver, args, target }: CallSite): ReadonlyArray<Expr | undefined> => {
  if (callKind === "call" && call !== undefined) return [receiver, args[0]]
  // OpenZeppelin's Address, where it is not among the sources
  const isWrapped = callKind === "library" && target === undefined && /^functionCall(WithValue)?$/.test(name)
  return isWrapped ? [args[0], args[1]] : []
}

/**
 * A low-level call whose target and whole calldata are what a stranger passed: the calls that lead to it, outermost
 * first. Undefined for all others.
 */
export const arbitraryCallPath = (flow: Flow, site: CallSite): ReadonlyArray<CallSite> | undefined => {
  const [receiver, data] = targetAndData(site)
  if (receiver === undefined || data === undefined) return undefined
  const target = flow.origins(receiver, site.at)
  if (!has(target, chosen) || has(target, Source.state | Source.immutable | Source.constant)) return undefined
  if (!only(flow.origins(data, site.at), chosen)) return undefined
  return strangersPath(flow, site.at, target, Source.calldata)
}
