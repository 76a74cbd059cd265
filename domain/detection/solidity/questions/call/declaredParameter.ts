import type { CallSite } from "../../flow/graph/events.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { Program } from "../../program.ts"

export interface NamedArgument {
  /** The name as the called interface declares it, or as the caller writes it. */
  readonly name: string
  readonly value: Expr
}

/**
 * Router functions by name and number of arguments, with the parameter names of their published interfaces: an
 * interface copied into a project may use other names, or none. Uniswap V2 router, Curve pools.
 */
const published = new Map<string, ReadonlyArray<string>>([
  ["swapExactTokensForTokens/5", ["amountIn", "amountOutMin", "path", "to", "deadline"]],
  ["swapTokensForExactTokens/5", ["amountOut", "amountInMax", "path", "to", "deadline"]],
  ["swapExactETHForTokens/4", ["amountOutMin", "path", "to", "deadline"]],
  ["swapExactTokensForETH/5", ["amountIn", "amountOutMin", "path", "to", "deadline"]],
  ["swapTokensForExactETH/5", ["amountOut", "amountInMax", "path", "to", "deadline"]],
  ["swapExactTokensForTokensSupportingFeeOnTransferTokens/5", ["amountIn", "amountOutMin", "path", "to", "deadline"]],
  ["swapExactETHForTokensSupportingFeeOnTransferTokens/4", ["amountOutMin", "path", "to", "deadline"]],
  ["swapExactTokensForETHSupportingFeeOnTransferTokens/5", ["amountIn", "amountOutMin", "path", "to", "deadline"]],
  [
    "addLiquidity/8",
    ["tokenA", "tokenB", "amountADesired", "amountBDesired", "amountAMin", "amountBMin", "to", "deadline"],
  ],
  ["addLiquidityETH/6", ["token", "amountTokenDesired", "amountTokenMin", "amountETHMin", "to", "deadline"]],
  ["removeLiquidity/7", ["tokenA", "tokenB", "liquidity", "amountAMin", "amountBMin", "to", "deadline"]],
  ["removeLiquidityETH/6", ["token", "liquidity", "amountTokenMin", "amountETHMin", "to", "deadline"]],
  ["exchange/4", ["i", "j", "dx", "min_dy"]],
])

/**
 * The arguments of an external call with the names of their parameters; a struct argument is split into its members.
 */
export const namedArguments = (program: Program, site: CallSite): ReadonlyArray<NamedArgument> => {
  const { target, args, name } = site
  const names = published.get(`${name}/${args.length}`) ?? target?.parameters.map((p) => p.name) ?? []
  return args.flatMap((value, i): ReadonlyArray<NamedArgument> => {
    if (value.kind === "FunctionCall") {
      const inner = program.callOf(value)
      const members = inner?.kind === "struct" && inner.type?.kind === "struct" ? inner.type.struct.members : undefined
      if (members !== undefined) {
        return value.args.map((member, k) => ({ name: value.names?.[k] ?? members[k]?.name ?? "", value: member }))
      }
      // For a struct of an interface without source, the members are named at the call.
      if (value.names !== undefined)
        return value.args.map((member, k) => ({ name: value.names![k] ?? "", value: member }))
    }
    return [{ name: names[i] ?? "", value }]
  })
}
