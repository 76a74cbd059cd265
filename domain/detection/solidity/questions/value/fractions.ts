import type { FlowNode } from "../../flow/graph/graph.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import type { StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { calledOperators } from "./calledOperators.ts"

/** Where a variable is used as a part of a whole: `amount * fee / 10_000`, `ONE - fee`. */
export interface Fraction {
  readonly at: FlowNode
  readonly expression: S.Expression
}

/** Those of some variables that are used so, each where it is read. */
export const fractions = (
  program: Program,
  variables: ReadonlySet<StateVariable>,
): ReadonlyMap<StateVariable, Fraction> => {
  const found = new Map<StateVariable, Fraction>()
  if (variables.size === 0) return found
  for (const flow of program.allFlows()) {
    const steps = new Set<FlowNode>()
    for (const { at, via, place } of flow.reads)
      if (via.length === 0 && place?.variables.some((variable) => variables.has(variable)) === true) steps.add(at)
    for (const at of steps) {
      if (at.expression === undefined) continue
      walk(at.expression, (e) => {
        const variable = partIn(flow, at, e)
        if (variable !== undefined && variables.has(variable) && !found.has(variable))
          found.set(variable, { at, expression: e as S.Expression }) // as partIn requires
      })
    }
  }
  return found
}

/** `a * part / whole`, `a.mul(part).div(whole)`, `whole - part`, `whole.sub(part)`: by operators or a library. */
const partIn = (flow: Flow, at: FlowNode, e: S.Node): StateVariable | undefined => {
  const { program } = flow
  const division = operandsOf(program, e, "/")
  if (division !== undefined) {
    const product = operandsOf(program, bare(division.left), "*")
    if (product === undefined || !isWhole(flow, at, division.right)) return undefined
    return storedIn(flow, at, product.right) ?? storedIn(flow, at, product.left)
  }
  const difference = operandsOf(program, e, "-")
  if (difference === undefined || !isWhole(flow, at, difference.left)) return undefined
  return storedIn(flow, at, difference.right)
}

interface Operands {
  readonly left: S.Expression
  readonly right: S.Expression
}

/** The name that libraries have for an operator, for those without source. */
const names = { "*": "mul", "/": "div", "-": "sub" } as const

const operandsOf = (program: Program, e: S.Node, operator: keyof typeof names): Operands | undefined => {
  if (e.kind === "BinaryOperation" && e.operator === operator) return e
  if (e.kind !== "FunctionCall" || e.callee.kind !== "MemberAccess" || e.args.length !== 1) return undefined
  const called = calledOperators(program, e)
  // a product may be checked by a division
  const isMeant =
    called.size === 0
      ? e.callee.member === names[operator]
      : called.has(operator) && (operator === "*" || !called.has("*"))
  return isMeant ? { left: e.callee.object, right: e.args[0]! } : undefined
}

const bare = (e: S.Expression): S.Expression => {
  let inner = e
  while (inner.kind === "TupleExpression" && inner.components.length === 1 && inner.components[0] !== undefined)
    inner = inner.components[0]
  return inner
}

const isWhole = (flow: Flow, at: FlowNode, e: S.Expression): boolean =>
  only(flow.origins(e, at), Source.literal | Source.constant)

const storedIn = (flow: Flow, at: FlowNode, e: S.Expression): StateVariable | undefined => {
  const value = flow.origins(e, at)
  return only(value, Source.state) && value.state.length === 1 && value.keys === 0 ? value.state[0] : undefined
}
