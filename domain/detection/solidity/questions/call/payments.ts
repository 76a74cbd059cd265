import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Flow } from "../../program.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import { isLargeFunction } from "../largeFunction.ts"
import { handsOutEther } from "../authority/callOut.ts"

/** Calls of a function, and of those it calls, that send ether. */
export const paymentsOf = (flow: Flow): ReadonlyArray<Reached<CallSite>> =>
  flow.externalCalls.filter((call) => handsOutEther(flow.program, call))

/** A payment that can run after a node. */
export const paymentAfter = (flow: Flow, node: FlowNode): Reached<CallSite> | undefined =>
  isLargeFunction(flow)
    ? paymentsOf(flow)[0]
    : paymentsOf(flow).find((payment) => payment.at === node || flow.reaches(node, payment.at))

/** A call by which ether or tokens of the contract leave, in the contract's own words. */
export interface Payout {
  readonly call: Reached<CallSite>
  readonly to: Expr
  readonly amount: Expr
}

/** The ether or tokens that a function, or those it calls, send out. */
export const payoutsOf = (flow: Flow): ReadonlyArray<Payout> =>
  flow.externalCalls.flatMap((call): ReadonlyArray<Payout> => {
    const { event, via } = call
    if (handsOutEther(flow.program, call) && event.receiver !== undefined)
      return [{ call, to: event.receiver, amount: event.value! }] // as handsOutEther requires
    for (const [i, site] of [...via, event].entries()) {
      const [to, amount] = tokenArgs(site)
      if (to === undefined || amount === undefined) continue
      return [{ call: { ...call, event: site, via: via.slice(0, i) }, to, amount }]
    }
    return []
  })

/** ERC-20's `transfer(to, amount)`, or a library's with the token as the first argument. */
const tokenArgs = ({ callKind, name, args }: CallSite): ReadonlyArray<Expr> =>
  callKind === "external" && name === "transfer" && args.length === 2
    ? args
    : callKind === "library" && name === "safeTransfer" && args.length === 3
      ? args.slice(1)
      : []
