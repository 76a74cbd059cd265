import { oncePer } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type { Payment } from "../authority/entitlement.ts"
import { encodedCall } from "./encodedCall.ts"

/** What a call pays out of the contract's tokens, by itself or in a library that it calls. */
export const paymentOf = (flow: Flow, site: CallSite): Payment | undefined =>
  directPayment(flow, site) ?? paymentThrough(flow, site)

/**
 * ERC-20's `transfer` and `approve`, SafeERC20's with the token as the first argument, and ERC-721's and ERC-1155's for
 * items of the contract.
 */
const directPayment = (flow: Flow, site: CallSite): Payment | undefined => {
  const { callKind, at } = site
  const encoded = callKind === "call" ? encodedCall(flow, site.args[0], at) : undefined
  const { name, args } = encoded ?? site
  const [receiver, amount] =
    (callKind === "external" || encoded !== undefined) && own.has(name) && args.length === 2
      ? args
      : callKind === "library" && safe.has(name)
        ? args.slice(-2) // without the source of the library, the token is not among them
        : moves.has(name) && only(flow.origins(args[0]!, at), Source.self)
          ? args.slice(1)
          : []
  if (receiver === undefined || amount === undefined) return undefined
  return { site, receiver: flow.origins(receiver, at), amount: flow.origins(amount, at), holdings: Source.tokenBalance }
}

const own = new Set(["transfer", "approve", "increaseAllowance"])
const moves = new Set(["transferFrom", "safeTransferFrom", "safeBatchTransferFrom"])
const safe = new Set(["safeTransfer", "safeApprove", "forceApprove", "safeIncreaseAllowance"])

/** What a function of a library pays: the parameters, by position, that say to whom, how much, and on whose behalf. */
interface Payout {
  readonly receiver: number
  readonly amount: number
  /** One that must be this contract, where the function can also move what others have. */
  readonly payer: number | undefined
}

/** `Currency.pay(token, address(this), to, amount)` */
const paymentThrough = (flow: Flow, site: CallSite): Payment | undefined => {
  if (site.callKind !== "library" || site.target === undefined) return undefined
  const passed = (index: number): Origins | undefined => {
    const arg = site.args[index]
    return arg === undefined ? undefined : flow.origins(arg, site.at)
  }
  for (const payout of payouts(flow.program).get(site.target) ?? []) {
    const [receiver, amount] = [passed(payout.receiver), passed(payout.amount)]
    const payer = payout.payer === undefined ? undefined : passed(payout.payer)
    if (receiver === undefined || amount === undefined || (payer !== undefined && !only(payer, Source.self))) continue
    return { site, receiver, amount, holdings: Source.tokenBalance }
  }
  return undefined
}

/** Limit: different payouts of one function. */
const payoutLimit = 8

type Payouts = ReadonlyMap<FunctionModel, ReadonlyArray<Payout>>

/** What functions of libraries, and functions outside of contracts, pay: callees first. */
const payouts = oncePer((program: Program): Payouts => {
  const found = new Map<FunctionModel, ReadonlyArray<Payout>>()
  for (const fn of program.graph.groups.flat()) {
    if (!fn.implemented || (fn.contract !== undefined && fn.contract.node.contractKind !== "library")) continue
    const flow = program.flow(fn)
    const made = new Map<string, Payout>()
    for (const site of flow.calls()) {
      for (const one of payoutsAt(flow, site, found)) made.set(`${one.receiver} ${one.amount} ${one.payer}`, one)
      if (made.size >= payoutLimit) break
    }
    if (made.size > 0) found.set(fn, [...made.values()].slice(0, payoutLimit))
  }
  return found
})

const payoutsAt = (flow: Flow, site: CallSite, known: Payouts): ReadonlyArray<Payout> => {
  const indexOf = (o: Origins): number =>
    only(o, Source.parameter) && o.parameters.length === 1 ? flow.fn.parameters.indexOf(o.parameters[0]!) : -1
  // a library that encodes the call itself goes by SafeERC20's names, and so do its pulls
  const made = site.callKind === "call" ? undefined : directPayment(flow, site)
  if (made !== undefined)
    return [
      { receiver: indexOf(made.receiver), amount: indexOf(made.amount), payer: askedToBeThis(flow, site.at) },
    ].filter(isComplete)
  if (site.target === undefined || (site.callKind !== "library" && site.callKind !== "internal")) return []
  const passed = (index: number): number => {
    const arg = site.args[index]
    return arg === undefined ? -1 : indexOf(flow.origins(arg, site.at))
  }
  return (known.get(site.target) ?? [])
    .map(({ receiver, amount, payer }) => ({
      receiver: passed(receiver),
      amount: passed(amount),
      payer: payer === undefined ? askedToBeThis(flow, site.at) : passed(payer),
    }))
    .filter(isComplete)
}

const isComplete = ({ receiver, amount, payer }: Payout): boolean => receiver >= 0 && amount >= 0 && payer !== -1

/** `if (from == address(this))`: the parameter, by position. */
const askedToBeThis = (flow: Flow, at: FlowNode): number | undefined => {
  for (const fact of flow.facts(at)) {
    if (fact.kind === "any" || fact.operator !== "==" || fact.right === undefined) continue
    const sides = [fact.left, fact.right]
    const [parameter] = sides.find((side) => only(side, Source.parameter))?.parameters ?? []
    if (parameter !== undefined && sides.some((side) => only(side, Source.self)))
      return flow.fn.parameters.indexOf(parameter)
  }
  return undefined
}
