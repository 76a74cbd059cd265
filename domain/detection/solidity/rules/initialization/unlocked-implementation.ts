import type { Rule } from "../../../Rule.ts"
import { demandsAt } from "../../demands/demands.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { hasInitializerModifier, initializersOf } from "../../questions/deployment/initializer.ts"

export const unlockedImplementation: Rule<Program> = {
  meta: {
    id: "evm/initialization/unlocked-implementation",
    class: "unprotected-initializer",
    title: "Unprotected implementation initializer",
    // since EIP-6780 the implementation can no longer be destroyed this way on most chains
    severity: "medium",
    confidence: "medium",
    cwe: [665, 284],
    swc: 118,
    description:
      "The contract is written for a proxy: an `initializer` function replaces the constructor. It sets up the " +
      "state of the proxy, but the implementation contract itself remains uninitialized, and anyone can " +
      "initialize it and become its owner. Everything that the owner can do there (delegate calls, upgrades, " +
      "signatures, callbacks) then happens in the name of an address that users and explorers attribute to the " +
      "project. If it can delegatecall, it can be destroyed on chains that still allow it, and all proxies with " +
      "it.",
    remediation: "Lock it at deployment: `constructor() { _disableInitializers(); }`.",
    references: [
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializing_the_implementation_contract",
      "https://forum.openzeppelin.com/t/uupsupgradeable-vulnerability-post-mortem/15680",
    ],
  },
  check: (program, report) => {
    for (const contract of program.contracts) {
      if (!contract.deployable || isLocked(program, contract)) continue
      for (const fn of initializersOf(program, contract)) {
        // `onlyProxy`, `onlyFactory`: not anyone can
        const flow = program.flow(fn)
        if (demandsAt(flow, flow.exit).standing === "guarded") continue
        report({
          file: fn.source.file,
          span: fn.node.nameSpan,
          scope: fn.scope,
          trace: [
            { file: fn.source.file, span: fn.node.nameSpan, note: "anyone can call this on the implementation" },
            ...constructorsOf(contract).map((constructor) => ({
              file: constructor.source.file,
              span: constructor.node.nameSpan,
              note: "this constructor does not lock it",
            })),
          ],
        })
        break
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is UUPSUpgradeable, OwnableUpgradeable {
  function initialize() external initializer { // FINDING
    __Ownable_init(msg.sender);
    __UUPSUpgradeable_init();
  }
  function _authorizeUpgrade(address) internal override onlyOwner {}
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Registry is Initializable {
  address public owner;
  uint256 public fee;
  function setUp(address first) public initializer { owner = first; } // FINDING
  function setFee(uint256 next) external { require(msg.sender == owner); fee = next; }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Base is Initializable {
  address immutable token;
  address owner;
  constructor(address t) { require(t != address(0)); token = t; }
}
contract Vault is Base {
  uint256 immutable cut;
  constructor(address t, uint256 c) Base(t) { cut = c; }
  function initialize(address first) external initializer { owner = first; } // FINDING
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is OwnableUpgradeable {
  constructor() { _disableInitializers(); }
  function initialize() external initializer { __Ownable_init(msg.sender); }
}
contract Second is OwnableUpgradeable {
  constructor() initializer {}
  function initialize() external initializer { __Ownable_init(msg.sender); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Registry is Initializable {
  address public owner;
  constructor() { _disableInitializers(); }
  function setUp(address first) public virtual initializer { owner = first; }
}
contract Second is Registry {
  uint256 public fee;
  function setUp(address first) public override initializer { owner = first; fee = 3; }
}`,
    ],
  },
}

const constructorsOf = ({ linearization }: ContractModel): ReadonlyArray<FunctionModel> =>
  linearization.flatMap(({ functions }) => functions.filter(({ role }) => role === "constructor"))

/** A constructor of the contract or a base runs the initializer's modifier, or disables initializers. */
const isLocked = (program: Program, contract: ContractModel): boolean =>
  contract.linearization.some((base) =>
    base.functions.some((fn) => {
      if (fn.role !== "constructor") return false
      if (hasInitializerModifier(fn)) return true
      for (const { name } of program.flow(fn).calls()) if (name === "_disableInitializers") return true
      return false
    }),
  )
