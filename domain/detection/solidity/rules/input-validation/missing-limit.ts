import type { Rule } from "../../../Rule.ts"
import type { Relation } from "../../flow/facts/facts.ts"
import { only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { FunctionModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { callsInitializer } from "../../questions/deployment/initializer.ts"
import { fractions } from "../../questions/value/fractions.ts"
import { precedents, settingsOf } from "../../questions/value/settings.ts"

export const missingLimit: Rule<Program> = {
  meta: {
    id: "evm/input-validation/missing-limit",
    class: "missing-limit",
    title: "Setting lacks a limit enforced elsewhere",
    severity: "low",
    confidence: "medium",
    cwe: [1284, 20],
    description:
      "The function stores a caller-supplied number unchanged, although other code that changes the same setting " +
      "compares it with a limit first. A mistake or a malicious call can set a fee above one hundred percent, a " +
      "delay of zero or a scale that breaks every computation, which the limit was meant to rule out.",
    remediation: "Enforce the same limit here, ideally in one internal function that every change goes through.",
    references: ["https://cwe.mitre.org/data/definitions/1284.html"],
  },
  check: (program, report) => {
    const settings = settingsOf(program, ({ type }) => type.kind === "integer", isLimit)
    const precedentOf = precedents(settings)
    const parts = fractions(program, new Set(settings.map(({ variable }) => variable)))
    const reported = new Set<FunctionModel>()
    for (const setting of settings) {
      const { flow, event, at, variable, compared } = setting
      if (compared || reported.has(flow.fn)) continue
      if (!(callsInitializer(flow) || flow.onceAt(at) !== undefined || flow.isRestricted(at))) continue
      const precedent = precedentOf(setting)
      if (precedent === undefined) {
        const fraction = flow.fn.role === "function" ? parts.get(variable) : undefined
        if (fraction === undefined) continue
        reported.add(flow.fn)
        report({
          ...placeOf(event),
          scope: flow.fn.scope,
          confidence: "low",
          message: `\`${variable.name}\` is a fraction of a fixed denominator but can be set above it.`,
          trace: [
            {
              file: fraction.at.callable.source.file,
              span: fraction.expression,
              note: "used as a fraction",
            },
          ],
        })
        continue
      }
      reported.add(flow.fn)
      const { fn } = precedent.flow
      report({
        ...placeOf(event),
        scope: flow.fn.scope,
        message: `\`${fn.scope}\` limits \`${variable.name}\`, but this code does not.`,
        trace: [{ ...placeOf(precedent.event), note: "the limit is checked here" }],
      })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Delays {
  uint256 public constant LEAST = 1 days;
  address immutable owner = msg.sender;
  uint256 public delay;
  constructor(uint256 first) { require(first >= LEAST); delay = first; }
  function setDelay(uint256 to) external { require(msg.sender == owner);
    delay = to; // FINDING
  }
  function due() external view returns (uint256) { return block.timestamp + delay; }
}`,
      `pragma solidity ^0.8.20;
contract Fees {
  address immutable owner = msg.sender;
  struct Terms { uint16 fee; uint16 cut; }
  Terms public terms;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function setFee(uint16 to) external onlyOwner { _checkFee(to); terms.fee = to; }
  function setAll(uint16 fee, uint16 cut) external onlyOwner {
    terms.fee = fee; // FINDING
    terms.cut = cut;
  }
  function _checkFee(uint16 fee) private pure { if (fee > 1000) revert(); }
}`,
      `pragma solidity ^0.8.20;
contract One { uint8 immutable places; constructor(uint8 p) { if (p > 18) revert(); places = p; } function unit() external view returns (uint256) { return 10 ** places; } }
contract Two { uint8 immutable places; constructor(uint8 p) { if (p > 18) revert(); places = p; } function one() external view returns (uint256) { return 10 ** places; } }
contract Three {
  uint8 immutable places;
  constructor(uint8 p) {
    places = p; // FINDING
  }
  function whole() external view returns (uint256) { return 10 ** places; }
}`,
      // A part of a fixed whole, by operators and by a library.
      `pragma solidity ^0.8.20;
library Math { function mul(uint256 a, uint256 b) internal pure returns (uint256) { return a * b; } function div(uint256 a, uint256 b) internal pure returns (uint256) { return a / b; } }
contract Split {
  using Math for uint256;
  uint256 constant ONE = 1e18;
  address owner = msg.sender;
  uint256 fee;
  uint256 keep;
  uint256 tip;
  mapping(address => uint256) held;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function setFee(uint256 to) external onlyOwner {
    fee = to; // FINDING
  }
  function setKeep(uint256 to) external onlyOwner {
    keep = to; // FINDING
  }
  function setTip(uint256 to) external onlyOwner {
    tip = to; // FINDING
  }
  function pay(address to) external payable {
    held[owner] += (msg.value * fee) / 10_000 + msg.value.mul(tip).div(100);
    held[to] += (msg.value * (ONE - keep)) / ONE;
  }
}`,
      // One function is one finding.
      `pragma solidity ^0.8.20;
contract Fees {
  uint256 constant MOST = 1000;
  address owner = msg.sender;
  uint256 fee;
  uint256 share;
  uint256 cut;
  function setFee(uint256 to) external { require(msg.sender == owner && to <= MOST); fee = to; }
  function setShare(uint256 to) external { require(msg.sender == owner && to <= MOST); share = to; }
  function setBoth(uint256 first, uint256 second) external {
    require(msg.sender == owner);
    fee = first; // FINDING
    share = second;
  }
  function due(uint256 amount) external view returns (uint256) { return (amount * (fee + share)) / MOST; }
}`,
      // Setup leaves out the limit, whether it runs once by its own flag or by a modifier.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Farms {
  address immutable owner = msg.sender;
  uint256 public fee;
  bool private begun;
  function begin(uint256 first) external {
    require(!begun, "begun");
    begun = true;
    fee = first; // FINDING
  }
  function setFee(uint256 to) external {
    require(msg.sender == owner, "owner");
    require(to <= 1000, "too high");
    fee = to;
  }
}
contract Pools is Initializable {
  address public owner;
  uint256 public fee;
  function initialize(address who, uint256 first) external initializer {
    owner = who;
    fee = first; // FINDING
  }
  function setFee(uint256 to) external {
    require(msg.sender == owner, "owner");
    require(to <= 1000, "too high");
    fee = to;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Delays {
  uint256 public constant LEAST = 1 days;
  address immutable owner = msg.sender;
  uint256 public delay;
  uint256 public note;
  constructor(uint256 first) { _set(first); }
  function setDelay(uint256 to) external { require(msg.sender == owner); _set(to); }
  function _set(uint256 to) private { require(to >= LEAST, "short"); delay = to; }
  function setNote(uint256 to) external { require(msg.sender == owner); note = to; }
  function raise(uint256 to) external { require(msg.sender == owner && to > delay); delay = to; }
  function extend(uint256 to) external { require(msg.sender == owner && to > note); note = to; }
  function clear() external { require(msg.sender == owner); delay = LEAST; }
}`,
      `pragma solidity ^0.8.20;
contract Split {
  uint256 constant ONE = 1e18;
  address owner = msg.sender;
  uint256 fee;
  uint256 rate;
  uint256 base;
  uint256 start;
  mapping(address => uint256) held;
  uint256 cut;
  constructor(uint256 first) { cut = first; }
  function setFee(uint256 to) external { require(msg.sender == owner && to <= ONE); fee = to; }
  function setRate(uint256 to) external { require(msg.sender == owner); rate = to; }
  function setBase(uint256 to) external { require(msg.sender == owner); base = to; }
  function setStart(uint256 to) external { require(msg.sender == owner); start = to; }
  function pay(address to) external payable {
    held[owner] += (msg.value * fee) / ONE + (msg.value * cut) / ONE;
    held[to] += (msg.value * rate) / base + (block.timestamp - start) + msg.value / ONE;
  }
}`,
      `pragma solidity ^0.8.20;
contract Marks {
  mapping(address => uint256) public mark;
  uint256 public last;
  address immutable owner = msg.sender;
  function put(uint256 to) external { last = to; }
  function set(uint256 to) external { require(msg.sender == owner && to < 5); last = to; }
  function different(uint256 to) external { require(msg.sender == owner && to != last); last = to; }
}`,
    ],
  },
}

/**
 * Whether it is an ordering comparison with something that the caller does not choose, other than the variable's
 * previous value.
 */
const isLimit = ({ left, right }: Relation, variable: StateVariable): boolean =>
  right !== undefined && [left, right].some((side) => isFixed(side) && !side.state.includes(variable))

const isFixed = (side: Origins): boolean =>
  only(side, Source.literal | Source.constant | Source.immutable | Source.state)
