import { namedArguments } from "../../../../../../domain/detection/solidity/questions/call/declaredParameter.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

/** What the parameters of a call are named. */
export const parameters = questionTable(
  "parameters",
  {
    named: (flow, [call]) => {
      const site = call?.kind === "FunctionCall" ? flow.siteOf(call) : undefined
      return site === undefined
        ? undefined
        : namedArguments(flow.program, site)
            .map(({ name }) => name)
            .join(" ")
    },
  },
  [
    `pragma solidity ^0.8.0;
import "./IQuoter.sol";
struct Order {
    uint256 give;
    uint256 least;
}
interface IRouter {
    function swapExactTokensForTokens(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e) external returns (uint256);
    function swapTokensForExactTokens(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e) external returns (uint256);
    function swapExactETHForTokens(uint256 a, uint256 b, uint256 c, uint256 d) external returns (uint256);
    function swapExactTokensForETH(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e) external returns (uint256);
    function swapTokensForExactETH(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e) external returns (uint256);
    function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e) external;
    function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 a, uint256 b, uint256 c, uint256 d) external;
    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e) external;
    function addLiquidity(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e, uint256 f, uint256 g, uint256 h) external;
    function addLiquidityETH(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e, uint256 f) external;
    function removeLiquidity(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e, uint256 f, uint256 g) external;
    function removeLiquidityETH(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e, uint256 f) external;
    function exchange(uint256 a, uint256 b, uint256 c, uint256 d) external returns (uint256);
    function trade(uint256 amount, uint256 limit) external returns (uint256);
    function fill(Order memory order, uint256 fee) external returns (uint256);
    function wrap(uint256 amount) external returns (uint256);
}
contract Trades {
    IRouter r;
    IQuoter q;

    function f() external {
        named(r.swapExactTokensForTokens(1, 2, 3, 4, 5), "amountIn amountOutMin path to deadline");
        named(r.swapTokensForExactTokens(1, 2, 3, 4, 5), "amountOut amountInMax path to deadline");
        named(r.swapExactETHForTokens(1, 2, 3, 4), "amountOutMin path to deadline");
        named(r.swapExactTokensForETH(1, 2, 3, 4, 5), "amountIn amountOutMin path to deadline");
        named(r.swapTokensForExactETH(1, 2, 3, 4, 5), "amountOut amountInMax path to deadline");
        named(r.swapExactTokensForTokensSupportingFeeOnTransferTokens(1, 2, 3, 4, 5), "amountIn amountOutMin path to deadline");
        named(r.swapExactETHForTokensSupportingFeeOnTransferTokens(1, 2, 3, 4), "amountOutMin path to deadline");
        named(r.swapExactTokensForETHSupportingFeeOnTransferTokens(1, 2, 3, 4, 5), "amountIn amountOutMin path to deadline");
        named(r.addLiquidity(1, 2, 3, 4, 5, 6, 7, 8), "tokenA tokenB amountADesired amountBDesired amountAMin amountBMin to deadline");
        named(r.addLiquidityETH(1, 2, 3, 4, 5, 6), "token amountTokenDesired amountTokenMin amountETHMin to deadline");
        named(r.removeLiquidity(1, 2, 3, 4, 5, 6, 7), "tokenA tokenB liquidity amountAMin amountBMin to deadline");
        named(r.removeLiquidityETH(1, 2, 3, 4, 5, 6), "token liquidity amountTokenMin amountETHMin to deadline");
        named(r.exchange(1, 2, 3, 4), "i j dx min_dy");
        named(r.trade(1, 2), "amount limit");
        named(r.fill(Order(1, 2), 3), "give least fee");
        named(r.fill(Order({least: 1, give: 2}), 3), "least give fee");
        named(q.quote(IQuoter.Params({give: 1, least: 2}), 3), "give least ");
        named(r.wrap(r.trade(1, 2)), "amount");
    }
}`,
  ],
)
