import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import { relationsIn } from "../../flow/facts/facts.ts"
import type { LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { isOrdering } from "../../questions/value/callerNumbers.ts"
import { type NamedArgument, namedArguments } from "../../questions/call/declaredParameter.ts"
import { leastName, mostName } from "../../questions/value/limitNames.ts"
import { sameExpression } from "../../questions/value/sameExpression.ts"
import { writtenAs } from "../../questions/value/writtenAs.ts"
import { localConstant } from "../../questions/value/localConstant.ts"
import { walk } from "../../visit.ts"
import { isLargeFunction } from "../../questions/largeFunction.ts"

export const noSlippageLimit: Rule<Program> = {
  meta: {
    id: "evm/front-running/no-slippage-limit",
    class: "no-slippage",
    title: "Trade without slippage protection",
    severity: "high",
    // Certain where the literal occurs; in a few callers, the amount received is limited elsewhere.
    confidence: "medium",
    cwe: [682, 20],
    description:
      "The contract trades on an exchange and sets the minimum output to zero (or the maximum input to the " +
      "maximum value). An attacker who sees the transaction can sandwich it: they buy first, let it trade at " +
      "the worse price, and sell right after. The difference, up to nearly the full amount, is the attacker's " +
      "profit.",
    remediation:
      "Accept the minimum as a parameter from the user, who computes it off-chain from the price and a " +
      "tolerance, or compute it from an oracle that cannot be moved within one transaction. A quote taken from " +
      "the pool in the same transaction does not help.",
    references: [
      "https://docs.uniswap.org/contracts/v2/guides/smart-contract-integration/trading-from-a-smart-contract",
      "https://dacian.me/defi-slippage-attacks",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        if (
          (site.callKind !== "external" && site.callKind !== "unknown") ||
          site.isStatic ||
          !tradeName.test(site.name)
        )
          continue
        const loose = argumentsOf(flow, site).find(
          ({ name, value }) =>
            isLoose(flow, site, name, value as S.Expression) || isLeftOut(flow, value as S.Expression),
        )
        if (loose === undefined || isPriceHeld(flow, site) || isQuoteHeld(flow, site)) continue
        if (isLimitedAfter(flow, site, site.node) || isLimitedByCallers(flow, site.node)) continue
        if (isLimitedByLast(flow, site)) continue
        report({ file: site.at.callable.source.file, span: loose.value, scope: site.at.callable.scope })
      }
    }
  },

  examples: {
    vulnerable: [
      // Another contract's quote, an upper limit, or one for something else does not protect the trade.
      `pragma solidity 0.8.20;
struct Trade { address from; address to; uint256 amountIn; uint256 minAmountOut; }
interface IRouter {
  function swap(Trade calldata trade) external returns (uint256);
  function sell(uint256 id, uint256 minAmountOut) external returns (uint256);
  function quoteSale(uint256 id) external view returns (uint256);
  function fee() external view returns (uint256);
}
contract Desk {
  IRouter immutable router;
  IRouter immutable other;
  uint256 immutable limit;
  constructor(IRouter r, IRouter o, uint256 l) { router = r; other = o; limit = l; }
  function odd(uint256 id, uint256 least) external {
    if (router.quoteSale(id) != least)
      router.sell(id, 0); // FINDING
    if (router.fee() <= least)
      router.sell(id, 0); // FINDING
    differ(router.sell(id, 0), least); // FINDING
  }
  function differ(uint256 received, uint256 least) private pure { require(received != least); }
  function sell(uint256 id, uint256 least) external {
    if (other.quoteSale(id) >= least)
      router.sell(id, 0); // FINDING
    uint256 offered = router.quoteSale(id);
    if (offered >= 1)
      router.sell(id, 0); // FINDING
  }
  function sellAtMost(uint256 id, uint256 most) external {
    uint256 received = router.sell(id, 0); // FINDING
    small(received, most);
    large(most, id);
    positive(received);
  }
  function small(uint256 received, uint256 most) private pure { require(received <= most); }
  function large(uint256 received, uint256 least) private pure { require(received >= least); }
  function positive(uint256 received) private pure { require(received > 0); }
  function open(address a, address b, uint256 amount) external {
    Trade memory only = Trade(a, b, amount, 0); // FINDING
    router.swap(only);
  }
}`,
      // The limit of an earlier trade, or of one on another path, says nothing about this one.
      `pragma solidity ^0.8.0;
import {ISwapRouter} from "./ISwapRouter.sol";
contract Collector {
    ISwapRouter router;

    function collect(address a, address b, uint256 amount, uint256 least) external {
        uint256 between = router.exactInputSingle(ISwapRouter.ExactInputSingleParams({
            tokenIn: a, tokenOut: b, recipient: address(this), deadline: 1, amountIn: amount, amountOutMinimum: least, sqrtPriceLimitX96: 0
        }));
        router.exactInputSingle(ISwapRouter.ExactInputSingleParams({
            tokenIn: b, tokenOut: a, recipient: address(this), deadline: 1, amountIn: between,
            amountOutMinimum: 0, // FINDING
            sqrtPriceLimitX96: 0
        }));
    }

    function either(address a, address b, uint256 amount, uint256 least, bool direct) external {
        if (direct) {
            router.exactInputSingle(ISwapRouter.ExactInputSingleParams({
                tokenIn: a, tokenOut: b, recipient: address(this), deadline: 1, amountIn: amount, amountOutMinimum: least, sqrtPriceLimitX96: 0
            }));
        } else {
            router.exactInputSingle(ISwapRouter.ExactInputSingleParams({
                tokenIn: b, tokenOut: a, recipient: address(this), deadline: 1, amountIn: amount,
                amountOutMinimum: 0, // FINDING
                sqrtPriceLimitX96: 0
            }));
        }
    }
}`,
      // A balance before the trade says nothing of it, nor does a sum that is not compared.
      `pragma solidity ^0.6.12;
import {SafeMath} from "./SafeMath.sol";
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
interface IPool { function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy) external; }
contract Guard {
  using SafeMath for uint256;
  IPool immutable pool;
  IERC20 immutable coin;
  mapping(uint256 => uint256) kept;
  constructor(IPool p, IERC20 c) public { (pool, coin) = (p, c); kept[1] = 5; }
  function before(uint256 i, uint256 least) external {
    uint256 held = coin.balanceOf(address(this)).sub(kept[i]);
    pool.exchange(i, 0, 5, 0); // FINDING
    require(held > least);
  }
  function other(uint256 i, uint256 least) external {
    pool.exchange(i, 0, 5, 0); // FINDING
    uint256 sum = i.add(kept[i]);
    require(sum > least);
  }
}`,
      `pragma solidity ^0.8.0;
interface IRouter {
    function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external returns (uint256[] memory);
}
contract Zap {
    IRouter router;

    function zap(uint256 amount, address[] calldata path, uint256 deadline) external {
        router.swapExactTokensForTokens(amount, 0, path, msg.sender, deadline); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
import {ISwapRouter} from "./ISwapRouter.sol";
contract Trader {
    ISwapRouter router;

    function trade(address a, address b, uint256 amount) external returns (uint256) {
        uint256 min = 0;
        return
            router.exactInputSingle(
                ISwapRouter.ExactInputSingleParams({
                    tokenIn: a,
                    tokenOut: b,
                    recipient: msg.sender,
                    deadline: 1,
                    amountIn: amount,
                    amountOutMinimum: min, // FINDING
                    sqrtPriceLimitX96: 0
                })
            );
    }
}`,
      `pragma solidity ^0.8.0;
interface IRouter {
    struct Params { address tokenIn; address tokenOut; uint256 amountIn; uint256 amountOutMinimum; }
    function exactInputSingle(Params calldata params) external returns (uint256);
}
contract Trader {
    IRouter router;
    function trade(address from, address to, uint256 amount) external returns (uint256) {
        IRouter.Params memory p;
        p.tokenIn = from;
        p.tokenOut = to;
        p.amountIn = amount;
        return router.exactInputSingle(p); // FINDING
    }
    function tradeFor(address from, address to, uint256 amount, uint256 least) external returns (uint256) {
        IRouter.Params memory p;
        p.tokenIn = from;
        p.tokenOut = to;
        p.amountIn = amount;
        p.amountOutMinimum = least;
        return router.exactInputSingle(p);
    }
}`,
      `pragma solidity ^0.8.20;
interface IRouter {
  function swap(uint256 amountIn, uint256 minAmountOut) external returns (uint256);
  function buy(uint256 amountOut, uint256 maxAmountIn) external returns (uint256);
}
contract Trader {
  IRouter router;
  uint256 least;
  function far() external {
    router.buy({amountOut: 1, maxAmountIn: type(uint256).max}); // FINDING
  }
  function huge() external {
    router.buy(1, 1 << 200); // FINDING
  }
  function before(uint256 min) external {
    require(least >= min);
    router.swap({amountIn: 1, minAmountOut: 0}); // FINDING
  }
  function unrelated(uint256 x) external {
    router.swap(1, 0); // FINDING
    require(x > least);
  }
  function any() external {
    uint256 got = router.swap(1, 0); // FINDING
    require(got > 0);
  }
  function passed() external { least = inner(); }
  function inner() private returns (uint256) {
    return router.swap(1, 0); // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
struct Params {
    uint256 amountIn;
    uint256 amountOutMinimum;
}
interface IRouter {
    function exactInput(Params memory params) external returns (uint256);
    function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy) external returns (uint256);
}
interface IERC20 {
    function balanceOf(address who) external view returns (uint256);
}
contract Trader {
    IRouter router;
    IERC20 token;
    uint256 noted;

    function _note(uint256 amount) internal {
        noted = amount;
    }

    function trade(uint256 amount) external {
        require(token.balanceOf(address(this)) >= amount);
        _note(amount);
        Params memory params;
        params.amountIn = amount;
        router.exactInput(params); // FINDING
    }

    function sellAll(uint256 amount) public returns (uint256) {
        return router.exchange(0, 1, amount, 0); // FINDING
    }

    function sellAtLeast(uint256 amount, uint256 least) external {
        require(sellAll(amount) >= least);
    }
}`,
      // Prices that are compared with what the caller says, with nothing, only for some, or not at all; and a number of the pool's.
      `pragma solidity ^0.8.20;
interface IPool { function slot0() external view returns (uint160 sqrtPriceX96, int24 tick); function fee() external view returns (uint24); }
interface IRouter { function swap(uint256 amountIn, uint256 minAmountOut) external returns (uint256); }
contract Seller {
  IPool immutable pool;
  IRouter immutable router;
  uint160 floor;
  constructor(IPool p, IRouter r) { (pool, router, floor) = (p, r, 7); }
  function price() private view returns (uint160 p) { (p, ) = pool.slot0(); }
  function told(uint160 least) external {
    require(price() > least);
    router.swap({amountIn: 1, minAmountOut: 0}); // FINDING
  }
  function some() external {
    require(price() > 0);
    router.swap({amountIn: 1, minAmountOut: 0}); // FINDING
  }
  function other() external {
    require(price() != floor);
    router.swap({amountIn: 1, minAmountOut: 0}); // FINDING
  }
  function maybe(bool sure) external {
    if (sure) require(price() > floor);
    router.swap({amountIn: 1, minAmountOut: 0}); // FINDING
  }
  function fee() external {
    require(pool.fee() < floor);
    router.swap({amountIn: 1, minAmountOut: 0}); // FINDING
  }
}`,
    ],
    safe: [
      // What was received is compared with what others hold.
      `pragma solidity ^0.8.20;
interface IFund { function buyShares(uint256 amount, uint256 minSharesOut) external returns (uint256); function totalSupply() external view returns (uint256); }
contract Wrapper {
  uint256 constant WHOLE = 10_000;
  IFund immutable fund;
  constructor(IFund f) { fund = f; }
  function enter(uint256 amount) external {
    uint256 received = fund.buyShares(amount, 1);
    uint256 others = fund.totalSupply();
    require(received > others * WHOLE);
  }
}`,
      // The contract's own quote is compared before, a helper compares what came of it, or the last trade is limited.
      `pragma solidity 0.8.20;
struct Trade { address from; address to; uint256 amountIn; uint256 minAmountOut; }
interface IRouter {
  function swap(Trade calldata trade) external returns (uint256);
  function sell(uint256 id, uint256 minAmountOut) external returns (uint256);
  function quoteSale(uint256 id) external view returns (uint256);
  function fee() external view returns (uint256);
}
contract Desk {
  IRouter immutable router;
  IRouter immutable other;
  uint256 immutable limit;
  constructor(IRouter r, IRouter o, uint256 l) { router = r; other = o; limit = l; }
  function sell(IRouter[] calldata routers, uint256 id, uint256 least) external {
    for (uint256 i; i < routers.length; ++i) {
      uint256 offered = routers[i].quoteSale(id);
      if (offered >= least) routers[i].sell(id, 0);
    }
  }
  function sellChecked(uint256 id, uint256 least) external {
    uint256 received = router.sell(id, 0);
    enough(received, least);
  }
  function enough(uint256 received, uint256 least) private pure { require(received >= least); }
  uint256 floor = 5;
  function sellAbove(uint256 id) external { above(router.sell(id, 0)); }
  function above(uint256 received) private view { require(received >= floor); }
  function twice(address a, address b, uint256 amount, uint256 least) external {
    uint256 between = router.sell(amount, 0);
    Trade memory last = Trade(a, b, between, least);
    router.swap(last);
  }
}`,
      // Only what the last of the trades brings counts.
      `pragma solidity 0.8.20;

interface IRouter {
    function swap(address from, address to, uint256 amountIn, uint256 minAmountOut) external returns (uint256);
}

contract Collector {
    IRouter immutable router;
    address constant A = address(1);
    address constant B = address(2);
    address constant C = address(3);

    constructor(IRouter r) { router = r; }

    function collect(uint256 amount, uint256 minimum) external {
        uint256 between = router.swap(A, B, amount, 0);
        router.swap(B, C, between, minimum);
    }
}
`,
      `pragma solidity ^0.6.12;
import {SafeMath} from "./SafeMath.sol";
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
interface IPool { function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy) external; }
interface IPeak { function mint(uint256 amount) external returns (uint256); }
contract Guard {
  using SafeMath for uint256;
  IPool immutable pool;
  IPeak immutable peak;
  IERC20 immutable coin;
  mapping(uint256 => uint256) kept;
  constructor(IPool p, IPeak k, IERC20 c) public { (pool, peak, coin) = (p, k, c); kept[1] = 5; }
  function out(uint256 i, uint256 least) external {
    pool.exchange(i, 0, 5, 0);
    uint256 got = coin.balanceOf(address(this)).sub(kept[i]);
    require(got > least);
  }
  function zap(uint256 i, uint256 least) external returns (uint256 got) {
    trade(i);
    if (i < 3) got = peak.mint(coin.balanceOf(address(this)));
    require(got >= least);
  }
  function trade(uint256 i) private { pool.exchange(i, 0, 5, 0); }
}`,
      `pragma solidity ^0.8.0;
interface IYield { function redeem(address to, uint256 shares, uint256 minTokenOut) external returns (uint256 amountOut); }
contract Exit {
    IYield immutable source;
    constructor(IYield s) { source = s; }
    function exit(uint256 shares, uint256 least) external returns (uint256 got) {
        got = _redeem(shares);
        if (got < least) revert();
    }
    function _redeem(uint256 shares) private returns (uint256) { return source.redeem(msg.sender, shares, 0); }
}`,
      `pragma solidity ^0.8.0;
interface IRouter {
    function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external returns (uint256[] memory);
}
contract Zap {
    IRouter router;

    function zap(uint256 amount, uint256 least, address[] calldata path, uint256 deadline) external {
        router.swapExactTokensForTokens(amount, least, path, msg.sender, deadline);
    }
}`,
      `pragma solidity ^0.8.0;
interface IRouter {
    function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external returns (uint256[] memory);
}
interface IFarm { function setMinimum(uint256 minimum) external; }
contract Zap {
    IRouter router;
    IFarm farm;

    function zap(uint256 amount, uint256 least, address[] calldata path, uint256 deadline) external {
        uint256[] memory out = router.swapExactTokensForTokens(amount, 0, path, msg.sender, deadline);
        require(out[out.length - 1] >= least, "too little");
        farm.setMinimum(0);
    }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function balanceOf(address who) external view returns (uint256); }
interface IRouter {
  function swap(uint256 amountIn, uint256 minAmountOut) external returns (uint256);
  function swapLater(uint256 amountIn, uint256 minTime) external returns (uint256);
  function buy(uint256 amountOut, uint256 maxAmountIn) external returns (uint256);
  function deposit(uint256 amountIn, uint256 minAmountOut) external returns (uint256);
  function swapQuote(uint256 amountIn, uint256 minAmountOut) external view returns (uint256);
}
contract Trader {
  struct Caps { uint256 max; }
  IRouter router;
  IToken token;
  uint256 least;
  Caps caps;
  function a() external { swap(1, 0); }
  function swap(uint256 amountIn, uint256 minAmountOut) internal { least = amountIn + minAmountOut; }
  function b() external view returns (uint256) { return router.swapQuote(1, 0); }
  function c() external { router.deposit(1, 0); }
  function d() external { router.swapLater(1, 0); }
  function e() external { router.swap(type(uint256).max, least); }
  function f() external { router.buy(1, caps.max); }
  function g(uint256 min) external { uint256 got = router.swap(1, 0); require(got >= min); }
  function h(uint256 min) external {
    uint256 had = token.balanceOf(address(this));
    router.swap(1, 0);
    require(token.balanceOf(address(this)) - had >= min);
  }
  function i(uint256 min) external { require(inner() >= min); }
  function j(uint256 min) external { require(router.swap(1, 0) >= min); }
  function inner() private returns (uint256) { return deeper(); }
  function deeper() private returns (uint256) { return router.swap(1, 0); }
}`,
      `pragma solidity ^0.8.0;
struct Params {
    uint256 amountIn;
    uint256 amountOutMinimum;
}
interface IRouter {
    function exactInput(Params memory params) external returns (uint256);
}
contract Trader {
    IRouter router;

    function _fill(Params memory params, uint256 least) internal pure {
        params.amountOutMinimum = least;
    }

    function _build(uint256 amount, uint256 least) internal pure returns (Params memory) {
        return Params(amount, least);
    }

    function trade(uint256 amount, uint256 least) external {
        Params memory params;
        params.amountIn = amount;
        _fill(params, least);
        router.exactInput(params);
    }

    function tradeBuilt(uint256 amount, uint256 least) external {
        Params memory params;
        params = _build(amount, least);
        router.exactInput(params);
    }
}`,
      // The caller has filled the struct; in the other, no least amount was forgotten; the least is compared with the increase.
      `pragma solidity ^0.8.20;
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
interface IRouter {
  struct Params { address tokenIn; address tokenOut; uint256 amountIn; uint256 amountOutMinimum; }
  function exactInputSingle(Params memory params) external returns (uint256);
  function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 amountOutMinimum) external;
}
contract Desk {
  IRouter immutable router;
  IERC20 immutable token;
  constructor(IRouter r, IERC20 t) { router = r; token = t; }
  function trade(IRouter.Params memory params) external returns (uint256) {
    params.tokenOut = address(token);
    return router.exactInputSingle(params);
  }
  function tradeAll(address from, uint256 amount, uint256 least) external {
    router.swap(from, address(token), amount, 0);
    uint256 held = token.balanceOf(msg.sender);
    require(least <= held, "least");
  }
}`,
      // The price of the pool is held to a range just before, here or in a function that is called first.
      `pragma solidity ^0.8.20;
interface IPool { function slot0() external view returns (uint160 sqrtPriceX96, int24 tick); }
interface IBook { function getSpotPrice(address a, address b) external view returns (uint256); }
interface IManager {
  struct Params { uint256 tokenId; uint256 amount0Desired; uint256 amount0Min; uint256 amount1Min; }
  function increaseLiquidity(Params calldata params) external returns (uint256, uint256);
}
interface IRouter { function swap(uint256 amountIn, uint256 minAmountOut) external returns (uint256); }
contract Maker {
  IPool immutable pool;
  IBook immutable book;
  IManager immutable manager;
  IRouter immutable router;
  uint160 immutable low;
  uint160 immutable high;
  uint256 public floor;
  constructor(IPool p, IBook b, IManager m, IRouter r) { (pool, book, manager, router, low, high) = (p, b, m, r, 5, 9); }
  function price() private view returns (uint160 p) { (p, ) = pool.slot0(); }
  function add(uint256 amount) external {
    uint160 p = price();
    if (p <= low || p >= high) revert();
    manager.increaseLiquidity(IManager.Params({ tokenId: 1, amount0Desired: amount, amount0Min: 0, amount1Min: 0 }));
  }
  function sell(uint256 amount) external { check(); router.swap({amountIn: amount, minAmountOut: 0}); }
  function check() private view { require(book.getSpotPrice(address(this), msg.sender) > floor); }
}`,
      // An order that says from which block on it may be filled, and leaves the price to the auction.
      `pragma solidity ^0.8.20;
interface IAuction {
  struct Order { address tokenIn; address tokenOut; uint256 amountIn; uint256 minBlock; }
  function swap(Order memory order) external returns (uint256);
}
contract Desk {
  IAuction immutable auction;
  constructor(IAuction a) { auction = a; }
  function sell(address tokenIn, address tokenOut, uint256 amount) external {
    IAuction.Order memory order;
    order.tokenIn = tokenIn;
    order.tokenOut = tokenOut;
    order.amountIn = amount;
    auction.swap(order);
  }
}`,
    ],
  },
}

/** What such a name refers to. */
const amountName = /amount|out|return|received|liquidity|shares|lp|dy|tokens|in(?:put)?$/i

/** A function that trades or changes liquidity, by the verbs in published interfaces. */
const tradeName =
  /swap|exchange|trade|liquidity|exactInput|exactOutput|buy|sell|redeem|zap|increaseLiquidity|decreaseLiquidity|mint|join|exit/i

const enormous = 1n << 127n

/** With the members of a struct that was built before. */
const argumentsOf = (flow: Flow, site: CallSite): ReadonlyArray<NamedArgument> =>
  namedArguments(flow.program, {
    ...site,
    args: site.args.map((arg) => {
      const { e } = writtenAs(flow, arg as S.Expression, site.at)
      return e.kind === "FunctionCall" ? e : arg
    }),
  })

const isLoose = (flow: Flow, site: CallSite, name: string, value: S.Expression): boolean => {
  if (!amountName.test(name)) return false
  if (leastName.test(name)) return (localConstant(flow, value, site.at) ?? 2n) <= 1n
  if (!mostName.test(name)) return false
  const isLargest = value.kind === "MemberAccess" && flow.program.typeOf(value.object).kind === "meta"
  return isLargest || (localConstant(flow, value, site.at) ?? 0n) > enormous
}

/** A struct filled member by member, without the minimum amount. */
const isLeftOut = (flow: Flow, value: S.Expression): boolean => {
  const variable = flow.program.referenceOf(value)
  if (variable?.kind !== "LocalVariable" || variable.type.kind !== "struct" || variable.role !== "local") return false
  const least = variable.type.struct.members.find(({ name }) => leastName.test(name) && amountName.test(name))
  if (least === undefined || isLargeFunction(flow)) return false
  const definitions = flow.definitionsOf(variable)
  // a function that receives it may fill it, and so may assembly
  const isShared = [...flow.calls()].some(
    (other) =>
      other.callKind === "internal" &&
      other.args.some((arg) => arg.kind === "Identifier" && flow.program.referenceOf(arg) === variable),
  )
  return (
    !isShared &&
    definitions.every((d) => !d.keepsOld || !isMember(d.at.expression, least.name)) &&
    definitions.every((d) => d.keepsOld || d.value === undefined)
  )
}

/** `params.amountOutMinimum = …` */
const isMember = (e: Expr | undefined, name: string): boolean =>
  e?.kind !== "Assignment" || e.left.kind !== "MemberAccess" || e.left.member === name

/**
 * Whether the pool's price was held to a range that the contract knows, so that no one can have moved it further: the
 * trade takes place in the same transaction.
 */
const isPriceHeld = (flow: Flow, { at }: CallSite): boolean =>
  flow
    .facts(at)
    .some(
      (fact) =>
        fact.kind === "relation" &&
        fact.right !== undefined &&
        /^[<>]/.test(fact.operator) &&
        [fact.left, fact.right].some(({ calls }) => calls.some(isPriceOfPool)) &&
        [fact.left, fact.right].some((side) => only(side, Source.immutable | Source.constant | Source.state)),
    )

/**
 * Whether the traded contract's own answer, in the same transaction, has been compared with the least that the caller
 * accepts: it cannot give less than it just said.
 */
const isQuoteHeld = (flow: Flow, { at, receiver }: CallSite): boolean =>
  receiver !== undefined &&
  relationsIn(flow.facts(at)).some(
    ({ operator, left, right }) =>
      right !== undefined &&
      /^[<>]/.test(operator) &&
      [left, right].some((side) => has(side, Source.parameter | Source.state)) &&
      [left, right].some(({ calls }) => calls.some((call) => isQuote(flow, call, receiver))),
  )

const isQuote = (flow: Flow, call: S.FunctionCall | S.YulFunctionCall, receiver: Expr): boolean =>
  call.kind === "FunctionCall" &&
  call.callee.kind === "MemberAccess" &&
  /quote|preview|getAmount|get_d/i.test(call.callee.member) &&
  sameExpression(flow.program, call.callee.object, receiver as S.Expression)

/** What pools call the function that returns their current price. */
const isPriceOfPool = (call: S.FunctionCall | S.YulFunctionCall): boolean =>
  call.kind === "FunctionCall" &&
  call.callee.kind === "MemberAccess" &&
  /^(?:slot0|globalState|getReserves|getSpotPrice|get_p|price_oracle)$/.test(call.callee.member)

/** Whether what comes of it is traded on, with a limit that the caller or the contract sets for the last of the trades. */
const isLimitedByLast = (flow: Flow, site: CallSite): boolean =>
  !isLargeFunction(flow) && limitedTrades(flow).some(({ at }) => at !== site.at && flow.reaches(site.at, at))

/** Trades whose limit the caller or the contract sets. */
const limitedTrades = oncePer((flow: Flow): ReadonlyArray<CallSite> =>
  [...flow.calls()].filter(
    (site) =>
      tradeName.test(site.name) &&
      argumentsOf(flow, site).some(
        ({ name, value }) =>
          amountName.test(name) &&
          leastName.test(name) &&
          has(flow.origins(value as S.Expression, site.at), Source.parameter | Source.state),
      ),
  ),
)

/** Whether the outcome, or a balance, is compared with something after the trade. */
const isLimitedAfter = (flow: Flow, site: CallSite, trade: CallSite["node"]): boolean => {
  if (isLargeFunction(flow)) return false
  for (const node of flow.conditionNodes()) {
    if (node !== site.at && !flow.reaches(site.at, node)) continue
    let found = false
    walk(node.expression!, (e) => {
      if (!isOrdering(e)) return !found
      const sides = [flow.origins(e.left, node), flow.origins(e.right, node)]
      const measured = sides.findIndex(
        (side, i) =>
          side.calls.includes(trade) ||
          (side.sources & (Source.tokenBalance | Source.balance)) !== 0 ||
          isMadeOfBalance(flow, site, i === 0 ? e.left : e.right),
      )
      found ||= measured >= 0 && has(sides[1 - measured]!, Source.parameter | Source.state | Source.external)
      return !found
    })
    if (found) return true
  }
  return flow.calls().some(
    ({ target, args, at }) =>
      target?.implemented === true &&
      limitedParameters(flow.program.flow(target)).some((i) => {
        const arg = args[i]
        return arg !== undefined && flow.origins(arg, at).calls.includes(trade)
      }),
  )
}

/** The parameters, by index, that must be at least as large as another one, or as what is stored. */
const limitedParameters = oncePer((flow: Flow): ReadonlyArray<number> => {
  const found = new Set<LocalVariable>()
  for (const { operator, left, right } of relationsIn(flow.facts(flow.exit))) {
    if (right === undefined || !/^[<>]/.test(operator)) continue
    const [least, most] = operator.startsWith("<") ? [left, right] : [right, left]
    for (const p of most.parameters) if (least.state.length > 0 || least.parameters.some((q) => q !== p)) found.add(p)
  }
  return [...found].map((p) => flow.fn.parameters.indexOf(p))
})

/** What a library or contract without source makes of a balance afterwards: `token.balanceOf(address(this)).sub(kept)`. */
const isMadeOfBalance = (flow: Flow, { at }: CallSite, e: Expr): boolean => {
  if (e.kind !== "Identifier") return false
  const variable = flow.program.referenceOf(e)
  return (
    variable?.kind === "LocalVariable" &&
    flow
      .definitionsOf(variable)
      .some(
        (definition) =>
          definition.value !== undefined && flow.reaches(at, definition.at) && asksBalance(definition.value),
      )
  )
}

const asksBalance = (e: Expr): boolean => {
  let found = false
  walk(e, (part) => {
    found ||= part.kind === "MemberAccess" && part.member === "balanceOf"
    return !found
  })
  return found
}

const callerDepth = 4

/** Whether the function returns the outcome, and all of its callers compare it. */
const isLimitedByCallers = (flow: Flow, trade: CallSite["node"], depth = 0): boolean => {
  const { graph } = flow.program
  if (depth > callerDepth || graph.isEntryPoint(flow.fn)) return false
  return graph
    .callers(flow.fn)
    .slice(0, 12)
    .every(({ from, call }) => {
      const caller = flow.program.flow(from)
      const site = caller.siteOf(call.node)
      return site === undefined || isLimitedAfter(caller, site, trade) || isLimitedByCallers(caller, trade, depth + 1)
    })
}
