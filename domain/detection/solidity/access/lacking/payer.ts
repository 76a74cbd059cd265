import { asks, callerCheck, type CallerCheckKind } from "../../flow/facts/callerCheck.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { type Fact, relationsIn, sidesOf } from "../../flow/facts/facts.ts"
import type { Flow } from "../../program.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { has, only, type Origins, Source, substitute } from "../../flow/graph/origins.ts"
import type { LocalVariable } from "../../model.ts"
import { indexBy } from "../../../indexBy.ts"
import { oncePer } from "../../../oncePer.ts"
import { SomeEvents } from "../../flow/graph/someEvents.ts"
import { type DemandKind, demandsAt } from "../../demands/demands.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { told } from "../entries/intent.ts"

/** Limits: calls followed per question, and in a row. */
const wayLimit = 400
const depthLimit = 12

/**
 * A role that acts for others; a signature or proof about something else does not count, nor does the sender's own
 * property.
 */
const trusted: ReadonlySet<DemandKind> = new Set<CallerCheckKind | DemandKind>([
  "owner",
  "member",
  "external",
  "origin",
  "messenger",
  "session",
  "unseen",
])

/**
 * The paths by which an account that the caller names reaches `at` without having approved it, each as the calls from
 * an entry point on, outermost first; an empty one if the function can be called directly.
 */
export function* pathsOfStrangers(flow: Flow, at: FlowNode, account: Origins): Iterable<ReadonlyArray<CallSite>> {
  const { graph } = flow.program
  const seen = new Set<Flow>()
  const queue: Array<{ flow: Flow; at: FlowNode; account: Origins; path: ReadonlyArray<CallSite> }> = [
    { flow, at, account, path: [] },
  ]
  for (let i = 0; i < queue.length && i < wayLimit; i++) {
    const { flow: inside, at: node, account: o, path } = queue[i]!
    // one of several that the caller does not name
    if (!has(o, told) || has(o, Source.sender | Source.state | Source.external | Source.recovered | Source.self))
      continue
    const { kinds, facts } = demandsAt(inside, node)
    if (inside.fn.role === "constructor") continue
    if (kinds.some((kind) => trusted.has(kind)) && !gainsForItself(inside, kinds, facts)) continue
    if (facts.some((fact) => concerns(fact, o.parameters)) || isHanded(inside, node, o.parameters)) continue
    if (graph.isEntryPoint(inside.fn)) yield path
    if (seen.has(inside) || path.length > depthLimit) continue
    seen.add(inside)
    for (const edge of graph.callers(inside.fn)) {
      const caller = flow.program.flow(edge.from)
      const site = caller.siteOf(edge.call.node)
      if (site === undefined) continue
      const passed = substitute({ ...o, keys: 0, keyParameters: [] }, (p) => {
        const arg = site.args[inside.fn.parameters.indexOf(p)]
        return arg === undefined ? undefined : caller.origins(arg, site.at)
      })
      queue.push({ flow: caller, at: site.at, account: passed, path: [site, ...path] })
    }
  }
}

/**
 * Whether the caller is a customer, not a role that acts for others: on a list, or the owner of an item that they name,
 * and what is taken goes up in a record of the caller or of that item.
 */
const gainsForItself = (flow: Flow, kinds: ReadonlyArray<DemandKind>, facts: ReadonlyArray<Fact>): boolean => {
  if (kinds.some((kind) => fixedRoles.has(kind))) return false
  const items: Array<LocalVariable> = []
  for (const fact of facts) {
    if (callerCheck(fact)?.kind !== "owner") continue
    const named = relationsIn([fact]).flatMap((each) => sidesOf(each).flatMap(({ keyParameters }) => keyParameters))
    if (named.length === 0) return false
    items.push(...named)
  }
  return (
    flow.writes.some(
      ({ event, place }) =>
        place !== undefined &&
        event.operation === "compound" &&
        (has(place.keys, Source.sender) || among(place.keys.parameters, items)) &&
        !isLowered(flow.program, event),
    ) ||
    flow
      .calls()
      .some(
        ({ name, args: [to], at }) =>
          /mint/i.test(name) && to !== undefined && only(flow.origins(to, at), Source.sender),
      )
  )
}

const fixedRoles: ReadonlySet<DemandKind> = new Set<DemandKind>(["origin", "messenger", "session", "unseen"])

const among = (a: ReadonlyArray<LocalVariable>, b: ReadonlyArray<LocalVariable>): boolean =>
  a.some((p) => b.includes(p))

const isTrusted = (fact: Fact): boolean => {
  const check = callerCheck(fact)
  return check !== undefined && trusted.has(check.kind)
}

/** Whether a fact compares the account with the sender, a signer, or somebody's knowledge of it. */
const concerns = (fact: Fact, account: ReadonlyArray<LocalVariable>): boolean => {
  if (fact.kind === "any")
    return fact.options.every((option) => option.some((f) => concerns(f, account) || isTrusted(f)))
  const sides = fact.right === undefined ? [fact.left] : [fact.left, fact.right]
  const isIn = ({ parameters, keyParameters }: Origins): boolean =>
    among(parameters, account) || among(keyParameters, account)
  if (!sides.some(isIn)) return false
  // that the payment itself succeeded
  const isOutcome = ({ sources, calls }: Origins): boolean =>
    (sources & Source.lowLevel) !== 0 || (calls.length > 0 && !calls.some(asks))
  if (sides.some((side) => isIn(side) && isOutcome(side))) return false
  const others = sides.reduce((bits, { sources, keys }) => bits | sources | keys, 0)
  // `from != address(0)` and `from != address(this)` prove nothing
  if (fact.operator === "!=" && (others & ~(Source.parameter | Source.literal | Source.self)) === 0) return false
  return (others & (fact.operator === "==" ? known | Source.self : known)) !== 0
}

const known =
  Source.sender |
  Source.txOrigin |
  Source.recovered |
  Source.hash |
  Source.state |
  Source.external |
  Source.unknown |
  Source.immutable |
  Source.constant

/**
 * Where a parameter and the sender are passed to a function that may revert: `_spendAllowance(from, msg.sender, …)`.
 */
const handings = oncePer((flow: Flow): ReadonlyMap<LocalVariable, SomeEvents> => {
  const handed = indexBy(flow.calls(), (site) => {
    if (!["internal", "library", "unknown", "external"].includes(site.callKind)) return []
    const passed = site.args.map((arg) => flow.origins(arg, site.at))
    const isAboutSender =
      passed.some((o) => has(o, Source.sender | Source.hash)) || /permit|sign|verif/i.test(site.name)
    return isAboutSender ? passed.flatMap(({ parameters }) => parameters) : []
  })
  return new Map([...handed].map(([parameter, sites]) => [parameter, new SomeEvents(flow, sites)]))
})

/** Whether the account and the sender were passed to an earlier function. */
const isHanded = (flow: Flow, node: FlowNode, account: ReadonlyArray<LocalVariable>): boolean =>
  account.some((parameter) => handings(flow).get(parameter)?.precede(node) === true)
