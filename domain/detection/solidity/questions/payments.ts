import type { FlowNode } from "../cfg.ts"
import type { CallSite } from "../effects.ts"
import { type Flow, type Reached, sendsEther } from "../flow.ts"
import { isLargeFunction } from "./largeFunction.ts"

/** Calls of a function, and of those it calls, that hand out ether. */
export const paymentsOf = (flow: Flow): ReadonlyArray<Reached<CallSite>> =>
  flow.externalCalls.filter(({ event }) => sendsEther(event))

/** A payment that can run after a node. */
export const paymentAfter = (flow: Flow, node: FlowNode): Reached<CallSite> | undefined =>
  isLargeFunction(flow)
    ? paymentsOf(flow)[0]
    : paymentsOf(flow).find((payment) => payment.at === node || flow.reaches(node, payment.at))
