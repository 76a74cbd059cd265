import type { Rule } from "../../../Rule.ts"
import { getterType } from "../../bind/functionTypes.ts"
import type { ContractModel, FunctionModel, SourceModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { abiName } from "../../types.ts"

export const missingInheritance: Rule<Program> = {
  meta: {
    id: "evm/code-quality/missing-inheritance",
    class: "missing-inheritance",
    title: "Interface implemented but not inherited",
    severity: "informational",
    confidence: "medium",
    cwe: [710],
    description:
      "The contract implements every function of an interface known to its file but does not inherit from it. " +
      "The compiler therefore does not compare the two: if one changes, callers that use the interface find " +
      "functions missing or types changed.",
    remediation: "Add the interface to the contract's `is` list and mark the functions `override`.",
    references: ["https://github.com/crytic/slither/wiki/Detector-Documentation#missing-inheritance"],
  },

  check: (program, report) => {
    const seen = new Map<SourceModel, ReadonlyArray<ContractModel>>()
    for (const contract of program.contracts) {
      if (!contract.deployable || contract.missingBases.length > 0) continue
      let interfaces = seen.get(contract.source)
      if (interfaces === undefined) seen.set(contract.source, (interfaces = interfacesSeenBy(contract.source)))

      const missing = interfaces.find(
        (i) =>
          i.functions.length >= fewest &&
          !contract.linearization.includes(i) &&
          i.functions.every((fn) => {
            const own = program.implementation(contract, fn.signature)
            if (own?.implemented !== true) return hasGetter(contract, fn)
            return own.visibility === "public" || own.visibility === "external"
          }) &&
          // a base that should inherit is reported itself
          !contract.bases.some((b) =>
            i.functions.every(
              (fn) => program.implementation(b, fn.signature)?.implemented === true || hasGetter(b, fn),
            ),
          ),
      )
      if (missing === undefined) continue
      report({
        file: contract.source.file,
        span: contract.node.nameSpan,
        scope: contract.name,
        message: `The contract implements every function of \`${missing.name}\`.`,
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
interface ICounter { function count() external view returns (uint256); function add(uint256 n) external; }
contract Counter { // FINDING
    uint256 public count;
    function add(uint256 n) external { count += n; }
}`,
      `pragma solidity ^0.8.0;
interface IVault {
    function deposit(uint256 amount) external;
    function withdraw(uint256 amount) external;
}
contract Vault { // FINDING
    mapping(address => uint256) shares;
    function deposit(uint256 amount) external { shares[msg.sender] += amount; }
    function withdraw(uint256 amount) external { shares[msg.sender] -= amount; }
}`,
      `pragma solidity ^0.5.0;
interface Priced {
    function price() external view returns (uint256);
    function buy(address to) external payable;
}
contract Base {
    function buy(address to) public payable { require(to != address(0)); }
}
contract Shop is Base { // FINDING
    uint256 public x;
    function price() public view returns (uint256) { return x; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IVault {
    function deposit(uint256 amount) external;
    function withdraw(uint256 amount) external;
}
interface IPaused { function paused() external view returns (bool); }
contract Vault is IVault {
    bool public stopped;
    function deposit(uint256 amount) external {}
    function withdraw(uint256 amount) external {}
    function paused() external view returns (bool) { return stopped; }
}
contract Special is Vault {}`,
      `pragma solidity ^0.8.0;
interface IVault {
    function deposit(uint256 amount) external;
    function withdraw(uint256 amount) external;
}
contract Half {
    function deposit(uint256 amount) external {}
    function withdraw(uint128 amount) external {}
}
contract User {
    function use(IVault v) external { v.deposit(1); v.withdraw(1); }
}`,
      `pragma solidity ^0.8.20;
import "./Missing.sol";
interface IVault { function put(uint256 a) external; function take(uint256 a) external; }
abstract contract Part { function put(uint256) external {} function take(uint256) external {} }
contract Heir is Missing { function put(uint256) external {} function take(uint256) external {} }
contract Private { mapping(uint256 => bool) take; function put(uint256 a) external { take[a] = true; } }
contract Other { mapping(address => bool) public take; function put(uint256) external { take[msg.sender] = true; } }`,
      // The pair's base implements the interface with its getters, and is the one that should inherit.
      `pragma solidity ^0.8.20;
interface IShares {
  function totalSupply() external view returns (uint256);
  function balanceOf(address who) external view returns (uint256);
  function transfer(address to, uint256 amount) external returns (bool);
}
abstract contract Shares {
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount;
    return true;
  }
}
contract Pair is Shares {
  function sync() external { totalSupply = balanceOf[address(this)]; }
}`,
    ],
  },
}

/** Interfaces with fewer functions may be implemented by chance. */
const fewest = 2

/** Limit: interfaces examined per file. */
const interfaceLimit = 100

/** Interfaces that a file declares or imports by file name; each with its functions' signatures. */
const interfacesSeenBy = (source: SourceModel): ReadonlyArray<ContractModel> =>
  [source, ...source.imports.flatMap((i) => i.source ?? [])]
    .flatMap((s) => s.contracts)
    .filter((c) => c.node.contractKind === "interface")
    .slice(0, interfaceLimit)

/** A public state variable implements the function: `uint256 public total;` for `total()`. */
const hasGetter = (contract: ContractModel, fn: FunctionModel): boolean =>
  contract.linearization.some((c) =>
    c.stateVariables.some((v) => {
      if (v.name !== fn.name || v.visibility !== "public") return false
      const getter = getterType(v)
      return (
        getter.kind === "function" &&
        getter.parameters.map((p) => abiName(p)).join() === fn.parameters.map(({ type }) => abiName(type)).join()
      )
    }),
  )
