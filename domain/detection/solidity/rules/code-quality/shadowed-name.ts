import type { Rule } from "../../../Rule.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"

export const shadowedName: Rule<Program> = {
  meta: {
    id: "evm/code-quality/shadowed-name",
    class: "shadowing-local",
    title: "Local variable shadows a state variable or global",
    severity: "informational",
    // It is rarely the case that one was meant for the other.
    confidence: "medium",
    cwe: [710],
    swc: 119,
    description:
      "A parameter or local variable has the same name as a state variable, or a declaration has the name of a " +
      "built-in such as `require` or `now`. Within its scope, the name does not mean what readers expect: an " +
      "assignment intended for storage goes to the local variable and is lost, or a check named `assert` does " +
      "not check anything.",
    remediation:
      "Rename the local, for example with a trailing underscore (`owner_`), and never reuse the names of globals.",
    references: [
      "https://swcregistry.io/docs/SWC-119",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#local-variable-shadowing",
    ],
  },

  check: (program, report) => {
    for (const contract of program.contracts) {
      if (contract.node.contractKind === "interface") continue
      const state = visibleState(contract)
      for (const { node } of contract.stateVariables) {
        if (node === undefined || !globals.has(node.name)) continue
        const place = { file: contract.source.file, span: node, scope: contract.name }
        report({ ...place, message: `\`${node.name}\` shadows a built-in.` })
      }
      for (const fn of contract.functions) {
        if (!fn.implemented) continue
        const place = { file: fn.source.file, scope: fn.scope }
        if (globals.has(fn.name))
          report({ ...place, span: fn.node.nameSpan, message: `\`${fn.name}\` is the name of a built-in.` })
        // one of them is enough to make the function worth a look
        const hiding = declarationsIn(fn.node).filter((d) => globals.has(d.name) || state.has(d.name))
        const [first, ...others] = hiding
        if (first === undefined) continue
        const more = others.length === 0 ? "" : ` So do ${others.map(({ name }) => `\`${name}\``).join(", ")}.`
        report({
          ...place,
          span: first,
          message: globals.has(first.name)
            ? `\`${first.name}\` shadows a built-in.${more}`
            : `\`${first.name}\` shadows the state variable of \`${state.get(first.name)?.contract?.name ?? contract.name}\`.${more}`,
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Owned {
    address internal owner;

    constructor(address owner) { // FINDING
        owner = owner;
    }
}`,
      `pragma solidity ^0.4.24;
contract Clock {
    uint256 start;
    address msg; // FINDING

    function assert(bool x) internal pure {} // FINDING

    function reset(uint256 at) public {
        assert(at > 0);
        uint256 now = at; // FINDING
        start = now;
    }
}
contract Timer is Clock {
    function elapsed() public view returns (uint256) {
        uint256 start = 5; // FINDING
        return block.number - start;
    }
}`,
      // Wherever in the function it is declared, and however many there are.
      `pragma solidity ^0.8.20;
contract Desk {
  uint256 rate;
  uint256 count;
  function other(bool yes) external view returns (uint256) {
    if (yes) return count;
    else {
      uint256 rate = 1; // FINDING
      return rate;
    }
  }
  function rounds() external view returns (uint256 sum) {
    for (uint256 count = 0; count < 3; count++) sum += rate; // FINDING
  }
  function both() external pure returns (uint256) {
    uint256 rate = 1;
    uint256 count = 2; // FINDING
    return rate + count;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface Token {
    function approve(address owner, uint256 amount) external;
}
contract Owned {
    address private owner;
    event Changed(address owner);
    error Refused(address owner);

    constructor(address owner_) {
        owner = owner_;
        emit Changed(owner);
    }
}
contract Heir is Owned {
    constructor(address owner) Owned(owner) {}

    function balanceOf(address who) public view returns (uint256 balance) {
        balance = who.balance;
    }
}`,
      `pragma solidity ^0.8.0;
library Math {
    function max(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 result = a > b ? a : b;
        return result;
    }
}
contract User {
    uint256 public highest;
    function add(uint256 x) external { highest = Math.max(x, highest); }
}`,
      `pragma solidity ^0.8.20;
interface IClock { function now(uint256 block) external view returns (uint256); }
abstract contract Clock { uint256 at; function read(uint256 at) external view virtual returns (uint256); }`,
    ],
  },
}

/** Globals that a declaration of the same name shadows. */
const globals = new Set(
  "abi addmod assert block blockhash ecrecover gasleft keccak256 msg mulmod now require revert selfdestruct sha256 sha3 suicide super this tx".split(
    " ",
  ),
)

/** State variables that a function of the contract could name. */
const visibleState = (contract: ContractModel): ReadonlyMap<string, StateVariable> => {
  const visible = new Map<string, StateVariable>()
  for (const c of contract.linearization.toReversed())
    for (const v of c.stateVariables) if (c === contract || v.node?.visibility !== "private") visible.set(v.name, v)
  return visible
}

/** Declarations of a function that shadow something, its parameters first. */
const declarationsIn = (fn: S.FunctionDefinition): ReadonlyArray<S.VariableDeclaration> => {
  const found: Array<S.VariableDeclaration> = [...fn.parameters, ...fn.returns]
  const stack: Array<S.Statement> = fn.body === undefined ? [] : [fn.body]
  for (let s = stack.pop(); s !== undefined; s = stack.pop()) {
    switch (s.kind) {
      case "Block":
        stack.push(...s.statements)
        break
      case "IfStatement":
        stack.push(s.then, ...(s.else === undefined ? [] : [s.else]))
        break
      case "ForStatement":
        stack.push(s.body, ...(s.init === undefined ? [] : [s.init]))
        break
      case "WhileStatement":
      case "DoWhileStatement":
        stack.push(s.body)
        break
      case "VariableDeclarationStatement":
        for (const d of s.declarations) if (d !== undefined) found.push(d)
        break
    }
  }
  return found
}
