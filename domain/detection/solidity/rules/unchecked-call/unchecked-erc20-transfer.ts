import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import { SomeEvents } from "../../flow/graph/someEvents.ts"
import { isTrustedChoice } from "../../access/checks/trustedChoice.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { lostResult } from "../../questions/call/lostResult.ts"

export const uncheckedErc20Transfer: Rule<Program> = {
  meta: {
    id: "evm/unchecked-call/unchecked-erc20-transfer",
    class: "unchecked-erc20",
    title: "Unchecked ERC-20 transfer",
    severity: "medium",
    // Harmless with tokens that always revert; the source rarely says which token it will be.
    confidence: "medium",
    cwe: [252],
    swc: 104,
    description:
      "ERC-20 lets `transfer` and `transferFrom` report failure by returning `false`, and several widely used " +
      "tokens do so instead of reverting. Here, the result is ignored: a deposit is credited although no tokens " +
      "arrived, or a debt is cleared although nothing was paid. Tokens that return nothing at all, such as " +
      "USDT, make a call through the standard interface revert.",
    remediation:
      "Use a wrapper that handles all three kinds of tokens, such as OpenZeppelin's SafeERC20 (`safeTransfer`, " +
      "`safeTransferFrom`) or Solady's SafeTransferLib. `require(token.transfer(…))` covers tokens that return false, but " +
      "still fails with those that return nothing.",
    references: [
      "https://eips.ethereum.org/EIPS/eip-20",
      "https://github.com/d-xo/weird-erc20#missing-return-values",
      "https://docs.openzeppelin.com/contracts/5.x/api/token/erc20#SafeERC20",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        if (!isErc20Move(program, site) || !isLost(flow, site) || isMeasured(flow, site)) continue
        report({
          file: site.at.callable.source.file,
          span: site.node,
          scope: site.at.callable.scope,
          ...lowered(isKnownToken(flow, site) ? "Only privileged accounts choose the token." : whatFollows(flow, site)),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // Who chooses the token: the caller, the deployer, the owner, or whoever copies it from a trusted registry.
      `pragma solidity ^0.8.0;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
interface IRegistry { function tokenOf(bytes32 name) external view returns (address); }
contract Desk {
    address immutable owner = msg.sender;
    IERC20 immutable first;
    IRegistry immutable registry;
    IERC20 public second;
    IERC20 public third;
    IERC20 public fourth;
    mapping(uint256 => IERC20) public poolTokens;
    constructor(IERC20 t, IRegistry r) { first = t; registry = r; }
    function setSecond(IERC20 to) external { require(msg.sender == owner); second = to; }
    function refresh() external { third = IERC20(registry.tokenOf("third")); }
    function setFourth(IERC20 to) external { fourth = to; }
    function addPool(uint256 id, IERC20 token) external { poolTokens[id] = token; }
    function pay(address to, IERC20 any, uint256 id, uint256 amount) external {
        first.transfer(to, amount); // FINDING
        second.transfer(to, amount); // FINDING
        third.transfer(to, amount); // FINDING
        fourth.transfer(to, amount); // FINDING
        any.transfer(to, amount); // FINDING
        poolTokens[id].transfer(to, amount); // FINDING
    }
    function rescue(IERC20 any, uint256 amount) external {
        require(msg.sender == owner);
        any.transfer(owner, amount); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Vault {
    IERC20 token;
    mapping(address => uint256) public shares;

    function deposit(uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount); // FINDING
        shares[msg.sender] += amount;
    }

    function withdraw(uint256 amount) external {
        shares[msg.sender] -= amount;
        bool ok = token.transfer(msg.sender, amount); // FINDING
    }
}`,
      `pragma solidity ^0.4.24;
import "./Token.sol";
contract Sale {
    Token token;
    uint256 rate;

    function () public payable {
        token.transfer(msg.sender, msg.value * rate); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Tries {
    IERC20 token;
    mapping(address => uint256) credit;
    function withdraw(uint256 amount) external {
        credit[msg.sender] -= amount;
        try token.transfer(msg.sender, amount) returns (bool) {} catch { revert("failed"); } // FINDING
    }
}`,
      `pragma solidity ^0.8.20;
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
contract Payer {
  function pay(IERC20 token, address to) external {
    token.transfer(to, 1); // FINDING
  }
  function before(IERC20 token, address to) external {
    require(token.balanceOf(address(this)) > 0);
    token.transfer(to, 1); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken {
  function transfer(address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
  function allowance(address owner, address spender) external view returns (uint256);
}
contract Token is IToken {
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  function transfer(address to, uint256 amount) external returns (bool) { balanceOf[to] += amount; return true; }
}
contract Payer {
  function pay(IToken token, address to) external {
    token.transfer(to, 1); // FINDING
    require(token.balanceOf(address(this)) > 0);
  }
  function watch(IToken token, address to) external {
    uint256 had = token.balanceOf(to);
    token.transfer(to, 1); // FINDING
    require(token.balanceOf(to) > had);
  }
  function allowed(IToken token, address to) external {
    uint256 had = token.allowance(address(this), to);
    token.transfer(to, 1); // FINDING
    require(token.allowance(address(this), to) == had);
  }
}`,
      `pragma solidity ^0.8.20;
interface IForeign { function mint() external; function transfer(address to, uint256 amount) external returns (bool); }
interface ISoft { function mint() external; function transfer(address to, uint256 amount) external returns (bool); }
contract Soft is ISoft {
  mapping(address => uint256) held;
  function mint() external { held[msg.sender] += 1; }
  function transfer(address to, uint256 amount) external returns (bool) {
    if (held[msg.sender] < amount) return false;
    held[to] += amount;
    return true;
  }
}
contract Silent { uint256 moved; function transfer(address, uint256 amount) external returns (bool) { moved += amount; } }
contract Steps {
  mapping(address => uint256) held;
  Soft inner;
  function transfer(address to, uint256 amount) external returns (bool) { return move(to, amount); }
  function transferFrom(address, address to, uint256 amount) external returns (bool) { return inner.transfer(to, amount); }
  function move(address to, uint256 amount) internal returns (bool) { held[to] += amount; return amount > 0; }
}
contract Payer {
  function foreign(IForeign token) external {
    token.transfer(msg.sender, 1); // FINDING
  }
  function soft(ISoft token) external {
    token.transfer(msg.sender, 1); // FINDING
  }
  function silent(Silent token) external {
    token.transfer(msg.sender, 1); // FINDING
  }
  function steps(Steps token) external {
    token.transfer(msg.sender, 1); // FINDING
    token.transferFrom(msg.sender, msg.sender, 1); // FINDING
  }
}`,
      // What is done because tokens have moved: nothing; something recorded, called, paid for, or by a caller.
      `pragma solidity ^0.8.20;
interface IERC20 { function balanceOf(address who) external view returns (uint256); function transfer(address to, uint256 amount) external returns (bool); }
interface IHook { function paid() external; }
contract Sweeper {
  address immutable home = msg.sender;
  uint256 public paid;
  function sweep(IERC20 token) external {
    token.transfer(home, token.balanceOf(address(this))); // FINDING
  }
  function noted(IERC20 token) external {
    token.transfer(home, 1); // FINDING
    paid += 1;
  }
  function told(IERC20 token, IHook hook) external {
    token.transfer(home, 1); // FINDING
    hook.paid();
  }
  function sold(IERC20 token) external payable {
    token.transfer(msg.sender, msg.value); // FINDING
  }
  function inner(IERC20 token) public {
    token.transfer(home, 1); // FINDING
  }
  function outer(IERC20 token) external { inner(token); paid += 1; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
interface IReward is IERC20 { function mint(address to, uint256 amount) external; }
contract Reward is IReward {
  mapping(address => uint256) balances;
  address immutable minter = msg.sender;
  function mint(address to, uint256 amount) external { require(msg.sender == minter); balances[to] += amount; }
  function transfer(address to, uint256 amount) external returns (bool) {
    balances[msg.sender] -= amount;
    balances[to] += amount;
    return true;
  }
}
contract Staking {
  IReward immutable reward;
  constructor(IReward r) { reward = r; }
  function claim() external { reward.transfer(msg.sender, 1); }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
library SafeERC20 {
    function safeTransfer(IERC20 token, address to, uint256 amount) internal {
        (bool ok, bytes memory data) = address(token).call(abi.encodeCall(token.transfer, (to, amount)));
        require(ok && (data.length == 0 || abi.decode(data, (bool))));
    }
}
contract Vault {
    using SafeERC20 for IERC20;
    IERC20 token;

    function withdraw(uint256 amount) external {
        token.safeTransfer(msg.sender, amount);
    }

    function deposit(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount), "failed");
    }

    function tryDeposit(uint256 amount) external returns (bool) {
        return token.transferFrom(msg.sender, address(this), amount);
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC721 {
    function transferFrom(address from, address to, uint256 id) external;
}
contract Coin {
    mapping(address => uint256) balance;
    function transfer(address to, uint256 amount) external returns (bool) {
        balance[msg.sender] -= amount;
        balance[to] += amount;
        return true;
    }
}
contract Market {
    IERC721 items;
    Coin coin = new Coin();

    function buy(address seller, uint256 id) external {
        coin.transfer(seller, 100);
        items.transferFrom(seller, msg.sender, id);
    }

    function pay(address payable to) external payable {
        to.transfer(msg.value);
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}
contract Measured {
    IERC20 token;
    mapping(address => uint256) credit;
    function deposit(uint256 amount) external {
        uint256 before = token.balanceOf(address(this));
        token.transferFrom(msg.sender, address(this), amount);
        credit[msg.sender] += token.balanceOf(address(this)) - before;
    }
}`,
      `pragma solidity ^0.8.20;
interface IThing {
  function approve(address to, uint256 amount) external returns (bool);
  function transfer(address to) external returns (bool);
  function transfer(address to, uint256 amount) external returns (uint256);
  function transferFrom(address from, address to, uint256 amount) external returns (bool, uint256);
}
library Moves {
  function transfer(mapping(address => uint256) storage held, address to, uint256 amount) internal returns (bool) {
    held[to] += amount;
    return held[to] > 0;
  }
}
contract Payer {
  using Moves for mapping(address => uint256);
  mapping(address => uint256) held;
  function pay(IThing thing, address to) external {
    thing.approve(to, 1);
    thing.transfer(to);
    thing.transfer(to, 1);
    thing.transferFrom(to, to, 1);
    held.transfer(to, 1);
    transfer(to, 1);
  }
  function transfer(address to, uint256 amount) public returns (bool) { held[to] += amount; return held[to] > 1; }
}`,
    ],
  },
}

/** The number of arguments of the ERC-20 functions that move tokens. */
const movers = new Map([
  ["transfer", 2],
  ["transferFrom", 3],
])

const isErc20Move = (program: Program, site: CallSite): boolean => {
  if (movers.get(site.name) !== site.args.length) return false
  const receiver = site.call?.receiver
  if (!receiver) return false
  const { target } = site
  if (target !== undefined) {
    const [result] = target.returns
    if (result?.type.kind !== "bool" || target.returns.length !== 1) return false
    // a token with source that reverts or returns true, and never false
    return !(target.implemented ? neverFalse(program, site) : isOwnToken(program, receiver, target.signature))
  }
  const type = program.typeOf(receiver)
  if (type.kind !== "unknown") return false
  // transferFrom of ERC-721 has the same arguments and returns nothing
  return !/721|1155|6909/.test(type.name ?? "")
}

const standard =
  /^(?:totalSupply\(\)|balanceOf\(address\)|transfer\(address,uint256\)|transferFrom\(address,address,uint256\)|approve\(address,uint256\)|allowance\(address,address\)|(?:name|symbol|decimals)\(\)|(?:in|de)creaseAllowance\(address,uint256\))$/

/**
 * Whether the token is identified by an interface of the project with functions beyond the standard's, and every
 * contract that implements it reverts or returns true.
 */
const isOwnToken = (program: Program, receiver: S.Expression, signature: string): boolean => {
  const type = program.typeOf(receiver)
  const contract = type.kind === "contract" ? type.contract : undefined
  if (contract === undefined || !contract.functions.some((fn) => !standard.test(fn.signature))) return false
  const tokens = [contract, ...contract.derived].filter(({ deployable }) => deployable)
  return (
    tokens.length > 0 &&
    tokens.every((token) => {
      const mover = program.functionsOf(token).find((fn) => fn.signature === signature)
      return mover !== undefined && returnsTrue(program, mover)
    })
  )
}

/**
 * Whether every return of the token's own function is the literal `true`, including through the functions it delegates
 * to.
 */
const neverFalse = (program: Program, { target }: CallSite, depth = 0): boolean =>
  target !== undefined && returnsTrue(program, target, depth)

const returnsTrue = (program: Program, target: FunctionModel, depth = 0): boolean => {
  if (!target.implemented || depth > 4) return false
  const flow = program.flow(target)
  return (
    flow.returns.length > 0 &&
    flow.returns.every(({ expression }) => {
      if (expression?.kind === "Literal") return expression.value === "true"
      if (expression?.kind !== "FunctionCall") return false
      const inner = flow.siteOf(expression)
      return inner !== undefined && inner.callKind === "internal" && neverFalse(program, inner, depth + 1)
    })
  )
}

/** Whether no stranger chooses the token, so that whoever does can know how it reports failure. */
const isKnownToken = (flow: Flow, site: CallSite): boolean =>
  isTrustedChoice(flow.program, flow.deepOrigins(site.receiver!, site.at)) || flow.isRestricted(site.at)

const lowered = (message: string | undefined): { message?: string; severity?: "low" } =>
  message === undefined ? {} : { message, severity: "low" }

/** Why it matters little whether the tokens have moved, if nothing is recorded or done because of it. */
const whatFollows = (flow: Flow, site: CallSite): string | undefined => {
  const { program, fn } = flow
  if (program.graph.callers(fn).length > 0 || flow.writes.length > 0 || fn.mutability === "payable") return undefined
  return flow.externalCalls.every(({ event }) => event === site || event.isStatic)
    ? "Nothing else depends on the transfer."
    : undefined
}

/** `try token.transfer(…) returns (bool) {}` handles the revert but not the result. */
const isLost = (flow: Flow, site: CallSite): boolean => {
  const { node } = site.at
  if (node?.kind !== "TryStatement") return lostResult(flow, site) !== undefined
  const [success] = node.returns ?? []
  return success === undefined || success.name === ""
}

/** Where the contract queries its own balance of a token. */
const ownBalances = oncePer(
  (flow: Flow): SomeEvents =>
    new SomeEvents(
      flow,
      flow
        .calls()
        .filter(
          ({ name, callKind, args, at }) =>
            name === "balanceOf" &&
            callKind === "external" &&
            args.some((arg) => has(flow.origins(arg, at), Source.self)),
        ),
    ),
)

/** The contract's own token balance, before and after, shows what was moved. */
const isMeasured = (flow: Flow, { at }: CallSite): boolean =>
  ownBalances(flow).reach(at) && ownBalances(flow).follow(at)
