import type { CallSite } from "../effects.ts"
import type { Flow } from "../flow.ts"
import { has, only, Source } from "../origins.ts"
import { strangersPath } from "./attackerControl.ts"

const chosen = Source.parameter | Source.calldata

/**
 * A low-level call whose target and whole calldata are what a stranger passed: the calls that lead to it, outermost
 * first. Undefined for all others.
 */
export const arbitraryCallPath = (flow: Flow, site: CallSite): ReadonlyArray<CallSite> | undefined => {
  const data = site.args[0]
  if (site.callKind !== "call" || site.call === undefined || site.receiver === undefined || data === undefined)
    return undefined
  const target = flow.origins(site.receiver, site.at)
  if (!has(target, chosen) || has(target, Source.state | Source.immutable | Source.constant)) return undefined
  if (!only(flow.origins(data, site.at), chosen)) return undefined
  return strangersPath(flow, site.at, target, Source.calldata)
}
