import type { Rule } from "../../../Rule.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { Flow, Program } from "../../program.ts"
import { excludesKnown } from "../../access/checks/excludedTargets.ts"
import { arbitraryCallPath, lowLevelCalls } from "../../questions/call/arbitraryCall.ts"
import { callSteps, isLibraryFunction, ownCall, placeOf } from "../../questions/authority/attackerControl.ts"
import { ephemeralContracts } from "../../questions/deployment/ephemeral.ts"
import { hasNothingToLose } from "../../access/checks/nothingToLose.ts"
import { isUndone } from "../../questions/call/undone.ts"

export const arbitraryCall: Rule<Program> = {
  meta: {
    id: "evm/dangerous-call/arbitrary-call",
    class: "arbitrary-call",
    title: "Arbitrary external call",
    severity: "high",
    // harmless if the contract never holds anything and nobody ever approves it
    confidence: "medium",
    cwe: [749, 20],
    description:
      "The function makes a low-level call, and the caller chooses both the address and the entire calldata. To " +
      "the target, this contract is the caller: an attacker can call `transfer` on the tokens it holds, " +
      "`transferFrom` on the tokens that users have approved to it, or any function elsewhere that trusts this " +
      "contract. Users of routers and bridges have lost their approved tokens this way.",
    remediation:
      "Call only known addresses and functions: fix the selector and encode the arguments in the contract, or " +
      "check target and selector against a list that an administrator controls. If the forwarding must stay " +
      "open, do it from a separate contract that holds nothing and never receives approvals.",
    references: [
      "https://github.com/crytic/slither/wiki/Detector-Documentation",
      "https://blog.li.fi/20th-march-the-exploit-e9e1c5c03eb9",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (isLibraryFunction(flow.fn)) continue
      if (flow.context !== undefined && ephemeralContracts(program).has(flow.context)) continue
      for (const call of lowLevelCalls(flow)) {
        const path = arbitraryCallPath(flow, call)
        if (path === undefined || isUndone(flow, call)) continue
        if (isBatchOfOthers(flow, call)) continue
        report({
          ...placeOf(ownCall(call)),
          scope: flow.fn.scope,
          ...weight(flow, call),
          trace: [
            ...callSteps(path),
            ...callSteps(call.via),
            { ...placeOf(call.event), note: "the caller chooses target and data" },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      // How much it matters depends on whether the call can reach an account that the contract deals with.
      `pragma solidity ^0.8.20;
interface IBank { function pay(address to, uint256 n) external; function rate() external view returns (uint256); }
interface IToken { function transferFrom(address from, address to, uint256 n) external returns (bool); }
contract Apart {
  IBank immutable bank;
  IBank oracle;
  uint256 count;
  constructor(IBank b) { bank = b; }
  function rated() external view returns (uint256) { return oracle.rate(); }
  function pay(address to) external { bank.pay(to, 1); count += 1; }
  function apart(address to, bytes calldata data) external { require(address(bank) != to);
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
}
contract Near {
  IBank bank;
  IBank other;
  function pay(address to) external { bank.pay(to, 1); other.pay(to, 1); }
  function partly(address to, bytes calldata data) external { require(to != address(bank));
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
}
contract Third {
  IBank bank;
  function pay(address to) external { bank.pay(to, 1); }
  function third(address to, address from, bytes calldata data) external { require(from != address(bank));
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
  function itself(address to, bytes calldata data) external { require(to != address(this));
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
}
contract Approved {
  IBank bank;
  function pay(address to, IToken token) external { bank.pay(to, 1); token.transferFrom(msg.sender, to, 1); }
  function approved(address to, bytes calldata data) external { require(to != address(bank));
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
}
contract Known {
  IBank bank;
  IToken token;
  function pay(address to) external { bank.pay(to, 1); token.transferFrom(msg.sender, to, 1); }
  function known(address to, bytes calldata data) external {
    require(to != address(bank) && to != address(token));
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
}
contract Empty {
  function empty(address to, bytes calldata data) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
}`,
      // A value that the caller compares with another of their own, and a hash that one branch alone looks up, permit nothing.
      `pragma solidity ^0.8.20;
interface IToken { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Shop {
  IToken immutable token;
  mapping(bytes32 => bool) known;
  address immutable keeper = msg.sender;
  constructor(IToken t) { token = t; }
  function add(bytes32 id) external { require(msg.sender == keeper); known[id] = true; }
  function buy(uint256 amount) external { require(token.transferFrom(msg.sender, address(this), amount)); }
  function swap(address to, uint256 kind, bytes calldata data) external {
    require(kind == 1 || kind == 2);
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
  function pass(address to, bytes4 allowed, bytes calldata data) external {
    bytes4 method;
    assembly { method := and(calldataload(data.offset), 0xffffffff00000000000000000000000000000000000000000000000000000000) }
    require(method == allowed && method != 0x6171d1c9);
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
  function run(address to, bool checked, bytes calldata data) external {
    bytes32 id = keccak256(abi.encode(to, data));
    go(to, data);
    if (checked) ask(id);
  }
  function go(address to, bytes calldata data) private { (bool ok, ) = to.call(data); require(ok); } // FINDING
  function ask(bytes32 id) private view { require(known[id]); }
}`,
      `pragma solidity ^0.8.18;
contract Token {
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  function approveAndCall(address spender, uint256 value, bytes memory extra) public {
    allowance[msg.sender][spender] = value;
    (bool success, ) = spender.call(extra); // FINDING
    require(success);
  }
}`,
      `pragma solidity ^0.8.18;
contract Router {
  struct Step { address target; bytes data; }
  event Ran(uint256 steps);
  function swap(Step[] calldata steps) external payable {
    for (uint256 i = 0; i < steps.length; i++) _run(steps[i].target, steps[i].data, msg.value);
    emit Ran(steps.length);
  }
  function _run(address to, bytes calldata data, uint256 value) private {
    (bool ok, ) = to.call{value: value}(data); // FINDING
    require(ok);
  }
}`,
      `pragma solidity ^0.8.18;
library Address {
  function functionCall(address to, bytes memory data) internal { (bool ok, ) = to.call(data); require(ok); }
}
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Router {
  using Address for address;
  struct Swap { address router; bytes data; IERC20 token; uint256 amount; }
  function swap(Swap calldata s) external {
    require(s.token.transferFrom(msg.sender, address(this), s.amount));
    s.router.functionCall(s.data); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
import "./Missing.sol";
interface IToken { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Heir is Missing {
  function all(address[] calldata to, bytes[] calldata data) external {
    for (uint256 i = 0; i < to.length; i++) {
      (bool ok, ) = to[i].call(data[i]); // FINDING
      require(ok);
    }
  }
}
contract Keeper {
  uint256 public count;
  function all(address[] calldata to, bytes[] calldata data) external {
    for (uint256 i = 0; i < to.length; i++) {
      (bool ok, ) = to[i].call(data[i]); // FINDING
      require(ok);
    }
    count += 1;
  }
}
contract Taker {
  function take(IToken token) external { require(token.transferFrom(msg.sender, address(this), 1)); }
  function all(address[] calldata to, bytes[] calldata data) external {
    for (uint256 i = 0; i < to.length; i++) {
      (bool ok, ) = to[i].call(data[i]); // FINDING
      require(ok);
    }
  }
}`,
      // What a call in their name is worth: nothing, or what one of them keeps, is approved for, or may do.
      `pragma solidity ^0.8.20;
import "./Missing.sol";
interface IToken {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
  function deposit() external payable;
}
contract Forwarder {
  uint256 public count;
  event Deposited(uint256 n);
  constructor() payable {}
  function tell() external { emit Deposited(count); }
  function run(address to, bytes calldata data) external payable {
    (bool ok, ) = to.call{value: msg.value}(data); // FINDING
    require(ok);
  }
}
contract Swapper is Missing {
  function run(IToken token, IToken other, address to, bytes calldata data) external {
    other.transfer(to, 1);
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
    token.transfer(msg.sender, token.balanceOf(address(this)));
  }
}
contract Heir is Missing {
  function run(address to, bytes calldata data) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
}
contract Purse {
  function run(address to, bytes calldata data) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
  receive() external payable {}
}
contract Keeps {
  function run(address to, bytes calldata data) external payable {
    (bool ok, ) = to.call{value: 1}(data); // FINDING
    require(ok);
  }
}
contract Approved {
  function run(address to, bytes calldata data) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
  function pull(IToken token, address to) external { require(token.transferFrom(msg.sender, to, 1)); }
}
contract Receiver {
  function run(address to, bytes calldata data) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
  function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) { return 0x150b7a02; }
}
contract Executor {
  address immutable admin;
  constructor(address a) { admin = a; }
  function run(address to, bytes calldata data) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
}
contract Ruled {
  mapping(address => bool) rules;
  uint256 public number;
  constructor() { rules[msg.sender] = true; }
  function set(uint256 n) external { require(rules[msg.sender]); number = n; }
  function run(address to, bytes calldata data) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
}
library Tokens { function safeTransfer(IToken token, uint256 amount) internal { require(token.transfer(msg.sender, amount)); } }
contract Through {
  using Tokens for IToken;
  function run(IToken token, address to, bytes calldata data) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
    token.safeTransfer(1);
  }
}
contract Part {
  function run(IToken token, address to, bytes calldata data) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
    token.transfer(msg.sender, 1);
  }
}
contract Elsewhere {
  function run(IToken token, address to, bytes calldata data) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
    token.transfer(to, token.balanceOf(address(this)));
  }
}
contract Sometimes {
  function run(IToken token, address to, bytes calldata data, bool give) external {
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
    if (give) token.transfer(msg.sender, token.balanceOf(address(this)));
  }
}`,
      // What was never queued has no time to wait for.
      `pragma solidity ^0.8.20;
contract Timelock {
  address public immutable admin;
  mapping(bytes32 => uint256) public readyAt;
  constructor(address a) { admin = a; }
  function queue(address target, bytes calldata data) external {
    require(msg.sender == admin);
    readyAt[keccak256(abi.encode(target, data))] = block.timestamp + 2 days;
  }
  function execute(address target, bytes calldata data) external {
    bytes32 id = keccak256(abi.encode(target, data));
    require(block.timestamp >= readyAt[id], "early");
    delete readyAt[id];
    (bool ok, ) = target.call(data); // FINDING
    require(ok);
  }
}`,
    ],
    safe: [
      // Only a few functions may be called; what is called was announced, which is asked afterwards.
      `pragma solidity ^0.8.20;
contract Wallets {
  mapping(address => uint256) public paid;
  function deployAndCall(address wallet, bytes calldata data) external payable {
    paid[wallet] += msg.value;
    bytes4 method;
    assembly { method := and(calldataload(data.offset), 0xffffffff00000000000000000000000000000000000000000000000000000000) }
    require(method == 0x6171d1c9 || method == 0x534255ff, "method");
    (bool ok, ) = wallet.call(data);
    require(ok);
  }
}
contract Timelock {
  mapping(bytes32 => uint256) readyAt;
  address immutable proposer = msg.sender;
  function schedule(bytes32 id) external { require(msg.sender == proposer); readyAt[id] = block.timestamp + 2 days; }
  function execute(address to, bytes calldata data) external payable {
    bytes32 id = keccak256(abi.encode(to, data));
    run(to, data);
    finish(id);
  }
  function run(address to, bytes calldata data) private { (bool ok, ) = to.call(data); require(ok); }
  function finish(bytes32 id) private { require(readyAt[id] != 0 && readyAt[id] <= block.timestamp); delete readyAt[id]; }
}`,
      // Created and destroyed in one function, it never holds anything that is not used there.
      `pragma solidity ^0.8.0;
contract Handler {
  function run(address to, bytes calldata data) external returns (bool ok) { (ok, ) = to.call(data); }
  function close(address payable to) external { selfdestruct(to); }
}
contract Gateway {
  address collector = msg.sender;
  function collect(bytes32 salt, address token) external {
    Handler handler = new Handler{salt: salt}();
    require(handler.run(token, abi.encodeWithSignature("transfer(address,uint256)", collector, 1)));
    handler.close(payable(collector));
  }
}`,
      `pragma solidity ^0.8.18;
contract Router {
  mapping(address => bool) known;
  address owner = msg.sender;
  function add(address target) external { require(msg.sender == owner); known[target] = true; }
  function swap(address target, bytes calldata data) external {
    require(known[target], "unknown");
    (bool ok, ) = target.call(data);
    require(ok);
  }
  function execute(address target, bytes calldata data) external {
    if (msg.sender != owner) revert();
    (bool ok, ) = target.call(data);
    require(ok);
  }
}`,
      `pragma solidity ^0.8.18;
contract Notifier {
  address immutable hub;
  constructor(address to) { hub = to; }
  function forward(bytes calldata data) external { (bool ok, ) = hub.call(data); require(ok); }
  function ping(address to, uint256 value) external {
    (bool ok, ) = to.call(abi.encodeWithSignature("ping(uint256)", value));
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
contract Batch {
  uint256 constant VERSION = 1;
  address immutable deployer = msg.sender;
  function all(address[] calldata to, bytes[] calldata data) external {
    for (uint256 i = 0; i < to.length; i++) {
      (bool ok, ) = to[i].call(data[i]);
      require(ok);
    }
  }
}
contract Simulator {
  uint256 public count;
  function simulate(address to, bytes calldata data) external {
    (bool ok, ) = to.call(data);
    count += ok ? 1 : 2;
    revert("simulated");
  }
  function unused(address to, bytes calldata data) private { (bool ok, ) = to.call(data); require(ok); }
}`,
      `pragma solidity ^0.8.20;
contract Timelock {
  address public immutable admin;
  mapping(bytes32 => uint256) public readyAt;
  mapping(bytes32 => uint256) public expires;
  constructor(address a) { admin = a; }
  function queue(address target, bytes calldata data) external {
    require(msg.sender == admin);
    readyAt[keccak256(abi.encode(target, data))] = block.timestamp + 2 days;
    expires[keccak256(abi.encode(target, data))] = block.timestamp + 9 days;
  }
  function execute(address target, bytes calldata data) external {
    bytes32 id = keccak256(abi.encode(target, data));
    require(readyAt[id] != 0 && block.timestamp >= readyAt[id], "early");
    delete readyAt[id];
    (bool ok, ) = target.call(data);
    require(ok);
  }
  function hurry(address target, bytes calldata data) external {
    require(block.timestamp < expires[keccak256(abi.encode(target, data))], "late");
    (bool ok, ) = target.call(data);
    require(ok);
  }
}`,
    ],
  },
}

const weight = (flow: Flow, call: Reached<CallSite>) =>
  hasNothingToLose(flow)
    ? { severity: "low" as const, message: "The contract holds no assets, and nobody has a reason to approve it." }
    : excludesKnown(flow, call)
      ? {
          severity: "medium" as const,
          message: "The target cannot be any account that this contract interacts with otherwise.",
        }
      : {}

/** A list of calls made by a contract that owns nothing: it keeps no state and receives no tokens. */
const isBatchOfOthers = (flow: Flow, { event, via }: Reached<CallSite>): boolean => {
  const { program, context } = flow
  if (context === undefined || context.missingBases.length > 0) return false
  if (![event, ...via].some(({ at }) => at.loop !== undefined)) return false
  if (program.stateVariablesOf(context).some((v) => !v.constant && !v.immutable)) return false
  return !program.functionsOf(context).some((fn) =>
    program
      .flow(fn)
      .calls()
      .some(({ name }) => /transferFrom|approve|permit/i.test(name)),
  )
}
