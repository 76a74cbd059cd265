import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Flow } from "../../program.ts"
import { Source } from "../../flow/graph/origins.ts"
import type * as S from "../../syntax.ts"
import { constantNumber } from "./constantNumber.ts"

const depthLimit = 8

/** From this number of seconds on, part of the time no longer identifies a single moment. */
const longest = 3600n

/**
 * Whether a number is the block time, a fixed offset from it, or a part or remainder of it, rather than something that
 * has merely grown with time, such as interest or a moving price.
 */
export const isTimeItself = (flow: Flow, e: S.Expression, at: FlowNode, depth = 0): boolean => {
  if (depth > depthLimit) return false
  const again = (inner: S.Expression, where = at): boolean => isTimeItself(flow, inner, where, depth + 1)
  switch (e.kind) {
    case "Identifier": {
      const { program } = flow
      if (program.isBuiltin(e, "block.timestamp")) return true
      const variable = program.referenceOf(e)
      if (variable?.kind !== "LocalVariable") return false
      return flow.values.reaching(variable, at).definitions.some(
        ({ value, index, at: where }) =>
          value !== undefined &&
          index === undefined &&
          where !== at &&
          !value.kind.startsWith("Yul") &&
          again(value as S.Expression, where), // no Yul expression remains
      )
    }
    case "MemberAccess":
      return flow.program.isBuiltin(e, "block.timestamp")
    case "BinaryOperation":
      // A quotient stays the same for as long as the divisor.
      if (e.operator === "/") return again(e.left) && (constantNumber(flow.program, e.right) ?? longest) < longest
      return ["+", "-", "%"].includes(e.operator) && (again(e.left) || again(e.right))
    case "Conditional":
      return again(e.then) || again(e.else)
    case "FunctionCall": {
      const call = flow.program.callOf(e)
      if (call === undefined) return false
      if (call.kind === "conversion") return call.args.some((arg) => again(arg))
      if (call.kind !== "internal" && call.kind !== "library") return false
      if (call.target?.implemented !== true) return call.args.some((arg) => again(arg))
      const callee = flow.program.flow(call.target)
      if (call.target.returns.length !== 1) return false
      const result = callee.summary.results[0]
      if (result === undefined) return false
      const returned = callee.returns.some(
        (node) =>
          node.expression !== undefined &&
          !node.expression.kind.startsWith("Yul") &&
          isTimeItself(callee, node.expression as S.Expression, node, depth + 1), // no Yul expression remains
      )
      // SafeMath's `now.sub(start)`
      const passed = (result.sources & ~(Source.parameter | Source.literal)) === 0
      return returned || (passed && call.args.some((arg) => again(arg)))
    }
    default:
      return false
  }
}
