import type { LocalVariable } from "../../model.ts"
import type { Expr, FlowNode } from "../graph/graph.ts"
import { has, only, type Origins, Source, substitute } from "../graph/origins.ts"

export type RelationOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "true" | "false"

/** What holds if the relation does not. */
export const negated: Record<RelationOperator, RelationOperator> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
  true: "false",
  false: "true",
}

/** The relation read from right to left. */
export const mirrored: Record<RelationOperator, RelationOperator> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
  true: "true",
  false: "false",
}

/** A comparison known to hold, or an expression known to be true or false. */
export interface Relation {
  readonly kind: "relation"
  readonly operator: RelationOperator
  readonly left: Origins
  /** Absent for `true` and `false`. */
  readonly right?: Origins
  /** Whether one side is the literal zero, `address(0)` or the like. */
  readonly withZero: boolean
  /** The condition as written, and where it is (possibly in a called function). */
  readonly expression: Expr
  readonly at: FlowNode
}

/** One of the options holds, each a list of facts. */
export interface AnyOf {
  readonly kind: "any"
  readonly options: ReadonlyArray<ReadonlyArray<Fact>>
  readonly expression: Expr
  readonly at: FlowNode
}

export type Fact = Relation | AnyOf

/** How many facts are kept from the end of one function; the rest is dropped. */
export const factLimit = 40

/** What it compares: one side, or two. */
export const sidesOf = ({ left, right }: Relation): ReadonlyArray<Origins> =>
  right === undefined ? [left] : [left, right]

/**
 * The stored time that must have come: `block.timestamp >= eta[id]`. A time that was never set is zero and has come as
 * well.
 */
export const dueTime = ({ operator, left, right }: Relation): Origins | undefined => {
  if (right === undefined) return undefined
  const [due, now] = operator === "<" || operator === "<=" ? [left, right] : [right, left]
  return (operator.startsWith("<") || operator.startsWith(">")) &&
    only(now, Source.timestamp | Source.blockNumber) &&
    has(due, Source.state) &&
    only(due, Source.state | Source.literal | Source.constant | Source.immutable)
    ? due
    : undefined
}

/** The relations among facts, including those in alternatives. */
export const relationsIn = (facts: ReadonlyArray<Fact>): ReadonlyArray<Relation> =>
  facts.flatMap((fact) => (fact.kind === "any" ? fact.options.flatMap(relationsIn) : [fact]))

/** Whether a relation of a kind holds, in each alternative where there are several. */
export const holdsIn = (facts: ReadonlyArray<Fact>, is: (relation: Relation) => boolean): boolean =>
  facts.some((fact) => (fact.kind === "any" ? fact.options.every((option) => holdsIn(option, is)) : is(fact)))

/** Nobody calls from address(0). */
export const isImpossible = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  fact.operator === "==" &&
  fact.withZero &&
  (fact.left.sources === Source.sender || fact.right?.sources === Source.sender)

/** A fact with the arguments in place of the parameters, without the options that these rule out. */
export const substituteFact = (fact: Fact, argument: (p: LocalVariable) => Origins | undefined): Fact => {
  if (fact.kind === "relation")
    return {
      ...fact,
      left: substitute(fact.left, argument),
      ...(fact.right === undefined ? {} : { right: substitute(fact.right, argument) }),
    }
  const options = fact.options.map((option) => option.map((f) => substituteFact(f, argument)))
  const possible = options.filter((option) => !option.some(isImpossible))
  return { ...fact, options: possible.length === 0 ? options : possible }
}
