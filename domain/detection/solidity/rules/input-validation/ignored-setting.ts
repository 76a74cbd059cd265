import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { idleSettings } from "../../questions/value/idleSettings.ts"

export const ignoredSetting: Rule<Program> = {
  meta: {
    id: "evm/input-validation/ignored-setting",
    class: "ignored-setting",
    title: "Unused limit or switch",
    severity: "low",
    // the condition may have been removed on purpose and the variable kept
    confidence: "low",
    cwe: [1164, 20],
    description:
      "The contract stores a limit or a switch that no condition, computation or call uses. Whoever sets it " +
      "believes that fees are capped, prices are recent or withdrawals are paused, but nothing enforces it: the " +
      "check that should read it is missing.",
    remediation:
      "Add the check that reads this variable. If it is no longer needed, remove it together with its setter, so " +
      "that nobody relies on it.",
    references: ["https://cwe.mitre.org/data/definitions/1164.html"],
  },

  check: (program, report) => {
    for (const { variable, contract, setter } of idleSettings(program)) {
      report({
        file: contract.source.file,
        span: variable.node!.nameSpan,
        scope: contract.name,
        // nobody relies on setting it, and published constants are often only for readers
        ...(setter === undefined ? { severity: "low" as const } : {}),
        message: `\`${variable.name}\` is never compared with anything.`,
        trace:
          setter === undefined
            ? []
            : [{ file: setter.source.file, span: setter.node.nameSpan, note: "setting it has no effect" }],
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Vault {
  address owner = msg.sender;
  bool stopped; // FINDING
  mapping(address => uint256) shares;
  event Stopped(bool before, bool to);
  function stop(bool to) external {
    require(msg.sender == owner && stopped != to);
    emit Stopped(stopped, to);
    stopped = to;
  }
  function isStopped() external view returns (bool) { return stopped; }
  function give(address to, uint256 amount) external { shares[msg.sender] -= amount; shares[to] += amount; }
}`,
      `pragma solidity ^0.8.20;
contract Fees {
  address owner = msg.sender;
  uint256 constant MAX_FEE = 500; // FINDING
  uint256 public fee;
  function setFee(uint256 to) external { require(msg.sender == owner); fee = to; }
}`,
      `pragma solidity ^0.8.20;
interface IFeed { function last() external view returns (int256, uint256); }
contract Prices {
  IFeed immutable feed;
  address owner = msg.sender;
  event Changed(uint256 before, uint256 to);
  uint256 maxPriceAge; // FINDING
  uint256 minPrice;
  constructor(IFeed f) { feed = f; }
  function setMaxPriceAge(uint256 to) external {
    require(msg.sender == owner);
    uint256 old = maxPriceAge;
    maxPriceAge = to;
    emit Changed(old, to);
  }
  function setMinPrice(uint256 to) external { require(msg.sender == owner); minPrice = to; }
  function price() external view returns (int256 answer) {
    uint256 oldest = maxPriceAge;
    (answer, ) = feed.last();
    require(uint256(answer) > minPrice);
  }
}`,
      `pragma solidity ^0.8.20;
import "./Missing.sol";
abstract contract Sale is Missing {
  uint256 internal maxBuy; // FINDING
  mapping(address => uint256) bought;
  function setMaxBuy(uint256 to) external { if (to == maxBuy) return; maxBuy = to; }
  function buy(uint256 amount) external { bought[msg.sender] += amount; }
}
contract Closing is Sale {}
contract Auction {
  bool public closed; // FINDING
  uint256 immutable minBid; // FINDING
  uint256 immutable maxBid;
  uint256 immutable start;
  bool opened;
  mapping(address => uint256) bids;
  constructor(uint256 least, uint256 most) { minBid = least; maxBid = most; start = 1; opened = true; }
  function close() external { closed = true; }
  function bid(uint256 amount) external {
    require(amount < maxBid && opened && block.timestamp > start);
    bids[msg.sender] = amount;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Settings {
  address owner = msg.sender;
  uint256 public maxFee;
  uint256 public minStake;
  function set(uint256 fee, uint256 stake) external { require(msg.sender == owner); maxFee = fee; minStake = stake; }
}`,
      `pragma solidity ^0.8.20;
import "./Missing.sol";
interface ICapped { function cap() external view returns (uint256); }
interface IFloor { function floor() external view returns (uint256); }
interface IDelayed { function votingDelay() external view returns (uint256); }
contract Capped is ICapped {
  uint256 public override cap;
  uint256 total;
  function set(uint256 to) external { cap = to; }
  function add(uint256 amount) external { total += amount; }
}
contract Floored is IFloor {
  uint256 public floor;
  function set(uint256 to) external { floor = to; }
}
contract Governor is IDelayed {
  uint256 private delay;
  function set(uint256 to) external { delay = to; }
  function votingDelay() external view override returns (uint256) { return delay; }
}
contract Terms {
  uint256 private votingPeriod;
  function set(uint256 to) external { votingPeriod = to; }
  function period() public view virtual returns (uint256) { return votingPeriod; }
  function due() external view returns (uint256) { return block.number + period(); }
}
contract Stored is Missing {
  uint256 public maxAge;
  function set(uint256 to) external { maxAge = to; }
}`,
      `pragma solidity ^0.8.20;
interface IGate { function paused() external view returns (bool); }
contract Gate {
  bool public paused;
  function pause(bool to) external { paused = to; }
}
contract User {
  IGate gate;
  uint256 count;
  constructor(IGate g) { gate = g; }
  function go() external { require(!gate.paused()); count++; }
}`,
      `pragma solidity ^0.8.20;
abstract contract Base {
  bool internal open;
  uint256 internal limit;
  uint256 oldLimit;
  uint256 constant MAX = 5;
  uint256 constant CAP = MAX * 2;
  function set(bool to, uint256 most) external { require(most < CAP); open = to; limit = most; }
}
contract Heir is Base {
  uint256 total;
  function add(uint256 amount) external {
    uint256 most = limit;
    require(open && total + amount < most);
    total += amount;
  }
}
contract Low {
  uint256 ceiling;
  function set(uint256 to) external { ceiling = to; }
  function read() external view returns (uint256 out) { assembly { out := sload(ceiling.slot) } }
}
abstract contract Unused {
  uint256 bound;
  function set(uint256 to) external { bound = to; }
  function also() external virtual;
}`,
      `pragma solidity ^0.8.20;
contract Kept {
  bool constant IS_VAULT = true;
  address keeper;
  uint256 lastDeposit;
  function setKeeper(address to) external { keeper = to; }
  function take(uint256 fee) external { lastDeposit = fee; }
}
contract Chain {
  bool immutable isL2;
  constructor(bool l2) { isL2 = l2; }
}
contract Sums {
  uint256 periodFees;
  function take(uint256 fee) external { periodFees += fee; }
}
contract Ratchet {
  uint256 minLevel;
  function raise(uint256 to) external { require(to > minLevel); minLevel = to; }
}
contract Hours {
  bool night;
  bool day;
  function turn() external { night = !night; day = true; }
  function enter(bool mode) external view { require(mode == night); }
  function leave() external { bool late = block.timestamp % 1 days > 6 hours; require(day != late); day = false; }
}`,
    ],
  },
}
