import { unsetMarks } from "../../access/checks/unsetMarks.ts"
import type { Rule } from "../../../Rule.ts"
import type { ContractModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { forwarders } from "../../questions/authority/forwarding.ts"
import { isBehindProxy } from "../../questions/authority/implementations.ts"
import { isInitializable } from "../../questions/deployment/initializer.ts"
import { storageUse } from "../../questions/value/storageUse.ts"

export const stateNeverWritten: Rule<Program> = {
  meta: {
    id: "evm/initialization/state-never-written",
    class: "uninit-state",
    title: "Uninitialized state variable",
    // The consequences range from a fee of zero to ether sent to address(0).
    severity: "medium",
    confidence: "medium",
    cwe: [909],
    description:
      "Functions read the variable, but neither its declaration nor a constructor or function ever assigns it a " +
      "value, so it is zero forever. A payment to an address that was never set burns the ether, a limit that " +
      "was never set blocks everything or nothing, and a check against an owner that was never set can be " +
      "passed by anything that yields address(0), such as an invalid signature.",
    remediation:
      "Set the variable in its declaration, the constructor or the initializer. If it is meant to be zero, make " +
      "it a `constant`; if it is no longer needed, remove it.",
    references: ["https://github.com/crytic/slither/wiki/Detector-Documentation#uninitialized-state-variables"],
  },

  check: (program, report) => {
    const { read, written } = storageUse(program)
    const lending = new Map<ContractModel, boolean>()
    const lends = (contract: ContractModel): boolean => {
      let known = lending.get(contract)
      if (known === undefined) lending.set(contract, (known = lendsStorage(program, contract)))
      return known
    }
    for (const contract of program.contracts) {
      if (!isDeployed(contract)) continue
      let upgraded: boolean | undefined
      for (const variable of contract.stateVariables) {
        const { node } = variable
        if (node === undefined || node.value !== undefined) continue
        if (!read.has(variable) || written.has(variable)) continue
        if (lends(contract) || contract.derived.some(lends)) break
        if (unsetMarks(program).some((mark) => mark.variable === variable)) continue
        upgraded ??= isUpgraded(program, contract)
        report({
          file: contract.source.file,
          span: node,
          scope: contract.name,
          ...(upgraded
            ? {
                message: `\`${variable.name}\` is never set, unless an earlier version behind the proxy has set it.`,
                severity: "low" as const,
              }
            : { message: `\`${variable.name}\` is never set.` }),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Till {
    address payable destination; // FINDING

    function forward() external payable {
        destination.transfer(msg.value);
    }
}`,
      `pragma solidity ^0.4.24;
contract Base {
    mapping(address => bool) allowed; // FINDING
    uint256 limit = 3;
}
contract Gate is Base {
    uint256 public entered;

    function enter() public {
        require(allowed[msg.sender]);
        require(entered < limit);
        entered++;
    }
}`,
      // An earlier version may have set it.
      `pragma solidity ^0.8.20;
contract Legacy {
    address oldTreasury; // FINDING
    function old() public view returns (address) { return oldTreasury; }
}
contract Manager is Legacy {
    address immutable owner = msg.sender;
    function _authorizeUpgrade(address) internal view { require(msg.sender == owner); }
}`,
      // Likewise: there are initializers in place of constructors, or a proxy, and places that nothing uses any longer.
      `pragma solidity ^0.8.20;
abstract contract Initializable {
    bool private done;
    modifier initializer() { require(!done); done = true; _; }
}
contract Court is Initializable {
    address governor;
    uint256 lastRound; // FINDING
    function initialize() external initializer { governor = msg.sender; }
    function round() external view returns (uint256) { require(msg.sender == governor); return lastRound; }
}
contract Proxy {
    address immutable target;
    constructor(address to) { target = to; }
    fallback() external { (bool ok, ) = target.delegatecall(msg.data); require(ok); }
}
contract Registry {
    uint256 internal _old1;
    address internal _old2;
    bool paused; // FINDING
    function isPaused() external view returns (bool) { return paused; }
}
contract Fees {
    uint256 internal _old;
    uint256 rate; // FINDING
    uint256 public count;
    function quote(uint256 n) external view returns (uint256) { return n * rate; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Till {
    address payable destination;
    address payable immutable second;
    uint256 constant FEE = 1;
    uint256 total = 0;
    uint256[50] private gap;
    struct Account { uint256 balance; }
    mapping(address => Account) accounts;
    mapping(address => uint256) public notes;

    constructor(address payable to) {
        destination = to;
        second = to;
    }

    function account(address of) internal view returns (Account storage) {
        return accounts[of];
    }

    function forward() external payable {
        destination.transfer(msg.value - FEE);
        second.transfer(FEE);
        total += 1;
        Account storage mine = account(msg.sender);
        mine.balance += msg.value;
    }

    function balance() external view returns (uint256) {
        return accounts[msg.sender].balance;
    }
}`,
      `pragma solidity ^0.8.0;
import "./Sets.sol";
abstract contract Base {
    using Sets for Sets.Set;
    Sets.Set internal members;
    address internal admin;

    constructor() {
        admin = msg.sender;
    }

    function has(address who) public view returns (bool) {
        return members.contains(who) || admin == who;
    }
}
contract Club {
    using Sets for Sets.Set;
    Sets.Set private members;
    uint256 private width;

    function join() external {
        members.add(msg.sender);
        assembly {
            sstore(width.slot, 5)
        }
    }

    function size() external view returns (uint256) {
        return members.length() + width;
    }
}`,
      // A mark that is never set is reported where it is checked.
      `pragma solidity ^0.8.0;
contract Once {
  bool done;
  uint256 total;
  function run() external { require(!done); total += 5; }
}`,
      // The code of another contract may set it.
      `pragma solidity ^0.4.24;
contract Desk {
  uint256 rate;
  function run(address to) public { require(to.callcode(msg.data)); }
  function due() public view returns (uint256) { return rate * 2; }
}`,
    ],
  },
}

/** Whether another contract's code may write this storage. */
const lendsStorage = (program: Program, contract: ContractModel): boolean =>
  program
    .functionsOf(contract)
    .some((fn) =>
      program
        .flow(fn)
        .externalCalls.some(({ event }) => event.callKind === "delegatecall" || event.callKind === "callcode"),
    )

/** Whether it runs, or is inherited by what runs, behind a proxy whose storage may be older. */
const isUpgraded = (program: Program, contract: ContractModel): boolean =>
  [contract, ...contract.derived].some(
    (one) => isBehindProxy(program, one) || isInitializable(one) || keepsPlaces(program, one),
  )

/** Whether variables that nothing uses any longer keep their places, in a program that has proxies. */
const keepsPlaces = (program: Program, contract: ContractModel): boolean => {
  if (forwarders(program).length === 0) return false
  const { read, written } = storageUse(program)
  const left = program
    .stateVariablesOf(contract)
    .filter((v) => v.visibility !== "public" && !read.has(v) && !written.has(v))
  return left.length > 1
}

/** Whether the variable belongs to something that is deployed as the sources show it. */
const isDeployed = (contract: ContractModel): boolean =>
  contract.deployable || contract.derived.some((d) => d.deployable)
