import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { misnamedConstructors } from "../../questions/authority/misnamedConstructor.ts"

export const wrongConstructorName: Rule<Program> = {
  meta: {
    id: "evm/access-control/wrong-constructor-name",
    class: "wrong-constructor-name",
    title: "Misnamed constructor is a public function",
    severity: "high",
    confidence: "high",
    cwe: [665],
    swc: 118,
    description:
      "The function sets up the contract (it makes the caller the owner), but its name differs from the " +
      "contract's, or it is a `function` named `constructor`, so the compiler treats it as an ordinary " +
      "function. It does not run at deployment, and afterwards anyone can call it and take over the contract. " +
      "Several contracts lost their funds because they were renamed without their constructor.",
    remediation:
      "Write `constructor(…)` (Solidity 0.4.22 and later), without `function` and without a name. With an older " +
      "compiler, give the function exactly the name of the contract.",
    references: [
      "https://swcregistry.io/docs/SWC-118",
      "https://docs.soliditylang.org/en/latest/050-breaking-changes.html#deprecated-elements",
    ],
  },
  check: (program, report) => {
    for (const fn of misnamedConstructors(program)) {
      report({ file: fn.source.file, span: fn.node.nameSpan, scope: fn.scope })
    }
    for (const { functions } of program.contracts) {
      const constructors = functions.filter((fn) => fn.role === "constructor")
      for (const extra of constructors.slice(1)) {
        report({
          file: extra.source.file,
          span: extra.node.nameSpan,
          scope: extra.scope,
          message: "The contract has two constructors, one of which is ignored.",
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.4.15;
contract Rubble {
  address private creator;
  uint256 fees;
  function Scheme() { // FINDING
    creator = msg.sender;
  }
  modifier restricted { require(msg.sender == creator); _; }
  function () payable { fees += msg.value; }
  function collect() restricted { creator.transfer(this.balance); }
}`,
      `pragma solidity ^0.4.24;
contract Wallet {
  address private owner;
  uint256 limit;
  function Constructor(uint256 most) public { // FINDING
    owner = msg.sender;
    limit = most;
  }
  function withdraw(uint256 amount) public {
    require(msg.sender == owner && amount <= limit);
    owner.transfer(amount);
  }
}`,
      `pragma solidity ^0.4.22;
contract Purse {
  address owner;
  function constructor() public { // FINDING
    owner = msg.sender;
  }
  function sweep() public { require(msg.sender == owner); owner.transfer(this.balance); }
}`,
    ],
    safe: [
      `pragma solidity ^0.4.24;
contract Wallet {
  address private owner;
  function Wallet() public { owner = msg.sender; }
  function withdraw() public { require(msg.sender == owner); owner.transfer(address(this).balance); }
}
contract Base {
  address internal chief;
  constructor() public { chief = msg.sender; }
  function wallet() public view returns (address) { return chief; }
  function end() public { require(msg.sender == chief); selfdestruct(chief); }
}`,
      `pragma solidity ^0.4.24;
contract Game {
  address public leader;
  uint256 public best;
  bool started;
  address public starter;
  function play(uint256 score) public payable { require(msg.value > best); best = msg.value + score * 0; leader = msg.sender; }
  function start() public { require(!started); started = true; starter = msg.sender; }
  function end() public { require(msg.sender == leader || msg.sender == starter); msg.sender.transfer(best); }
}`,
    ],
  },
}
