import type { CallSite } from "../../flow/graph/events.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { Flow } from "../../program.ts"

/**
 * Whether nobody but the caller loses by a call that fails unnoticed: they are refunded and nothing they had is reduced,
 * or they name who is called, and nothing is stored. What other contracts are asked to do may be what the call answers.
 */
export const isCallersLoss = (flow: Flow, site: CallSite): boolean => {
  if (site.receiver === undefined || site.callKind === "delegatecall") return false
  if (!flow.program.graph.isEntryPoint(flow.fn) || !isAlone(flow, site)) return false
  const callee = flow.origins(site.receiver, site.at)
  if (only(callee, Source.sender)) return !flow.writes.some(({ event }) => reduces(event))
  return flow.writes.length === 0 && only(callee, Source.parameter | Source.calldata)
}

const isAlone = (flow: Flow, site: CallSite): boolean =>
  flow.externalCalls.every(({ event }) => event === site || event.isStatic) &&
  !flow.calls().some(({ callKind }) => callKind === "unknown")

const reduces = ({ operation, value, at }: Flow["writes"][number]["event"]): boolean =>
  operation === "delete" ||
  (operation === "assign" && value !== undefined && isZero(value)) ||
  (at.expression?.kind === "Assignment" && at.expression.operator === "-=")
