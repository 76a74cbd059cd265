import type { Rule } from "../../../Rule.ts"
import type { LocalVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { Type } from "../../types.ts"
import { walk } from "../../visit.ts"

export const functionPointerInAssembly: Rule<Program> = {
  meta: {
    id: "evm/dangerous-call/function-pointer-in-assembly",
    class: "assembly-return",
    title: "Function pointer modified in assembly",
    severity: "high",
    confidence: "medium",
    cwe: [695],
    swc: 127,
    description:
      "A variable of internal function type is a jump destination in the contract's code, and assembly writes " +
      "to it here. If an input contributes to the value, the caller chooses which instructions run next and can " +
      "jump past the checks of another function.",
    remediation:
      "Never write function pointers in assembly. Select functions with `if` or with a mapping from a validated " +
      "enum.",
    references: ["https://swcregistry.io/docs/SWC-127"],
  },

  check: (program, report) => {
    // only files with both assembly and function types need to be examined
    const relevant = new Set(
      program.sources.filter(({ file: { text } }) => text.includes("assembly") && /\bfunction\s*\(/.test(text)),
    )
    for (const callable of [...program.functions, ...program.modifiers]) {
      const { body } = callable.node
      if (body === undefined || !relevant.has(callable.source)) continue
      walk(body, (s) => {
        const variable = changed(program, s)
        if (variable === undefined) return true
        const message = `\`${variable.name}\` holds a function pointer.`
        report({ file: callable.source.file, span: s, scope: callable.scope, message })
        return false
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.25;
contract Jump {
    struct Func { function () internal f; }
    function pay() internal { require(msg.value == 0); msg.sender.transfer(address(this).balance); }
    function nothing() internal {}
    function run() public payable {
        Func memory func;
        func.f = nothing;
        assembly {
            mstore(func, add(mload(func), callvalue)) // FINDING
        }
        func.f();
    }
}`,
      `pragma solidity ^0.8.0;
contract Jump {
    function one() internal pure returns (uint256) { return 1; }
    function run(uint256 to) external pure returns (uint256) {
        function() internal pure returns (uint256) f = one;
        assembly {
            f := to // FINDING
        }
        return f();
    }
}`,
      `pragma solidity ^0.8.20;
contract Dispatch {
  struct Handlers { uint256 id; function() internal run; }
  function one() internal {}
  function go(uint256 to) external {
    Handlers memory h = Handlers(1, one);
    function() internal[2] memory list = [one, one];
    assembly {
      mstore(add(h, 0x20), to) // FINDING
      mstore8(h, 1) // FINDING
      mstore(list, to) // FINDING
    }
    h.run();
    list[0]();
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Tree {
    struct Node { uint256 value; Node[] children; }
    function double(uint256 x) internal pure returns (uint256) { return x * 2; }
    function run(uint256 x) external pure returns (uint256) {
        function(uint256) internal pure returns (uint256) f = double;
        x = f(x);
        Node memory node;
        assembly {
            mstore(node, x)
        }
        return node.value;
    }
}`,
      `pragma solidity ^0.8.0;
contract Choice {
    function cast(function(uint256) internal pure returns (uint256) a)
        internal
        pure
        returns (function(uint256) internal view returns (uint256) b)
    {
        assembly {
            b := a
        }
    }
    function one() internal pure returns (uint256) { return 1; }
    function two() internal pure returns (uint256) { return 2; }
    function run(bool first) external pure returns (uint256 n) {
        function() internal pure returns (uint256) f = first ? one : two;
        n = f();
        assembly {
            mstore(0, n)
            n := mload(0)
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Memory {
    struct Pair { uint256 a; uint256 b; }
    function run(uint256 x) external pure returns (uint256) {
        Pair memory pair;
        assembly {
            mstore(pair, x)
            mstore(add(pair, 32), 5)
        }
        return pair.a + pair.b;
    }
}`,
      `pragma solidity ^0.8.20;
contract Dispatch {
  struct Handlers { uint256 id; function() internal run; }
  struct Pair { uint256 a; uint256 b; }
  function one() internal {}
  function go(uint256 to) external returns (bytes32 h1) {
    Handlers memory h = Handlers(1, one);
    Pair memory p = Pair(1, 2);
    assembly {
      mstore(p, to)
      mstore(mload(h), to)
      h1 := keccak256(h, 64)
    }
    h.run();
  }
}`,
    ],
  },
}

/** Whether it holds a pointer to an internal function: itself, or in a member or element. */
const holdsPointer = (type: Type, seen = new Set<unknown>()): boolean => {
  if (type.kind === "function") return !type.external
  if (type.kind === "array") return holdsPointer(type.base, seen)
  // A struct can contain a list of its own type.
  if (type.kind !== "struct" || seen.has(type.struct)) return false
  seen.add(type.struct)
  return type.struct.members.some((m) => holdsPointer(m.type, seen))
}

const localIn = (program: Program, e: S.Node): LocalVariable | undefined => {
  let found: LocalVariable | undefined
  walk(e, (n) => {
    if (n.kind === "YulIdentifier") {
      const declared = program.referenceOf(n)
      if (declared?.kind === "LocalVariable" && holdsPointer(declared.type)) found = declared
    }
    // loading alone changes nothing
    return found === undefined && !(n.kind === "YulFunctionCall" && n.name === "mload")
  })
  return found
}

/** The local whose function pointer an assembly statement changes. */
const changed = (program: Program, s: S.Node): LocalVariable | undefined => {
  // copying one pointer to another is a type conversion
  if (s.kind === "YulAssignment" && localIn(program, s.value) !== undefined) return undefined
  if (s.kind === "YulAssignment") return s.targets.map((t) => localIn(program, t)).find((v) => v !== undefined)
  if (s.kind !== "YulFunctionCall" || (s.name !== "mstore" && s.name !== "mstore8") || s.args[0] === undefined)
    return undefined
  return localIn(program, s.args[0])
}
