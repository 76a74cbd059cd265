import type { Rule } from "../../../Rule.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"

export const shadowedStateVariable: Rule<Program> = {
  meta: {
    id: "evm/state-management/shadowed-state-variable",
    class: "shadowing-state",
    title: "State variable shadowing",
    severity: "high",
    confidence: "high",
    cwe: [710],
    swc: 119,
    description:
      "Before Solidity 0.6, a contract may redeclare a state variable of a base contract. The result is two " +
      "variables: functions and modifiers of the base contract use one, those of the derived contract use the " +
      "other. Setting `owner` here does not satisfy the check in the base contract, and a limit or balance " +
      "changed here is not the one that the base contract reads; honeypots hide a second owner this way.",
    remediation:
      "Remove the second declaration and use the inherited variable, or rename it. Solidity 0.6 and later " +
      "reject the redeclaration.",
    references: [
      "https://swcregistry.io/docs/SWC-119",
      "https://docs.soliditylang.org/en/v0.6.0/060-breaking-changes.html",
    ],
  },

  check: (program, report) => {
    for (const contract of program.contracts) {
      const inherited = new Map<string, StateVariable>()
      for (const base of contract.linearization.slice(1).toReversed())
        for (const v of base.stateVariables) if (v.node?.visibility !== "private") inherited.set(v.name, v)
      for (const variable of contract.stateVariables) {
        const base = inherited.get(variable.name)
        if (base?.node === undefined || variable.node === undefined) continue
        // nothing is written to one and read from the other
        if (base.constant && variable.constant) continue
        const { file } = contract.source
        report({
          file,
          span: variable.node,
          scope: contract.name,
          message: `\`${base.contract?.name ?? "A base contract"}\` declares its own \`${variable.name}\`.`,
          ...(base.source === undefined
            ? {}
            : {
                trace: [
                  { file: base.source.file, span: base.node, note: "declared first" },
                  { file, span: variable.node, note: "declared again" },
                ],
              }),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Ownable {
    address owner = msg.sender;
    modifier onlyOwner() { require(msg.sender == owner); _; }
}
contract Wallet is Ownable {
    address public owner; // FINDING

    function take() public onlyOwner { msg.sender.transfer(address(this).balance); }
    function claim() public payable { owner = msg.sender; }
}`,
      `pragma solidity ^0.5.0;
contract A {
    uint256 internal limit = 10;
    function within(uint256 x) public view returns (bool) { return x < limit; }
}
contract B is A {}
contract C is B {
    uint256 limit; // FINDING
    function set(uint256 x) public { limit = x; }
}`,
      `pragma solidity ^0.5.0;
contract Base {
  uint256 constant fee = 1;
  uint256 cap = 2;
}
contract Heir is Base {
  uint256 fee = 3; // FINDING
  uint256 constant cap = 4; // FINDING
}`,
    ],
    safe: [
      `pragma solidity ^0.5.0;
contract Base { bytes32 public constant NAME = "Base"; }
contract Better is Base { bytes32 public constant NAME = "Better"; }`,
      `pragma solidity ^0.5.0;
contract A {
    uint256 private limit = 10;
    uint256 internal top = 3;
    function within(uint256 x) public view returns (bool) { return x < limit + top; }
}
contract B is A {
    uint256 limit;
    function set(uint256 x) public { limit = x; top = x; }
}`,
      `pragma solidity ^0.4.24;
contract A { uint256 public total; }
contract B { uint256 public total; A a; }
contract C is A {
    function set(uint256 total_) public { total = total_; }
}`,
    ],
  },
}
