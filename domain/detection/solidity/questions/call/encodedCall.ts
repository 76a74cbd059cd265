import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { writtenAs } from "../value/writtenAs.ts"

interface EncodedCall {
  readonly name: string
  readonly args: ReadonlyArray<S.Expression>
}

/** The function that a low-level call runs: `token.call(abi.encodeWithSelector(IERC20.transfer.selector, to, amount))`. */
export const encodedCall = (flow: Flow, data: Expr | undefined, at: FlowNode): EncodedCall | undefined => {
  if (data === undefined || data.kind.startsWith("Yul")) return undefined
  const { e } = writtenAs(flow, data as S.Expression, at)
  if (e.kind !== "FunctionCall") return undefined
  const [first, ...args] = e.args
  switch (first === undefined ? undefined : flow.program.callOf(e)?.name) {
    case "abi.encodeWithSignature":
      return first!.kind === "Literal" ? { name: first!.value.split("(")[0]!, args } : undefined
    case "abi.encodeWithSelector":
      if (first!.kind === "MemberAccess" && first!.member === "selector") return named(first!.object, args)
      return first!.kind === "Literal" ? known(first!.value, args) : undefined
    case "abi.encodeCall":
      return named(first!, args[0]?.kind === "TupleExpression" ? args[0].components.flatMap((c) => c ?? []) : args)
    default:
      return undefined
  }
}

const named = (fn: S.Expression, args: ReadonlyArray<S.Expression>): EncodedCall | undefined =>
  fn.kind === "MemberAccess" ? { name: fn.member, args } : undefined

/** ERC-20's functions by their selectors. */
const selectors: ReadonlyMap<string, string> = new Map([
  ["0xa9059cbb", "transfer"],
  ["0x23b872dd", "transferFrom"],
  ["0x095ea7b3", "approve"],
])

const known = (selector: string, args: ReadonlyArray<S.Expression>): EncodedCall | undefined => {
  const name = selectors.get(selector.toLowerCase())
  return name === undefined ? undefined : { name, args }
}
