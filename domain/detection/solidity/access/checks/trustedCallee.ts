import type { CallSite } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { Flow } from "../../program.ts"
import { calleeOf, originsThrough } from "../../questions/authority/callOut.ts"
import { isTrustedChoice, requiresTrusted } from "./trustedChoice.ts"

/** Whether trusted accounts have named who is called, for all callers, or have admitted it: only they could call back. */
export const isTrustedCallee = (flow: Flow, call: Reached<CallSite>): boolean => {
  const { receiver, args } = call.event
  // SafeERC20 and the like, if their sources are missing: the token comes first.
  const target = receiver ?? args[0]
  if (target === undefined) return false
  const callee = originsThrough(flow, call, target)
  return (
    isTrustedChoice(flow.program, flow.expand(callee)) ||
    requiresTrusted(flow, call.at, ({ keyParameters }) => callee.parameters.some((p) => keyParameters.includes(p)))
  )
}

/** Whether an external call runs code that the caller of the contract chose, now or when it was stored. */
export const callsStranger = (flow: Flow, call: Reached<CallSite>): boolean =>
  calleeOf(flow, call) === "stranger" && !isTrustedCallee(flow, call)
