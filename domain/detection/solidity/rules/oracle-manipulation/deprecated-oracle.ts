import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"

export const deprecatedOracle: Rule<Program> = {
  meta: {
    id: "evm/oracle-manipulation/deprecated-oracle",
    class: "oracle-deprecated",
    title: "Deprecated oracle function",
    severity: "low",
    confidence: "medium",
    cwe: [477],
    swc: 111,
    description:
      "The contract calls a function of the oracle's old interface. It does not report when the answer was " +
      "given, returns zero instead of reverting if there is none, and is missing from newer feeds: once the " +
      "proxy points to one of those, every call reverts, or a price of zero is used.",
    remediation:
      "Use `latestRoundData()` or `getRoundData(roundId)` and check the answer and its timestamp; for random " +
      "numbers, use the current version of VRF.",
    references: [
      "https://docs.chain.link/data-feeds/api-reference#functions-in-aggregatorv3interface",
      "https://docs.chain.link/vrf/v2-5/migration-from-v1",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        const instead = deprecated.get(`${site.name}/${site.args.length}`)
        if (instead === undefined) continue
        // requestRandomness is inherited from a base; the others belong to another contract
        const isForeign = site.callKind === "external" || site.callKind === "unknown"
        if (!isForeign || (site.receiver === undefined && site.name !== "requestRandomness")) continue
        report({
          file: site.at.callable.source.file,
          span: site.node,
          scope: site.at.callable.scope,
          message: `Use ${instead} instead.`,
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
interface IFeed { function latestAnswer() external view returns (int256); }
contract Lending {
    IFeed feed;

    function price() external view returns (uint256) {
        return uint256(feed.latestAnswer()); // FINDING
    }
}`,
      `pragma solidity ^0.6.6;
import "./AggregatorInterface.sol";
contract History {
    AggregatorInterface feed;

    function at(uint256 round) external view returns (int256) {
        return feed.getAnswer(round); // FINDING
    }
}`,
      `pragma solidity ^0.6.0;
import "@chainlink/contracts/src/v0.6/interfaces/AggregatorInterface.sol";
import "@chainlink/contracts/src/v0.6/VRFConsumerBase.sol";
contract Draw is VRFConsumerBase {
  AggregatorInterface feed;
  bytes32 keyHash;
  function price() external view returns (int256) {
    return feed.latestAnswer(); // FINDING
  }
  function draw() external {
    requestRandomness(keyHash, 1); // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IFeed { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }
contract Lending {
    IFeed feed;

    function price() external view returns (int256 answer, uint256 updated) {
        (, answer, , updated, ) = feed.latestRoundData();
    }
}`,
      `pragma solidity ^0.8.0;
contract Feed {
    int256 internal answer;

    function latestAnswer() public view returns (int256) {
        return answer;
    }

    function doubled() external view returns (int256) {
        return latestAnswer() * 2;
    }
}`,
      `pragma solidity ^0.6.0;
import "./Base.sol";
contract Feed is Base {
  function price() external view returns (int256) { return latestAnswer(); }
}
contract Draw {
  uint256 seed;
  function draw() external { requestRandomness(keccak256("a"), 1); }
  function requestRandomness(bytes32 hash, uint256 fee) internal { seed = uint256(hash) + fee; }
}`,
    ],
  },
}

/** Functions that Chainlink has withdrawn, by name and number of arguments, with their replacements. */
const deprecated = new Map([
  ["latestAnswer/0", "latestRoundData()"],
  ["latestTimestamp/0", "latestRoundData()"],
  ["latestRound/0", "latestRoundData()"],
  ["getAnswer/1", "getRoundData(roundId)"],
  ["getTimestamp/1", "getRoundData(roundId)"],
  ["requestRandomness/2", "VRF version 2.5"],
])
