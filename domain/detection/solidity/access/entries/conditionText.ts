import { accessLimits, shortened } from "../../../../access/accessLimits.ts"
import { lexicalScan } from "../../../../finding/lexicalScan.ts"
import type { Edge } from "../../callGraph.ts"
import { changesNothing } from "../../demands/demands.ts"
import { callerCheck } from "../../flow/facts/callerCheck.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { Call, Callable, ContractModel, FunctionModel, LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type { Node } from "../../syntax.ts"
import { walk } from "../../visit.ts"

/** Limit: alternatives shown of one condition. */
const optionLimit = 4

/** An entry point, and the calls of program functions through which a condition is reached. */
interface Start {
  readonly flow: Flow
  readonly via: ReadonlyArray<CallSite>
  /** The contract whose table it is: another heir of the same base may check differently. */
  readonly contract: ContractModel
}

/** A condition in the words of an entry point, as code; undefined if none of it can be shown. */
export const conditionOf = (start: Start, fact: Fact, outer: Fact): string | undefined => {
  const { expression, at } = fact
  const { program, fn } = start.flow
  const isHolder = callerCheck(outer)?.kind === "holder"
  const plain = wayTo(start, at.callable)
  // a modifier's name is more informative than what its locals stand for
  const way = isHolder || plain?.modifier !== undefined ? plain : withLocals(start, plain, fact)
  // a hook that another heir overrides: what this one requires there is not known
  if (isForeign(start.contract, at.callable)) return way?.modifier ?? way?.call
  // `if (who == owner) return true; …`: the condition before the returned value is what matters.
  if (fact.kind === "any" && (expression.kind === "Literal" || expression.kind === "UnknownExpression")) {
    const ways = fact.options.map((option) => option.find((each) => callerCheck(each) !== undefined))
    const texts = ways.map((one) => (one === undefined ? undefined : conditionOf(start, one, one)))
    return (ways.length > optionLimit ? undefined : eitherOf(new Set(texts))) ?? way?.modifier
  }
  const text =
    way !== undefined && isTellable(program, way.names, at.callable === fn, expression)
      ? holding(program, fact, way.names)
      : undefined
  // `require(amount > 0)` does not say whose amount it is.
  if (isHolder && text?.includes("sender") !== true) {
    const table = tableOf(outer)
    return table === undefined ? undefined : `holders of ${quoted(table)}`
  }
  // assembly without `caller()` checks numbers
  if (text !== undefined && expression.kind.startsWith("Yul") && !/sender|caller/.test(text)) return undefined
  return text === undefined ? (way?.modifier ?? way?.call) : quoted(text)
}

const isForeign = ({ linearization }: ContractModel, { contract }: Callable): boolean =>
  contract !== undefined && contract.node.contractKind !== "library" && !linearization.includes(contract)

const eitherOf = (texts: ReadonlySet<string | undefined>): string | undefined => {
  const told = [...texts].flatMap((text) => text ?? [])
  if (told.length < texts.size) return undefined
  return told.every((text) => /^`[^`]*`$/.test(text))
    ? quoted(told.map((text) => text.slice(1, -1)).join(" || "))
    : told.join(" or ")
}

/** The table of the sender's entry that an amount is subtracted from, for example by an arithmetic library. */
const tableOf = (fact: Fact): string | undefined =>
  fact.kind === "any"
    ? undefined
    : [fact.left, fact.right].flatMap((side) => side?.state ?? []).find(({ type }) => type.kind === "mapping")?.name

/** What the parameters of called functions stand for in the entry point's own text. */
type Names = ReadonlyMap<LocalVariable, string>

/** How a check is reached: through which modifier or call of the entry point. */
interface Way {
  readonly names: Names
  readonly modifier?: string
  readonly call?: string
}

/** How a function reaches code of another function or modifier; undefined if unknown. */
const wayTo = ({ flow, via }: Start, callable: Callable): Way | undefined => {
  const { program, fn } = flow
  const last = via.length === 0 ? fn : via.at(-1)!.target!
  const path = callable === fn ? [] : pathTo(program, last, callable)
  if (path === undefined) return undefined
  const names = new Map<LocalVariable, string>()
  const hand = (parameters: ReadonlyArray<LocalVariable>, args: ReadonlyArray<Expr>, from: Callable): void => {
    for (const [i, parameter] of parameters.entries()) {
      const arg = args[i]
      if (arg === undefined || arg.end - arg.start > accessLimits.text) continue
      if (!isTellable(program, names, from === fn, arg)) continue
      const text = textOf(program, from, arg, names)
      // Names within names would double at every call.
      if (text.length <= accessLimits.text) names.set(parameter, text)
    }
  }
  const enter = (to: FunctionModel, args: ReadonlyArray<Expr>, from: Callable): void => {
    hand(to.parameters, args, from)
    for (const { modifier, node } of to.modifiers)
      if (modifier !== undefined) hand(modifier.parameters, node.args ?? [], to)
  }
  enter(fn, [], fn)
  for (const { at, target, args } of via) enter(target!, args, at.callable)
  for (const { from, to, call } of path) enter(to, call.args, calledIn(program, from, call))
  const [first] = path
  const place = via[0]?.at.callable ?? (first === undefined ? callable : calledIn(program, fn, first.call))
  const invoked = fn.modifiers.find(({ modifier }) => modifier === place)
  if (invoked !== undefined) return { names, modifier: sourceOf(program, fn, invoked.node) }
  // a function that is called has the modifier
  const carrier = path.find(({ from, call }) => calledIn(program, from, call) !== from)
  const asking = carrier?.from ?? path.at(-1)?.to ?? last
  const inner = carrier === undefined ? callable : calledIn(program, carrier.from, carrier.call)
  const named = asking.modifiers.find(({ modifier }) => modifier === inner)?.node
  if (named !== undefined && isTellable(program, names, false, named))
    return { names, modifier: quoted(textOf(program, asking, named, names)) }
  const asks = via.length === 0 && first !== undefined && isOnlyCheck(program, first.to)
  return asks ? { names, call: sourceOf(program, fn, first.call.node) } : { names }
}

/** Limit: length of a value that is shown in place of the local that holds it. */
const localLimit = 80

/**
 * Also what locals stand for, if they are assigned once and briefly: all of a called function or modifier, and accounts
 * of the entry point itself, where `owner` would read like the contract's.
 */
const withLocals = ({ flow }: Start, way: Way | undefined, { expression, at }: Fact): Way | undefined => {
  const { program, fn } = flow
  if (way === undefined) return way
  const isOwnText = at.callable === fn
  const inside = at.callable.kind === "Function" ? program.flowIfBuilt(at.callable) : flow
  const names = new Map(way.names)
  walk(expression, (node) => {
    const local = node.kind === "Identifier" ? program.referenceOf(node) : undefined
    if (local?.kind !== "LocalVariable" || names.has(local) || inside === undefined) return true
    if (isOwnText && local.type.kind !== "address") return true
    const [definition, ...others] = inside.definitionsOf(local)
    const value = others.length === 0 && definition?.index === undefined ? definition?.value : undefined
    if (value === undefined || value.kind.startsWith("Yul") || value.end - value.start > localLimit) return true
    if (isTellable(program, way.names, isOwnText, value))
      names.set(local, textOf(program, at.callable, value, way.names))
    return true
  })
  return { ...way, names }
}

/** Whether a function only inspects and changes nothing. */
export const isOnlyCheck = (program: Program, fn: FunctionModel): boolean => {
  const flow = program.flowIfBuilt(fn)
  return flow !== undefined && changesNothing(flow)
}

/** What contains the text of a call: a function, or one of its modifiers. */
const calledIn = (program: Program, from: FunctionModel, call: Call): Callable =>
  from.modifiers.find(({ modifier }) => modifier !== undefined && program.callsIn(modifier).includes(call))?.modifier ??
  from

/** Limits: calls in a row that are followed to a check, and functions that are examined. */
const depthLimit = 6
const searchLimit = 100

const paths = new WeakMap<FunctionModel, Map<Callable, ReadonlyArray<Edge> | undefined>>()

/** The calls that lead from a function to another, or to one with the modifier. */
const pathTo = (program: Program, start: FunctionModel, callable: Callable): ReadonlyArray<Edge> | undefined => {
  let known = paths.get(start)
  if (known === undefined) paths.set(start, (known = new Map()))
  if (!known.has(callable)) known.set(callable, findPath(program, start, callable))
  return known.get(callable)
}

const findPath = (program: Program, start: FunctionModel, callable: Callable): ReadonlyArray<Edge> | undefined => {
  const arrival = new Map<FunctionModel, Edge | undefined>([[start, undefined]])
  let level: ReadonlyArray<FunctionModel> = [start]
  for (let depth = 0; depth <= depthLimit && level.length > 0; depth++) {
    const next: Array<FunctionModel> = []
    for (const fn of level) {
      if (fn === callable || fn.modifiers.some(({ modifier }) => modifier === callable)) {
        const path: Array<Edge> = []
        for (let edge = arrival.get(fn); edge !== undefined; edge = arrival.get(edge.from)) path.unshift(edge)
        return path
      }
      for (const edge of program.graph.callees(fn)) {
        if (arrival.has(edge.to) || arrival.size >= searchLimit) continue
        arrival.set(edge.to, edge)
        next.push(edge.to)
      }
    }
    level = next
  }
  return undefined
}

/** Limit: length of a condition that is expressed in terms of the entry point. */
const tellableLimit = 600

/**
 * Whether it can be expressed in terms of the entry point: it is the entry point's own text, or names no locals except
 * those that stand for something there.
 */
const isTellable = (program: Program, names: Names, isOwnText: boolean, expression: Node): boolean => {
  if (expression.end - expression.start > tellableLimit) return false
  let tellable = true
  if (!isOwnText)
    walk(expression, (node) => {
      const found = node.kind === "Identifier" ? program.referenceOf(node) : undefined
      if (found?.kind === "LocalVariable" && !names.has(found)) tellable = false
      return tellable
    })
  return tellable
}

const withoutComments = (text: string): string => {
  let code = ""
  let from = 0
  lexicalScan(text, "solidity", (part, start, end) => {
    if (part !== "comment") return
    code += `${text.slice(from, start)} `
    from = end
  })
  return code + text.slice(from)
}

/** The text of a node, with names replaced by what they stand for, and without comments. */
const textOf = (program: Program, { source }: Callable, node: Node, names: Names): string => {
  const { text } = source.file
  const end = Math.min(node.end, node.start + tellableLimit)
  const parts: Array<string> = []
  let at = node.start
  if (names.size > 0)
    walk(node, (one) => {
      const found = one.kind === "Identifier" && one.end <= end ? program.referenceOf(one) : undefined
      const name = found?.kind === "LocalVariable" ? names.get(found) : undefined
      if (name === undefined || one.start < at) return one.start < end
      parts.push(text.slice(at, one.start), name)
      at = one.end
      return true
    })
  return withoutComments([...parts, text.slice(at, end)].join(""))
}

const quoted = (text: string): string => `\`${shortened(text).replaceAll("`", "'")}\``

/** The text of a node as code. */
export const sourceOf = (program: Program, callable: Callable, node: Node): string =>
  quoted(textOf(program, callable, node, new Map()))

const negated: Readonly<Record<string, string>> = { "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">" }
const swapped: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" }

/** Limit: nested connectives that are negated. */
const turnLimit = 4

/** The condition that holds; `if (msg.sender != owner) revert()` states its negation. */
const holding = (program: Program, fact: Fact, names: Names): string => {
  const { expression, at } = fact
  const written = (e: Expr): string => textOf(program, at.callable, e, names)
  return isAsWritten(fact) ? written(expression) : turned(expression, written, turnLimit)
}

const isAsWritten = ({ expression, ...fact }: Fact): boolean => {
  if (expression.kind !== "BinaryOperation") return fact.kind === "any" || fact.operator !== "false"
  const { operator } = expression
  if (fact.kind === "any") return operator !== "&&"
  if (negated[operator] === undefined) return fact.operator !== "false"
  return fact.operator === operator || fact.operator === swapped[operator]
}

const turned = (e: Expr, written: (e: Expr) => string, depth: number): string => {
  if (e.kind === "BinaryOperation") {
    const { operator, left, right } = e
    if (negated[operator] !== undefined) return `${written(left)} ${negated[operator]} ${written(right)}`
    if (depth > 0 && (operator === "&&" || operator === "||"))
      return `${turned(left, written, depth - 1)} ${operator === "&&" ? "||" : "&&"} ${turned(right, written, depth - 1)}`
  }
  if (e.kind === "UnaryOperation" && e.operator === "!") return written(e.operand)
  const text = written(e)
  return /^[\w.[\]()]+$/.test(text) ? `!${text}` : `!(${text})`
}
