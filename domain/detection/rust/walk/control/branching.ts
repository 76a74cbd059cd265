import type { Span } from "../../../SourceFile.ts"
import { unknownType } from "../../crate/types.ts"
import type { Value, WalkScope } from "../../terms/events.ts"
import { beyond, type Facts, intersectionOf } from "../../terms/facts.ts"
import { rootOf, type Term } from "../../terms/terms.ts"
import { furthest } from "../state/counters.ts"
import { commonOf } from "../state/ends.ts"
import type { State, Walk } from "../state/walk.ts"

export interface Branch {
  readonly state: State
  readonly value: Value
}

type Arm = NonNullable<WalkScope["arm"]>

/** Runs a part that may not be executed; afterwards, the state is the previous one. */
export const walkBranch = (walk: Walk, run: () => Value, arm?: Arm, loop = false): Branch => {
  const before = walk.state
  walk.state = {
    env: before.env.fork(),
    facts: before.facts,
    counters: before.counters,
    dead: before.dead,
  }
  const scope: WalkScope = {
    parent: walk.scope,
    frame: walk.frame,
    startOrder: walk.order,
    endOrder: 0,
    loop,
    ...(arm === undefined ? {} : { arm }),
  }
  walk.scope = scope
  const value = arm !== undefined && isMessage(walk, arm) ? message(walk, arm, run) : run()
  if (walk.state.dead === false || walk.state.dead === "jump") scope.end = walk.state.facts
  scope.endOrder = walk.order
  walk.scope = scope.parent!
  const state = walk.state
  walk.state = before
  return { state, value }
}

/** An arm of the dispatch: each is walked like a separate entry point. */
const isMessage = (walk: Walk, { value, variant, node }: Arm): boolean => {
  if (walk.semantics.dispatches !== true || !variant.includes("::") || walk.dispatched.has(node)) return false
  const { kind } = rootOf(value)
  if (kind !== "parameter" && kind !== "call") return false
  walk.dispatched.add(node)
  return true
}

const message = (walk: Walk, arm: Arm, run: () => Value): Value => {
  const { begun, summaries } = walk
  walk.isOfThisPlace()
  walk.begun = walk.steps
  walk.summaries = new Map()
  walk.semantics.dispatched?.(walk, arm)
  const value = run()
  walk.begun = begun + walk.steps - walk.begun
  walk.summaries = summaries
  return value
}

/** Continues where the given branches end. */
export const joinBranches = (walk: Walk, branches: ReadonlyArray<Branch>): Value => {
  const live = branches.filter(({ state }) => state.dead === false)
  const [first] = live
  if (first === undefined) {
    const dead = branches.some(({ state }) => state.dead === "return")
      ? "return"
      : branches.some(({ state }) => state.dead === "jump")
        ? "jump"
        : "failure"
    if (branches.length > 0) walk.die(dead)
    return { ...walk.unit, never: true }
  }
  if (live.length === 1) {
    walk.state = first.state
    return first.value
  }
  const others = live.slice(1).map(({ state }) => state)
  let { facts } = first.state
  for (const other of others) facts = intersectionOf(facts, other.facts)
  facts = walk.with(facts, eitherOf(walk, [first.state, ...others], facts))
  const env = first.state.env.meet(
    others.map((other) => other.env),
    (name, terms) => flag(walk, name, [first.state, ...others], facts) ?? walk.terms.choice(terms),
  )
  walk.state = { env, facts, counters: furthest(live.map(({ state }) => state.counters)), dead: false }
  const good = live.filter(({ value }) => value.failure !== true)
  if (good.length === 0) return first.value
  let success: Facts | undefined
  for (const { state, value } of good) {
    const all = walk.with(state.facts, value.onSuccess ?? [])
    success = success === undefined ? all : intersectionOf(success, all)
  }
  const type = good.find(({ value }) => value.type.kind !== "unknown")?.value.type ?? unknownType
  const terms = new Set(good.map(({ value }) => value.term))
  const answered =
    terms.size > 1
      ? answer(
          walk,
          good.map(({ state, value }) => ({ state, term: value.term })),
          facts,
        )
      : undefined
  return {
    term: answered ?? walk.terms.choice([...terms]),
    type,
    onSuccess: success === undefined ? [] : beyond(success, facts),
  }
}

/** Facts that compare an account's address or owner, by that. */
const identitiesIn = (facts: ReadonlyArray<Term>): ReadonlyMap<Term, Term> => {
  const found = new Map<Term, Term>()
  for (const fact of facts)
    if (fact.kind === "binary" && fact.operator === "==")
      for (const side of [fact.left, fact.right])
        if (side.kind === "field" && (side.name === "key" || side.name === "owner")) found.set(side, fact)
  return found
}

/** What each branch compares the same address or owner with: one of the comparisons holds. */
const eitherOf = (walk: Walk, ends: ReadonlyArray<State>, common: Facts): ReadonlyArray<Term> => {
  const [first, ...others] = ends.map(({ facts }) => identitiesIn(beyond(facts, common)))
  if (first === undefined || first.size === 0) return []
  return [...first].flatMap(([subject, fact]) => {
    const all = others.map((one) => one.get(subject))
    return (
      all.reduce<Term | undefined>(
        (either, one) => (either === undefined || one === undefined ? undefined : walk.terms.binary("||", either, one)),
        fact,
      ) ?? []
    )
  })
}

/** A local that branches set to `true` or `false`: its value later implies what held where it was set. */
export const flag = (walk: Walk, name: string, ends: ReadonlyArray<State>, common: Facts): Term | undefined =>
  answer(
    walk,
    ends.map((state) => ({ state, term: state.env.get(name)?.term })),
    common,
  )

/** What branches answer by `true`, `false` or a condition, which implies what held in them. */
const answer = (
  walk: Walk,
  ends: ReadonlyArray<{ readonly state: State; readonly term: Term | undefined }>,
  common: Facts,
): Term | undefined => {
  const [yes, no]: [Array<Facts>, Array<Facts>] = [[], []]
  const conditions: Array<Term> = []
  for (const { state, term } of ends) {
    if (term === undefined || (term.kind === "literal" && term.type !== "boolean")) return undefined
    if (term.kind === "literal") (term.value === "true" ? yes : no).push(state.facts)
    else conditions.push(term)
  }
  if (yes.length + no.length === 0) return undefined
  for (const { state, term } of conditions.length === 0 ? [] : ends) {
    if (term === undefined || term.kind === "literal") continue
    // What an earlier answer stands for is said by its consequences.
    const said = (holds: boolean) =>
      walk.consequences(term, holds).filter((one) => (one.kind === "not" ? one.operand : one).kind !== "opaque")
    yes.push(walk.with(state.facts, said(true)))
    no.push(walk.with(state.facts, said(false)))
  }
  const result = walk.terms.opaque(conditions)
  walk.implied.set(result, {
    whenTrue: commonOf(walk.terms, yes, common),
    whenFalse: commonOf(walk.terms, no, common),
  })
  return result
}

const fails = ({ state, value }: Branch): boolean =>
  state.dead === "failure" || (state.dead === false && value.failure === true)

/** A condition whose other side fails is recorded as a check. */
export const decide = (
  walk: Walk,
  node: Span,
  condition: Term,
  whenTrue: () => Value,
  whenFalse: () => Value,
  tail: boolean,
): Value => {
  const then = walkBranch(walk, () => {
    walk.assume(condition, true)
    return whenTrue()
  })
  const otherwise = walkBranch(walk, () => {
    walk.assume(condition, false)
    return whenFalse()
  })
  const thenFails = fails(then)
  if (thenFails !== fails(otherwise))
    walk.emit({ ...walk.at(node), kind: "check", conditions: walk.consequences(condition, !thenFails) })
  if (tail && then.state.dead !== false && otherwise.state.dead !== false) {
    walk.die("return")
    return { ...walk.unit, never: true }
  }
  return joinBranches(walk, [then, otherwise])
}
