import type { Rule } from "../../../Rule.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { FunctionModel, StateVariable } from "../../model.ts"
import { oncePer } from "../../../oncePer.ts"
import type { Flow, Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"

export const poolPriceRead: Rule<Program> = {
  meta: {
    id: "evm/reentrancy/pool-price-read",
    class: "reentrancy-read-only",
    title: "Pool price read without a read-only reentrancy check",
    severity: "medium",
    // only pools that hold ether or tokens with callbacks can be reentered
    confidence: "low",
    cwe: [841, 807],
    description:
      "The contract relies on the price that a liquidity pool reports for its shares. While the pool is paying " +
      "out a withdrawal in ether, its balances and its supply do not match, and that price is wrong. An " +
      "attacker withdraws and, at the moment the ether arrives, calls this contract, which lends, mints or pays " +
      "rewards based on a price that does not exist.",
    remediation:
      "Before reading the price, call a function of the pool that reverts while it is locked (Curve: " +
      "`withdraw_admin_fees` or `remove_liquidity(0, …)`, Balancer: " +
      "`VaultReentrancyLib.ensureNotInVaultContext`), or use a price that is not computed from the pool's " +
      "current balances.",
    references: [
      "https://chainsecurity.com/curve-lp-oracle-manipulation-post-mortem/",
      "https://forum.balancer.fi/t/reentrancy-vulnerability-scope-expanded/4345",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        if (site.callKind !== "external" || site.resultIgnored || !priceViews.has(site.name)) continue
        if (site.args.length > 1 || !program.graph.isReachable(flow.fn)) continue
        // an earlier state-changing call to the pool or its vault reverts while the pool is locked
        const asked = flow.externalCalls.some(
          ({ event, at, order }) =>
            !event.isStatic &&
            flow.follows({ at, order }, site) &&
            !/^(safe)?transfer(From)?$|^approve$/i.test(event.name),
        )
        const ensured = [...flow.calls()].some(
          ({ name, callKind }) => callKind !== "external" && name.startsWith("ensureNot"),
        )
        if (asked || ensured || isBoundFor(flow, site)) continue
        report({
          ...placeOf(site),
          scope: flow.fn.scope,
          ...(mayBeNoPool(program, site)
            ? { severity: "low" as const, message: "Staking tokens and vaults report their rate in the same way." }
            : {}),
        })
      }
    }
  },
  examples: {
    vulnerable: [
      // The price of one pool limits what another one pays.
      `pragma solidity ^0.8.18;
interface ICurve {
  function get_virtual_price() external view returns (uint256);
  function remove_liquidity_one_coin(uint256 amount, int128 index, uint256 least) external returns (uint256);
}
contract Manager {
  ICurve immutable pool;
  ICurve immutable other;
  constructor(ICurve p, ICurve o) { pool = p; other = o; }
  function leave(uint256 amount) external returns (uint256) {
    uint256 least = amount * other.get_virtual_price() / 1e18; // FINDING
    return pool.remove_liquidity_one_coin(amount, 0, least);
  }
}`,
      `pragma solidity ^0.8.18;
interface ICurve { function get_virtual_price() external view returns (uint256); }
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Rewards {
  ICurve immutable pool;
  IERC20 immutable lp;
  mapping(address => uint256) public points;
  constructor(ICurve p, IERC20 t) { pool = p; lp = t; }
  function stake(uint256 amount) external {
    require(lp.transferFrom(msg.sender, address(this), amount));
    points[msg.sender] += amount * pool.get_virtual_price() / 1e18; // FINDING
  }
}`,
      `pragma solidity ^0.8.18;
interface IRate { function getRate() external view returns (uint256); }
contract Lender {
  IRate pool;
  mapping(address => uint256) collateral;
  constructor(IRate p) { pool = p; }
  function valueOf(address who) public view returns (uint256) {
    uint256 rate = pool.getRate(); // FINDING
    return collateral[who] * rate / 1e18;
  }
}`,
      `pragma solidity ^0.8.18;
interface IPool {
  function coins(uint256 index) external view returns (address);
  function getRate(address token) external view returns (uint256);
  function lp_price() external view returns (uint256);
  function getActualSupply() external view returns (uint256);
  function get_p() external view returns (uint256);
  function ensureNotKilled() external view;
  function claim() external;
}
contract Reader {
  IPool immutable pool;
  uint256 public last;
  constructor(IPool p) { pool = p; }
  function rate() external view returns (uint256) {
    return pool.getRate(pool.coins(0)); // FINDING
  }
  function price() external view returns (uint256) {
    pool.ensureNotKilled();
    return pool.lp_price(); // FINDING
  }
  function supply() external view returns (uint256) {
    return pool.getActualSupply(); // FINDING
  }
  function update() external {
    last = pool.get_p(); // FINDING
    pool.claim();
  }
}`,
      // What has a rate: a token, for all that is known; a pool that pays out; one that inherits.
      `pragma solidity ^0.8.18;
interface IStaked { function getRate() external view returns (uint256); function decimals() external pure returns (uint8); }
interface IPool { function getRate() external view returns (uint256); function exit() external; }
interface IBasket { function getRate() external view returns (uint256); function coins(uint256) external view returns (address); }
interface IHeir is IPool { function getRate() external view returns (uint256); }
interface ICurve { function get_virtual_price() external view returns (uint256); }
contract Reader {
  function staked(IStaked of) external view returns (uint256) {
    return of.getRate(); // FINDING
  }
  function pool(IPool of) external view returns (uint256) {
    return of.getRate(); // FINDING
  }
  function heir(IHeir of) external view returns (uint256) {
    return of.getRate(); // FINDING
  }
  function basket(IBasket of) external view returns (uint256) {
    return of.getRate(); // FINDING
  }
  function curve(ICurve of) external view returns (uint256) {
    return of.get_virtual_price(); // FINDING
  }
}`,
    ],
    safe: [
      // The pool is told the least that it may pay, computed from its own price.
      `pragma solidity ^0.8.18;
interface ICurve {
  function get_virtual_price() external view returns (uint256);
  function remove_liquidity_one_coin(uint256 amount, int128 index, uint256 least) external returns (uint256);
}
contract Manager {
  ICurve immutable pool;
  uint256 public slippage = 9_900;
  constructor(ICurve p) { pool = p; }
  function leave(uint256 amount) external returns (uint256) {
    uint256 expected = amount * pool.get_virtual_price() / 1e18;
    uint256 least = expected * slippage / 10_000;
    return pool.remove_liquidity_one_coin(amount, 0, least);
  }
}`,
      `pragma solidity ^0.8.18;
interface ICurve {
  function get_virtual_price() external view returns (uint256);
  function withdraw_admin_fees() external;
}
contract Rewards {
  ICurve immutable pool;
  mapping(address => uint256) public points;
  constructor(ICurve p) { pool = p; }
  function stake(uint256 amount) external {
    pool.withdraw_admin_fees();
    points[msg.sender] += amount * pool.get_virtual_price() / 1e18;
  }
}`,
      `pragma solidity ^0.8.18;
contract Pool {
  uint256 supply = 1;
  uint256 assets;
  function get_virtual_price() public view returns (uint256) { return assets * 1e18 / supply; }
  function quote(uint256 amount) external view returns (uint256) { return amount * get_virtual_price() / 1e18; }
}`,
      `pragma solidity ^0.8.18;
interface IRates {
  function get_virtual_price() external view returns (uint256);
  function getRate(address base, address quote) external view returns (uint256);
  function fee() external view returns (uint256);
}
library Vaults { function ensureNotInVaultContext(address vault) public view { require(vault.code.length > 0); } }
contract Reader {
  IRates immutable rates;
  address immutable vault;
  constructor(IRates r, address v) { rates = r; vault = v; }
  function isPool() external view returns (bool) { rates.get_virtual_price(); return true; }
  function fee() external view returns (uint256) { return rates.fee(); }
  function quote(address a, address b) external view returns (uint256) { return rates.getRate(a, b); }
  function price() external view returns (uint256) {
    Vaults.ensureNotInVaultContext(vault);
    return rates.get_virtual_price();
  }
  function unused() private view returns (uint256) { return rates.get_virtual_price(); }
}`,
    ],
  },
}

/** Functions through which pools that pay out ether or call back report their price: Curve, Balancer. */
const priceViews = new Set(["get_virtual_price", "getRate", "lp_price", "getActualSupply", "get_p"])

/**
 * Whether nothing shows that the called contract is a pool: `getRate()` is how anything that has an exchange rate reports
 * it, and the interface knows of nothing that it could pay out.
 */
const mayBeNoPool = (program: Program, { name, call }: CallSite): boolean => {
  if (name !== "getRate" || !call?.receiver) return false
  const type = program.typeOf(call.receiver)
  return type.kind === "contract" && type.contract.linearization.every(({ functions }) => functions.every(isPlainView))
}

/** The accounts that are told something computed from the result of a call, by that call. */
const toldOf = oncePer((flow: Flow): ReadonlyMap<unknown, ReadonlyArray<StateVariable>> => {
  const told = new Map<unknown, ReadonlyArray<StateVariable>>()
  for (const site of flow.calls())
    if (site.callKind === "external" && !site.isStatic)
      for (const arg of site.args)
        for (const call of flow.origins(arg, site.at).calls)
          told.set(call, [...(told.get(call) ?? []), ...receiverOf(flow, site)])
  return told
})

/** Whether the pool itself is then told the least that it may pay: a locked pool takes no orders. */
const isBoundFor = (flow: Flow, site: CallSite): boolean => {
  const pools = receiverOf(flow, site)
  return (
    toldOf(flow)
      .get(site.node)
      ?.some((one) => pools.includes(one)) === true
  )
}

const receiverOf = (flow: Flow, { receiver, at }: CallSite): ReadonlyArray<StateVariable> =>
  receiver === undefined ? [] : flow.origins(receiver, at).state

const isPlainView = ({ parameters, mutability }: FunctionModel): boolean =>
  parameters.length === 0 && (mutability === "view" || mutability === "pure")
