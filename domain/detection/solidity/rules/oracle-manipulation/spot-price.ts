import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { isOrdering } from "../../questions/value/callerNumbers.ts"
import { walk } from "../../visit.ts"

export const spotPrice: Rule<Program> = {
  meta: {
    id: "evm/oracle-manipulation/spot-price",
    class: "oracle-spot",
    title: "Spot price used as an oracle",
    severity: "high",
    // Some contracts only display the price, or use it for trades that have their own limit.
    confidence: "medium",
    cwe: [807, 682],
    description:
      "A price is computed from the current reserves or quotes of a liquidity pool. With a flash loan, anyone " +
      "can move that price as far as they want, use the contract at the false price (borrow against inflated " +
      "collateral, mint or redeem at a wrong rate), and move it back, all in one transaction and without any " +
      "capital of their own.",
    remediation:
      "Use a price feed (Chainlink) or a time-weighted average over at least half an hour (Uniswap V3 " +
      "`observe`), and limit how far prices may move between two uses. Do not use router quotes as the price.",
    references: [
      "https://docs.uniswap.org/concepts/protocol/oracle",
      "https://samczsun.com/so-you-want-to-use-a-price-oracle/",
      "https://owasp.org/www-project-smart-contract-top-10/",
    ],
  },

  check: (program, report) => {
    const reads = poolReads(program)
    if (reads.size === 0) return
    for (const call of averaged(program, reads)) reads.delete(call)
    const isReader = readers(program, reads)
    const told = new Set<CallSite>()
    // the place where the price is computed comes first, then users of a bare reading from another function
    for (const own of [true, false]) {
      for (const flow of program.allFlows()) {
        if (!isReader(flow) || isTrading(flow)) continue
        for (const node of flow.nodes) {
          if (node.expression === undefined || node.kind === "branch" || node.assembly !== undefined) continue
          walk(node.expression, (e) => {
            const use = priceUse(flow, e, node, reads, own)
            if (use === undefined) return true
            if (told.has(use)) return false
            told.add(use)
            const { file } = node.callable.source
            report({
              file,
              span: e,
              scope: node.callable.scope,
              message: `The price comes from ${spot.get(`${use.name}/${use.args.length}`) ?? "the balances of a pool"}.`,
              trace: [
                { file: use.at.callable.source.file, span: use.node, note: "read in the current block" },
                { file, span: e, note: "used as a price" },
              ],
            })
            return false
          })
        }
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
interface IPair { function getReserves() external view returns (uint112, uint112, uint32); }
interface IRouter { function getAmountOut(uint256 amount, uint256 a, uint256 b) external view returns (uint256); }
contract Loans {
  mapping(address => uint256) started;
  mapping(address => uint256) debt;
  IPair pair;
  IRouter router;
  function interest(uint256 amount) external view returns (uint256) {
    (uint112 r0, uint112 r1, ) = pair.getReserves();
    uint256 price = uint256(r1) * 1e18 / r0; // FINDING
    return price * amount;
  }
  function grown(address who, uint256 amount) external view returns (uint256) {
    (uint112 r0, uint112 r1, ) = pair.getReserves();
    uint256 price = uint256(r1) / r0; // FINDING
    return price * (block.timestamp - started[who]) * amount;
  }
  function isSafe(address who, uint256 amount) external view returns (bool) {
    return router.getAmountOut(amount, 1, 2) > debt[who]; // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
interface IPair { function getReserves() external view returns (uint112, uint112, uint32); }
contract Lending {
    IPair pair;
    mapping(address => uint256) collateral;
    mapping(address => uint256) public debt;

    function price() public view returns (uint256) {
        (uint112 a, uint112 b, ) = pair.getReserves();
        return (uint256(b) * 1e18) / a; // FINDING
    }

    function borrow(uint256 amount) external {
        require(collateral[msg.sender] * price() >= amount * 1e18);
        debt[msg.sender] += amount;
    }
}`,
      `pragma solidity ^0.8.0;
interface IRouter { function getAmountsOut(uint256 amount, address[] calldata path) external view returns (uint256[] memory); }
interface IPair { function getReserves() external view returns (uint112 a, uint112 b, uint32 t); }
contract Lending {
    IRouter router;
    IPair pair;
    address[] path;
    mapping(address => uint256) collateral;
    mapping(address => uint256) public debt;

    function borrow(uint256 amount) external {
        uint256 value = router.getAmountsOut(collateral[msg.sender], path)[1];
        require(value >= amount); // FINDING
        debt[msg.sender] += amount;
    }

    function reserves() internal view returns (uint256, uint256) {
        (uint112 a, uint112 b, ) = pair.getReserves();
        return (a, b);
    }

    function price() public view returns (uint256) {
        (uint256 a, uint256 b) = reserves();
        return b * 1e18 / a; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
contract Bank {
    IERC20 stable;
    IERC20 coin;
    address pool;
    mapping(address => uint256) public minted;

    function etherRate() external view returns (uint256) {
        return pool.balance * 1e18 / coin.balanceOf(pool); // FINDING
    }

    function rate() internal view returns (uint256) {
        return stable.balanceOf(pool) * 1e18 / coin.balanceOf(pool); // FINDING
    }

    function mint(uint256 amount) external {
        minted[msg.sender] += amount * rate() / 1e18;
    }
}`,
      `pragma solidity ^0.8.20;
import "./IPair.sol";
interface IPool {
  function getSpotPrice(address a, address b) external view returns (uint256);
  function swapFee() external view returns (uint256);
  function sync() external;
}
contract Reader {
  IPair pair;
  IPool pool;
  uint256 fee;
  uint256 last;
  function times(uint256 amount, address a, address b) external view returns (uint256) {
    uint256 price = pool.getSpotPrice(a, b);
    return amount * price; // FINDING
  }
  function reserves() external view returns (uint256) {
    (uint256 x, uint256 y, ) = pair.getReserves();
    return x / y; // FINDING
  }
  function withFee(address a, address b) external returns (uint256) {
    swap();
    pool.sync();
    uint256 f = pool.swapFee();
    uint256 price = pool.getSpotPrice(a, b);
    last = f;
    return price * 2; // FINDING
  }
  function swap() internal { fee += 1; }
}`,
      // No average: the time is only a factor; and the balances may be read by helpers.
      `pragma solidity ^0.8.20;
interface IPair { function getReserves() external view returns (uint112, uint112, uint32); }
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
contract Rent {
  IPair immutable pair;
  IERC20 immutable dollar;
  IERC20 immutable coin;
  uint256 last;
  uint256 public due;
  constructor(IPair p, IERC20 d, IERC20 c) { pair = p; dollar = d; coin = c; }
  function charge() external {
    (uint112 reserve, , ) = pair.getReserves();
    due = reserve * (block.timestamp - last); // FINDING
    last = block.timestamp;
  }
  function price() external view returns (uint256) {
    return _dollars() / _coins(); // FINDING
  }
  function _dollars() private view returns (uint256) { return dollar.balanceOf(address(pair)); }
  function _coins() private view returns (uint256) { return coin.balanceOf(address(pair)); }
}`,
    ],
    safe: [
      // Whoever leaves takes their share of the treasury along; what the treasury holds of the token itself does not count.
      `pragma solidity ^0.8.20;
interface IToken { function balanceOf(address who) external view returns (uint256); function totalSupply() external view returns (uint256); }
interface ITreasury { function pay(address to, address asset, uint256 amount) external; }
contract Exit {
  IToken immutable shares;
  ITreasury immutable treasury;
  constructor(IToken s, ITreasury t) { shares = s; treasury = t; }
  function outstanding() public view returns (uint256) { return shares.totalSupply() - shares.balanceOf(address(treasury)); }
  function leave(IToken asset, uint256 count) external {
    uint256 all = outstanding();
    treasury.pay(msg.sender, address(asset), asset.balanceOf(address(treasury)) * count / all);
    treasury.pay(msg.sender, address(0), address(treasury).balance * count / all);
  }
}`,
      `pragma solidity ^0.8.0;
interface IPair {
  function getReserves() external view returns (uint112, uint112, uint32);
  function price0CumulativeLast() external view returns (uint256);
}
interface IRouter { function getAmountsOut(uint256 amount, address[] calldata path) external view returns (uint256[] memory); }
contract Average {
  uint256 last;
  uint256 lastTime;
  function cumulative(IPair pair) internal view returns (uint256 sum) {
    sum = pair.price0CumulativeLast();
    (uint112 r0, uint112 r1, uint32 updated) = pair.getReserves();
    uint32 elapsed = uint32(block.timestamp) - updated;
    if (elapsed > 0) sum += uint256(ratio(r1, r0)) * elapsed;
  }
  function ratio(uint112 a, uint112 b) internal pure returns (uint224) { return (uint224(a) << 112) / b; }
  function next(IPair pair) external view returns (uint256) {
    (uint112 r0, uint112 r1, uint32 updated) = pair.getReserves();
    return last + (block.timestamp - updated) * ratio(r1, r0);
  }
  function price(IPair pair) external view returns (uint256) {
    return (cumulative(pair) - last) / (block.timestamp - lastTime);
  }
  function better(IRouter a, IRouter b, uint256 amount, address[] calldata path) external view returns (IRouter) {
    return a.getAmountsOut(amount, path)[1] > b.getAmountsOut(amount, path)[1] ? a : b;
  }
}`,
      `pragma solidity ^0.8.0;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
interface IERC20 { function balanceOf(address who) external view returns (uint256); function totalSupply() external view returns (uint256); }
contract Vault {
    IERC20 asset;
    IFeed feed;
    uint256 totalShares;
    mapping(address => uint256) public shares;

    function price() public view returns (uint256) {
        (, int256 answer, , uint256 updated, ) = feed.latestRoundData();
        require(block.timestamp - updated < 3600);
        return uint256(answer) * 1e18 / 1e8;
    }

    function deposit(uint256 amount) external {
        shares[msg.sender] += amount * totalShares / asset.balanceOf(address(this));
    }
}`,
      `pragma solidity ^0.8.0;
interface IPair {
    function getReserves() external view returns (uint112, uint112, uint32);
    function swap(uint256 a, uint256 b, address to, bytes calldata data) external;
}
contract Router {
    function trade(IPair pair, uint256 amount, uint256 least) external {
        (uint112 a, uint112 b, ) = pair.getReserves();
        uint256 out = (amount * 997 * b) / (uint256(a) * 1000 + amount * 997);
        require(out >= least);
        pair.swap(0, out, msg.sender, "");
    }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function balanceOf(address who) external view returns (uint256); }
interface IItems { function balanceOf(address who, uint256 id) external view returns (uint256); }
interface IPair {
  function getReserves() external view returns (uint256, uint256);
  function swap(uint256 a, uint256 b) external;
}
interface IRegistry { function weight(address who) external view returns (uint256); }
contract Reader {
  IToken a;
  IToken b;
  IItems x;
  IItems y;
  IPair pair;
  IRegistry registry;
  address pool;
  address vault;
  uint256 r0;
  uint256 r1;
  function own(address who) external view returns (uint256) { return a.balanceOf(msg.sender) / b.balanceOf(who); }
  function same() external view returns (uint256) { return a.balanceOf(pool) / a.balanceOf(vault); }
  function given(IToken t) external view returns (uint256) { return t.balanceOf(pool) / t.balanceOf(vault); }
  function product() external view returns (uint256) { return a.balanceOf(pool) * b.balanceOf(pool); }
  function items() external view returns (uint256) { return x.balanceOf(pool, 1) / y.balanceOf(pool, 1); }
  function weight() external view returns (uint256) { return registry.weight(pool) * 2; }
  function sum() external view returns (uint256) { (uint256 p, uint256 q) = pair.getReserves(); return p + q; }
  function trade() external {
    (uint256 p, uint256 q) = pair.getReserves();
    pair.swap(0, p / q);
  }
  function getReserves() public view returns (uint256, uint256) { return (r0, r1); }
  function rate() external view returns (uint256) { (uint256 p, uint256 q) = getReserves(); return p / q; }
}`,
      // Sums of readings, and functions of the contract's own by these names.
      `pragma solidity ^0.8.20;
interface IPair { function getReserves() external view returns (uint112, uint112, uint32); }
interface IRouter { function getAmountOut(uint256 amount, uint256 a, uint256 b) external view returns (uint256); }
contract Desk {
  IPair immutable pair;
  IRouter immutable router;
  constructor(IPair p, IRouter r) { pair = p; router = r; }
  function getAmountOut(uint256 amount, uint256 a, uint256 b) internal pure returns (uint256) { return (amount * b) / a; }
  function share(uint256 amount) external pure returns (uint256) { return getAmountOut(amount, 3, 4) / 2; }
  function both() external view returns (uint256) { (uint112 a, uint112 b, ) = pair.getReserves(); return uint256(a) + b; }
  function atLeast(uint256 amount) external view returns (uint256) { return router.getAmountOut(amount, 3, 4) + 1; }
}`,
    ],
  },
}

/** Functions of pools and routers, by name and number of arguments, that return the current price. */
const spot = new Map([
  ["getReserves/0", "the reserves of a pool"],
  ["slot0/0", "the price of a pool"],
  ["getAmountsOut/2", "a router's quote"],
  ["getAmountOut/3", "a router's quote"],
  ["getAmountsIn/2", "a router's quote"],
  ["get_dy/3", "a pool's quote"],
  ["getSpotPrice/2", "the price of a pool"],
])

/** Functions by which a contract trades with the pool itself: then it has to follow the reserves. */
const trades = /^(?:swap|mint|burn|addLiquidity|removeLiquidity|flash|increaseLiquidity)/

const isForeign = (site: CallSite): boolean => site.receiver !== undefined

/** `a.balanceOf(pool) * x / b.balanceOf(pool)`: the ratio of a pool's holdings of two tokens. */
const balanceRatio = (
  flow: Flow,
  e: S.BinaryOperation,
  at: FlowNode,
  reads: ReadonlyMap<S.Node, CallSite>,
): CallSite | undefined => {
  const values = [flow.origins(e.left, at), flow.origins(e.right, at)]
  const [above, below] = values.map(({ calls }) =>
    calls.flatMap((call) => {
      const site = reads.get(call)
      return site?.name === "balanceOf" ? [site] : []
    }),
  )
  // A share of what is held, by the tokens that are outstanding: whoever raises the balance gives to the others.
  if (values[1]!.calls.some((e) => e.kind === "FunctionCall" && flow.program.callOf(e)?.name === "totalSupply"))
    return undefined
  // a pool's ether divided by its tokens
  const ether = values.findIndex((value) => has(value, Source.otherBalance))
  if (ether >= 0) return [below, above][ether]![0]
  return above!.find((a) => below!.some((b) => isOtherToken(flow, a, b)))
}

const isOtherToken = (flow: Flow, a: CallSite, b: CallSite): boolean => {
  const [x, y] = [flow.origins(a.receiver!, a.at), flow.origins(b.receiver!, b.at)]
  const holders = [flow.origins(a.args[0]!, a.at), flow.origins(b.args[0]!, b.at)]
  // the holder's share of one token's supply is not a price
  if (holders.some((holder) => has(holder, Source.sender | Source.parameter))) return false
  return !x.state.some((v) => y.state.includes(v)) && !x.parameters.some((p) => y.parameters.includes(p))
}

/** Every call that reads a pool's current state, or a balance. */
const poolReads = (program: Program): Map<S.Node, CallSite> => {
  const reads = new Map<S.Node, CallSite>()
  for (const flow of program.allFlows()) {
    for (const site of flow.calls()) {
      const isBalance = site.name === "balanceOf" && site.args.length === 1
      if (isBalance || spot.has(`${site.name}/${site.args.length}`)) reads.set(site.node, site)
    }
  }
  return reads
}

/** The part of an expression that is weighted by time, and the time, if it is one. */
const shares = (e: S.Node): ReadonlyArray<readonly [part: S.Expression, time: S.Expression]> => {
  if (e.kind === "BinaryOperation" && e.operator === "/") return [[e.left, e.right]]
  const added =
    e.kind === "Assignment" && e.operator === "+="
      ? [e.right]
      : e.kind === "BinaryOperation" && e.operator === "+"
        ? [e.left, e.right]
        : []
  return added.flatMap((one) =>
    one.kind === "BinaryOperation" ? [[one.left, one.right] as const, [one.right, one.left] as const] : [],
  )
}

/**
 * Readings that are accumulated over time, as for an average: `sum += price * elapsed`, `(sum - earlier) / elapsed`.
 */
const averaged = (program: Program, reads: ReadonlyMap<S.Node, CallSite>): ReadonlySet<S.Node> => {
  const found = new Set<S.Node>()
  const isReader = readers(program, reads)
  for (const flow of program.allFlows()) {
    if (!isReader(flow)) continue
    for (const node of flow.nodes) {
      if (node.expression === undefined || node.kind === "branch" || node.assembly !== undefined) continue
      walk(node.expression, (e) => {
        for (const [part, time] of shares(e)) {
          if (!has(flow.origins(time, node), Source.timestamp)) continue
          for (const call of flow.origins(part, node).calls) found.add(call)
        }
      })
    }
  }
  return found
}

/** Whether a function, or one whose result it uses, reads a pool. */
const readers = (program: Program, reads: ReadonlyMap<S.Node, CallSite>): ((flow: Flow) => boolean) => {
  const known = new Map<FunctionModel, boolean>()
  const handsOn = (fn: FunctionModel): boolean => {
    let answer = known.get(fn)
    if (answer === undefined) {
      answer = program.flow(fn).summary.results.some(({ calls }) => calls.some((call) => reads.has(call)))
      known.set(fn, answer)
    }
    return answer
  }
  return (flow) => {
    for (const site of flow.calls()) if (reads.has(site.node)) return true
    return program.graph.callees(flow.fn).some(({ to }) => handsOn(to))
  }
}

const isTrading = (flow: Flow): boolean =>
  [...flow.calls()].some((site) => isForeign(site) && !site.isStatic && trades.test(site.name))

/** The reading that an expression turns into a price: by arithmetic, or by comparing it with a quote. */
const priceUse = (
  flow: Flow,
  e: S.Node,
  at: FlowNode,
  reads: ReadonlyMap<S.Node, CallSite>,
  own: boolean,
): CallSite | undefined => {
  if (e.kind !== "BinaryOperation") return undefined
  const isProduct = e.operator === "/" || e.operator === "*"
  if (!isProduct && !isOrdering(e)) return undefined
  const value = flow.origins(e, at)
  const quotes = [e.left, e.right].map((side) => flow.origins(side, at).calls.some((call) => reads.has(call)))
  // the better of two quotes is used
  if (!isProduct && quotes.every((isQuote) => isQuote)) return undefined
  for (const call of value.calls) {
    const site = reads.get(call)
    if (site === undefined || site.name === "balanceOf" || (site.at.callable === flow.fn) !== own) continue
    // a comparison of reserves is not a price yet
    if (isProduct || /amount|dy|quote/i.test(site.name)) return site
  }
  return e.operator === "/" ? balanceRatio(flow, e, at, reads) : undefined
}
