import type { Expr, FlowNode } from "../flow/graph/graph.ts"
import type { StateVariable } from "../model.ts"
import { has, only, type Origins, Source } from "../flow/graph/origins.ts"
import type { Flow, Program } from "../program.ts"
import type * as S from "../syntax.ts"
import { walk } from "../visit.ts"
import { blockDataIn } from "./value/blockDataIn.ts"
import { paymentAfter } from "./call/payments.ts"

/** Block values that look random. */
const randomLooking = new Set([
  "blockhash",
  "block.blockhash",
  "block.difficulty",
  "block.prevrandao",
  "block.coinbase",
  "difficulty",
  "prevrandao",
  "coinbase",
])
const counters = new Set(["block.timestamp", "block.number", "timestamp", "number"])

const comparisons = new Set(["<", "<=", ">", ">=", "==", "!="])
const mixing = new Set(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
const hashes = new Set(["keccak256", "sha3", "sha256", "ripemd160"])

const builtinName = (flow: Flow, e: S.Node): string | undefined => builtinNameIn(flow.program, e)

const builtinNameIn = (program: Program, e: S.Node): string | undefined => {
  if (e.kind === "FunctionCall") {
    const call = program.callOf(e)
    return call?.kind === "builtin" ? call.name : undefined
  }
  if (e.kind === "YulFunctionCall") return e.name
  if (e.kind !== "Identifier" && e.kind !== "MemberAccess") return undefined
  const found = program.referenceOf(e)
  return found?.kind === "Builtin" ? found.name : undefined
}

const isInteger = (flow: Flow, e: S.Expression): boolean => flow.program.typeOf(e).kind === "integer"

/** Random-looking block data in the value itself, or a hash over any block data. */
const isPredictable = (value: Origins): boolean =>
  (value.sources & Source.blockEntropy) !== 0 ||
  // A hash that includes the chain identifies something permanently and is not a draw.
  ((value.sources & Source.hash) !== 0 &&
    (value.sources & (Source.timestamp | Source.blockNumber)) !== 0 &&
    (value.sources & Source.chainId) === 0)

/** An expression that turns block data into a number: where the "random" number originates. */
export interface Draw {
  readonly expression: S.Expression
  readonly at: FlowNode
  /** Where the block data is read; in another statement if it came through a variable. */
  readonly source: S.Node
  readonly sourceAt: FlowNode
}

/** The draws of one flow: the outermost expression of each, except those that only pass on a number drawn elsewhere. */
export const drawsOf = (flow: Flow): ReadonlyArray<Draw> => {
  const known = memo.get(flow)
  if (known !== undefined) return known
  const draws: Array<Draw> = []
  memo.set(flow, draws)
  if ((blockDataIn(flow) & blockData) === 0) return draws
  for (const node of flow.nodes) {
    const root = node.expression
    if (root === undefined || node.kind === "branch" || !flow.isReachable(node)) continue
    walk(root, (e) => {
      if (isTextComparison(flow, e, node)) return false
      if (!isDraw(flow, e, node)) return true
      const entry = entryOf(flow, e, node, new Set())
      if (entry === undefined) return false
      const { source, sourceAt } = entry
      // A guess of a block hash: the hash is the draw, wherever it is compared.
      const isRead = e.kind === "BinaryOperation" && comparisons.has(e.operator) && source.kind === "FunctionCall"
      draws.push({ expression: isRead ? source : e, at: isRead ? sourceAt : node, source, sourceAt })
      return false
    })
  }
  return draws
}

/** `keccak256(a) == keccak256(b)`, unless it decides on a payment: what is said of a block is compared with the block. */
const isTextComparison = (flow: Flow, e: S.Node, at: FlowNode): boolean =>
  e.kind === "BinaryOperation" &&
  (e.operator === "==" || e.operator === "!=") &&
  [e.left, e.right].every((side) => hashes.has(builtinName(flow, side) ?? "")) &&
  paymentAfter(flow, at) === undefined

const memo = new WeakMap<Flow, ReadonlyArray<Draw>>()
const blockData = Source.blockEntropy | Source.timestamp | Source.blockNumber

const returnsBlockData = (flow: Flow): boolean =>
  flow.summary.results.some((result) => (result.sources & blockData) !== 0)

/** Whether an expression's value is a number or hash derived from predictable data. */
const isDraw = (flow: Flow, e: S.Node, at: FlowNode): e is S.Expression => {
  switch (e.kind) {
    case "BinaryOperation": {
      if (comparisons.has(e.operator)) return isGuess(flow, e, at) || isCoin(flow, e, at)
      if (!mixing.has(e.operator) || !isInteger(flow, e.left)) return false
      if (e.operator === "%") return isPredictable(flow.origins(e.left, at))
      // The sum of a time and an amount that was looked up by a hash is not a draw.
      const value = flow.origins(e, at)
      return has(value, Source.blockEntropy) && !isLedger(value)
    }
    case "FunctionCall": {
      const call = flow.program.callOf(e)
      const [first] = e.args
      if (call === undefined || first === undefined) return false
      if (call.type?.kind === "integer" && flow.program.typeOf(first).kind !== "integer") {
        return isPredictable(flow.origins(first, at))
      }
      if (call.kind !== "builtin" || !hashes.has(call.name)) return false
      const parts = call.args.map((arg) => flow.origins(arg, at))
      return parts.some((part) => has(part, Source.blockEntropy)) && !parts.some((part) => has(part, Source.chainId))
    }
    default:
      return false
  }
}

/** Whether a block hash is guessed, and ether is paid for a correct guess. */
const isGuess = (flow: Flow, e: S.BinaryOperation, at: FlowNode): boolean => {
  if (e.operator !== "==" && e.operator !== "!=") return false
  const sides = [flow.origins(e.left, at), flow.origins(e.right, at)]
  const drawn = sides.findIndex(
    (side) => (side.sources & Source.blockEntropy) !== 0 && (side.sources & Source.hash) === 0,
  )
  const guess = sides[1 - drawn]
  if (guess === undefined || (guess.sources & (Source.parameter | Source.state)) === 0) return false
  return paymentAfter(flow, at) !== undefined
}

/** Whether a property of the block number, such as its parity, decides about a payment. */
const isCoin = (flow: Flow, e: S.BinaryOperation, at: FlowNode): boolean =>
  [e.left, e.right].some(
    (side) =>
      side.kind === "BinaryOperation" &&
      side.operator === "%" &&
      only(flow.origins(side.left, at), Source.blockNumber | Source.literal | Source.constant),
  ) && paymentAfter(flow, at) !== undefined

/** Stored amounts that a draw contributed to. */
const isLedger = (value: Origins): boolean =>
  (value.sources & Source.state) !== 0 && (value.sources & Source.hash) === 0

/** Where block data enters an expression, through locals but not through another draw. */
const entryOf = (
  flow: Flow,
  e: Expr,
  at: FlowNode,
  seen: Set<S.Node>,
): Pick<Draw, "source" | "sourceAt"> | undefined => {
  let found: Pick<Draw, "source" | "sourceAt"> | undefined
  walk(e, (inner) => {
    if (found !== undefined) return false
    const name = builtinName(flow, inner)
    if (name !== undefined && (randomLooking.has(name) || counters.has(name))) {
      found = { source: inner, sourceAt: at }
      return false
    }
    if (inner.kind === "FunctionCall") {
      const target = flow.siteOf(inner)?.target
      const callee = target?.implemented === true ? flow.program.flowIfBuilt(target) : undefined
      if (callee !== undefined && returnsBlockData(callee) && drawsOf(callee).length === 0) {
        found = { source: inner, sourceAt: at }
        return false
      }
      return true
    }
    if (inner.kind !== "Identifier") return true
    const variable = flow.program.referenceOf(inner)
    if (variable?.kind !== "LocalVariable" || seen.size > 200) return true
    for (const d of flow.values.reaching(variable, at).definitions) {
      if (d.value === undefined || seen.has(d.value) || containsDraw(flow, d.value, d.at)) continue
      seen.add(d.value)
      found ??= entryOf(flow, d.value, d.at, seen)
    }
    return true
  })
  return found
}

const containsDraw = (flow: Flow, e: Expr, at: FlowNode): boolean => {
  let found = false
  walk(e, (inner) => {
    found ||= isDraw(flow, inner, at)
    return !found
  })
  return found
}

/**
 * A state variable whose initial value is drawn from block data. `constant` ones (possible before 0.5) are computed at
 * each use, so the block data in them is itself a seed.
 */
export const isDrawnInitially = (program: Program, variable: StateVariable): boolean => {
  const value = variable.node?.value
  if (value === undefined) return false
  let looksRandom = false
  let counts = false
  let mixes = false
  walk(value, (e) => {
    const name = builtinNameIn(program, e)
    looksRandom ||= name !== undefined && randomLooking.has(name)
    counts ||= name !== undefined && counters.has(name)
    mixes ||= (name !== undefined && hashes.has(name)) || (e.kind === "BinaryOperation" && e.operator === "%")
  })
  return (looksRandom && (mixes || variable.type.kind === "integer")) || (counts && (mixes || variable.constant))
}
