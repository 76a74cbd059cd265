import type { FunctionDefinition } from "../crate/crate.ts"
import { definitionOf, pointee, successType } from "../crate/types.ts"
import { canEnter, enter } from "./entering/enter.ts"
import { elementOf } from "./values/elements.ts"
import { isNone } from "./values/outcomes.ts"
import { flag, walkBranch } from "./control/branching.ts"
import { namesIn } from "./control/patterns.ts"
import type { Value } from "../terms/events.ts"
import { beyond, intersectionOf } from "../terms/facts.ts"
import { mentionsDirectly } from "../terms/mentionsDirectly.ts"
import type { Term } from "../terms/terms.ts"
import { assignedNames } from "../syntax/assignedNames.ts"
import type { Expression } from "../syntax/syntax.ts"
import type { State, Walk } from "./state/walk.ts"

export const evaluateLoop = (walk: Walk, node: Expression & { kind: "for" | "while" | "loop" }): Value => {
  const changed = assignedNames(node.body)
  if (node.kind === "for") {
    const list = walk.expression(node.iterable)
    const next = ownNext(walk, list)
    const element = next === undefined ? elementOf(walk, list) : undefined
    walkLoop(walk, changed, element?.term, false, () =>
      walk.hiding(namesIn(node.pattern), () => {
        walk.bindPattern(node.pattern, element ?? succeeded(enter(walk, next!, [list], node.iterable)))
        walk.block(node.body)
      }),
    )
    return walk.unit
  }
  walkLoop(walk, changed, undefined, node.kind === "loop", () => {
    if (node.kind === "while") walk.assume(walk.condition(node.condition), true)
    walk.block(node.body)
  })
  return node.kind === "loop" ? walk.opaque([]) : walk.unit
}

/** The `next` of an iterator of the project. */
const ownNext = (walk: Walk, list: Value): FunctionDefinition | undefined => {
  const type = definitionOf(pointee(list.type))
  const next = type === undefined ? undefined : walk.resolver.method(type, "next", "Iterator")
  return next !== undefined && canEnter(walk, next) ? next : undefined
}

const succeeded = ({ term, type }: Value): Value => ({ term, type: successType(type) })

export const breakLoop = (walk: Walk): void => {
  walk.loops.at(-1)?.breaks.push(walk.state)
  walk.die("jump")
}

/** Walks a loop's body once. What holds for each element at its end holds for all elements after the loop. */
const walkLoop = (
  walk: Walk,
  assigned: ReadonlySet<string>,
  element: Term | undefined,
  endless: boolean,
  body: () => void,
): void => {
  for (const name of assigned) {
    const value = walk.state.env.get(name)
    // A flag begins with the value set before the loop; assignments to it are seen where the branches join.
    if (value !== undefined && !(value.term.kind === "literal" && value.term.type === "boolean"))
      walk.state.env.set(name, { term: walk.terms.opaque([value.term]), type: value.type })
  }
  const breaks: Array<State> = []
  walk.loops.push({ breaks })
  const { state } = walkBranch(
    walk,
    () => {
      body()
      return walk.unit
    },
    undefined,
    true,
  )
  walk.loops.pop()
  if (state.counters !== walk.state.counters) walk.state.counters = new Map([...walk.state.counters, ...state.counters])
  for (const [name, value] of state.env.isUnchanged(walk.state.env) ? [] : walk.state.env) {
    const changed = state.env.get(name)
    if (changed !== undefined && changed.term !== value.term)
      walk.state.env.set(name, { ...value, term: walk.terms.choice([value.term, changed.term]) })
  }
  // `found = true; break`
  const { facts } = walk.state
  for (const name of breaks.length === 0 ? [] : assigned) {
    const value = walk.state.env.get(name)
    const raised = value === undefined ? undefined : flag(walk, name, [walk.state, ...breaks], facts)
    if (value !== undefined && raised !== undefined) walk.state.env.set(name, { ...value, term: raised })
  }
  if (breaks.length > 0 && breaks.length <= maxWays) for (const name of assigned) takeFound(walk, name, breaks)
  if (endless) {
    const [first, ...rest] = breaks
    if (first === undefined) walk.die(state.dead === "failure" ? "failure" : "return")
    else walk.learn(rest.reduce((all, one) => intersectionOf(all, one.facts), first.facts))
  } else if (element !== undefined && breaks.length === 0) {
    const about = [...state.facts].filter((fact) => !walk.state.facts.has(fact) && mentionsDirectly(fact, element))
    walk.learn(about)
  }
}

/** Of more ways to leave a loop, none is looked at. */
const maxWays = 8

/** `found = Some(one); break`: what was found, and what holds where it was, if it began as `None`. */
const takeFound = (walk: Walk, name: string, breaks: ReadonlyArray<State>): void => {
  const before = walk.state.env.get(name)
  if (before === undefined || !isNone(before.term)) return
  const found = breaks.filter(({ env }) => env.get(name)?.term !== before.term)
  const [first, ...rest] = found
  const value = first?.env.get(name)
  if (first === undefined || value === undefined) return
  const term = walk.terms.choice([before.term, ...found.map(({ env }) => env.get(name)!.term)])
  const common = rest.reduce((all, one) => intersectionOf(all, one.facts), first.facts)
  walk.state.env.set(name, { ...value, term, onSuccess: beyond(common, walk.state.facts) })
}
