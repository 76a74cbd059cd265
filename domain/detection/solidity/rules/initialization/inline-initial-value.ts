import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { walk } from "../../visit.ts"
import { initializersOf } from "../../questions/deployment/initializer.ts"
import type { ContractModel } from "../../model.ts"
import type * as S from "../../syntax.ts"

export const inlineInitialValue: Rule<Program> = {
  meta: {
    id: "evm/initialization/inline-initial-value",
    class: "state-init-proxy",
    title: "State variable initialized from a value that is not yet set",
    severity: "low",
    confidence: "medium",
    cwe: [665],
    description:
      "The variable is initialized at its declaration. In a contract that runs behind a proxy, this happens in " +
      "the implementation's own storage: through the proxy, the variable is zero. If the value is computed from " +
      "other state variables, or by a function that reads them, it is also computed before the constructor " +
      "runs, from variables that may not have been set yet.",
    remediation:
      "Behind a proxy, set the value in the initializer, or make the variable `constant` or `immutable`. Otherwise compute " +
      "the value in the constructor.",
    references: [
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#avoid_initial_values_in_field_declarations",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#function-initializing-state",
    ],
  },
  check: (program, report) => {
    for (const contract of program.contracts) {
      const behindProxy = initializersOf(program, contract).length > 0
      for (const variable of contract.stateVariables) {
        const { node } = variable
        if (node?.value === undefined || variable.constant) continue
        const isComputed = readsState(program, contract, node.value)
        if (!isComputed && (!behindProxy || variable.immutable)) continue
        report({
          file: contract.source.file,
          span: node.nameSpan,
          scope: `${contract.name}.${variable.name}`,
          message: isComputed ? "The value depends on state." : "Through the proxy the variable is zero.",
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is OwnableUpgradeable {
  uint256 public fee = 30; // FINDING
  uint256 public constant MOST = 100;
  constructor() { _disableInitializers(); }
  function initialize() external initializer { __Ownable_init(msg.sender); }
}`,
      `pragma solidity ^0.8.20;
contract Plan {
  uint256 public later = start(); // FINDING
  uint256 public base;
  constructor(uint256 from) { base = from; }
  function start() public view returns (uint256) { return base == 0 ? 77 : base + 1; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is OwnableUpgradeable {
  uint256 public constant MOST = 100;
  uint256 public immutable made = block.timestamp;
  uint256 public fee;
  constructor() { _disableInitializers(); }
  function initialize() external initializer { __Ownable_init(msg.sender); fee = 30; }
}`,
      `pragma solidity ^0.8.20;
contract Plan {
  uint256 public later = twice(7);
  address owner = msg.sender;
  function twice(uint256 x) internal pure returns (uint256) { return x * 2; }
}`,
      // What the function reads is the time, or a variable that has its value already.
      `pragma solidity ^0.8.20;
contract Sale {
  uint256 public price = 5 ether;
  uint256 public fee = _feeOf();
  uint256 public end = _now() + 30 days;
  function _feeOf() private view returns (uint256) { return price / 100; }
  function _now() private view returns (uint256) { return block.timestamp; }
}`,
    ],
  },
}

/** The value comes from a function of the contract that reads state variables. */
const readsState = (program: Program, contract: ContractModel, value: S.Expression): boolean => {
  let found = false
  walk(value, (node) => {
    if (node.kind !== "FunctionCall" || found) return !found
    const call = program.callOf(node)
    if (call?.kind !== "internal" || call.target === undefined) return true
    const target = program.dispatch(call, { ...call.target, contract }, contract) ?? call.target
    found = program
      .flow(target)
      .reads.some(({ place }) => place?.variables.some((v) => v.node?.value === undefined) === true)
    return !found
  })
  return found
}
