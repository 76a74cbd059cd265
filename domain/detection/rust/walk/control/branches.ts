import { examined, type Value } from "../../terms/events.ts"
import { outcomeOf } from "./conditions.ts"
import { selectedVariant } from "./patterns.ts"
import { alternativesAbout, settledBy } from "./settled.ts"
import type { Expression, MatchArm } from "../../syntax/syntax.ts"
import type { Term } from "../../terms/terms.ts"
import { definitionOf } from "../../crate/types.ts"
import { decide, joinBranches, walkBranch } from "./branching.ts"
import { exit, returnValue } from "./leaving.ts"
import type { Walk } from "../state/walk.ts"

/** The arms that a match can take: if the value is a variant written in the text, the arm for it. */
const reachable = (walk: Walk, node: Expression & { kind: "match" }, value: Value): ReadonlyArray<MatchArm> => {
  const definition = definitionOf(value.type)
  if (value.failure !== undefined) {
    const taken = node.arms.filter(({ pattern }) => {
      const [fact] = walk.patternFacts(pattern, value)
      return fact === undefined || outcomeOf(fact, value) !== false
    })
    return taken.length === 0 ? node.arms : taken
  }
  if (value.term.kind !== "constant" || definition?.kind !== "enum") return node.arms
  const { name } = value.term
  if (!definition.item.variants.some((one) => one.name === name)) return node.arms
  const open = node.arms.filter(({ pattern }) => {
    const [fact, ...rest] = walk.patternFacts(pattern, value)
    if (fact?.kind !== "is" || rest.length > 0) return true
    return fact.variant.slice(fact.variant.lastIndexOf(":") + 1) === name
  })
  return open.length === 0 ? node.arms : open
}

export const evaluateMatch = (walk: Walk, node: Expression & { kind: "match" }, tail: boolean): Value => {
  const value = walk.expression(node.value)
  if (walk.isDead) return { ...walk.unit, never: true }
  if (value.event !== undefined) examined(value.event)
  const earlier: Array<Term> = []
  const open = alternativesAbout(walk, value.term)
  let failing = 0
  let goingOn: ReadonlyArray<Term> | undefined
  const branches = reachable(walk, node, value).map((arm) => {
    const facts = walk.patternFacts(arm.pattern, value)
    const variant = selectedVariant(walk, arm.pattern)
    const branch = walkBranch(
      walk,
      () => {
        const taken = facts.length === 0 ? earlier : facts.flatMap((fact) => walk.consequences(fact, true))
        walk.learn(open.length === 0 ? taken : [...taken, ...settledBy(walk, open, value.term, taken)])
        walk.bindPattern(arm.pattern, value)
        if (arm.guard !== undefined) walk.assume(walk.condition(arm.guard), true)
        if (!tail) return walk.expression(arm.body)
        returnValue(walk, arm.body)
        return { ...walk.unit, never: true }
      },
      variant === undefined ? undefined : { value: value.term, variant, node: arm },
    )
    if (branch.state.dead === "failure" || (branch.state.dead === false && branch.value.failure === true)) failing++
    else goingOn = goingOn === undefined ? facts : []
    const [first] = facts
    if (arm.guard === undefined && facts.length === 1 && first !== undefined) earlier.push(walk.terms.not(first))
    return branch
  })
  if (failing > 0 && failing < node.arms.length)
    walk.emit({ ...walk.at(node.value), kind: "check", conditions: goingOn ?? [] })
  return joinBranches(walk, branches)
}

/** `seeds.is_empty()` if a caller passes `&[]`: one branch never runs. */
const booleanValue = (term: Term): boolean | undefined =>
  term.kind === "literal" && term.type === "boolean" ? term.value === "true" : undefined

export const evaluateIf = (walk: Walk, node: Expression & { kind: "if" }, tail: boolean): Value => {
  const condition = walk.condition(node.condition)
  if (walk.isDead) return { ...walk.unit, never: true }
  const run = (part: Expression | undefined) => (): Value => {
    if (tail) {
      if (part === undefined) exit(walk, node, walk.unit)
      else returnValue(walk, part)
      return { ...walk.unit, never: true }
    }
    return part === undefined ? walk.unit : walk.expression(part)
  }
  const always = /^(methodCall|let)$/.test(node.condition.kind) ? booleanValue(condition) : undefined
  if (always !== undefined) {
    const only = walkBranch(walk, run(always ? node.then : node.otherwise))
    if (tail && only.state.dead !== false) {
      walk.die("return")
      return { ...walk.unit, never: true }
    }
    return joinBranches(walk, [only])
  }
  return decide(walk, node.condition, condition, run(node.then), run(node.otherwise), tail)
}
