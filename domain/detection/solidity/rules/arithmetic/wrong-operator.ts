import type { Rule } from "../../../Rule.ts"
import type { SourceFile } from "../../../SourceFile.ts"
import { oncePer } from "../../../oncePer.ts"
import type { Program } from "../../program.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const wrongOperator: Rule<Program> = {
  meta: {
    id: "evm/arithmetic/wrong-operator",
    class: "wrong-operator",
    title: "Misleading operator",
    severity: "high",
    confidence: "high",
    cwe: [480],
    swc: 129,
    description:
      "The operator is valid but almost certainly not intended: `10 ^ 18` is 24, because `^` is exclusive or; " +
      "`total =+ amount` replaces the total instead of adding to it; `shr(x, 8)` in assembly shifts 8 by x " +
      "bits. Amounts are wrong by many orders of magnitude, or a check or an assignment does not take place.",
    remediation:
      "Use `**` for powers (or `1e18`), `+=` for addition, and pass the number of bits first to `shl` and " +
      "`shr`. Cover the line with a test that checks the resulting number.",
    references: [
      "https://swcregistry.io/docs/SWC-129",
      "https://docs.soliditylang.org/en/latest/types.html#operators",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#incorrect-exponentiation",
    ],
  },

  check: (program, report) => {
    const look = (root: S.Node, file: SourceFile, scope: string): void => {
      if (!mayConfuse(file)) return
      walk(root, (e) => {
        const message = concern(program, file, e)
        if (message === undefined) return true
        report({ file, span: e, scope, message })
        return false
      })
    }
    for (const fn of program.functions) if (fn.node.body !== undefined) look(fn.node.body, fn.source.file, fn.scope)
    for (const modifier of program.modifiers) {
      if (modifier.node.body !== undefined) look(modifier.node.body, modifier.source.file, modifier.scope)
    }
    for (const { stateVariables, source, name } of program.contracts) {
      for (const { node, name: variable } of stateVariables) {
        if (node?.value !== undefined) look(node.value, source.file, `${name}.${variable}`)
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Token {
    uint256 public supply = 1000 * 10 ^ 18; // FINDING
    uint256 public limit;
    uint256 total;

    function start(uint256 decimals) public {
        limit = 10 ^ decimals; // FINDING
    }

    function add(uint256 amount) public {
        total =+ amount; // FINDING
        total =+ amount * 2; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Bits {
    uint256 public max = 2 ^ 255; // FINDING

    function high(uint256 x) external pure returns (uint256 y) {
        assembly {
            y := shr(x, 8) // FINDING
        }
    }
}`,
      `pragma solidity ^0.8.20;
contract Powers {
  uint256 kept;
  int256 signed;
  bool flag;
  function a(uint256 n) external { kept = 2 ^ n; } // FINDING
  function b(uint256 n) external { kept = 100 ^ n; } // FINDING
  function c(uint256 n) external { kept = 256 ^ n; } // FINDING
  function d(uint256 n) external { kept = 1000 ^ n; } // FINDING
  function e() external { kept = 7 ^ 2; } // FINDING
  function f() external { signed =- 1; } // FINDING
  function g(bool other) external { flag =! other; } // FINDING
  function h(uint256 x) external {
    uint256 y;
    assembly { y := sar(x, 8) } // FINDING
    kept = y;
  }
  function i(uint256 x) external {
    uint256 y;
    assembly { y := shr(x, 256) } // FINDING
    kept = y;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Bits {
    uint256 public constant MASK = 0xff ^ 0x0f;
    int256 public x;

    function inverse(uint256 denominator) external pure returns (uint256) {
        return (3 * denominator) ^ 2;
    }

    function set() external {
        x = -1;
        x =-2;
    }

    function shift(uint256 n, uint256 v) external pure returns (uint256 y) {
        assembly {
            y := add(shl(n, 1), shr(8, v))
            y := xor(y, shr(n, 0x8421084210842108))
            y := and(y, shr(n, 15))
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Power {
    uint256 public constant UNIT = 10 ** 18;

    function pow(uint256 decimals) external pure returns (bool) {
        return 10 ** decimals == UNIT;
    }
}`,
      `pragma solidity ^0.8.20;
contract Powers {
  uint256 kept;
  int256 signed;
  function a(uint256 n) external { kept = 7 ^ n; }
  function b() external { kept = 10 ^ 0xff; }
  function c(uint256 n) external { kept = (n + 10) ^ 2; }
  function d() external { kept = 10 | 2; }
  function e() external { signed = - 1; }
  function f() external { signed -=- 1; }
  function g(uint256 n) external { kept =~ n; }
  function h(uint256 x) external {
    uint256 y;
    assembly { y := add(shr(x, 512), mul(x, 8)) }
    kept = y;
  }
}`,
      `pragma solidity ^0.8.20;
contract Shifts {
  function both() external pure returns (uint256 y) { assembly { y := shr(8, 256) } }
}`,
    ],
  },
}

/** A number as people write it for counting: decimal, not a bit pattern. */
const isDecimal = (e: S.Expression): boolean => e.kind === "Literal" && e.literalKind === "number"

/** Numbers that are raised to a power rather than having their bits flipped. */
const powerBases: ReadonlySet<bigint | undefined> = new Set([2n, 10n, 100n, 256n, 1000n])

/** The first token of an expression: the sign in `-a * b` binds to `a`. */
const leftmost = (e: S.Expression): S.Expression => {
  let at = e
  while (at.kind === "BinaryOperation") at = at.left
  return at
}

const concern = (program: Program, file: SourceFile, e: S.Node): string | undefined => {
  switch (e.kind) {
    case "BinaryOperation": {
      // `100 * 10 ^ 18` is `(100 * 10) ^ 18` to the compiler, but not to its author
      const { left } = e
      const factor = left.kind === "BinaryOperation" && left.operator === "*" ? left.right : left
      if (e.operator !== "^" || !isDecimal(factor)) return undefined
      const base = constantNumber(program, factor)
      if (!powerBases.has(base) && !isDecimal(e.right)) return undefined
      if (e.right.kind === "Literal" && !isDecimal(e.right)) return undefined
      return "`^` is the exclusive or of bits, not a power."
    }
    case "Assignment": {
      const right = leftmost(e.right)
      if (e.operator !== "=" || right.kind !== "UnaryOperation") return undefined
      if (right.operator !== "+" && right.operator !== "-" && right.operator !== "!") return undefined
      // `x =- 1` rather than `x = -1`: no space between the signs, and one after them
      const glued = file.text[right.start - 1] === "=" && right.operand.start > right.start + 1
      return glued ? `\`=${right.operator}\` assigns; \`${right.operator}=\` may be meant.` : undefined
    }
    case "YulFunctionCall": {
      if (e.name !== "shr" && e.name !== "sar") return undefined
      const [by, value] = e.args
      if (value?.kind !== "YulLiteral" || value.literalKind !== "number") return undefined
      // shifts are by whole bytes; other small numbers are bit tables
      if (Number(value.value) % 8 !== 0 || Number(value.value) > 256) return undefined
      return by?.kind === "YulLiteral" ? undefined : `\`${e.name}(bits, value)\` takes the number of bits first.`
    }
    default:
      return undefined
  }
}

/** If the text contains none of the operators, its tree need not be examined. */
const mayConfuse = oncePer((file: SourceFile): boolean =>
  /(?:\d|wei|seconds|\/)\s*\^|=[-+!]|\bs[ha]r\b/.test(file.text),
)
