import { shutsOut } from "../../demands/demands.ts"
import type { Place } from "../../../Rule.ts"
import { oncePer } from "../../../oncePer.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite, Event } from "../../flow/graph/events.ts"
import { asks } from "../../flow/facts/callerCheck.ts"
import { dueTime, type Fact } from "../../flow/facts/facts.ts"
import type { Flow } from "../../program.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import { has, merge, type Origins, Source, substitute } from "../../flow/graph/origins.ts"

const fixed =
  Source.state | Source.immutable | Source.constant | Source.external | Source.created | Source.self | Source.sender

/** Limits: callers examined per function, and flows per question. */
const callerLimit = 24
const flowLimit = 64

const sharesParameter = (a: Origins["parameters"], b: Origins["parameters"]): boolean => a.some((p) => b.includes(p))

/** A fact that compares a value chosen by the caller with something the caller does not choose: an allowlist. */
const vets = (fact: Fact, value: Origins): boolean => {
  if (fact.kind === "any") return fact.options.every((option) => option.some((f) => vets(f, value)))
  const { operator, left, right } = fact
  if (dueTime(fact) !== undefined) return false
  const selects = (o: Origins | undefined): boolean =>
    o !== undefined &&
    (o.sources & (Source.state | Source.external | Source.unknown)) !== 0 &&
    sharesParameter(o.keyParameters, value.parameters) &&
    // That a token was moved proves nothing about the other members of the struct that named it.
    ((o.sources & Source.state) !== 0 || o.calls.length === 0 || o.calls.some(asks))
  if (selects(left) || selects(right)) return operator !== "false" || left.sources !== 0
  if (operator !== "==" || right === undefined) return false
  return (
    (sharesParameter(left.parameters, value.parameters) && (right.sources & fixed) !== 0) ||
    (sharesParameter(right.parameters, value.parameters) && (left.sources & fixed) !== 0)
  )
}

/**
 * Whether a check before `at` ties the value to something the contract knows: a table of allowed values, or a stored
 * value.
 */
export const isVetted = (flow: Flow, at: FlowNode, value: Origins): boolean =>
  value.parameters.length > 0 && (flow.facts(at).some((fact) => vets(fact, value)) || isHashedForCheck(flow, at, value))

/**
 * Whether its hash is passed to a function, before or after, since a revert undoes everything: a proposal, or an
 * operation that was announced.
 */
const isHashedForCheck = (flow: Flow, at: FlowNode, value: Origins): boolean =>
  hashedArguments(flow).some(
    ({ site, hash }) =>
      site.at !== at &&
      sharesParameter(hash.parameters, value.parameters) &&
      (flow.dominates(site.at, at) || flow.dominates(site.at, flow.exit)),
  )

interface HashedArgument {
  readonly site: CallSite
  readonly hash: Origins
}

const hashedArguments = oncePer((flow: Flow): ReadonlyArray<HashedArgument> =>
  [...flow.calls()].flatMap((site) =>
    site.callKind !== "internal"
      ? []
      : site.args
          .map((arg) => ({ site, hash: flow.origins(arg, site.at) }))
          .filter(({ hash }) => has(hash, Source.hash) && hash.parameters.length > 0),
  ),
)

/**
 * The calls by which a stranger gets a value of `sources` (parameters always count) to `at`, outermost first; empty if
 * the function can be called directly. Undefined if no stranger gets there, or if every path checks the value.
 * `mayBegin` selects the entry points that count.
 */
export const strangersPath = (
  flow: Flow,
  at: FlowNode,
  value: Origins,
  sources: number,
  mayBegin: (entry: FunctionModel) => boolean = () => true,
): ReadonlyArray<CallSite> | undefined => {
  const seen = new Set<Flow>()
  const search = (inside: Flow, node: FlowNode, o: Origins): ReadonlyArray<CallSite> | undefined => {
    if (!has(o, sources | Source.parameter) || seen.has(inside) || seen.size >= flowLimit) return undefined
    seen.add(inside)
    if (shutsOut(inside, node) || isVetted(inside, node, o)) return undefined
    const { graph, functionValues } = inside.program
    if (graph.isEntryPoint(inside.fn) && mayBegin(inside.fn)) return []
    // Arguments passed through a function pointer are unknown.
    if (functionValues.has(inside.fn) && has(o, sources & ~Source.parameter)) return []
    for (const edge of graph.callers(inside.fn).slice(0, callerLimit)) {
      const caller = inside.program.flow(edge.from)
      const site = caller.siteOf(edge.call.node)
      if (site === undefined) continue
      let passed: Origins = { ...o, sources: o.sources & ~Source.parameter, parameters: [], keyParameters: [] }
      for (const p of o.parameters) {
        const arg = site.args[inside.fn.parameters.indexOf(p)]
        if (arg !== undefined) passed = merge(passed, caller.origins(arg, site.at))
      }
      const path = search(caller, site.at, passed)
      if (path !== undefined) return [...path, site]
    }
    return undefined
  }
  return search(flow, at, value)
}

/** A value of a function in terms of the outermost function of the calls that lead to it. */
export const alongPath = (flow: Flow, value: Origins, path: ReadonlyArray<CallSite>): Origins => {
  let { fn } = flow
  let result = value
  for (const site of path.toReversed()) {
    const { callable } = site.at
    const called = fn
    const caller = callable.kind === "Function" ? flow.program.flow(callable) : undefined
    if (caller === undefined) return result
    result = substitute(result, (p) => {
      const arg = site.args[called.parameters.indexOf(p)]
      return arg === undefined ? undefined : caller.origins(arg, site.at)
    })
    fn = caller.fn
  }
  return result
}

/** The location of an event in the text. */
export const placeOf = (event: Event): Place => ({
  file: event.at.callable.source.file,
  span: event.kind === "call" ? event.node : event.expression,
})

/** The location of an expression that is evaluated at a node. */
export const placeAt = (at: FlowNode, span: Expr): Place => ({ file: at.callable.source.file, span })

/** A library or a free function does what its caller requests, so the mistake is in the contract that uses it. */
export const isInLibrary = ({ callable }: FlowNode): boolean => isLibrary(callable.contract)

/** The innermost call on the way to an event that a contract makes itself: the place where a mistake can be fixed. */
export const ownCall = ({ via, event }: Pick<Reached<CallSite>, "via" | "event">): CallSite =>
  [...via, event].findLast(({ at }) => !isInLibrary(at)) ?? event

/** Calls that leave the contract, made by the function's own text or by libraries on its behalf. */
export const directCalls = (flow: Flow): ReadonlyArray<Reached<CallSite>> =>
  flow.externalCalls.filter(({ via }) => via.every(({ target }) => target !== undefined && isLibraryFunction(target)))

export const isLibraryFunction = ({ contract }: FunctionModel): boolean => isLibrary(contract)

const isLibrary = (contract: ContractModel | undefined): boolean =>
  contract === undefined || contract.node.contractKind === "library"

/** Trace steps for the calls that lead to a place. */
export const callSteps = (path: ReadonlyArray<CallSite>): ReadonlyArray<Place & { readonly note: string }> =>
  path.map((site) => ({ ...placeOf(site), note: `calls \`${site.name}\`` }))
