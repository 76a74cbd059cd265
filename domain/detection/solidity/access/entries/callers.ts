import type { AccessStanding } from "../../../../access/AccessTable.ts"
import { askingCalls, mayTieCaller } from "../../demands/callerInspection.ts"
import { demandsAt, type DemandKind, isMessenger } from "../../demands/demands.ts"
import { isBranch } from "../../demands/openings.ts"
import { callerCheck } from "../../flow/facts/callerCheck.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import { type Origins, Source } from "../../flow/graph/origins.ts"
import type { Callable, ContractModel, FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { walk } from "../../visit.ts"
import { conditionOf, isOnlyCheck, sourceOf } from "./conditionText.ts"
import { type Deed, isOwn } from "./deeds.ts"

const inWords: Record<DemandKind, string> = {
  owner: "a known account",
  member: "members of a table",
  external: "callers accepted by another contract",
  signature: "holders of a signature",
  proof: "holders of a proof",
  origin: "a known tx.origin",
  self: "the account that the call names",
  holder: "holders",
  listed: "members of a list",
  messenger: "a known account of another chain or contract",
  session: "callbacks during another call",
  unseen: "callers accepted by a check without source",
  relayed: "callers of the contracts that run this code",
  once: "anyone, once",
}

/** Limits: conditions shown for one deed, and conditions tried for it. */
const conditionLimit = 3
const triedLimit = 24

/**
 * Who can cause a deed: the conditions on the caller as a reader would look them up, or a description if there are none
 * in the code.
 */
export const callersOf = (deed: Deed, standing: AccessStanding, contract: ContractModel): string => {
  if (standing === "open") return "anyone"
  if (standing === "once") return "the first caller"
  const { demands, keys, flow } = deed
  const conditions = conditionsOf(deed, contract)
  if (conditions.length > 0) return conditions.join(" and ")
  const unseen = flow.fn.modifiers.find(({ modifier }) => modifier === undefined)
  if (demands.kinds.includes("unseen") && unseen !== undefined) return sourceOf(flow.program, flow.fn, unseen.node)
  const kind = demands.kinds.find((each) => each !== "once")
  if (kind !== undefined) return inWords[kind]
  if (isOwn(deed))
    return ((keys.sources | keys.keys) & Source.recovered) !== 0 ? inWords.signature : "anyone, for themselves"
  return askingIn(flow) ?? "depends on the caller"
}

/** A modifier or call of the function that inspects the sender. */
const askingIn = (flow: Flow): string | undefined => {
  const { program, fn } = flow
  const own = fn.modifiers.find(({ modifier }) => modifier !== undefined && namesSender(program, modifier))
  const asks = ({ at, target }: CallSite): boolean =>
    at.callable === fn && target !== undefined && isOnlyCheck(program, target)
  const node = own?.node ?? askingCalls(flow).find(asks)?.node
  return node === undefined ? undefined : sourceOf(program, fn, node)
}

/**
 * A fact on the way to a deed, as the entry point sees it, with the calls to the innermost function in which it is
 * known.
 */
interface Known {
  readonly fact: Fact
  readonly inner: Fact
  readonly via: ReadonlyArray<CallSite>
}

const factsOnTheWay = ({ flow: outermost, reached: { via, event } }: Deed): ReadonlyArray<Known> => {
  const found = new Map<Expr, Known>()
  let flow: Flow | undefined = outermost
  for (let i = 0; i <= via.length && flow !== undefined; i++) {
    const { at } = via[i] ?? event
    if (flow.nodes[at.id] !== at) break
    for (const inner of demandsAt(flow, at).facts)
      found.set(inner.expression, { fact: found.get(inner.expression)?.fact ?? inner, inner, via: via.slice(0, i) })
    const target: FunctionModel | undefined = via[i]?.target
    flow = target === undefined ? undefined : outermost.program.flowIfBuilt(target)
  }
  return [...found.values()]
}

const conditionsOf = (deed: Deed, contract: ContractModel): ReadonlyArray<string> => {
  const found = new Set<string>()
  const isTied = deed.demands.standing === "tied"
  const asked = factsOnTheWay(deed).filter(
    ({ fact }) =>
      !isEvident(fact) && (callerCheck(fact) !== undefined || isMessenger(fact) || (isTied && isAlternative(fact))),
  )
  for (const { fact, inner, via } of asked.slice(0, triedLimit)) {
    if (found.size >= conditionLimit) break
    const text = conditionOf({ flow: deed.flow, via, contract }, inner, fact)
    if (text !== undefined && !isTautology(text)) found.add(text)
  }
  return [...found]
}

/** `isPartner[msg.sender] || open`: who does not meet one condition on the caller needs the other. */
const isAlternative = (fact: Fact): boolean =>
  fact.kind === "any" && fact.expression.kind === "BinaryOperation" && !isBranch(fact) && mayTieCaller(fact)

/** `msg.sender == msg.sender`, where a helper is given the sender. */
const isTautology = (text: string): boolean => {
  const sides = text.slice(1, -1).split(" == ")
  return sides.length === 2 && sides[0] === sides[1]
}

/** Whether it holds for any caller: a helper that compares the sender with an owner received the sender as both. */
const isEvident = (fact: Fact): boolean =>
  fact.kind === "any"
    ? fact.options.some((option) => option.length > 0 && option.every(isEvident))
    : fact.operator === "==" && isSender(fact.left) && fact.right !== undefined && isSender(fact.right)

const isSender = ({ sources }: Origins): boolean => sources === Source.sender

const namesSender = (program: Program, callable: Callable): boolean => {
  let found = false
  if (callable.node !== undefined)
    walk(callable.node, (node) => {
      if (node.kind === "MemberAccess" && program.isBuiltin(node, "msg.sender")) found = true
      return !found
    })
  return found
}
