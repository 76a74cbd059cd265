import type { Rule } from "../../../Rule.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { sendsEther } from "../../flow/events/outgoingCalls.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { costToGrow } from "../../questions/authority/growingArrays.ts"
import type * as S from "../../syntax.ts"
import { revertsOnFailure } from "../../questions/call/revertsOnFailure.ts"

export const failedPaymentBlocks: Rule<Program> = {
  meta: {
    id: "evm/denial-of-service/failed-payment-blocks",
    class: "dos-failed-call",
    title: "Failed payment to one recipient blocks all others",
    severity: "medium",
    confidence: "medium",
    cwe: [400, 703],
    swc: 113,
    description:
      "The function pays or calls an address that others registered, and reverts entirely if that fails. An " +
      "attacker can register a contract whose fallback function reverts or burns all gas: from then on, the " +
      "function fails for everyone, so a leader can never be outbid or a pool never paid out.",
    remediation:
      "Use the pull-payment pattern: add the amount to `pending[receiver]` and offer `withdraw()`. If payments " +
      "must be pushed, continue after a failed one and record the amount owed.",
    references: [
      "https://swcregistry.io/docs/SWC-113",
      "https://consensys.github.io/smart-contract-best-practices/development-recommendations/general/external-calls/#favor-pull-over-push-for-external-calls",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        if (site.receiver === undefined) continue
        const message = sendsEther(site) ? blockedBy(flow, site) : blockedByCallee(flow, site)
        if (message === undefined || !reverts(flow, site) || flow.isRestricted(site.at)) continue
        report({ file: site.at.callable.source.file, span: site.node, scope: site.at.callable.scope, message })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract King {
    address public king;
    uint256 public price;

    function claim() external payable {
        require(msg.value > price);
        (bool sent, ) = king.call{value: price}(""); // FINDING
        require(sent, "failed");
        price = msg.value;
        king = msg.sender;
    }
}`,
      `pragma solidity ^0.8.0;
interface IHook { function onTick(uint256 n) external; }
contract Ticker {
    IHook[] hooks;
    uint256 ticks;

    function register(IHook hook) external {
        hooks.push(hook);
    }

    function tick() external {
        ticks++;
        for (uint256 i = 0; i < hooks.length; i++) hooks[i].onTick(ticks); // FINDING
    }
}`,
      `pragma solidity ^0.4.24;
contract Auction {
    address leader;
    uint highest;
    address[] investors;
    mapping(address => uint) shares;

    function bid() public payable {
        require(msg.value > highest);
        if (leader != 0) {
            require(leader.send(highest)); // FINDING
        }
        leader = msg.sender;
        highest = msg.value;
    }

    function join() public payable {
        investors.push(msg.sender);
        shares[msg.sender] += 1;
    }

    function payAll() public {
        for (uint i = 0; i < investors.length; i++) {
            investors[i].transfer(shares[investors[i]]); // FINDING
        }
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Shares {
    IERC20 token;
    address[] members;
    function join() external { members.push(msg.sender); }
    function distribute() external {
        for (uint256 i = 0; i < members.length; i++) require(token.transfer(members[i], 1 ether)); // FINDING
    }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
library Tokens {
  function safeTransfer(IERC20 token, address to, uint256 amount) public { require(token.transfer(to, amount)); }
}
contract Split {
  using Tokens for IERC20;
  IERC20 token;
  address[] users;
  function join() external { users.push(msg.sender); }
  function pay() external {
    for (uint256 i = 0; i < users.length; i++) token.safeTransfer(users[i], 1); // FINDING
  }
}`,
    ],
    safe: [
      // Whoever calls names the entries and can leave one out; the called address follows from its code.
      `pragma solidity ^0.8.20;
interface IHook { function ping(uint256 amount) external; }
contract Dials {
  struct Dial { IHook hook; uint256 due; }
  Dial[] dials;
  uint256[] pools;
  bytes32 constant CODE = keccak256("code");
  function add(IHook hook) external { dials.push(Dial(hook, 1)); }
  function join(uint256 id) external { pools.push(id); }
  function pay(uint256[] calldata ids) external {
    for (uint256 i = 0; i < ids.length; i++) dials[ids[i]].hook.ping(1);
  }
  function poolAt(uint256 id) internal view returns (IHook) {
    return IHook(address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), id, CODE))))));
  }
  function report() external {
    for (uint256 i = 0; i < pools.length; i++) poolAt(pools[i]).ping(i);
  }
}`,
      `pragma solidity ^0.8.0;
interface ITimelock { function execute(address target, uint256 value, bytes calldata data) external payable; }
contract Governor {
    ITimelock timelock;
    struct Proposal { address[] targets; uint256[] values; bytes[] data; }
    mapping(uint256 => Proposal) proposals;
    function setTimelock(ITimelock next) external { require(address(timelock) == address(0)); timelock = next; }
    function execute(uint256 id) external payable {
        Proposal storage p = proposals[id];
        for (uint256 i = 0; i < p.targets.length; i++) timelock.execute{value: p.values[i]}(p.targets[i], p.values[i], p.data[i]);
    }
}`,
      `pragma solidity ^0.8.0;
contract King {
    address public king;
    uint256 public price;
    mapping(address => uint256) public pending;

    function claim() external payable {
        require(msg.value > price);
        pending[king] += price;
        price = msg.value;
        king = msg.sender;
    }

    function withdraw() external {
        uint256 amount = pending[msg.sender];
        pending[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}`,
      `pragma solidity ^0.8.0;
interface IHook { function onTick(uint256 n) external; }
contract Ticker {
    IHook[] hooks;
    uint256 failures;

    function register(IHook hook) external {
        hooks.push(hook);
    }

    function tick() external {
        for (uint256 i = 0; i < hooks.length; i++) {
            try hooks[i].onTick(i) {} catch { failures++; }
        }
    }
}
contract Payouts {
    address payable immutable treasury = payable(msg.sender);
    address payable owner = payable(msg.sender);
    address payable[] staff;
    mapping(address => uint256) owed;

    function payAll() external {
        for (uint256 i = 0; i < staff.length; i++) {
            (bool ok, ) = staff[i].call{value: 1 ether}("");
            if (!ok) owed[staff[i]] += 1 ether;
        }
    }

    function airdrop(address payable[] calldata to) external payable {
        for (uint256 i = 0; i < to.length; i++) to[i].transfer(1);
        treasury.transfer(1 wei);
    }

    function collect() external {
        owner.transfer(address(this).balance);
    }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function ping() external; }
interface IToken {
  function approve(address to, uint256 amount) external returns (bool);
  function transfer(address to, uint256 amount) external returns (bool);
}
contract Split {
  address payable immutable treasury = payable(msg.sender);
  address payable wallet = payable(msg.sender);
  address payable king;
  address payable last;
  address payable[] users;
  IHook[] hooks;
  IToken token;
  constructor(uint256 n) payable { for (uint256 i = 0; i < n; i++) users[i].transfer(1); }
  function join() external { users.push(payable(msg.sender)); }
  function add(IHook hook) external { require(msg.sender == treasury); hooks.push(hook); }
  function move(address payable to) external { require(msg.sender == treasury); wallet = to; king = to; }
  function asBoss() external { require(msg.sender == treasury); for (uint256 i = 0; i < users.length; i++) users[i].transfer(1); }
  function toSender(uint256 n) external { for (uint256 i = 0; i < n; i++) payable(msg.sender).transfer(1); }
  function toTreasury(uint256 n) external { for (uint256 i = 0; i < n; i++) treasury.transfer(1); }
  function toWallet(uint256 n) external { for (uint256 i = 0; i < n; i++) wallet.transfer(1); }
  function first() external { users[0].transfer(1); }
  function crown() external payable { king.transfer(1); last = payable(msg.sender); }
  function abdicate() external payable { king.transfer(1); king = treasury; }
  function one() external { token.transfer(users[0], 1); }
  function mine(uint256 n) external { for (uint256 i = 0; i < n; i++) token.transfer(msg.sender, 1); }
  function allow() external { for (uint256 i = 0; i < users.length; i++) token.approve(users[i], 1); }
  function ping() external { for (uint256 i = 0; i < hooks.length; i++) hooks[i].ping(); }
  function unused() private { for (uint256 i = 0; i < users.length; i++) users[i].transfer(1); }
}`,
    ],
  },
}

/** Why one recipient can block the function for all others, or undefined. */
const blockedBy = (flow: Flow, site: CallSite): string | undefined => {
  const receiver = flow.origins(site.receiver!, site.at)
  const isOne = receiver.state.every(({ type }) => type.kind === "contract" || type.kind === "address")
  if (site.at.loop !== undefined && !isOne)
    return "The payment is made in a loop: one recipient that rejects it blocks all others."
  const taken = receiver.state.some((variable) =>
    flow.changes
      .of(variable)
      .some(({ event }) => event.value !== undefined && has(flow.origins(event.value, event.at), Source.sender)),
  )
  return taken ? "The recipient is whoever called last: one that rejects ether keeps its place forever." : undefined
}

const tokenPayments = new Set(["transfer", "safeTransfer"])

/** SafeERC20's function returns nothing: it reverts by itself. */
const reverts = (flow: Flow, site: CallSite): boolean => site.name === "safeTransfer" || revertsOnFailure(flow, site)

/** Why a contract that anyone can register blocks a loop: it is called there, and its revert ends the loop. */
const blockedByCallee = (flow: Flow, site: CallSite): string | undefined => {
  if (site.at.loop === undefined || site.at.node?.kind === "TryStatement") return undefined
  const isGrown = (e: Expr): boolean => {
    const { state, keyParameters, sources } = flow.origins(e, site.at)
    // The caller names the entries, and can leave one out; or the address follows from what runs there.
    if (keyParameters.some(({ type }) => type.kind === "array") || (sources & Source.hash) !== 0) return false
    const list = e.kind.startsWith("Yul") ? undefined : (e as S.Expression)
    return state.some((variable) => costToGrow(flow, variable, list, site.at) !== undefined)
  }
  // a library's function has the token first, as an argument or before the dot
  const receiver = site.args.at(-2)
  if (tokenPayments.has(site.name) && receiver !== undefined && isGrown(receiver))
    return "Anyone can register: a token that rejects one recipient (a blacklist, a hook) blocks all others."
  if (site.callKind !== "external") return undefined
  if (!isGrown(site.receiver!)) return undefined
  return "The function calls contracts that anyone can register: one that reverts blocks the calls to all others."
}
