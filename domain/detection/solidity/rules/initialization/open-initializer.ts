import type { Rule } from "../../../Rule.ts"
import type { FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/attackerControl.ts"
import { hasInitializerModifier, isChainedInit } from "../../questions/initializer.ts"
import { isSetUp, openAuthorities } from "../../questions/openAuthority.ts"

export const openInitializer: Rule<Program> = {
  meta: {
    id: "evm/initialization/open-initializer",
    class: "unprotected-initializer",
    title: "Anyone can initialise the contract, again and again",
    severity: "high",
    confidence: "high",
    cwe: [665, 284],
    swc: 118,
    description:
      "The function does the work of a constructor (it sets the owner or other privileged state), and nothing keeps it " +
      "from being called by anyone, also after the contract has been set up. An attacker initialises it once more with " +
      "themselves as the owner and then empties or destroys it, as happened to the Parity wallets in 2017.",
    remediation:
      "Make it run once: `require(!initialized); initialized = true;` or OpenZeppelin's `initializer` modifier, and call it " +
      "in the transaction that deploys the contract or proxy. Without a proxy, use a constructor.",
    references: [
      "https://swcregistry.io/docs/SWC-118",
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializers",
      "https://www.parity.io/blog/the-multi-sig-hack-a-postmortem/",
    ],
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Wallet {
  address owner;
  uint256 limit;
  function setUp(address first, uint256 most) external {
    owner = first; // FINDING
    limit = most;
  }
  receive() external payable {}
  function pay(address payable to, uint256 amount) external {
    require(msg.sender == owner && amount <= limit);
    to.transfer(amount);
  }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is OwnableUpgradeable {
  uint256 public fee;
  function initialize(uint256 first) external {
    __Ownable_init(msg.sender); // FINDING
    fee = first;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Wallet {
  address owner;
  bool ready;
  uint256 limit;
  modifier single() { require(!ready, "done"); ready = true; _; }
  function setUp(address first) external single { owner = first; }
  function setLimit(uint256 to) external { require(msg.sender == owner); limit = to; }
}
contract Lazy {
  address owner;
  uint256 limit;
  function setUp(address first) external { require(owner == address(0)); owner = first; }
  function setLimit(uint256 to) external { require(msg.sender == owner); limit = to; }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is OwnableUpgradeable {
  uint256 public fee;
  function initialize(uint256 first) external initializer {
    __Ownable_init(msg.sender);
    fee = first;
  }
  function _setUp() internal onlyInitializing { __Ownable_init(msg.sender); }
}`,
    ],
  },
  check: (program, report) => {
    const reported = new Set<FunctionModel>()
    for (const { flow, event, authority, path } of openAuthorities(program)) {
      // one initializer that sets several is one finding
      if (isSetUp(program, authority) || reported.has(flow.fn)) continue
      reported.add(flow.fn)
      report({
        ...placeOf(path[0] ?? event),
        scope: path[0]?.at.callable.scope ?? flow.fn.scope,
        message: `${authority.variable.name} is set at no other time.`,
        trace: [
          ...callSteps(path),
          { ...placeOf(event), note: `${authority.variable.name} is set for whoever calls` },
          { ...placeOf(authority.guarded), note: `what ${authority.variable.name} protects` },
        ],
      })
    }
    for (const flow of program.allFlows()) {
      if (!program.graph.isEntryPoint(flow.fn) || hasInitializerModifier(flow.fn)) continue
      for (const site of flow.calls()) {
        if (site.target?.implemented === true || !isChainedInit(site.name)) continue
        if (flow.isRestricted(site.at) || flow.onceAt(site.at) !== undefined || flow.fn.modifiers.length > 0) continue
        report({ ...placeOf(site), scope: flow.fn.scope, message: "The initializer modifier is missing." })
        break
      }
    }
  },
}
