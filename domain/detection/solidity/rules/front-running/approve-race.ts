import type { Rule } from "../../../Rule.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Program } from "../../program.ts"

export const approveRace: Rule<Program> = {
  meta: {
    id: "evm/front-running/approve-race",
    class: "erc20-approve-race",
    title: "Allowance change can be front-run",
    severity: "informational",
    confidence: "low",
    cwe: [362],
    swc: 114,
    description:
      "`approve` replaces one allowance with another, and the token offers no alternative. A spender who sees " +
      "the change from N to M in the mempool can spend N first and M afterwards: N + M instead of the larger of " +
      "the two.",
    remediation:
      "Offer `increaseAllowance` and `decreaseAllowance` in addition to `approve`, or `permit`. Owners can also " +
      "set the allowance to zero and wait for that before they set the new one (`require(value == 0 || " +
      "allowance == 0)` enforces this).",
    references: [
      "https://swcregistry.io/docs/SWC-114",
      "https://eips.ethereum.org/EIPS/eip-20#approve",
      "https://docs.google.com/document/d/1YLPtQxZu1UAvO9cZ1O2RPXBbT0mooh4DYKjA_jp-RLM",
    ],
  },

  check: (program, report) => {
    for (const contract of program.contracts) {
      if (!contract.deployable || contract.linearization.some((c) => c.missingBases.length > 0)) continue
      const fn = program.implementation(contract, "approve(address,uint256)")
      if (fn === undefined || fn.returns[0]?.type.kind !== "bool") continue
      const flow = program.flow(fn)
      const write = flow.writes.find(
        ({ event, place }) =>
          event.operation === "assign" &&
          place !== undefined &&
          (place.keys.sources & Source.sender) !== 0 &&
          (place.keys.sources & Source.parameter) !== 0,
      )
      const allowances = write?.place?.variables[0]
      if (write === undefined || allowances === undefined || offersSteps(program, contract, allowances)) continue
      // the current allowance is checked first
      const looked = flow.reads.some(
        (read) =>
          read.place?.variables.includes(allowances) === true &&
          read.place.path === write.place?.path &&
          flow.follows(read, write) &&
          has(read.place.keys, Source.sender),
      )
      if (looked) continue
      report({ file: write.event.at.callable.source.file, span: write.event.expression, scope: fn.scope })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Token {
    mapping(address => mapping(address => uint256)) allowed;
    mapping(address => uint256) balances;

    function approve(address spender, uint256 value) public returns (bool) {
        allowed[msg.sender][spender] = value; // FINDING
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        require(balances[from] >= value && allowed[from][msg.sender] >= value);
        allowed[from][msg.sender] -= value;
        balances[from] -= value;
        balances[to] += value;
        return true;
    }
}`,
      `pragma solidity ^0.6.0;
contract Coin {
    struct Account { uint256 balance; mapping(address => uint256) spenders; }
    mapping(address => Account) accounts;

    function approve(address spender, uint256 value) external returns (bool) {
        Account storage account = accounts[msg.sender];
        account.spenders[spender] = value; // FINDING
        return true;
    }
}`,
      `pragma solidity ^0.8.20;
contract Told {
  mapping(address => mapping(address => uint256)) allowed;
  mapping(address => uint256) held;
  event Approval(uint256 amount);
  function approve(address to, uint256 amount) external returns (bool) {
    allowed[msg.sender][to] = amount; // FINDING
    emit Approval(allowed[msg.sender][to]);
    return true;
  }
  function mint() external { held[msg.sender] += 1; }
  function raise(address to) private { allowed[msg.sender][to] += 1; }
}
contract Other {
  mapping(address => mapping(address => uint256)) allowed;
  function approve(address to, uint256 amount) external returns (bool) {
    require(allowed[to][to] == 0);
    allowed[msg.sender][to] = amount; // FINDING
    return true;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.4.24;
contract Token {
    mapping(address => mapping(address => uint256)) allowed;

    function approve(address spender, uint256 value) public returns (bool) {
        require(value == 0 || allowed[msg.sender][spender] == 0);
        allowed[msg.sender][spender] = value;
        return true;
    }
}`,
      `pragma solidity ^0.8.0;
contract Token {
    mapping(address => mapping(address => uint256)) allowed;

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function increaseAllowance(address spender, uint256 by) external returns (bool) {
        _approve(msg.sender, spender, allowed[msg.sender][spender] + by);
        return true;
    }

    function _approve(address owner, address spender, uint256 value) internal {
        allowed[owner][spender] = value;
    }
}
contract Names {
    mapping(uint256 => address) holders;

    function approve(address to, uint256 id) external {
        holders[id] = to;
    }
}`,
      `pragma solidity ^0.8.20;
import "./Missing.sol";
abstract contract Part {
  function transfer(address to, uint256 amount) external virtual;
  mapping(address => mapping(address => uint256)) allowed;
  function approve(address to, uint256 amount) external returns (bool) { allowed[msg.sender][to] = amount; return true; }
}
contract Heir is Missing {
  mapping(address => mapping(address => uint256)) allowed;
  function approve(address to, uint256 amount) external returns (bool) { allowed[msg.sender][to] = amount; return true; }
}
contract Items {
  mapping(address => mapping(address => uint256)) allowed;
  function approve(address to, uint256 id) external { allowed[msg.sender][to] = id; }
}
contract Added {
  mapping(address => mapping(address => uint256)) allowed;
  function approve(address to, uint256 amount) external returns (bool) { allowed[msg.sender][to] += amount; return true; }
}
contract Votes {
  mapping(address => uint256) cast;
  function approve(address to, uint256 amount) external returns (bool) { require(to != msg.sender); cast[msg.sender] = amount; return true; }
}
contract Limits {
  mapping(address => uint256) limit;
  function approve(address to, uint256 amount) external returns (bool) { limit[to] = amount; return true; }
}`,
    ],
  },
}

/** Other functions that change the same allowances incrementally, so that nobody needs to set them. */
const offersSteps = (program: Program, contract: ContractModel, allowances: StateVariable): boolean =>
  program
    .functionsOf(contract)
    .some(
      (fn) =>
        program.graph.isEntryPoint(fn) &&
        !/^(approve|transferFrom|permit)\(/.test(fn.signature) &&
        program.flow(fn).writes.some(({ place }) => place?.variables.includes(allowances) === true),
    )
