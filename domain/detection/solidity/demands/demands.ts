import { oncePer, oncePerPair } from "../../oncePer.ts"
import { asks, type CallerCheckKind, callerCheck, restrictive } from "../flow/facts/callerCheck.ts"
import type { CallSite } from "../flow/graph/events.ts"
import { type AnyOf, type Fact, type Relation, relationsIn, sidesOf } from "../flow/facts/facts.ts"
import { isAboutNobody } from "../flow/facts/unseenGuards.ts"
import type { Expr, FlowNode } from "../flow/graph/graph.ts"
import { chosenByCaller, has, only, type Origins, Source } from "../flow/graph/origins.ts"
import { relaysOf } from "../flow/values/relays.ts"
import type { Flow } from "../program.ts"
import { judgedByAppointee } from "./appointed.ts"
import { askingCalls, hasIndex, isListed, mayTieCaller } from "./callerInspection.ts"
import { isBranch, openingOf } from "./openings.ts"
import { isSelfGranted } from "./selfGranted.ts"
import { toggles } from "./toggles.ts"

/**
 * Who can do something. `guarded`: only callers that a check admits · `tied`: the sender plays some part in a check, so
 * nobody in particular is kept out, but something is required · `open`: anyone.
 */
export type Standing = "guarded" | "tied" | "open"

/** What is required on every path through one step, in the function and in those on the way to the event. */
export interface Demands {
  readonly standing: Standing
  /** Facts in terms of the outermost function. */
  readonly facts: ReadonlyArray<Fact>
  /** How the caller is constrained, strongest kinds first. */
  readonly kinds: ReadonlyArray<DemandKind>
  /**
   * Whether the caller is inspected in a way that is not understood: rules that prefer missing a problem to a false
   * accusation treat it as a check.
   */
  readonly inspected: boolean
}

/**
 * `listed`: the sender is on a list that only others can add to · `messenger`: another contract states on whose behalf
 * it calls · `session`: a flag that is set only during another call of the contract · `unseen`: a check without source
 * · `relayed`: the contracts that run this code on their own storage keep strangers out · `once`: a flag that is never
 * reset.
 */
export type DemandKind = CallerCheckKind | "listed" | "messenger" | "session" | "unseen" | "relayed" | "once"

const keepsOut: ReadonlySet<DemandKind> = new Set([
  ...restrictive,
  "listed",
  "messenger",
  "session",
  "unseen",
  "relayed",
])

/** A step of the function `flow`, and the calls by which an event is reached from there. */
export interface Way {
  readonly at: FlowNode
  readonly via: ReadonlyArray<CallSite>
  readonly event: { readonly at: FlowNode }
}

const mentionsSender = (fact: Fact): boolean =>
  fact.kind === "any"
    ? !isBranch(fact) &&
      fact.options.some((option) => option.some((f) => !isBranchOnSelf(f, fact) && mentionsSender(f)))
    : !isMetByNewcomers(fact) &&
      [fact.left, fact.right].some(
        (side) =>
          side !== undefined &&
          ((side.sources | side.keys) & (Source.sender | Source.txOrigin)) !== 0 &&
          !isOutcome(side),
      )

/** `from == to ? … : …`, if they are this contract and the caller, who is another: only one way is open to anyone. */
const isBranchOnSelf = (fact: Fact, within: AnyOf): boolean =>
  fact.kind === "relation" &&
  fact.right !== undefined &&
  [fact.left, fact.right].some((side) => only(side, Source.self)) &&
  branchesIn(within).has(fact.expression)

/** The comparisons of which alternatives require both outcomes. */
const branchesIn = oncePer((within: AnyOf): ReadonlySet<Expr> => {
  const outcomes = new Map<Expr, Relation["operator"]>()
  const both = new Set<Expr>()
  for (const { expression, operator } of relationsIn([within])) {
    const other = outcomes.get(expression)
    if (other === undefined) outcomes.set(expression, operator)
    else if (other !== operator) both.add(expression)
  }
  return both
})

/**
 * `msg.sender != ownerOf[id]`, `debtOf[msg.sender] == 0`, `calls[msg.sender] < limit`: an account that is made for the
 * purpose meets it.
 */
const isMetByNewcomers = (fact: Relation): boolean => {
  const { operator, left, right, withZero } = fact
  if (boundedRecord(fact) !== undefined) return true
  // nobody calls from address(0)
  if (withZero && (left.sources === Source.sender || right?.sources === Source.sender)) return true
  if (operator === "!=" && right !== undefined)
    return (left.sources === Source.sender && isStored(right)) || (right.sources === Source.sender && isStored(left))
  const isNone = operator === "false" || ((operator === "==" || operator === "<=") && withZero)
  return isNone && [left, right].some((side) => side !== undefined && isStored(side) && side.keys === Source.sender)
}

/**
 * The sender's own record, if it only has to stay below something that does not depend on the sender:
 * `lastCall[msg.sender] + delay < block.timestamp`.
 */
export const boundedRecord = ({ operator, left, right }: Relation): Origins | undefined => {
  if (right === undefined) return undefined
  const [low, high] =
    operator === "<" || operator === "<=" ? [left, right] : operator === ">" || operator === ">=" ? [right, left] : []
  return low !== undefined &&
    low.keys === Source.sender &&
    has(low, Source.state) &&
    only(low, Source.state | Source.literal | Source.constant | Source.immutable) &&
    ((high!.sources | high!.keys) & ~bound) === 0
    ? low
    : undefined
}

/** What is the same for every caller. */
const bound = Source.literal | Source.constant | Source.immutable | Source.state | Source.timestamp | Source.blockNumber

const isStored = ({ sources }: Origins): boolean => sources === Source.state || sources === Source.external

/** Whether the value is the success of a call that gives something to the sender, or takes it from them. */
export const isOutcome = ({ sources, calls }: Origins): boolean =>
  (sources & Source.lowLevel) !== 0 || (calls.length > 0 && calls.every((call) => !asks(call) || isHook(call)))

/** `onERC1155Received(…)`: the receiver is asked whether it accepts the transfer. */
const isHook = (call: Origins["calls"][number]): boolean =>
  call.kind === "FunctionCall" && call.callee.kind === "MemberAccess" && /^on[A-Z]/.test(call.callee.member)

const answers = Source.external | Source.unknown | Source.lowLevel
const fixed = Source.state | Source.immutable | Source.constant

/**
 * `messenger.sender() == admin`: an answer that no argument selects is compared with a known account. Who owns a certain
 * item says nothing about the caller.
 */
export const isMessenger = (fact: Fact): boolean => {
  if (fact.kind === "any" || fact.operator !== "==" || fact.right === undefined) return false
  const answer = (o: Origins): boolean =>
    (o.sources & answers) !== 0 &&
    ((o.sources | o.keys) & (chosenByCaller | Source.tokenBalance)) === 0 &&
    o.calls.every((call) => call.kind !== "FunctionCall" || call.args.length === 0) &&
    (o.targets & chosenByCaller) === 0
  const account = (o: Origins): boolean =>
    (o.sources & fixed) !== 0 &&
    (o.sources & ~fixed) === 0 &&
    o.state.some(({ type }) => type.kind === "address" || type.kind === "contract")
  return (answer(fact.left) && account(fact.right)) || (answer(fact.right) && account(fact.left))
}

/** Whether a flag of `toggles` is set, but not by this function. */
const isSession = (flow: Flow, fact: Fact): boolean => {
  if (fact.kind === "any" || !(fact.operator === "true" || (fact.operator === "!=" && fact.withZero))) return false
  const { session } = toggles(flow.program)
  return [fact.left, fact.right].some((side) => {
    const setIn = side?.state.length === 1 ? session.get(side.state[0]!) : undefined
    return setIn !== undefined && !setIn.has(flow)
  })
}

/**
 * Whether a function that changes nothing and decides by the sender has been called, or one of several conditions
 * constrains the sender.
 */
const asksAbout = (flow: Flow, at: FlowNode, isVoid: (fact: Fact) => boolean): boolean =>
  flow.facts(at).some((fact) => fact.kind === "any" && !isVoid(fact) && mayTieCaller(fact)) ||
  hasIndex(flow, at) ||
  askingCalls(flow).some(
    ({ at: site, target, args }) =>
      site !== at &&
      target !== undefined &&
      changesNothing(flow.program.flow(target)) &&
      flow.dominates(site, at) &&
      !flow.facts(at).some((fact) => (fact.at.callable === target || args.includes(fact.expression)) && isVoid(fact)),
  )

export const changesNothing = (flow: Flow): boolean =>
  flow.writes.length === 0 && flow.externalCalls.every(({ event }) => event.isStatic)

/**
 * Whether a condition that is tested on every path keeps nobody out; the condition of a branch only says which path is
 * taken.
 */
const voidIn = (flow: Flow): ((fact: Fact) => boolean) => {
  let asked: ReadonlySet<Expr> | undefined
  return (fact) => {
    if (openingOf(fact) === undefined) return false
    if (fact.kind === "any") return true
    asked ??= new Set(flow.facts(flow.exit).map(({ expression }) => expression))
    return asked.has(fact.expression)
  }
}

/** What holds once a step is done, including what a function called there requires, in a loop or a branch as well. */
const factsAfter = (flow: Flow, { succs: [next, ...others] }: FlowNode): ReadonlyArray<Fact> =>
  next === undefined || others.length > 0 || next === flow.exit ? [] : flow.facts(next)

/**
 * Alternatives say nothing where one of them is known to hold, whoever calls: of `if (what == "fee") …; else onlyKeeper();`
 * only one way leads to each step.
 */
const withoutSettled = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  if (facts.every(({ kind }) => kind === "relation")) return facts
  const known = new Map<Expr, Relation["operator"]>()
  for (const fact of facts)
    if (
      fact.kind === "relation" &&
      !sidesOf(fact).some(({ sources, keys }) => ((sources | keys) & Source.sender) !== 0)
    )
      known.set(fact.expression, fact.operator)
  const holds = (fact: Fact): boolean =>
    fact.kind === "any"
      ? fact.options.some((option) => option.every(holds))
      : known.get(fact.expression) === fact.operator
  return facts.filter((fact) => fact.kind === "relation" || !holds(fact))
}

/**
 * What is required around one step of a function, in that function alone: before it, in it, and before the function
 * ends, since a revert undoes everything.
 */
export const demandsAt = oncePerPair((flow: Flow, at: FlowNode): Demands => {
  const before = flow.facts(at)
  const facts = withoutSettled(
    at === flow.exit || !flow.isReachable(flow.exit)
      ? before
      : [...new Set([...before, ...factsAfter(flow, at), ...flow.facts(flow.exit)])],
  )
  const isJudgedByAppointee = judgedByAppointee(flow)
  const opens = voidIn(flow)
  const isNothing = (fact: Fact): boolean => isJudgedByAppointee(fact) || isSelfGranted(flow, fact)
  const isVoid = (fact: Fact): boolean => isNothing(fact) || opens(fact)
  const kinds = new Set<DemandKind>()
  for (const fact of facts) {
    if (isNothing(fact)) continue
    const check = callerCheck(fact)
    if (check !== undefined) kinds.add(check.kind === "holder" && isListed(flow.program, fact) ? "listed" : check.kind)
    else if (isMessenger(fact)) kinds.add("messenger")
    else if (isSession(flow, fact)) kinds.add("session")
  }
  if (flow.hasUnseenCheck(at)) kinds.add("unseen")
  if (relaysOf(flow.program, flow.fn).length > 0 && flow.isRestricted(at)) kinds.add("relayed")
  if (flow.onceAt(at) !== undefined) kinds.add("once")
  const inspected = asksAbout(flow, at, isVoid)
  const standing: Standing = [...kinds].some((kind) => keepsOut.has(kind))
    ? "guarded"
    : kinds.size > (kinds.has("once") ? 1 : 0) ||
        facts.some((fact) => !isVoid(fact) && mentionsSender(fact)) ||
        inspected
      ? "tied"
      : "open"
  return { standing, facts, kinds: [...kinds], inspected }
})

/**
 * Whether strangers cannot reach a step: a particular account is required here, or in every function that calls this
 * one.
 */
export const shutsOut = (flow: Flow, at: FlowNode): boolean => {
  if (flow.fn.role === "constructor" || flow.isRestricted(at)) return true
  const { standing, inspected } = demandsAt(flow, at)
  return standing === "guarded" || inspected
}

/** A modifier without source may inspect the caller. */
export const mayAsk = ({ fn }: Flow): boolean =>
  fn.modifiers.some(({ modifier, node }) => modifier === undefined && !isAboutNobody(node.path.at(-1) ?? ""))

/** Whether strangers cannot reach a step, or a modifier without source may ensure that. */
export const mayShutOut = (flow: Flow, at: FlowNode): boolean => shutsOut(flow, at) || mayAsk(flow)

/** What is required of whoever causes an event through `flow`, from its first step on. */
export const demandsOn = (flow: Flow, way: Way): Demands => {
  const outermost = demandsAt(flow, way.at)
  if (outermost.standing === "guarded" || way.via.length === 0) return outermost
  let { standing } = outermost
  const kinds = new Set(outermost.kinds)
  for (const [i, site] of way.via.entries()) {
    const inner = site.target === undefined ? undefined : flow.program.flowIfBuilt(site.target)
    const step = (way.via[i + 1] ?? way.event).at
    if (inner === undefined || inner.nodes[step.id] !== step) break
    const more = demandsAt(inner, step)
    for (const kind of more.kinds) kinds.add(kind)
    if (more.standing === "guarded") return { ...outermost, standing: "guarded", kinds: [...kinds] }
    if (standing === "open") standing = more.standing
  }
  return { ...outermost, standing, kinds: [...kinds] }
}
