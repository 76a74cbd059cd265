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
      if (fn.contract === undefined || fn.contract.node.contractKind === "interface") continue
      // the quotient is looked at where it is called
      if (fn.contract.node.contractKind === "library" && mulDivName.test(fn.name)) continue
      for (const node of atOf(flow)) {
        for (const { node: quotient, factors, divisor } of quotientsIn(program, node.expression!)) {
          const assets = flow.deepOrigins(divisor, node)
          if (!has(assets, Source.tokenBalance | Source.balance)) continue
          const rate = isPlain(assets) ? undefined : rateOf(flow, divisor, node)
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
          // without a supply there is nothing to divide by: a share formula treats that case apart
          if (!around.some(treatsZero) || around.some((other) => locksShares(program, other))) continue
          if (around.some(limitsShares)) continue
          told.add(fn.contract)
          const { file } = node.callable.source
          report({
            file,
            span: quotient,
            scope: fn.scope,
            trace: [
              { file, span: divisor, note: "can be raised by sending tokens" },
              { file, span: quotient, note: "rounds down, to zero for small deposits" },
            ],
          })
        }
      }
    }
  },

  examples: {
    vulnerable: [
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
const quotientsIn = (program: Program, root: S.Node): ReadonlyArray<Quotient> => {
  const found: Array<Quotient> = []
  walk(root, (e) => {
    if (e.kind === "BinaryOperation" && e.operator === "/") {
      const factors = factorsOf(program, e.left)
      if (factors !== undefined) found.push({ node: e, factors, divisor: e.right })
    }
    if (e.kind === "FunctionCall") {
      const call = program.callOf(e)
      const args =
        call?.receiver === undefined || call.args.includes(call.receiver)
          ? (call?.args ?? [])
          : [call.receiver, ...call.args]
      if (call === undefined) return
      if (mulDivName.test(call.name) && args.length >= 3)
        found.push({ node: e, factors: args.slice(0, 2), divisor: args[2]! })
      if (call.name === "div" && args.length >= 2) {
        const factors = factorsOf(program, args[0]!)
        if (factors !== undefined) found.push({ node: e, factors, divisor: args[1]! })
      }
    }
  })
  return found
}

const factorsOf = (program: Program, e: Expr): ReadonlyArray<Expr> | undefined => {
  if (e.kind === "BinaryOperation" && e.operator === "*") return [e.left, e.right]
  if (e.kind !== "FunctionCall") return undefined
  const call = program.callOf(e)
  if (call?.name !== "mul") return undefined
  const args =
    call.receiver === undefined || call.args.includes(call.receiver) ? call.args : [call.receiver, ...call.args]
  return args.length >= 2 ? args.slice(0, 2) : undefined
}

const isPlain = (o: Origins): boolean => !has(o, Source.literal | Source.constant | Source.immutable)

const isAmount = (o: Origins): boolean => has(o, Source.parameter | Source.tokenBalance | Source.value)

/** Shares are burned or kept back at the first deposit: an amount less a constant. */
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
        if (e.kind === "BinaryOperation" && /^([=!]=|>|<)$/.test(e.operator))
          found ||= isZero(e.left) || isZero(e.right)
        return !found
      })
    return found
  })

/** The steps that divide. */
const atOf = (flow: Flow): ReadonlyArray<FlowNode> =>
  flow
    .stepsWith(Shape.quotient | Shape.call)
    .filter(
      (node) =>
        node.expression !== undefined &&
        flow.isReachable(node) &&
        ((node.shape & Shape.quotient) !== 0 ||
          node.events.some((event) => event.kind === "call" && /div/i.test(event.name))),
    )

/** The depositor says how many shares are the least: `shares >= minimum`, a parameter. */
const limitsShares = (flow: Flow): boolean =>
  flow.facts(flow.exit).some((fact) => {
    if (fact.kind !== "relation" || fact.right === undefined || !/^[<>]=?$/.test(fact.operator)) return false
    const isShares = (o: Origins): boolean => has(o, Source.tokenBalance | Source.balance) && has(o, Source.state)
    return (
      (isShares(fact.left) && only(fact.right, Source.parameter)) ||
      (isShares(fact.right) && only(fact.left, Source.parameter))
    )
  })

/** Something constant is added: virtual assets or shares. */
const addsConstant = (program: Program, flow: Flow): boolean =>
  flow.stepsWith(Shape.sum).some((node) => {
    let found = false
    if (node.expression !== undefined)
      walk(node.expression, (e) => {
        if (e.kind !== "BinaryOperation" || e.operator !== "+") return
        const constant = (side: S.Expression): boolean => {
          const variable = program.referenceOf(side)
          return side.kind === "Literal" || (variable?.kind === "StateVariable" && variable.constant)
        }
        found ||= constant(e.left) || constant(e.right)
      })
    return found
  })

/** The function that computes the price of a share, `balance * scale / supply`, whose result an expression is. */
const rateOf = (flow: Flow, e: Expr, at: FlowNode): Flow | undefined => {
  const { program } = flow
  if (e.kind === "Identifier") {
    const variable = program.referenceOf(e)
    if (variable?.kind !== "LocalVariable") return undefined
    const [definition, ...others] = flow.values.reaching(variable, at).definitions
    const value = others.length > 0 || definition?.index !== undefined ? undefined : definition?.value
    return value === undefined || value.kind === "Identifier" ? undefined : rateOf(flow, value, definition!.at)
  }
  const target = e.kind === "FunctionCall" ? flow.siteOf(e)?.target : undefined
  if (target?.implemented !== true || flow.fn === target) return undefined
  const inner = program.flow(target)
  const divides = atOf(inner).some((node) =>
    quotientsIn(program, node.expression!).some(({ factors, divisor }) => {
      const supply = inner.origins(divisor, node)
      return (
        has(supply, Source.state) &&
        isPlain(supply) &&
        !has(supply, Source.tokenBalance | Source.balance | Source.parameter) &&
        factors.some((factor) => {
          const held = inner.origins(factor, node)
          return has(held, Source.tokenBalance | Source.balance) && isPlain(held)
        })
      )
    }),
  )
  return divides && !addsConstant(program, inner) ? inner : undefined
}
