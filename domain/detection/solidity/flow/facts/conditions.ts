import type { Call, LocalVariable } from "../../model.ts"
import type { Flow, Program, Values } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { type Fact, negated, type RelationOperator, substituteFact } from "./facts.ts"
import type { Expr, FlowNode } from "../graph/graph.ts"
import { isZero } from "../values/isZero.ts"
import { from, keyed, type Origins, Source } from "../graph/origins.ts"

/** How many nested conditions are followed. */
const depthLimit = 10

const yulComparisons = new Map<string, RelationOperator>([
  ["eq", "=="],
  ["lt", "<"],
  ["gt", ">"],
  ["slt", "<"],
  ["sgt", ">"],
  ["xor", "!="],
  ["sub", "!="],
])
const yulBoolean = new Set(["eq", "lt", "gt", "slt", "sgt", "iszero", "and", "or"])

/** Takes conditions apart into facts, through boolean locals and internal functions. */
export class Conditions {
  private readonly program: Program
  private readonly flow: Flow
  private readonly values: Values

  constructor(program: Program, flow: Flow, values: Values) {
    this.program = program
    this.flow = flow
    this.values = values
  }

  /** What holds if `e` evaluated to `truth`. */
  facts(e: Expr, truth: boolean, at: FlowNode, depth = 0): ReadonlyArray<Fact> {
    const relation = (operator: RelationOperator, left: Expr, right?: Expr): ReadonlyArray<Fact> => [
      {
        kind: "relation",
        operator: truth ? operator : negated[operator],
        left: this.values.origins(left, at),
        ...(right === undefined ? {} : { right: this.values.origins(right, at) }),
        expression: e,
        at,
        withZero: isZero(left) || (right !== undefined && isZero(right)),
      },
    ]
    if (depth > depthLimit) return relation("true", e)
    switch (e.kind) {
      case "UnaryOperation":
        if (e.operator === "!") return this.facts(e.operand, !truth, at, depth + 1)
        break
      case "BinaryOperation":
        switch (e.operator) {
          case "&&":
          case "||": {
            const parts = [e.left, e.right].map((part) => this.facts(part, truth, at, depth + 1))
            // A true `&&` and a false `||` yield both sides; the other two cases yield one of them.
            if ((e.operator === "&&") === truth) return parts.flat()
            return [{ kind: "any", options: parts, expression: e, at }]
          }
          case "==":
          case "!=": {
            const literal = [e.left, e.right].find((side) => side.kind === "Literal" && side.literalKind === "bool")
            if (literal !== undefined && literal.kind === "Literal") {
              const other = literal === e.left ? e.right : e.left
              return this.facts(other, truth === ((literal.value === "true") === (e.operator === "==")), at, depth + 1)
            }
            return relation(e.operator, e.left, e.right)
          }
          case "<":
          case "<=":
          case ">":
          case ">=":
            return relation(e.operator, e.left, e.right)
        }
        break
      case "Identifier": {
        const variable = this.program.referenceOf(e)
        if (variable?.kind !== "LocalVariable") break
        const { definitions, initial } = this.values.reaching(variable, at)
        const only = definitions[0]
        if (
          initial ||
          definitions.length !== 1 ||
          only?.value === undefined ||
          only.keepsOld ||
          only.index !== undefined
        )
          break
        return this.facts(only.value, truth, only.at, depth + 1)
      }
      case "FunctionCall": {
        const call = this.program.callOf(e)
        const result = call === undefined ? undefined : this.ofCall(call, truth, at)
        if (result !== undefined) return result
        break
      }
      case "YulFunctionCall":
        return this.yul(e, truth, at, depth)
    }
    return relation("true", e)
  }

  private yul(e: S.YulFunctionCall, truth: boolean, at: FlowNode, depth: number): ReadonlyArray<Fact> {
    const [left, right] = e.args
    const boolean = (x: S.YulExpression | undefined): boolean => x?.kind === "YulFunctionCall" && yulBoolean.has(x.name)
    if (e.name === "iszero" && left !== undefined) return this.facts(left, !truth, at, depth + 1)
    if ((e.name === "shl" || e.name === "shr") && right !== undefined) return this.facts(right, truth, at, depth + 1)
    if (
      (e.name === "and" || e.name === "or") &&
      left !== undefined &&
      right !== undefined &&
      boolean(left) &&
      boolean(right)
    ) {
      const parts = [left, right].map((part) => this.facts(part, truth, at, depth + 1))
      return (e.name === "and") === truth ? parts.flat() : [{ kind: "any", options: parts, expression: e, at }]
    }
    const operator = yulComparisons.get(e.name)
    if (operator !== undefined && left !== undefined && right !== undefined) {
      return [
        {
          kind: "relation",
          operator: truth ? operator : negated[operator],
          left: this.values.origins(left, at),
          right: this.values.origins(right, at),
          expression: e,
          at,
          withZero: isZero(left) || isZero(right),
        },
      ]
    }
    return [
      {
        kind: "relation",
        operator: truth ? "true" : "false",
        left: this.values.origins(e, at),
        expression: e,
        at,
        withZero: false,
      },
    ]
  }

  /** What the result of an internal function tells, seen from the caller. */
  private ofCall(call: Call, truth: boolean, at: FlowNode): ReadonlyArray<Fact> | undefined {
    if (call.kind !== "internal" && call.kind !== "library") return undefined
    const target = this.program.dispatch(call, at.callable, this.flow.context)
    const callee = target === undefined ? undefined : this.program.flowIfBuilt(target)
    const facts = callee?.resultFacts(truth)
    if (truth && /signature/i.test(call.name) && /valid|verify|check/i.test(call.name)) {
      // ERC-1271 wallets answer by a call, which by itself looks like any other.
      const left = keyed(from(Source.recovered), this.values.all(call.args, at))
      return [
        { kind: "relation", operator: "true", left, expression: call.node, at, withZero: false },
        ...(facts ?? []),
      ]
    }
    if (facts === undefined || target === undefined) return undefined
    return this.forCaller(facts, call, target.parameters, at)
  }

  /** The facts of a callee, with the arguments in place of its parameters. */
  forCaller(
    facts: ReadonlyArray<Fact>,
    call: Call,
    parameters: ReadonlyArray<LocalVariable>,
    at: FlowNode,
  ): ReadonlyArray<Fact> {
    const passed = new Map<LocalVariable, Origins | undefined>()
    const argument = (p: LocalVariable): Origins | undefined => {
      if (!passed.has(p)) passed.set(p, this.values.argument(call, parameters, p, at))
      return passed.get(p)
    }
    return facts.flatMap((fact) => {
      // `_require(a <= b, code)`: the argument itself is what holds.
      const condition = passedCondition(this.program, call, parameters, fact)
      return condition === undefined
        ? [substituteFact(fact, argument)]
        : this.facts(condition, fact.kind === "relation" && fact.operator === "true", at)
    })
  }
}

/** What a call passes for the boolean parameter that a fact of the callee is about. */
const passedCondition = (
  program: Program,
  call: Call,
  parameters: ReadonlyArray<LocalVariable>,
  fact: Fact,
): S.Expression | undefined => {
  if (fact.kind === "any" || fact.right !== undefined || fact.expression.kind !== "Identifier") return undefined
  const variable = program.referenceOf(fact.expression)
  if (variable?.kind !== "LocalVariable" || variable.type.kind !== "bool") return undefined
  const arg = call.args[parameters.indexOf(variable)]
  return arg?.kind === "BinaryOperation" || arg?.kind === "UnaryOperation" ? arg : undefined
}
