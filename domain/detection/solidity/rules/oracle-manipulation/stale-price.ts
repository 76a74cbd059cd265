import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Flow, Program } from "../../program.ts"
import { ageUse, relayed, type TimedAnswer } from "../../questions/value/answerAge.ts"
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
    const looked = new Set<CallSite["node"]>()
    const queue: Array<TimedAnswer> = []
    const place = ({ node, at }: CallSite) => ({ file: at.callable.source.file, span: node, scope: at.callable.scope })
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        if (site.callKind !== "external") continue
        if (ageless.has(site.name) && usesPrice(flow, site) && !reads(flow, "publishTime")) report(place(site))
        if (rounds.has(site.name)) queue.push({ flow, site, answer: answerAt, times: timesAt })
      }
    }
    for (const timed of queue) {
      if (looked.has(timed.site.node)) continue
      looked.add(timed.site.node)
      const use = ageUse(timed)
      if (use === "ignored") report(place(timed.site))
      // whoever receives the time is responsible for checking it
      if (use === "told") queue.push(...relayed(timed))
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
      `pragma solidity ^0.8.20;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
contract Reader {
  struct Round { uint80 id; int256 answer; uint256 start; uint256 updated; uint80 answeredIn; }
  IFeed immutable feed;
  uint256 immutable maxAge;
  constructor(IFeed f, uint256 age) { feed = f; maxAge = age; }
  function read() internal view returns (int256 answer, uint256 updated) {
    (, answer, , updated, ) = feed.latestRoundData();
  }
  function readAgain() internal view returns (uint256, int256) {
    (int256 answer, uint256 updated) = read();
    return (updated, answer);
  }
  function helped() external view returns (int256) {
    (int256 answer, ) = read(); // FINDING
    return answer;
  }
  function helpedTwice() external view returns (int256 answer) {
    (, answer) = readAgain(); // FINDING
  }
  function member() external view returns (int256) {
    Round memory round;
    (round.id, round.answer, round.start, round.updated, round.answeredIn) = feed.latestRoundData(); // FINDING
    require(round.answer > 0 && round.answeredIn >= round.id);
    return round.answer;
  }
  function tried() external view returns (int256) {
    try feed.latestRoundData() returns (uint80, int256 answer, uint256, uint256 updated, uint80) { // FINDING
      return answer;
    } catch {
      return 0;
    }
  }
  function computed() external view returns (int256) {
    (, int256 answer, , uint256 updated, ) = feed.latestRoundData(); // FINDING
    bool old = block.timestamp - updated > maxAge;
    return answer;
  }
}`,
    ],
    safe: [
      // A trial call, and one that asks for the exponent only.
      `pragma solidity ^0.8.20;
struct Price { int64 price; uint64 conf; int32 expo; uint256 publishTime; }
interface IPyth { function getPriceUnsafe(bytes32 id) external view returns (Price memory); function getEmaPriceUnsafe(bytes32 id) external view returns (Price memory); }
contract Node {
  IPyth immutable pyth;
  constructor(IPyth p) { pyth = p; }
  function isValid(bytes32 id, bool average) external view returns (bool) {
    average ? pyth.getEmaPriceUnsafe(id) : pyth.getPriceUnsafe(id);
    return true;
  }
  function decimals(bytes32 id) external view returns (int32) { return -pyth.getPriceUnsafe(id).expo; }
}`,
      `pragma solidity ^0.8.20;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
contract Reader {
  struct Round { uint80 id; int256 answer; uint256 start; uint256 updated; uint80 answeredIn; }
  IFeed immutable feed;
  uint256 immutable maxAge;
  constructor(IFeed f, uint256 age) { feed = f; maxAge = age; }
  function read() internal view returns (int256 answer, uint256 updated) {
    (, answer, , updated, ) = feed.latestRoundData();
  }
  function checked() internal view returns (int256 answer, uint256 updated) {
    (, answer, , updated, ) = feed.latestRoundData();
    require(updated + maxAge > block.timestamp);
  }
  function isFresh(uint256 at) internal view returns (bool) { return block.timestamp - at < maxAge; }
  function helped() external view returns (int256) {
    (int256 answer, uint256 updated) = read();
    require(isFresh(updated));
    return answer;
  }
  function relied() external view returns (int256 answer) { (answer, ) = checked(); }
  function time() external view returns (uint256 updated) { (, updated) = read(); }
  function member() external view returns (int256) {
    Round memory round;
    (round.id, round.answer, round.start, round.updated, round.answeredIn) = feed.latestRoundData();
    require(isFresh(round.updated));
    return round.answer;
  }
  function whole() external view returns (Round memory round) {
    (round.id, round.answer, round.start, round.updated, round.answeredIn) = feed.latestRoundData();
  }
  function tried() external view returns (int256) {
    try feed.latestRoundData() returns (uint80, int256 answer, uint256, uint256 updated, uint80) {
      return block.timestamp - updated > maxAge ? int256(0) : answer;
    } catch {
      return 0;
    }
  }
  function computed() external view returns (int256) {
    (, int256 answer, , uint256 updated, ) = feed.latestRoundData();
    uint256 age = block.timestamp - updated;
    bool old = age > maxAge;
    require(!old);
    return answer;
  }
}`,
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
      // A sequencer's feed says since when it has been up.
      `pragma solidity ^0.8.20;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
contract Uptime {
  IFeed immutable sequencer;
  uint256 public constant GRACE = 1 hours;
  constructor(IFeed f) { sequencer = f; }
  function requireUp() external view {
    (, int256 down, uint256 startedAt, , ) = sequencer.latestRoundData();
    require(down == 0, "down");
    require(block.timestamp - startedAt > GRACE, "grace");
  }
}`,
    ],
  },
}

/** Positions in `(roundId, answer, startedAt, updatedAt, answeredInRound)`. */
const answerAt = 1

const timesAt = [2, 3]

const rounds = new Set(["latestRoundData", "getRoundData"])

/** Pyth's functions that return a price of any age; the struct that they return contains the time. */
const ageless = new Set(["getPriceUnsafe", "getEmaPriceUnsafe"])

/** Whether it is more than a trial call, or one that asks for the exponent only. */
const usesPrice = (flow: Flow, { at }: CallSite): boolean =>
  at.node?.kind !== "ExpressionStatement" || at.node.expression.kind === "Assignment"
    ? reads(flow, "price") || !reads(flow, "expo")
    : false

/** Whether a member of that name is read somewhere in the function. */
const reads = (flow: Flow, member: string): boolean => membersIn(flow).has(member)

const membersIn = oncePer((flow: Flow): ReadonlySet<string> => {
  const members = new Set<string>()
  for (const { expression } of flow.nodes)
    if (expression !== undefined)
      walk(expression, (e) => {
        if (e.kind === "MemberAccess") members.add(e.member)
      })
  return members
})
