import type { FunctionDefinition } from "../../crate/crate.ts"
import { unknownType } from "../../crate/types.ts"
import type { Frame, Value, WalkScope } from "../../terms/events.ts"
import type { Facts } from "../../terms/facts.ts"
import type { Locals } from "../../terms/locals.ts"
import type { Term } from "../../terms/terms.ts"
import { furthest } from "../state/counters.ts"
import { commonOf, learnOfNone } from "../state/ends.ts"
import type { Return, Walk } from "../state/walk.ts"

interface Returned {
  readonly value: Value
  /** Facts that hold from here on. */
  readonly learned: ReadonlyArray<Term>
  /** What names mean where it returns. */
  readonly ends: ReadonlyArray<Locals>
}

/** Walks a part with returns of its own, and goes on behind it. */
export const within = (walk: Walk, frame: Frame, run: () => void): Returned & { readonly scope: WalkScope } => {
  const outer = {
    frame: walk.frame,
    scope: walk.scope,
    returns: walk.returns,
    env: walk.state.env,
    loops: walk.loops,
    rewound: walk.rewound,
  }
  const before = walk.state.facts
  const scope: WalkScope = { parent: outer.scope, frame, startOrder: walk.order, endOrder: 0, loop: false }
  walk.frame = frame
  walk.deepest = Math.max(walk.deepest, frame.depth)
  walk.scope = scope
  walk.returns = []
  walk.loops = []
  walk.rewound = new Map()
  run()
  scope.endOrder = walk.order
  const returns = walk.returns
  walk.frame = outer.frame
  walk.scope = outer.scope
  walk.returns = outer.returns
  walk.loops = outer.loops
  walk.state = {
    env: outer.env,
    facts: before,
    counters: returns.length === 0 ? walk.state.counters : furthest(returns.map((one) => one.counters)),
    dead: false,
  }
  for (const [list, count] of walk.rewound)
    if (!returns.some(({ value }) => isPartOf(value.term, list))) walk.setCount(list, count)
  walk.rewound = outer.rewound
  return { ...returned(walk, frame, returns, before), scope }
}

/** Whether a result is an iterator over a list, or a reader around one. */
const isPartOf = (term: Term, list: Term): boolean =>
  term === list || (term.kind === "struct" && term.fields.some(([, field]) => field === list))

const returned = (walk: Walk, frame: Frame, returns: ReadonlyArray<Return>, before: Facts): Returned => {
  const [first] = returns
  if (first === undefined) return { value: { ...walk.opaque([]), failure: true }, learned: [], ends: [] }
  const common = commonOf(
    walk.terms,
    returns.map((one) => one.facts),
    before,
  )
  const type = returns.find((one) => one.value.type.kind !== "unknown")?.value.type ?? unknownType
  const fallible = frame.call === undefined || hasOutcome(frame.function)
  const learned = fallible ? [] : common
  walk.learn(learned)
  const ends = returns.map(({ env }) => env)
  const term = walk.terms.choice(returns.map((one) => one.value.term))
  learnOfNone(walk.terms, walk.implied, term, returns, before)
  if (returns.length > 1 && returns.some((one) => one.value.term.kind === "literal")) {
    const result = walk.terms.opaque([term])
    walk.implied.set(result, {
      whenTrue: sideOf(walk, returns, before, "false"),
      whenFalse: sideOf(walk, returns, before, "true"),
    })
    return { value: { term: result, type, onSuccess: common }, learned, ends }
  }
  return { value: { term, type, onSuccess: common }, learned, ends }
}

/** A predicate with several returns: what holds if it does not return one of the two values. */
const sideOf = (
  walk: Walk,
  returns: ReadonlyArray<Return>,
  before: Facts,
  excluded: "true" | "false",
): ReadonlyArray<Term> => {
  const kept = returns.filter(({ value }) => value.term.kind !== "literal" || value.term.value !== excluded)
  return commonOf(
    walk.terms,
    kept.map((one) =>
      walk.with(
        one.facts,
        one.value.term.kind === "literal" ? [] : walk.consequences(one.value.term, excluded === "false"),
      ),
    ),
    before,
  )
}

const hasOutcome = (target: FunctionDefinition): boolean => {
  const result = target.item.result
  if (result?.kind !== "path") return false
  const name = result.path.segments.at(-1)?.name ?? ""
  return name === "Option" || name.endsWith("Result")
}
