import type { Expr, FlowNode } from "./cfg.ts"
import type { Flow } from "./flow.ts"
import type { Call, LocalVariable } from "./model.ts"
import { chosenByCaller, from, type Origins, Source, substitute } from "./origins.ts"
import type { Program } from "./program.ts"
import type * as S from "./syntax.ts"
import type { Values } from "./values.ts"

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

const depthLimit = 10
/** Facts kept of one function's end; more are cut. */
export const factLimit = 40

const negated: Record<RelationOperator, RelationOperator> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
  true: "false",
  false: "true",
}

const mirrored: Record<RelationOperator, RelationOperator> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
  true: "true",
  false: "false",
}

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

  /** What holds when `e` came out as `truth`. */
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
            // true `&&` and false `||` give both; the other two give one of them
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
      // ERC-1271 wallets answer by a call, which in itself looks like any other
      const node = call.node
      return [
        { kind: "relation", operator: "true", left: from(Source.recovered), expression: node, at, withZero: false },
        ...(facts ?? []),
      ]
    }
    if (facts === undefined || target === undefined) return undefined
    return this.forCaller(facts, call, target.parameters, at)
  }

  /** Facts of a callee with what was passed in place of its parameters. */
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
    return facts.map((fact) => substituteFact(fact, argument))
  }
}

/** `0`, `0x0`, `address(0)`, `bytes32(0)`, `""`. */
export const isZero = (e: Expr): boolean => {
  if (e.kind === "FunctionCall")
    return e.callee.kind === "TypeNameExpression" && e.args.length === 1 && isZero(e.args[0]!)
  if (e.kind === "Literal") return e.literalKind === "string" ? e.value === "" : /^0[xX]?0*$/.test(e.value)
  return e.kind === "YulLiteral" && /^0x?0*$/.test(e.value)
}

const substituteFact = (fact: Fact, argument: (p: LocalVariable) => Origins | undefined): Fact =>
  fact.kind === "any"
    ? { ...fact, options: fact.options.map((option) => option.map((f) => substituteFact(f, argument))) }
    : {
        ...fact,
        left: substitute(fact.left, argument),
        ...(fact.right === undefined ? {} : { right: substitute(fact.right, argument) }),
      }

/**
 * How a fact ties an execution to who asked for it. `owner`: the sender equals something stored, constant or immutable ·
 * `member`: a stored table says yes to the sender · `external`: another contract says so · `signature`: a recovered
 * signer · `proof`: a hash of the input equals a stored one · `origin`: tx.origin in place of the sender · `self`: the
 * sender equals an argument · `holder`: the sender has a balance or entry that is not zero.
 */
export type CallerCheckKind = "owner" | "member" | "external" | "signature" | "proof" | "origin" | "self" | "holder"

export interface CallerCheck {
  readonly kind: CallerCheckKind
  readonly fact: Fact
}

/** Those that keep strangers out. */
export const restrictive: ReadonlySet<CallerCheckKind> = new Set([
  "owner",
  "member",
  "external",
  "signature",
  "proof",
  "origin",
])

const fixedSources =
  Source.state | Source.constant | Source.immutable | Source.external | Source.self | Source.created | Source.lowLevel
const plain = Source.literal | Source.constant | Source.immutable | Source.state

/** Reads a fact as a check of the caller; undefined when it is none. */
export const callerCheck = (fact: Fact): CallerCheck | undefined => {
  if (fact.kind === "any") {
    // every way to pass must check the caller; the weakest of them counts
    let weakest: CallerCheck | undefined
    for (const option of fact.options) {
      if (option.some(isImpossible)) continue
      const checks = option.flatMap((f) => callerCheck(f) ?? [])
      const best = checks.find((c) => restrictive.has(c.kind)) ?? checks[0]
      if (best === undefined) return undefined
      if (weakest === undefined || !restrictive.has(best.kind)) weakest = best
    }
    return weakest === undefined ? undefined : { kind: weakest.kind, fact }
  }
  const kind = kindOf(fact)
  return kind === undefined ? undefined : { kind, fact }
}

/** The sender is never address(0). */
const isImpossible = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  fact.operator === "==" &&
  fact.withZero &&
  (fact.left.sources === Source.sender || fact.right?.sources === Source.sender)

const kindOf = ({ operator: written, left, right, withZero }: Relation): CallerCheckKind | undefined => {
  if (right === undefined) {
    if (written !== "true") return undefined
    if ((left.sources & Source.recovered) !== 0) return "signature"
    if ((left.sources & Source.hash) !== 0 && (left.sources & Source.state) !== 0) return "proof"
    return lookup(left)
  }
  for (const [a, b, operator] of [
    [left, right, written],
    [right, left, mirrored[written]],
  ] as const) {
    if ((a.sources & Source.recovered) !== 0) {
      // a comparison with zero alone proves nothing about who signed
      if (operator === "==" && (b.sources & ~Source.literal) !== 0) return "signature"
      continue
    }
    if (operator === "==" && (a.sources & Source.sender) !== 0) {
      if ((b.sources & fixedSources) !== 0) return (b.targets & chosenByCaller) === 0 ? "owner" : "self"
      if (b.sources === Source.literal) return withZero ? undefined : "owner"
      if ((b.sources & (Source.parameter | Source.calldata)) !== 0) return "self"
    }
    if (operator === "==" && (a.sources & Source.txOrigin) !== 0 && (b.sources & (fixedSources | Source.literal)) !== 0)
      return "origin"
    if (
      operator === "==" &&
      (a.sources & Source.hash) !== 0 &&
      (b.sources & (Source.state | Source.immutable | Source.constant)) !== 0 &&
      (a.sources & (Source.parameter | Source.calldata | Source.sender)) !== 0
    )
      return "proof"
    const table = lookup(a)
    if (table === undefined) continue
    // an entry of the sender that is large enough for what is asked, or not empty: anyone may come to have one
    if (operator === ">" || operator === ">=" || (operator === "!=" && withZero))
      return table === "member" ? "holder" : undefined
    if (operator === "==" && !withZero && (b.sources & ~plain) === 0) return table
  }
  return undefined
}

/** Something stored, or another contract's answer, that the sender selects. */
const lookup = (value: Origins): CallerCheckKind | undefined => {
  if ((value.keys & Source.sender) === 0) {
    return (value.keys & Source.txOrigin) !== 0 && (value.sources & Source.state) !== 0 ? "origin" : undefined
  }
  if ((value.sources & Source.state) !== 0) return "member"
  // an answer proves nothing when the sender chose whom to ask
  if ((value.targets & chosenByCaller) !== 0) return undefined
  if ((value.sources & (Source.external | Source.lowLevel | Source.unknown)) === 0) return undefined
  return value.calls.length === 0 || value.calls.some(asks) ? "external" : undefined
}

/** False where the call does something for the sender (takes a payment), which anybody can have done for themselves. */
export const asks = (call: S.FunctionCall | S.YulFunctionCall): boolean => {
  if (call.kind === "YulFunctionCall") return true
  const callee = call.callee.kind === "FunctionCallOptions" ? call.callee.callee : call.callee
  return callee.kind !== "MemberAccess" || !/^(safe)?(transfer|burn|pull|deposit|permit|mint)/i.test(callee.member)
}
