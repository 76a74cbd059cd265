import type { Rule } from "../../../Rule.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { walk } from "../../visit.ts"

export const stalePrice: Rule<Program> = {
  meta: {
    id: "evm/oracle-manipulation/stale-price",
    class: "oracle-stale",
    title: "Stale oracle price",
    severity: "medium",
    confidence: "high",
    cwe: [672, 754],
    description:
      "The price comes from `latestRoundData()`, but its update time is ignored. Feeds can stop: if the network " +
      "is congested, a sequencer is down or a feed is retired, the last answer remains. Attackers then borrow " +
      "or liquidate at a price that the market left hours ago.",
    remediation:
      "Require `block.timestamp - updatedAt <= heartbeat` with the feed's own heartbeat, and `answer > 0`. On a rollup, check the " +
      "sequencer's uptime feed as well.",
    references: [
      "https://docs.chain.link/data-feeds/api-reference#latestrounddata",
      "https://docs.chain.link/data-feeds/l2-sequencer-feeds",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        const isAgeless = ageless.has(site.name) && !readsPublishTime(flow)
        if (!(rounds.has(site.name) || isAgeless) || (site.callKind !== "external" && site.callKind !== "unknown"))
          continue
        if (site.receiver === undefined || (!isAgeless && looksAtTime(flow, site))) continue
        report({ file: site.at.callable.source.file, span: site.node, scope: site.at.callable.scope })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
contract Lending {
    IFeed feed;

    function price() public view returns (uint256) {
        (, int256 answer, , , ) = feed.latestRoundData(); // FINDING
        require(answer > 0);
        return uint256(answer);
    }
}`,
      `pragma solidity ^0.8.0;
import {AggregatorV3Interface} from "./AggregatorV3Interface.sol";
contract Lending {
    AggregatorV3Interface feed;

    function value(uint256 amount) external view returns (uint256) {
        (uint80 id, int256 answer, uint256 start, uint256 updated, uint80 inRound) = feed.latestRoundData(); // FINDING
        return amount * uint256(answer) / 1e8;
    }
}`,
      `pragma solidity ^0.8.0;
interface IPyth {
    struct Price { int64 price; uint64 conf; int32 expo; uint256 publishTime; }
    function getPriceUnsafe(bytes32 id) external view returns (Price memory);
}
contract Perps {
    IPyth pyth;

    function mark(bytes32 id) external view returns (int64) {
        return pyth.getPriceUnsafe(id).price; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
contract Rounds {
    IFeed feed;
    function price() external view returns (int256) {
        (uint80 round, int256 answer, , uint256 updatedAt, uint80 answeredIn) = feed.latestRoundData(); // FINDING
        require(answer > 0 && updatedAt != 0 && answeredIn >= round);
        return answer;
    }
}`,
      `pragma solidity ^0.8.20;
import "./IFeed.sol";
interface IPyth {
  struct Price { int64 price; uint256 publishTime; }
  function getEmaPriceUnsafe(bytes32 id) external view returns (Price memory);
}
contract Reader {
  IFeed feed;
  IPyth pyth;
  function ema(bytes32 id) external view returns (int64) {
    return pyth.getEmaPriceUnsafe(id).price; // FINDING
  }
  function round(uint80 id) external view returns (int256) {
    (, int256 answer, , , ) = feed.getRoundData(id); // FINDING
    return answer;
  }
  function silenced() external view returns (int256) {
    (, int256 answer, , uint256 updatedAt, ) = feed.latestRoundData(); // FINDING
    updatedAt;
    return answer;
  }
  function there() external view returns (int256) {
    (, int256 answer, , uint256 updatedAt, ) = feed.latestRoundData(); // FINDING
    require(updatedAt != 0);
    return answer;
  }
  function mirrored() external view returns (int256) {
    (, int256 answer, , uint256 updatedAt, ) = feed.latestRoundData(); // FINDING
    require(0 < updatedAt);
    return answer;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
contract Lending {
    IFeed feed;

    function fresh(uint256 at) internal view {
        require(block.timestamp - at < 3600);
    }

    function price() public view returns (uint256) {
        (, int256 answer, , uint256 updated, ) = feed.latestRoundData();
        fresh(updated);
        return uint256(answer);
    }

    function raw() external view returns (uint80, int256, uint256, uint256, uint80) {
        return feed.latestRoundData();
    }

    function up() external view returns (bool) {
        (, , uint256 startedAt, , ) = feed.latestRoundData();
        return block.timestamp - startedAt > 3600;
    }
}`,
      `pragma solidity ^0.8.0;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
contract Reader {
    IFeed feed;

    function read() external view returns (int256 answer, uint256 updated) {
        (, answer, , updated, ) = feed.latestRoundData();
    }
}`,
      `pragma solidity ^0.8.20;
import "./Base.sol";
interface IFeed {
  function quote() external view returns (uint256, int256);
  function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80);
}
interface IPyth {
  struct Price { int64 price; uint256 publishTime; }
  function getPriceUnsafe(bytes32 id) external view returns (Price memory);
}
library Feeds {
  function getRoundData(mapping(uint80 => int256) storage answers, uint80 id) internal view returns (uint80, int256) {
    return (id, answers[id]);
  }
}
contract Reader is Base {
  using Feeds for mapping(uint80 => int256);
  IFeed feed;
  IPyth pyth;
  mapping(uint80 => int256) answers;
  function quote() external view returns (int256 answer) { (, answer) = feed.quote(); }
  function all() external view returns (uint80, int256, uint256, uint256, uint80) { return feed.latestRoundData(); }
  function id() external view returns (uint80 round) { (round, , , , ) = feed.latestRoundData(); }
  function kept(uint80 i) external view returns (int256 answer) { (, answer) = answers.getRoundData(i); }
  function based() external view returns (int256 answer) { (, answer, , , ) = latestRoundData(); }
  function fresh(bytes32 i) external view returns (int64) {
    IPyth.Price memory p = pyth.getPriceUnsafe(i);
    require(p.publishTime + 60 > block.timestamp);
    return p.price;
  }
}`,
    ],
  },
}

/** Positions in `(roundId, answer, startedAt, updatedAt, answeredInRound)`. */
const answerAt = 1

const timeAt = [2, 3] as const

const rounds = new Set(["latestRoundData", "getRoundData"])

/** Pyth's functions that answer whatever the age is; the struct that they return tells the time. */
const ageless = new Set(["getPriceUnsafe", "getEmaPriceUnsafe"])

/** The member with the time of the price is read somewhere in the function. */
const readsPublishTime = (flow: Flow): boolean =>
  flow.nodes.some(({ expression }) => {
    let found = false
    if (expression !== undefined) {
      walk(expression, (e) => {
        found ||= e.kind === "MemberAccess" && e.member === "publishTime"
        return !found
      })
    }
    return found
  })

/** The round's time, or that it was answered at all, goes into a comparison or is handed on to one who can compare it. */
const looksAtTime = (flow: Flow, site: CallSite): boolean => {
  const taken = site.at.definitions.filter((d) => d.value === site.node)
  if (taken.length === 0) return true
  if (!taken.some((d) => d.index === answerAt)) return true
  return taken.some(
    ({ index, variable }) =>
      timeAt.includes(index as 2 | 3) &&
      variable.kind === "LocalVariable" &&
      (variable.role === "return" || isCompared(flow, variable)),
  )
}

/** Used for something else than to ask whether it is there at all. */
const isCompared = (flow: Flow, variable: LocalVariable): boolean =>
  flow.nodes.some(({ expression, kind }) => {
    // `updatedAt;` only silences the compiler
    if (expression === undefined || kind === "branch" || expression.kind === "Identifier") return false
    let found = false
    walk(expression, (e) => {
      if (e.kind === "BinaryOperation" && /^[!=<>]=?$|^[!=]=$/.test(e.operator) && (isZero(e.left) || isZero(e.right)))
        return false
      found ||= e.kind === "Identifier" && flow.program.referenceOf(e) === variable
      return !found
    })
    return found
  })
