import type { Rule } from "../../../Rule.ts"
import { oncePer, oncePerPair } from "../../../oncePer.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { type Division, divisionOf, scale } from "../../amounts/quotients.ts"
import { localConstant } from "../../questions/value/localConstant.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import { sameExpression } from "../../questions/value/sameExpression.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

type Target = NonNullable<ReturnType<Program["callOf"]>>["target"]

export const divisionBeforeMultiplication: Rule<Program> = {
  meta: {
    id: "evm/arithmetic/division-before-multiplication",
    class: "div-before-mul",
    title: "Division before multiplication",
    // Of nine in audited code, each cost a few units in the last place.
    severity: "low",
    confidence: "medium",
    cwe: [682],
    description:
      "Integer division drops the remainder. Because the quotient is multiplied afterwards, the error grows " +
      "with the factor; for small amounts the quotient is zero, and so is the fee, reward or interest. Callers " +
      "can choose amounts for which the loss is in their favor, and repeat the call.",
    remediation:
      "Multiply first and divide last: `amount * rate / base`. Use a mulDiv function (OpenZeppelin's " +
      "Math.mulDiv) if the product may overflow, scale up before dividing, and round against the caller.",
    references: [
      "https://github.com/crytic/slither/wiki/Detector-Documentation#divide-before-multiply",
      "https://dacian.me/precision-loss-errors",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const node of flow.stepsWith(Shape.product | Shape.quotient | Shape.call)) {
        if (node.expression === undefined) continue
        const { callable } = node
        const { file } = callable.source
        walk(node.expression, (e) => {
          if (vanishes(program, e) && !isFactor(program, (e as S.BinaryOperation).right)) {
            report({
              file,
              span: e,
              scope: callable.scope,
              confidence: "low",
              message: "The divisor is so large that the quotient is often zero.",
            })
            return false
          }
          // A step of division with remainder, `a - b * (a / b)`, or of Euclid's algorithm: the quotient is meant to be
          // whole.
          if (e.kind === "BinaryOperation" && e.operator === "-" && factorsOf(program, e.right) !== undefined)
            return false
          const factors = factorsOf(program, e)
          if (factors === undefined) return true
          for (const [quotient, other] of [factors, factors.toReversed() as [S.Expression, S.Expression]]) {
            const division = divisionOf(flow, quotient, node)
            // rounding down to a multiple
            if (division === undefined || sameExpression(program, division.divisor, other)) continue
            if (isSameConstant(program, division.divisor, other)) continue
            if (division.isFixedPoint && (isScaledDown(flow, e, node) || constantNumber(program, other) !== undefined))
              continue
            // the remainder is multiplied, too
            if (hasRemainder(program, node.expression!, division)) continue
            report({
              file,
              span: e,
              scope: callable.scope,
              trace: [
                { file: division.at.callable.source.file, span: division.node, note: "the remainder is dropped" },
                { file, span: e, note: "the quotient is multiplied" },
              ],
            })
            return false
          }
          return true
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // Nothing is a multiple of zero.
      `pragma solidity ^0.8.0;
contract Thirds {
    uint256 constant WHOLE = 1000;
    function none(uint256 parts) external pure returns (uint256) {
        uint256 zero = 0;
        uint256 part = WHOLE / zero;
        return parts * part; // FINDING
    }
}`,
      // Constants that leave a remainder.
      `pragma solidity ^0.8.0;
contract Thirds {
    uint256 constant WHOLE = 1000;
    function share(uint256 parts) external pure returns (uint256) {
        uint256 third = WHOLE / 3;
        return parts * third; // FINDING
    }
}`,
      // Limit: depth to which expressions are compared.
      `pragma solidity ^0.8.0;
contract Steps {
    function converted(uint256 x, uint256 y, uint256 z) external pure returns (uint256) {
        return ${"uint256(".repeat(6)}x / y${")".repeat(6)} * z; // FINDING
    }
    function roundDown(uint256 x, uint256 a) external pure returns (uint256) {
        return x / (a${" + a".repeat(33)}) * (a${" + a".repeat(33)}); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Rewards {
    uint256 total;
    uint256 rate;
    uint256 public paid;

    function reward(uint256 share) external {
        uint256 part = share / total;
        paid += part * rate; // FINDING
    }

    function fee(uint256 amount) external view returns (uint256) {
        return amount / 10000 * rate; // FINDING
    }
}`,
      `pragma solidity ^0.6.0;
library SafeMath {
    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) return 0;
        uint256 c = a * b;
        require(c / a == b);
        return c;
    }
    function div(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b > 0);
        uint256 c = a / b;
        return c;
    }
}
contract Interest {
    using SafeMath for uint256;
    uint256 debt;
    uint256 lastTime;

    function due(uint256 amount, uint256 rate) public pure returns (uint256) {
        return amount.div(100).mul(rate); // FINDING
    }

    function pending() public view returns (uint256) {
        uint256 elapsed = block.timestamp - lastTime;
        return (debt * elapsed) / (365 days * 1e18); // FINDING
    }
}`,
      // Through conversions, products and library functions; and of a remainder that is not one.
      `pragma solidity ^0.8.0;
library Ratio {
    function quotient(uint256 a, uint256 b) internal pure returns (uint256) { return a / b; }
    function scaled(uint256 a, uint256 b, uint256 c) internal pure returns (uint256 r) { r = a / b; r = r + c; }
    function product(uint256 a, uint256 b, string memory) internal pure returns (uint256 r) { r = a * b; }
}
contract Auction {
    using Ratio for uint256;
    uint256 constant ONE = 1e18;
    uint256 total;
    uint256 rate;
    uint256 start;

    function converted(uint128 amount) external view returns (uint256) {
        return uint256(amount / uint128(total)) * rate; // FINDING
    }
    function within(uint256 amount) external view returns (uint256) {
        return rate * // FINDING
            (start * (amount / total));
    }
    function called(uint256 amount) external view returns (uint256) {
        return amount.scaled(total, 3) * rate; // FINDING
    }
    function named(uint256 amount) external view returns (uint256) {
        return (amount / total).product(rate, "fee"); // FINDING
    }
    function percent(uint256 amount) external view returns (uint256) {
        return amount / total * 100; // FINDING
    }
    function unscaled(uint256 x, uint256 y, uint256 z) external pure returns (uint256) {
        uint256 first = x * y / ONE;
        return first * z; // FINDING
    }
    function more(uint256 amount) external view returns (uint256) {
        return amount + rate * (amount / total) - // FINDING
            (start + amount / total * rate); // FINDING
    }
    function grown(uint256 amount) external view returns (uint256 part) {
        part = amount / total;
        part *= rate; // FINDING
    }
    function either(uint256 amount) external view returns (uint256) {
        return shareOf(amount) * rate; // FINDING
    }
    function shareOf(uint256 amount) internal view returns (uint256) {
        if (total == 0) return amount;
        return amount / total;
    }
    function twice(uint256 amount) external view returns (uint256) {
        return partOf(amount) * start;
    }
    function partOf(uint256 amount) internal view returns (uint256) {
        return amount / total * rate; // FINDING
    }
    function summed(uint256 a, uint256 b) external view returns (uint256) {
        uint256 sum = a + b;
        return sum / total * rate; // FINDING
    }
    function raised(uint256 a, uint256 b) external view returns (uint256) {
        return (a + ONE) / total * rate + // FINDING
            a * (a + b) / total * rate; // FINDING
    }
    function unfixed(uint256 x, uint256 y, uint256 z) external view returns (uint256) {
        uint256 first = x * y / total;
        uint256 second = (x + y) / ONE;
        uint256 third = x * y / 3e18;
        return first * z / ONE + // FINDING
            second * z / ONE + // FINDING
            third * z / ONE; // FINDING
    }
    function beside(uint256 x, uint256 y, uint256 z) external view returns (uint256 r) {
        uint256 first = x * y / ONE;
        r = first * z + y / ONE; // FINDING
        r = first * z + ONE; // FINDING
        r = first * z / 3; // FINDING
        r = first.product(z, "fee"); // FINDING
    }
    function rest(uint256 x, uint256 y, uint256 z) external view returns (uint256 r) {
        r = x / total * y + z % total; // FINDING
        r += x / total * y + x % rate; // FINDING
    }
    struct Price { uint256 last; }
    Price price;
    function member() external view returns (uint256) {
        uint256 last = price.last;
        return price.last / total * rate + // FINDING
            last / total * rate; // FINDING
    }
    function tiny() external view returns (uint256) {
        return total * rate / 1e21 + // FINDING
            total * rate * 2 / 1e21; // FINDING
    }
    function counted(uint256 amount, uint256[] calldata list) external view returns (uint256) {
        uint256 part = amount / list[0];
        return part * rate; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Shares {
    uint256 total;
    uint256 rate;
    function share(uint256 amount) internal view returns (uint256) { return amount / total; }
    function reward(uint256 amount) external view returns (uint256) {
        return share(amount) * rate; // FINDING
    }
}`,
      // A product of two fixed-point numbers that is multiplied and never scaled down again.
      `pragma solidity ^0.8.20;
library Num {
  function mul(uint256 a, uint256 b) internal pure returns (uint256) { return a * b; }
}
contract Rent {
  uint256 public rate;
  constructor(uint256 r) { rate = r; }
  function due(uint256 area, uint256 months) external view returns (uint256) {
    uint256 perMonth = area * rate / 1e18;
    return Num.mul(perMonth, months); // FINDING
  }
}`,
    ],
    safe: [
      // A quotient of constants without a remainder.
      `pragma solidity ^0.8.0;
abstract contract Units { uint64 internal constant WHOLE = 1e18; }
contract Factors is Units {
    function unpacked(uint256 word) external pure returns (uint256) {
        uint64 rescale = WHOLE / 1e4;
        return ((word >> 160) & type(uint16).max) * rescale;
    }
}`,
      `pragma solidity ^0.8.0;
contract Steps {
    function converted(uint256 x, uint256 y, uint256 z) external pure returns (uint256) {
        return ${"uint256(".repeat(7)}x / y${")".repeat(7)} * z;
    }
    function roundDown(uint256 x, uint256 a) external pure returns (uint256) {
        return x / (a${" + a".repeat(32)}) * (a${" + a".repeat(32)});
    }
}`,
      // Functions of two numbers that are neither their quotient nor their product.
      `pragma solidity ^0.8.0;
library Prices {
    function add(uint256 a, uint256 b) internal pure returns (uint256) { return a + b; }
    function plusFee(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 twice = a * 2;
        uint256 fee = 3 * b;
        return twice + fee;
    }
    function mulDown(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 product = a * b;
        return product / 1e18;
    }
    function pages(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 full = a / 32;
        uint256 steps = 1000 / b;
        return full + steps;
    }
}
contract Ratio {
    function quotient(uint256 a, uint256 b) external pure returns (uint256) { return a / b; }
}
contract Printer {
    using Prices for uint256;
    Ratio ratio;
    uint256 total;
    uint256 rate;

    function cost(uint256 amount) external view returns (uint256) {
        return (amount / total).add(rate) + (amount / total).plusFee(rate) + amount.pages(total) * rate
            + amount.add(total) * rate;
    }
    function priced(uint256 x, uint256 y, uint256 z) external pure returns (uint256) {
        return (x * y / 1e18).mulDown(z);
    }
    function asked(uint256 amount) external view returns (uint256) {
        return ratio.quotient(amount, total) * rate;
    }
}`,
      // Whether the dividing unit is one that the contract multiplies by, as a constant or by its value.
      `pragma solidity ^0.8.0;
contract Units {
    uint256 constant WEEK = 7 days;
    uint256 constant ONE = 1e18;
    uint256 constant RAY = 1e27;
    uint256 index;
    uint256 debt;

    function weekOf(uint256 time) external pure returns (uint256) {
        return time / WEEK * 604800;
    }
    function toRay(uint256 amount) external pure returns (uint256) {
        return amount * RAY;
    }
    function owed() external view returns (uint256) {
        return debt * index / RAY;
    }
    function doubled(uint256 x, uint256 y) external pure returns (uint256) {
        return x * y / ONE * 2;
    }
    function shifted(uint256 a, uint256 b) external pure returns (uint256) {
        uint256 large = a << 96;
        return large / b * a;
    }
    function twice(uint256 a, uint256 b) external pure returns (uint256) {
        uint256 large = a * 1e9 * 3;
        return large / b * a;
    }
    function binary(uint256 x, uint256 y, uint256 z) external pure returns (uint256) {
        return (x * y / 2 ** 96) * z / 2 ** 96;
    }
    function further(uint256 x, uint256 y, uint256 z) external pure returns (uint256) {
        uint256 first = x * y / ONE / 3;
        uint256 product = x * y;
        uint256 second = product / ONE;
        uint256 third = x * y / 1e9;
        return first * z / ONE + second * z / ONE + third * z / 1e9;
    }
    function given(uint256 part, uint256 a) external pure returns (uint256) {
        if (a > 3) part = a / 3;
        return part * a;
    }
    function otherwise(uint256 a, uint256 b) external pure returns (uint256) {
        uint256 part = b;
        if (a > b) part = a / 3;
        return part * a;
    }
    function halved() external view returns (uint256) {
        return debt * index / 2 ** 96 + debt * index * 1000 / (365 days * 1e18) + (debt + index) / 1e26;
    }
    function inverse(uint256 a, uint256 n) external pure returns (int256 y) {
        int256 x = 1;
        while (a != 0) {
            uint256 quotient = n / a;
            (n, a) = (a, n - a * quotient);
            (y, x) = (x, y - x * int256(quotient));
        }
    }
    function offset() external view returns (uint256) {
        return debt * index + 1e28;
    }
    function half(uint256 a, uint256 b) external pure returns (uint256) {
        uint256 part = a / 3;
        if (a > b) part = b;
        return part * a;
    }
}`,
      `pragma solidity ^0.8.0;
contract Fixed {
    uint256 constant ONE = 1e18;
    function chain(uint256 x, uint256 y, uint256 z) external pure returns (uint256) {
        uint256 first = (x * y) / ONE;
        return (first * z) / ONE;
    }
    function exact(uint256 x, uint256 y) external pure returns (uint256) {
        return (x / ONE) * y + ((x % ONE) * y) / ONE;
    }
}`,
      `pragma solidity ^0.8.0;
contract Rewards {
    uint256 total;
    uint256 rate;

    function reward(uint256 share) external view returns (uint256) {
        return share * rate / total;
    }

    function roundDown(uint256 amount, uint256 step) external pure returns (uint256) {
        return (amount / step) * step;
    }

    function week(uint256 time) external pure returns (uint256) {
        uint256 weeks_ = time / 1 weeks;
        return weeks_ * 1 weeks;
    }

    function scaled(uint256 amount) external view returns (uint256) {
        return (amount * rate * 1e27) / 1e27;
    }
}`,
      `pragma solidity ^0.8.0;
contract Sum {
    uint256 public sum;

    function add(uint256 a, uint256 b) external {
        uint256 half = a / 2;
        sum = half + b;
        half = b * 3;
        sum = half * a;
    }

    function perShare(uint256 a, uint256 b) external pure returns (uint256) {
        return ((a * 1e18) / b) * a;
    }

    function encodedLength(bytes calldata data) external pure returns (uint256) {
        uint256 size = data.length;
        return (size / 4) * 3 + 4 * ((data.length + 2) / 3);
    }

    function remainder(uint256 a, uint256 b) external pure returns (uint256) {
        uint256 quotient = a / b;
        return a - b * quotient;
    }
}`,
      // A fee is due for each lot that has begun, and the quotient beside a remainder is not multiplied.
      `pragma solidity ^0.8.20;
library Lots {
  function split(uint256 amount, uint256 size) internal pure returns (uint256 whole, uint256 rest) {
    whole = amount / size;
    rest = amount % size;
  }
}
contract Fees {
  uint256 public feePerLot;
  uint256 public feePerUnit;
  uint256 public lotSize = 100;
  constructor(uint256 lot, uint256 unit) { feePerLot = lot; feePerUnit = unit; }
  function begun(uint256 amount) external view returns (uint256) {
    return ((amount - 1) / lotSize + 1) * feePerLot;
  }
  function extended(uint256 amount) external view returns (uint256) {
    uint256 lots = 1;
    lots += amount / lotSize;
    return lots * feePerLot;
  }
  function loose(uint256 amount) external view returns (uint256) {
    (, uint256 rest) = Lots.split(amount, lotSize);
    return rest * feePerUnit;
  }
}`,
    ],
  },
}

const mayReturnQuotient = (program: Program, target: Target): boolean =>
  target?.implemented === true &&
  program.flow(target).returns.some(({ expression: e }) => e?.kind === "BinaryOperation" && e.operator === "/")

/** `x * y` as an operator, or as a call of a function whose result is the product of its parameters. */
const factorsOf = (program: Program, e: S.Node): readonly [S.Expression, S.Expression] | undefined => {
  if (e.kind === "BinaryOperation") return e.operator === "*" ? [e.left, e.right] : undefined
  if (e.kind === "Assignment") return e.operator === "*=" ? [e.left, e.right] : undefined
  if (e.kind !== "FunctionCall") return undefined
  const call = program.callOf(e)
  const [left, right] = call?.args ?? []
  if (call?.kind !== "library" || call.target === undefined || left === undefined || right === undefined)
    return undefined
  return multiplies(program, call.target) ? [left, right] : undefined
}

const multiplies = oncePerPair((program: Program, target: FunctionModel): boolean => {
  const [a, b] = target.parameters
  return program.flow(target).nodes.some((node) => {
    let e = node.expression
    if (e?.kind === "Assignment") e = e.right
    if (e?.kind !== "BinaryOperation" || e.operator !== "*") return false
    return program.referenceOf(e.left) === a && program.referenceOf(e.right) === b
  })
})

/** Larger divisors make a quotient of amounts with 18 decimals vanish, unless the dividend was scaled first. */
const hugeDivisor = 10n ** 21n

/** `x / 1e27` of a value that no constant factor has scaled. */
const vanishes = (program: Program, e: S.Node): boolean => {
  if (e.kind !== "BinaryOperation" || e.operator !== "/") return false
  const divisor = constantNumber(program, e.right)
  if (divisor === undefined || divisor < hugeDivisor) return false
  // shifts by powers of two and the fixed-point formats built on them
  if ((divisor & (divisor - 1n)) === 0n) return false
  let scaled = e.left.kind !== "BinaryOperation" || e.left.operator !== "*"
  walk(e.left, (inner) => {
    if (inner.kind !== "Literal" && inner.kind !== "Identifier") return !scaled
    scaled ||= (constantNumber(program, inner) ?? 0n) >= 1000n
    const found = program.referenceOf(inner)
    // a ray or wad passed as a parameter is already scaled
    scaled ||= found?.kind === "LocalVariable" && found.role === "parameter"
    return !scaled
  })
  return !scaled
}

const isSameConstant = (program: Program, a: S.Expression, b: S.Expression): boolean => {
  const value = constantNumber(program, a)
  return value !== undefined && value === constantNumber(program, b)
}

/** `x / n * y + x % n * y / n`: nothing is lost. */
const hasRemainder = (program: Program, whole: Expr, { node, divisor }: Division): boolean => {
  return (
    node.kind === "BinaryOperation" &&
    operationsIn(whole).remainders.some(
      (e) => sameExpression(program, e.left, node.left) && sameExpression(program, e.right, divisor),
    )
  )
}

/** Remainders in an expression, and quotients by what is divided. */
const operationsIn = oncePer((whole: Expr) => {
  const remainders: Array<S.BinaryOperation> = []
  const quotients = new Map<S.Node, S.BinaryOperation>()
  walk(whole, (e) => {
    if (e.kind !== "BinaryOperation") return
    if (e.operator === "%") remainders.push(e)
    if (e.operator === "/") quotients.set(e.left, e)
  })
  return { remainders, quotients }
})

const constantFactors = oncePer((program: Program): ReadonlySet<bigint> => {
  const found = new Set<bigint>()
  for (const flow of program.allFlows()) {
    for (const { expression } of flow.stepsWith(Shape.product)) {
      if (expression === undefined) continue
      walk(expression, (e) => {
        if (e.kind !== "BinaryOperation" || e.operator !== "*") return
        for (const side of [e.left, e.right]) {
          const value = constantNumber(program, side)
          if (value !== undefined) found.add(value)
        }
      })
    }
  }
  return found
})

/** Whether the program multiplies by the same constant elsewhere: it is the unit of its numbers. */
const isFactor = (program: Program, divisor: S.Expression): boolean => {
  const value = constantNumber(program, divisor)
  return value !== undefined && constantFactors(program).has(value)
}

/** Whether the product is divided by a unit again: another product of the same format. */
const isScaledDown = (flow: Flow, product: S.Node, at: FlowNode): boolean => {
  if (product.kind === "FunctionCall") return mayReturnQuotient(flow.program, flow.program.callOf(product)?.target)
  const divided = operationsIn(at.expression!).quotients.get(product)
  return divided !== undefined && (localConstant(flow, divided.right, at) ?? 0n) >= scale
}
