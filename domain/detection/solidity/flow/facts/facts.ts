import type { LocalVariable } from "../../model.ts"
import type { Expr, FlowNode } from "../graph/graph.ts"
import { type Origins, substitute } from "../graph/origins.ts"

export type RelationOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "true" | "false"

/** A comparison known to hold, or an expression known to be true or false. */
export interface Relation {
  readonly kind: "relation"
  readonly operator: RelationOperator
  readonly left: Origins
  /** Absent for `true` and `false`. */
  readonly right?: Origins
  /** One side is the literal zero, `address(0)` or the like. */
  readonly withZero: boolean
  /** The condition as written, and where it stands (maybe in a function called). */
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

/** Facts kept of one function's end; more are cut. */
export const factLimit = 40

/** A fact with what was passed in place of parameters. */
export const substituteFact = (fact: Fact, argument: (p: LocalVariable) => Origins | undefined): Fact =>
  fact.kind === "any"
    ? { ...fact, options: fact.options.map((option) => option.map((f) => substituteFact(f, argument))) }
    : {
        ...fact,
        left: substitute(fact.left, argument),
        ...(fact.right === undefined ? {} : { right: substitute(fact.right, argument) }),
      }
