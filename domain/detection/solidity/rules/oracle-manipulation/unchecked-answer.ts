import type { Rule } from "../../../Rule.ts"
import type { Callable, LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const uncheckedAnswer: Rule<Program> = {
  meta: {
    id: "evm/oracle-manipulation/unchecked-answer",
    class: "oracle-stale",
    title: "Oracle answer not checked to be positive",
    // feeds rarely return such answers, and if they do, everything priced by them is wrong
    severity: "low",
    confidence: "medium",
    cwe: [754, 681],
    description:
      "A price feed answers with a signed number, which can be zero or negative while a round is incomplete or a " +
      "feed is broken. Here, it is converted to an unsigned number, or multiplied or divided by another answer, " +
      "without checking its sign: a negative answer becomes enormous, two of them make a plausible price, and at " +
      "zero, collateral is worth nothing.",
    remediation: "Require `answer > 0` before using the answer, and check its age as well.",
    references: ["https://docs.chain.link/data-feeds/api-reference#latestrounddata"],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const answers = answersIn(flow)
      if (answers.size === 0) continue
      for (const { node, callable } of trusted(flow, answers))
        report({ file: callable.source.file, span: node, scope: callable.scope })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
contract Loans {
  IFeed immutable feed;
  event Read(int256 answer);
  constructor(IFeed f) { feed = f; }
  function worth(uint256 amount) external returns (uint256) {
    (, int256 answer, , uint256 updatedAt, ) = feed.latestRoundData();
    require(block.timestamp - updatedAt < 1 hours);
    emit Read(answer);
    return amount * uint256(answer) / 1e8; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
contract Cross {
  IFeed immutable a;
  IFeed immutable b;
  constructor(IFeed x, IFeed y) { a = x; b = y; }
  function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
    (, int256 first, , , ) = a.latestRoundData();
    (uint80 id, int256 second, uint256 start, uint256 updated, uint80 inRound) = b.latestRoundData();
    return (id, first * second / 1e8, start, updated, inRound); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
import "./AggregatorV3Interface.sol";
contract Past {
  AggregatorV3Interface immutable feed;
  constructor(AggregatorV3Interface f) { feed = f; }
  function at(uint80 id) external view returns (uint256 once, uint256 twice) {
    (, int256 answer, , , ) = feed.getRoundData(id);
    once = uint256(answer); // FINDING
    twice = 2 * uint256(answer);
  }
  function pair(uint80 id, address other) external view returns (int256 once, int256 twice) {
    (, int256 one, , , ) = feed.getRoundData(id);
    (, int256 two, , , ) = AggregatorV3Interface(other).getRoundData(id);
    once = one * two; // FINDING
    twice = 2 * (one * two);
  }
  function ratio(address base, address quote) external view returns (int256) {
    (, int256 one, , , ) = AggregatorV3Interface(base).latestRoundData();
    (, int256 two, , , ) = AggregatorV3Interface(quote).latestRoundData();
    return one / two; // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
library Cast {
  function mustBePositive(int256 x) internal pure { require(x > 0); }
  function latestRoundData(address) internal view returns (uint80, int256) { return (1, int256(block.number)); }
}
contract Loans {
  using Cast for int256;
  using Cast for address;
  IFeed immutable feed;
  IFeed immutable other;
  constructor(IFeed f, IFeed o) { feed = f; other = o; }
  function checked() external view returns (uint256) {
    (, int256 answer, , uint256 updatedAt, ) = feed.latestRoundData();
    if (answer <= 0 || block.timestamp - updatedAt > 1 hours) revert();
    return uint256(answer);
  }
  function there() external view returns (uint256) {
    (uint80 id, int256 answer, , , ) = feed.latestRoundData();
    require(answer != 0 && uint256(id) > 0);
    return uint256(answer);
  }
  function cast() external view returns (uint256) {
    (, int256 answer, , , ) = feed.latestRoundData();
    answer.mustBePositive();
    return uint256(answer);
  }
  function own() external view returns (uint256) {
    (, int256 block_) = address(this).latestRoundData();
    return uint256(block_);
  }
  function another(int256 delta) external view returns (int256, uint256) {
    (, int256 answer, , , ) = feed.latestRoundData();
    return (answer, uint256(delta));
  }
  function handed() external view returns (uint256) {
    (, int256 answer, , , ) = feed.latestRoundData();
    check(answer);
    return uint256(answer);
  }
  function check(int256 answer) internal pure { require(answer > 0); }
  function signed() external view returns (int256) {
    (, int256 answer, , , ) = feed.latestRoundData();
    return int256(answer) * 1e10;
  }
  function scaled() external view returns (int256) {
    (, int256 answer, , , ) = feed.latestRoundData();
    return answer * answer / 1e8;
  }
  function sum() external view returns (int256) {
    (, int256 one, , , ) = feed.latestRoundData();
    (, int256 two, , , ) = other.latestRoundData();
    return one + two;
  }
  function product() external view returns (int256) {
    (, int256 one, , , ) = feed.latestRoundData();
    (, int256 two, , , ) = other.latestRoundData();
    require(one > 0 && two > 0);
    return one * two;
  }
}`,
      `pragma solidity ^0.8.20;
interface IFeed {
  function latestRoundData() external view returns (uint80, uint256, uint256, uint256, uint80);
  function quote() external view returns (uint80, int256);
  function getRoundData(uint80 id) external view returns (int256, int256);
}
contract Loans {
  IFeed immutable feed;
  constructor(IFeed f) { feed = f; }
  function unsigned() external view returns (uint256) {
    (, uint256 answer, , , ) = feed.latestRoundData();
    return uint256(answer);
  }
  function number() external view returns (uint256) {
    (int256 id, ) = feed.getRoundData(1);
    return uint256(id);
  }
  function quoted() external view returns (uint256) {
    (, int256 answer) = feed.quote();
    return uint256(answer);
  }
}`,
    ],
  },
}

/** Position in `(roundId, answer, startedAt, updatedAt, answeredInRound)`. */
const answerAt = 1

const rounds = new Set(["latestRoundData", "getRoundData"])

const answersIn = (flow: Flow): ReadonlySet<LocalVariable> => {
  const answers = new Set<LocalVariable>()
  for (const site of flow.calls()) {
    if (!rounds.has(site.name) || site.callKind !== "external") continue
    for (const { variable, index } of site.at.definitions)
      if (index === answerAt && variable.kind === "LocalVariable" && isSigned(variable)) answers.add(variable)
  }
  return answers
}

const isSigned = ({ type }: LocalVariable): boolean => type.kind === "integer" && type.signed

interface Use {
  readonly node: S.Expression
  readonly callable: Callable
}

/**
 * The first use of each answer that requires a positive one, if nothing checks it and no caller is responsible for
 * doing so.
 */
const trusted = (flow: Flow, answers: ReadonlySet<LocalVariable>): ReadonlyArray<Use> => {
  const uses = new Map<LocalVariable, Use>()
  const looked = new Set<LocalVariable>()
  const answerOf = (e: S.Expression | undefined): LocalVariable | undefined => {
    const named = e?.kind === "Identifier" ? flow.program.referenceOf(e) : undefined
    return named?.kind === "LocalVariable" && answers.has(named) ? named : undefined
  }
  const within = (e: S.Expression): ReadonlyArray<LocalVariable> => {
    const found = new Set<LocalVariable>()
    walk(e, (part) => {
      const answer = part.kind === "Identifier" ? answerOf(part) : undefined
      if (answer !== undefined) found.add(answer)
      return true
    })
    return [...found]
  }
  for (const { expression, callable, node: statement } of flow.nodes) {
    if (expression === undefined || statement?.kind === "EmitStatement") continue
    walk(expression, (e) => {
      if (e.kind === "BinaryOperation" && comparison.test(e.operator)) {
        for (const answer of [...within(e.left), ...within(e.right)]) looked.add(answer)
        return false
      }
      if (e.kind === "BinaryOperation" && (e.operator === "*" || e.operator === "/")) {
        const [one, ...others] = within(e)
        if (one !== undefined && others.length > 0 && !uses.has(one)) uses.set(one, { node: e, callable })
        return others.length === 0
      }
      if (e.kind !== "FunctionCall") return true
      const answer = answerOf(e.args[0])
      if (e.callee.kind === "TypeNameExpression") {
        const to = flow.program.typeOf(e)
        if (answer !== undefined && to.kind === "integer" && !to.signed && !uses.has(answer))
          uses.set(answer, { node: e, callable })
        return true
      }
      for (const handed of [e.callee.kind === "MemberAccess" ? e.callee.object : undefined, ...e.args]) {
        const answered = answerOf(handed)
        if (answered !== undefined) looked.add(answered)
      }
      return true
    })
  }
  return [...uses].flatMap(([answer, use]) => (looked.has(answer) ? [] : [use]))
}

const comparison = /^(?:[<>]=?|[!=]=)$/
