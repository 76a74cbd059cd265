import type { FlowNode } from "../../flow/graph/graph.ts"
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
