import type { Rule } from "../../../Rule.ts"
import { oncePerPair } from "../../../oncePer.ts"
import { accessOf, isNamed, runsOnce } from "../../access/entries/entries.ts"
import { inheritsRestriction } from "../../access/checks/declaredChecks.ts"
import { isDue } from "../../access/entries/intent.ts"
import { Source } from "../../flow/graph/origins.ts"
import type { ContractModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import { callsInitializer } from "../../questions/deployment/initializer.ts"

export const frontRunnableInitializer: Rule<Program> = {
  meta: {
    id: "evm/initialization/front-runnable-initializer",
    class: "unprotected-initializer",
    title: "Initializer can be front-run",
    severity: "low",
    // the sources do not show whether deployment and call are one transaction
    confidence: "low",
    cwe: [665, 362],
    swc: 118,
    description:
      "The contract is set up in two steps: its constructor records the deployer, and a function that can run " +
      "once accepts the addresses that the contract uses from any caller. Between the two transactions, anyone " +
      "can call that function with contracts of their own.",
    remediation:
      "Set these values in the constructor, or restrict the function to the account that the constructor " +
      "recorded.",
    references: [
      "https://swcregistry.io/docs/SWC-118",
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializers",
    ],
  },
  check: (program, report) => {
    const access = accessOf(program)
    for (const entry of access.entries) {
      if (entry.test || !runsOnce(access, entry) || callsInitializer(entry.flow)) continue
      if (!knowsDeployer(program, entry.contract)) continue
      const deed = entry.open.find(
        ({ variable, path, value, demands }) =>
          (variable?.type.kind === "address" || variable?.type.kind === "contract") &&
          path === "" &&
          isNamed(value) &&
          access.used.has(variable) &&
          !demands.facts.some(isDue),
      )
      if (deed === undefined) continue
      const { event, via } = deed.reached
      report({
        ...placeOf(event),
        scope: event.at.callable.scope,
        trace: [
          { file: entry.fn.source.file, span: entry.fn.node.nameSpan, note: "anyone can be the first to call this" },
          ...callSteps(via),
          { ...placeOf(event), note: `\`${deed.variable!.name}\` is set permanently` },
        ],
      })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Farm {
  address owner;
  bool ready;
  address public vault;
  uint256 rate;
  constructor() { owner = msg.sender; }
  function initialize(address first) external {
    require(!ready);
    ready = true;
    vault = first; // FINDING
  }
  function setRate(uint256 to) external { require(msg.sender == owner && msg.sender != vault); rate = to; }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Chest {
  address immutable keeper;
  IToken public token;
  uint256 rate;
  constructor(address who) { keeper = who; }
  function start(IToken first) external {
    if (address(token) != address(0)) revert();
    token = first; // FINDING
  }
  function pay(address to, uint256 amount) external { require(msg.sender == keeper); token.transfer(to, amount); }
  function setRate(uint256 to) external { require(msg.sender == keeper); rate = to; }
}`,
      // The account that may do the rest is known to a base without source, or to a registry that is part of the code.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/access/Ownable.sol";
interface IRoles { function has(bytes32 role, address who) external view returns (bool); }
contract Wrapper is Ownable {
  address public minter;
  uint256 public rate;
  function setMinter(address to) external {
    require(minter == address(0), "set");
    minter = to; // FINDING
  }
  function setRate(uint256 to) external onlyOwner { rate = to; }
  function price() external view returns (uint256) { require(msg.sender == minter); return rate; }
}
contract Inflation {
  IRoles immutable roles;
  address public minter;
  uint256 public rate;
  constructor(IRoles r) { roles = r; }
  function setMinter(address to) external {
    require(minter == address(0), "set");
    minter = to; // FINDING
  }
  function setRate(uint256 to) external { require(roles.has("governor", msg.sender)); rate = to; }
  function price() external view returns (uint256) { require(msg.sender == minter); return rate; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Farm {
  address owner;
  bool ready;
  address public vault;
  constructor() { owner = msg.sender; }
  function initialize(address first) external {
    require(!ready && msg.sender == owner);
    ready = true;
    vault = first;
  }
}`,
      `pragma solidity ^0.8.20;
contract Clone {
  address owner;
  address public vault;
  function initialize(address first, address keeper) external {
    require(owner == address(0));
    owner = first;
    vault = keeper;
  }
  function setVault(address to) external { require(msg.sender == owner); vault = to; }
}`,
      // The modifier is another rule's matter; who may act was named by the same function.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
interface IRegistry { function isAdmin(address who) external view returns (bool); }
contract Adapter is Initializable {
  address public manager;
  address deployer;
  uint256 public cap;
  uint256 public used;
  constructor() { deployer = msg.sender; }
  function begin(address first) external initializer { manager = first; }
  function setCap(uint256 to) external { require(msg.sender == deployer); cap = to; }
  function use() external { require(msg.sender == manager); used++; }
}
contract Lists {
  IRegistry public registry;
  address public keeper;
  bool private begun;
  uint256 public fee;
  function begin(IRegistry first, address who) external {
    require(!begun);
    begun = true;
    registry = first;
    keeper = who;
  }
  function setFee(uint256 to) external {
    require(registry.isAdmin(msg.sender), "admin");
    fee = to;
  }
  function clear() external {
    require(msg.sender == keeper, "keeper");
    fee = 0;
  }
}`,
    ],
  },
}

/** Whether a constructor stores an account that some function requires. */
const knowsDeployer = oncePerPair((program: Program, contract: ContractModel): boolean => {
  if (inheritsRestriction(contract)) return true
  const known = new Set(
    contract.linearization.flatMap(({ functions }) =>
      functions
        .filter(({ role }) => role === "constructor")
        .flatMap((constructor) => program.flow(constructor).writes.flatMap(({ place }) => place?.variables ?? [])),
    ),
  )
  return program.functionsOf(contract).some((other) =>
    program
      .flow(other)
      .callerChecks(program.flow(other).exit)
      .some(
        ({ fact }) =>
          fact.kind === "relation" &&
          [fact.left, fact.right].some(
            (side) =>
              side !== undefined &&
              (side.state.some((variable) => known.has(variable)) ||
                // a registry that is part of the code tells who may act
                (side.targets !== 0 && (side.targets & ~inCode) === 0)),
          ),
      ),
  )
})

const inCode = Source.immutable | Source.constant
