import type { Rule } from "../../../Rule.ts"
import type { SourceModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type { Span } from "../../../SourceFile.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { contractAt } from "../../questions/contractAt.ts"

interface Use {
  readonly node: Span
  readonly old: string
  readonly instead: string
}

export const deprecatedApi: Rule<Program> = {
  meta: {
    id: "evm/code-quality/deprecated-api",
    class: "deprecated-api",
    title: "Deprecated language feature or library function",
    severity: "informational",
    confidence: "high",
    cwe: [477],
    swc: 111,
    description:
      "The file uses syntax or functions that the language or a library has replaced. They prevent a move to a " +
      "newer compiler with its fixes and checks, and some do less than they appear to: `callcode` does not " +
      "preserve the sender, `throw` burns all gas, `safeApprove` does not prevent the approval race.",
    remediation:
      "Replace each with the alternative named in the finding. The changes are mechanical; make them together " +
      "with the move to a current compiler.",
    references: [
      "https://swcregistry.io/docs/SWC-111",
      "https://docs.soliditylang.org/en/v0.5.0/050-breaking-changes.html",
    ],
  },

  check: (program, report) => {
    for (const source of program.sources) {
      for (const { node, old, instead } of usesIn(program, source)) {
        report({
          file: source.file,
          span: node,
          scope: contractAt(source, node.start),
          message: `\`${old}\`: use ${instead}.`,
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity 0.8.20;
contract Ending {
    address payable immutable owner = payable(msg.sender);
    function end() external {
        require(msg.sender == owner);
        selfdestruct(owner); // FINDING
    }
    function luck() external view returns (uint256) { return block.difficulty; } // FINDING
}`,
      `pragma solidity ^0.4.11;
contract Old {
    address owner = msg.sender;
    function close() public {
        if (msg.sender != owner) throw; // FINDING
        suicide(owner); // FINDING
        if (block.number > 9) throw;
    }
    function id(uint256 x) public constant returns (bytes32) { // FINDING
        return sha3(x, block.blockhash(block.number - 1)); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/access/AccessControl.sol";
contract Roles is AccessControl {
    constructor() {
        _setupRole(DEFAULT_ADMIN_ROLE, msg.sender); // FINDING
    }
}`,
      `pragma solidity 0.8.18;
contract End {
  function when() external view returns (uint256) {
    return block.difficulty; // FINDING
  }
  function end() external {
    selfdestruct(payable(msg.sender)); // FINDING
  }
}`,
      `pragma solidity ^0.4.24;
contract Runner {
  function run(address to) public {
    require(to.callcode(msg.data)); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Tools {
  struct Gas { uint256 gas; }
  struct Blocks { function(uint256) view returns (bytes32) blockhash; }
  mapping(uint256 => bytes32) kept;
  Gas used;
  Blocks chain;
  function sha3(bytes memory data) internal pure returns (bytes32) { return keccak256(data); }
  function selfdestruct(address to) internal { kept[1] = bytes32(uint256(uint160(to))); }
  function hash(bytes memory data) external pure returns (bytes32) { return sha3(data); }
  function end() external { selfdestruct(msg.sender); }
  function spent() external view returns (uint256) { return used.gas; }
  function before(uint256 n) external view returns (bytes32) { return chain.blockhash(n); }
  function now_() external view returns (uint256) { return block.difficulty; } // FINDING
}
`,
      `pragma solidity ^0.4.18;
contract Relay {
  function run(address to, bytes data) public returns (bool) {
    require(msg.gas > 50000); // FINDING
    return to.call.gas(msg.gas - 5000)(data);
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/access/AccessControl.sol";
contract Roles is AccessControl {
    uint256 constant LIMIT = 3;
    constructor() {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
    }
    function id(uint256 x) public view returns (bytes32) {
        if (x > LIMIT) revert();
        return keccak256(abi.encode(x, blockhash(block.number - 1), gasleft()));
    }
}`,
      `pragma solidity ^0.5.0;
contract Names {
    mapping(bytes32 => address) suicides;
    function throwAway(bytes32 sha) public returns (address) {
        return suicides[sha];
    }
}`,
      `pragma solidity 0.8.17;
contract End {
  function when() external view returns (uint256) { uint256 x = block.difficulty; return x; }
  function end() external { selfdestruct(payable(msg.sender)); }
}`,
    ],
  },
}

const functions: ReadonlyMap<string, string> = new Map([
  ["suicide", "selfdestruct"],
  ["sha3", "keccak256"],
])

/** Functions of OpenZeppelin's contracts that later releases deprecate or remove. */
const openZeppelin: ReadonlyMap<string, string> = new Map([
  ["_setupRole", "_grantRole"],
  ["safeApprove", "forceApprove or safeIncreaseAllowance"],
])

/** First compiler that warns of `selfdestruct` and `block.difficulty`. */
const merge = 8018

const useOf = (program: Program, e: S.Node, version: number): Use | undefined => {
  switch (e.kind) {
    case "ThrowStatement":
      return { node: e, old: "throw", instead: "revert()" }
    case "VariableDeclarationStatement":
      return e.declarations.some((d) => d !== undefined && d.typeName === undefined)
        ? { node: e, old: "var", instead: "an explicit type" }
        : undefined
    case "MemberAccess": {
      const found = program.referenceOf(e)
      if (e.object.kind === "Identifier" && e.object.name === "block" && e.member === "blockhash")
        return { node: e, old: "block.blockhash", instead: "blockhash" }
      if (found?.kind === "Builtin" && found.name === "msg.gas")
        return { node: e, old: "msg.gas", instead: "gasleft()" }
      if (version >= merge && found?.kind === "Builtin" && found.name === "block.difficulty")
        return { node: e, old: "block.difficulty", instead: "block.prevrandao" }
      return undefined
    }
    case "FunctionCall": {
      const call = program.callOf(e)
      if (call === undefined) return undefined
      if (call.kind === "callcode") return { node: e, old: "callcode", instead: "delegatecall" }
      if (call.kind === "builtin" && functions.has(call.name))
        return { node: e, old: call.name, instead: functions.get(call.name)! }
      if (version >= merge && call.kind === "builtin" && call.name === "selfdestruct")
        return { node: e, old: "selfdestruct", instead: "a switch that stops the contract, and withdrawals" }
      const instead = openZeppelin.get(call.name)
      return instead === undefined ? undefined : { node: e, old: call.name, instead }
    }
    case "FunctionDefinition":
      return e.mutability === "constant" ? { node: e.nameSpan, old: "constant", instead: "view" } : undefined
    default:
      return undefined
  }
}

/** If the text contains none of the words, its tree need not be examined. */
const mayUse =
  /\b(?:throw|suicide|sha3|callcode|var|_setupRole|safeApprove|selfdestruct|difficulty)\b|block\s*\.\s*blockhash|msg\s*\.\s*gas|\)[^{};=)]*\bconstant\b/

/** The first use of each in a file. */
const usesIn = (program: Program, source: SourceModel): ReadonlyArray<Use> => {
  const found = new Map<string, Use>()
  if (!mayUse.test(source.file.text)) return []
  walk(source.unit, (node) => {
    const use = useOf(program, node, source.version.min)
    if (use !== undefined && !found.has(use.old)) found.set(use.old, use)
  })
  return [...found.values()]
}
