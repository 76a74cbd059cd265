import { oncePer } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { has, only, type Origins, Source, substitute } from "../../flow/graph/origins.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { Flow } from "../../program.ts"
import type { Payment } from "../authority/entitlement.ts"
import { reachedOrigins } from "../value/reachedValue.ts"
import { alwaysFollowedBy } from "../../flow/graph/alwaysFollowedBy.ts"

/** What one step of a function lends, in that function's terms. */
interface Lent {
  readonly at: FlowNode
  readonly amount: Origins
  readonly token: Origins | undefined
}

/**
 * Whether it is a loan for the duration of the call: in the function that pays, or in one on the way to it, the same
 * amount is pulled back on every path, or the balance is compared with a minimum, for each token of the list if a list
 * is lent.
 */
export const isTakenBack = (
  flow: Flow,
  { site, amount }: Pick<Payment, "site" | "amount">,
  path: ReadonlyArray<CallSite>,
): boolean => {
  const token = tokenOf(site)
  let lender = flow
  let lent: Lent = { at: site.at, amount, token: token === undefined ? undefined : flow.origins(token, site.at) }
  if (isPulled(lender, lent) || isWeighed(lender, lent.at)) return true
  for (const call of path.toReversed()) {
    const { callable } = call.at
    if (callable.kind !== "Function") return false
    const { parameters } = lender.fn
    const caller = flow.program.flow(callable)
    const outside = (value: Origins): Origins =>
      substitute(value, (p) => {
        const arg = call.args[parameters.indexOf(p)]
        return arg === undefined ? undefined : caller.origins(arg, call.at)
      })
    lent = {
      at: call.at,
      amount: outside(lent.amount),
      token: lent.token === undefined ? undefined : outside(lent.token),
    }
    lender = caller
    if (isPulled(lender, lent) || isWeighed(lender, lent.at)) return true
  }
  return false
}

/** The token that receives the call, or that is the first argument if a library makes the call. */
const tokenOf = ({ callKind, receiver, args }: CallSite): CallSite["receiver"] =>
  callKind === "external" ? receiver : (args[0] ?? receiver)

const isSameToken = (a: Origins | undefined, b: Origins | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.sources === b.sources &&
  a.parameters.every((p) => b.parameters.includes(p)) &&
  a.state.every((v) => b.state.includes(v))

/** Whether one argument determines both, or a function without source returns both: `amount.toUint128()`. */
const isMadeOfSame = (a: Origins, b: Origins): boolean =>
  has(a, Source.unknown) ? has(b, Source.unknown) : a.parameters.some((p) => b.parameters.includes(p))

type Pull = Pick<Reached<CallSite>, "at" | "via" | "event"> & { readonly follows: (at: FlowNode) => boolean }

/** Limit: pulls of one function that are examined. */
const pullLimit = 16

const pullsOf = oncePer((flow: Flow): ReadonlyArray<Pull> =>
  flow.externalCalls
    .flatMap((call) => pullOf(call) ?? [])
    .slice(0, pullLimit)
    .map((pull) => ({ ...pull, follows: alwaysFollowedBy(flow, pull.at) })),
)

/** The call named `transferFrom`; how a library of the program makes it does not matter. */
const pullOf = ({ at, via, event }: Reached<CallSite>): Omit<Pull, "follows"> | undefined => {
  const calls = [...via, event]
  const said = calls.findIndex(({ name }) => /^(?:safe)?transferFrom$/i.test(name))
  return said < 0 ? undefined : { at, via: calls.slice(0, said), event: calls[said]! }
}

/** Whether as much of the token is returned, pulled by this function or by one that it calls. */
const isPulled = (flow: Flow, { at, amount, token }: Lent): boolean =>
  pullsOf(flow).some((reached) => {
    if (!reached.follows(at)) return false
    const { event } = reached
    const pulled = tokenOf(event)
    if (pulled === undefined || !isSameToken(token, reachedOrigins(flow, reached, pulled))) return false
    if (reached.via.length > 0 && !isUnlessThere(flow, event)) return false
    const given = event.args.map((arg) => reachedOrigins(flow, reached, arg))
    return given.some((o) => only(o, Source.self)) && given.some((o) => isMadeOfSame(o, amount))
  })

/** Whether a called function pulls on every path except those on which the tokens have already arrived. */
const isUnlessThere = (flow: Flow, { at }: CallSite): boolean => {
  const { callable } = at
  const inner = callable.kind === "Function" ? flow.program.flowIfBuilt(callable) : undefined
  if (inner === undefined) return false
  const always = inner.facts(inner.exit)
  return inner
    .facts(at)
    .every(
      (fact) =>
        always.some(({ expression }) => expression === fact.expression) ||
        (fact.kind === "relation" &&
          [fact.left, fact.right].some((side) => side !== undefined && has(side, Source.tokenBalance))),
    )
}

const orders: ReadonlySet<string> = new Set([">", ">=", "<", "<="])

/** Whether the balance is compared with a minimum afterwards, at the end or for each element of a list. */
const isWeighed = (flow: Flow, at: FlowNode): boolean =>
  flow
    .facts(flow.exit)
    .some(
      (fact) =>
        fact.kind === "relation" &&
        orders.has(fact.operator) &&
        (flow.nodes[fact.at.id] !== fact.at || flow.reaches(at, fact.at)) &&
        [fact.left, fact.right].some((side) => side !== undefined && has(side, Source.tokenBalance)),
    ) || isWeighedInTurn(flow, at)

/** Whether a loop lends, and a later one over the same list reverts unless the balance suffices. */
const isWeighedInTurn = (flow: Flow, at: FlowNode): boolean => {
  const lending = at.loop?.condition
  if (lending?.expression === undefined) return false
  const list = flow.origins(lending.expression, lending)
  return weighingOf(flow).some(
    ({ turn, over, follows }) =>
      turn !== lending && follows(at) && over.parameters.some((p) => list.parameters.includes(p)),
  )
}

/** A loop that reverts unless the balance suffices, and the list it iterates over. */
interface Weighing {
  readonly turn: FlowNode
  readonly over: Origins
  readonly follows: (at: FlowNode) => boolean
}

/** Limit: such loops of one function that are examined. */
const weighingLimit = 16

const weighingOf = oncePer((flow: Flow): ReadonlyArray<Weighing> => {
  const turns = new Set<FlowNode>()
  for (const node of flow.conditionNodes()) {
    const { expression } = node
    const turn = node.loop?.condition
    if (turn === undefined || expression?.kind !== "BinaryOperation" || !orders.has(expression.operator)) continue
    if (turns.size >= weighingLimit || turns.has(turn) || !isRequired(node)) continue
    if (has(flow.origins(expression, node), Source.tokenBalance)) turns.add(turn)
  }
  return [...turns].flatMap((turn) =>
    turn.expression === undefined
      ? []
      : [{ turn, over: flow.origins(turn.expression, turn), follows: alwaysFollowedBy(flow, turn) }],
  )
})

/** Whether nothing happens if the condition does not hold: one of its branches reverts. */
const isRequired = (node: FlowNode): boolean =>
  node.succs.some((branch) => branch.kind === "revert" || branch.succs.every(({ kind }) => kind === "revert"))
