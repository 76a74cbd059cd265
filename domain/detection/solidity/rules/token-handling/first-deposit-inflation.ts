import type { Rule } from "../../../Rule.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { isZero } from "../../flow/values/isZero.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { ContractModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

interface Quotient {
  readonly node: S.Expression
  readonly factors: ReadonlyArray<Expr>
  readonly divisor: Expr
}

export const firstDepositInflation: Rule<Program> = {
  meta: {
    id: "evm/token-handling/first-deposit-inflation",
    class: "first-deposit-inflation",
    title: "First depositor can inflate the share price",
    severity: "high",
    confidence: "medium",
    cwe: [682],
    description:
      "Shares are computed as `amount * supply / balanceOf(address(this))`, rounded down, and a plain transfer " +
      "can increase that balance. The first depositor mints one share and sends tokens directly to the " +
      "contract; the next depositor of less than the new share price gets no shares, and the single share owns " +
      "both deposits.",
    remediation:
      "Add virtual shares and assets to the formula, as OpenZeppelin's ERC4626 does, or lock a minimum number " +
      "of shares at the first deposit (Uniswap V2 burns 1,000), or track the assets in a state variable instead " +
      "of reading the balance. Let depositors specify the minimum number of shares they accept.",
    references: [
      "https://docs.openzeppelin.com/contracts/5.x/erc4626#inflation-attack",
      "https://eips.ethereum.org/EIPS/eip-4626#security-considerations",
    ],
  },

  check: (program, report) => {
    const told = new Set<ContractModel>()
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (fn.contract === undefined) continue
      // the quotient is examined where it is called
      if (mulDivName.test(fn.name)) continue
      for (const node of flow.stepsWith(Shape.quotient | Shape.call)) {
        for (const { node: quotient, factors, divisor } of quotientsIn(program, node.expression)) {
          const assets = flow.deepOrigins(divisor, node)
          if (!has(assets, Source.tokenBalance | Source.balance)) continue
          const rate = rateOf(flow, divisor, node)
          if (rate === undefined && !isPlain(assets)) continue
          const [a, b] = factors.map((factor) => flow.deepOrigins(factor, node))
          if (a === undefined || b === undefined) continue
          // one factor is the deposit, the other the supply of shares
          const isSupply = (o: Origins): boolean =>
            has(o, Source.state | Source.unknown) &&
            !has(o, Source.literal | Source.constant | Source.tokenBalance | Source.balance)
          const fits =
            rate === undefined
              ? (isSupply(a) && isAmount(b)) || (isSupply(b) && isAmount(a))
              : (isAmount(a) && !isPlain(b)) || (isAmount(b) && !isPlain(a))
          if (!fits || told.has(fn.contract)) continue
          const around = [
            flow,
            ...(rate === undefined ? [] : [rate]),
            ...program.graph
              .callers(fn)
              .slice(0, callerLimit)
              .map(({ from }) => program.flow(from)),
          ]
          // without a supply, there is nothing to divide by: a share formula treats that case separately
          if (!around.some(treatsZero) || around.some((other) => locksShares(program, other))) continue
          if (around.some(limitsShares)) continue
          told.add(fn.contract)
          const { file } = node.callable.source
          report({
            file,
            span: quotient,
            scope: fn.scope,
            trace: [
              { file, span: divisor, note: "can be increased by sending tokens" },
              { file, span: quotient, note: "rounds down, to zero for small deposits" },
            ],
          })
        }
      }
    }
  },

  examples: {
    vulnerable: [
      // Through libraries, with the factors in any order, and behind checks that require nothing.
      `pragma solidity ^0.8.0;
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
library FullMath {
    function mulDiv(uint256 a, uint256 b, uint256 c) public pure returns (uint256) { return a * b / c; }
}
library SafeMath {
    function mul(uint256 a, uint256 b) public pure returns (uint256) { return a * b; }
    function div(uint256 a, uint256 b) public pure returns (uint256) { return a / b; }
}
contract Whole {
    IERC20 asset;
    uint256 supply;
    function deposit(uint256 amount) external {
        supply += supply == 0 ? amount : FullMath.mulDiv(amount, supply, asset.balanceOf(address(this))); // FINDING
    }
}
contract Safe {
    using SafeMath for uint256;
    IERC20 asset;
    uint256 supply;
    function deposit(uint256 amount) external {
        supply += supply == 0 ? amount : amount.mul(supply).div(asset.balanceOf(address(this))); // FINDING
    }
}
contract Swapped {
    IERC20 asset;
    uint256 supply;
    function deposit(uint256 amount) external {
        supply += 0 == supply ? amount : supply * amount / asset.balanceOf(address(this)); // FINDING
    }
    function again(uint256 amount) external {
        supply += 0 == supply ? amount : supply * amount / asset.balanceOf(address(this));
    }
}
contract Charged {
    IERC20 asset;
    uint256 supply;
    uint256 fee;
    uint256 count;
    function deposit(uint256 amount, uint256 least, uint256 odd) external {
        require(amount >= least);
        require(supply >= least);
        require(asset.balanceOf(address(this)) >= least);
        uint256 shares = supply == 0 ? amount : amount * supply / asset.balanceOf(address(this)); // FINDING
        require(shares > 0 && 1 <= shares && shares != odd);
        supply += shares - fee;
        count = count + 1;
    }
}
contract Priced {
    IERC20 asset;
    uint256 supply;
    function rate() public view returns (uint256) {
        return supply == 0 ? 1e18 : 1e18 * asset.balanceOf(address(this)) / supply;
    }
    function mint(uint256 amount) external {
        uint256 price = 1e18;
        if (supply > 0) price = rate();
        supply += 1e18 * amount / price; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function balanceOf(address who) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Market {
    IERC20 asset;
    uint256 supply;
    mapping(address => uint256) sharesOf;
    constructor(IERC20 a) { asset = a; }

    function rate() public view returns (uint256) {
        return supply == 0 ? 1e18 : asset.balanceOf(address(this)) * 1e18 / supply;
    }
    function mint(uint256 amount) external {
        uint256 price = rate();
        uint256 shares = amount * 1e18 / price; // FINDING
        require(asset.transferFrom(msg.sender, address(this), amount));
        sharesOf[msg.sender] += shares;
        supply += shares;
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function balanceOf(address who) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Pool {
    IERC20 asset;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;
    constructor(IERC20 a) { asset = a; }

    function deposit(uint256 amount) external {
        uint256 shares = totalShares == 0 ? amount : amount * totalShares / asset.balanceOf(address(this)); // FINDING
        require(asset.transferFrom(msg.sender, address(this), amount));
        sharesOf[msg.sender] += shares;
        totalShares += shares;
    }
}`,
      `pragma solidity ^0.8.0;
contract EtherPool {
    uint256 supply;
    mapping(address => uint256) sharesOf;
    function deposit() external payable {
        uint256 shares = msg.value;
        if (supply > 0) shares = msg.value * supply / (address(this).balance - msg.value); // FINDING
        sharesOf[msg.sender] += shares;
        supply += shares;
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Vault is ERC20("Vault", "V") {
    ERC20 asset;
    constructor(ERC20 a) { asset = a; }

    function totalAssets() public view returns (uint256) {
        return asset.balanceOf(address(this));
    }

    function toShares(uint256 amount, uint256 supply, uint256 assets) internal pure returns (uint256) {
        if (supply == 0) return amount;
        return (amount * supply) / assets; // FINDING
    }

    function deposit(uint256 amount) external {
        uint256 shares = toShares(amount, totalSupply(), totalAssets());
        asset.transferFrom(msg.sender, address(this), amount);
        _mint(msg.sender, shares);
    }
}`,
    ],
    safe: [
      // A minimum, kept back shares, and virtual ones; and products that are no deposit for a share of the balance.
      `pragma solidity ^0.8.0;
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
contract Least {
    IERC20 asset;
    uint256 supply;
    function deposit(uint256 amount, uint256 least) external {
        uint256 shares = supply == 0 ? amount : amount * supply / asset.balanceOf(address(this));
        require(least <= shares);
        supply += shares;
    }
}
contract Kept {
    IERC20 asset;
    uint256 supply;
    function deposit(uint256 amount) external {
        supply += supply == 0 ? amount - 1000 : amount * supply / asset.balanceOf(address(this));
    }
}
contract Virtual {
    IERC20 asset;
    uint256 supply;
    uint256 constant OFFSET = 1000;
    function rate() public view returns (uint256) {
        if (supply == 0) return 1e18;
        uint256 held = asset.balanceOf(address(this)) + 1;
        return held * 1e18 / supply;
    }
    function mint(uint256 amount) external { supply += amount * 1e18 / rate(); }
}
contract Offset {
    IERC20 asset;
    uint256 supply;
    uint256 constant OFFSET = 1000;
    function rate() public view returns (uint256) {
        if (supply == 0) return 1e18;
        uint256 held = OFFSET + asset.balanceOf(address(this));
        return held * 1e18 / supply;
    }
    function mint(uint256 amount) external { supply += amount * 1e18 / rate(); }
}
contract Doubled {
    IERC20 asset;
    uint256 supply;
    function rate() public view returns (uint256) {
        return supply == 0 ? 1e18 : asset.balanceOf(address(this)) * 2;
    }
    function mint(uint256 amount) external { supply += amount * 1e18 / rate(); }
}
contract Others {
    IERC20 asset;
    uint256 supply;
    uint256 reserve;
    function rate(uint256 shares) public view returns (uint256) {
        return shares == 0 ? 1e18 : asset.balanceOf(address(this)) * 1e18 / shares;
    }
    function offset() public view returns (uint256) {
        return supply == 0 ? 1e18 : asset.balanceOf(address(this)) * 1e18 / (supply + 1000);
    }
    function booked() public view returns (uint256) {
        return supply == 0 ? asset.balanceOf(address(this)) + 1 : reserve * 1e18 / supply;
    }
    function full() public view returns (uint256) {
        return supply == 0 ? 1e18 : asset.balanceOf(address(this)) * 1e18 / supply;
    }
    function priced(uint256 amount) external view returns (uint256) {
        return amount * 1e18 / rate(amount) + amount * 1e18 / offset() + amount * 1e18 / booked()
            + supply * 1e18 / full() + amount * supply / full() + 1e18 * supply / full() + supply * amount / full();
    }
    function circling(uint256 amount) external view returns (uint256) {
        uint256 low = asset.balanceOf(address(this));
        uint256 high;
        while (low < amount) {
            high = low;
            low = high;
        }
        return supply == 0 ? 0 : amount * 1e18 / (low + 1) + amount * 1e18 / low;
    }
    function offsetShares(uint256 amount) external view returns (uint256) {
        return supply == 0 ? 0 : amount * (supply + 1000) / asset.balanceOf(address(this));
    }
    function added(uint256 amount) external view returns (uint256) {
        return supply == 0 ? 0 : amount * supply / (asset.balanceOf(address(this)) + 1);
    }
    function clamped(uint256 amount) external view returns (uint256) {
        return supply == 0 ? 0 : clamp(amount, supply, asset.balanceOf(address(this)))
            + ceil(amount * supply, asset.balanceOf(address(this)));
    }
    function clamp(uint256 a, uint256 low, uint256 high) internal pure returns (uint256) {
        return a < low ? low : a > high ? high : a;
    }
    function ceil(uint256 a, uint256 b) internal pure returns (uint256) { return a > b ? a : b; }
    function fees(uint256 amount, uint256 fee) external view returns (uint256) {
        return supply == 0 ? 0 : amount * fee / asset.balanceOf(address(this));
    }
    function backing() external view returns (uint256) {
        return supply == 0 ? 0 : supply * reserve / asset.balanceOf(address(this));
    }
    function permille(uint256 amount) external view returns (uint256) {
        return supply == 0 ? 0 : amount * 1000 / asset.balanceOf(address(this));
    }
    function sum(uint256 amount) external view returns (uint256) {
        return supply == 0 ? 0 : (amount + supply) / asset.balanceOf(address(this));
    }
    function product(uint256 amount) external view returns (uint256) {
        return supply == 0 ? 0 : amount * supply * asset.balanceOf(address(this));
    }
    function kept(uint256 amount) external view returns (uint256) {
        return supply == 0 ? 0 : amount * supply / reserve;
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function balanceOf(address who) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Limited {
    IERC20 asset;
    uint256 supply;
    mapping(address => uint256) sharesOf;
    constructor(IERC20 a) { asset = a; }

    function deposit(uint256 amount, uint256 least) external {
        uint256 shares = supply == 0 ? amount : amount * supply / asset.balanceOf(address(this));
        require(shares >= least, "too few");
        require(asset.transferFrom(msg.sender, address(this), amount));
        sharesOf[msg.sender] += shares;
        supply += shares;
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
contract Rewards {
    IERC20 token;
    uint256 rate;
    constructor(IERC20 t, uint256 r) { token = t; rate = r; }
    function share(uint256 amount) external view returns (uint256) {
        return amount * rate / token.balanceOf(address(this));
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function balanceOf(address who) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Pool {
    IERC20 asset;
    uint256 public totalShares;
    uint256 public held;
    mapping(address => uint256) public sharesOf;
    constructor(IERC20 a) { asset = a; }

    function virtualShares(uint256 amount) public view returns (uint256) {
        return amount * (totalShares + 1000) / (asset.balanceOf(address(this)) + 1);
    }

    function deposit(uint256 amount) external {
        uint256 shares = totalShares == 0 ? amount : amount * totalShares / held;
        require(asset.transferFrom(msg.sender, address(this), amount));
        sharesOf[msg.sender] += shares;
        totalShares += shares;
        held += amount;
    }

    function worth(uint256 shares) external view returns (uint256) {
        return shares * asset.balanceOf(address(this)) / totalShares;
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function balanceOf(address who) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Pool {
    uint256 constant MINIMUM = 1000;
    IERC20 asset;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;
    constructor(IERC20 a) { asset = a; }

    function deposit(uint256 amount) external {
        uint256 shares;
        if (totalShares == 0) {
            shares = amount - MINIMUM;
            sharesOf[address(0)] = MINIMUM;
            totalShares = MINIMUM;
        } else {
            shares = amount * totalShares / asset.balanceOf(address(this));
        }
        require(asset.transferFrom(msg.sender, address(this), amount));
        sharesOf[msg.sender] += shares;
        totalShares += shares;
    }
}`,
    ],
  },
}

const mulDivName = /^(full)?mulDiv(Down|Up)?$/i

/** `a * b / c`, `mulDiv(a, b, c)`, `a.mul(b).div(c)` in an expression. */
const quotientsIn = (program: Program, root: S.Node | undefined): ReadonlyArray<Quotient> => {
  const found: Array<Quotient> = []
  if (root === undefined) return found
  walk(root, (e) => {
    if (e.kind === "BinaryOperation" && e.operator === "/") {
      const factors = factorsOf(program, e.left)
      if (factors !== undefined) found.push({ node: e, factors, divisor: e.right })
    }
    if (e.kind === "FunctionCall") {
      const call = program.callOf(e)
      const [a, b, c] = call?.args ?? []
      if (call === undefined || a === undefined || b === undefined) return
      if (c !== undefined && mulDivName.test(call.name)) found.push({ node: e, factors: [a, b], divisor: c })
      const factors = factorsOf(program, a)
      if (factors !== undefined && call.name === "div") found.push({ node: e, factors, divisor: b })
    }
  })
  return found
}

const factorsOf = (program: Program, e: Expr): ReadonlyArray<Expr> | undefined => {
  if (e.kind === "BinaryOperation" && e.operator === "*") return [e.left, e.right]
  if (e.kind !== "FunctionCall") return undefined
  const call = program.callOf(e)
  return call?.name === "mul" ? call.args : undefined
}

const isPlain = (o: Origins): boolean => !has(o, Source.literal | Source.constant | Source.immutable)

const isAmount = (o: Origins): boolean => has(o, Source.parameter | Source.tokenBalance | Source.value)

/** Whether shares are burned or retained at the first deposit: an amount less a constant. */
const locksShares = (program: Program, flow: Flow): boolean => {
  let found = false
  for (const node of flow.stepsWith(Shape.sum)) {
    if (node.expression === undefined) continue
    walk(node.expression, (e) => {
      if (e.kind !== "BinaryOperation" || e.operator !== "-") return
      const right = program.referenceOf(e.right)
      if (e.right.kind === "Literal" || (right?.kind === "StateVariable" && right.constant)) found = true
    })
  }
  return found
}

const callerLimit = 24

const treatsZero = (flow: Flow): boolean =>
  flow.stepsWith(Shape.equality | Shape.ordering).some((node) => {
    let found = false
    if (node.expression !== undefined)
      walk(node.expression, (e) => {
        if (e.kind === "BinaryOperation") found ||= isZero(e.left) || isZero(e.right)
        return !found
      })
    return found
  })

/** Whether the depositor specifies the minimum number of shares: `shares >= minimum`, a parameter. */
const limitsShares = (flow: Flow): boolean =>
  flow.facts(flow.exit).some((fact) => {
    if (fact.kind !== "relation" || fact.right === undefined || !/^[<>]=?$/.test(fact.operator)) return false
    const isShares = (o: Origins): boolean => has(o, Source.tokenBalance | Source.balance) && has(o, Source.state)
    return (
      (isShares(fact.left) && only(fact.right, Source.parameter)) ||
      (isShares(fact.right) && only(fact.left, Source.parameter))
    )
  })

/** The function that computes the price of a share, `balance * scale / supply`, if an expression is its result. */
const rateOf = (flow: Flow, e: Expr, at: FlowNode): Flow | undefined => {
  const { program } = flow
  if (e.kind === "Identifier") {
    const variable = program.referenceOf(e)
    if (variable?.kind !== "LocalVariable") return undefined
    for (const { value, at: before } of flow.values.reaching(variable, at).definitions) {
      // A single step: locals can depend on one another in a circle.
      const rate = value === undefined || value.kind === "Identifier" ? undefined : rateOf(flow, value, before)
      if (rate !== undefined) return rate
    }
    return undefined
  }
  const target = e.kind === "FunctionCall" ? flow.siteOf(e)?.target : undefined
  if (target?.implemented !== true) return undefined
  const inner = program.flow(target)
  const divides = inner.stepsWith(Shape.quotient | Shape.call).some((node) =>
    quotientsIn(program, node.expression).some(({ factors, divisor }) => {
      const supply = inner.origins(divisor, node)
      return (
        isPlain(supply) &&
        !has(supply, Source.tokenBalance | Source.balance | Source.parameter) &&
        factors.some((factor) => {
          const held = inner.origins(factor, node)
          return has(held, Source.tokenBalance | Source.balance) && isPlain(held)
        })
      )
    }),
  )
  return divides ? inner : undefined
}
