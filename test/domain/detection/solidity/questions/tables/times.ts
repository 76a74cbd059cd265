import { isTimeItself } from "../../../../../../domain/detection/solidity/questions/value/isTimeItself.ts"
import { writtenAs } from "../../../../../../domain/detection/solidity/questions/value/writtenAs.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

/** Whether a number is a time, and what was assigned to a local. */
export const times = questionTable(
  "times",
  {
    time: (flow, [e], at) => isTimeItself(flow, e!, at),
    written: (flow, [e], at) => {
      const found = writtenAs(flow, e!, at).e
      return found.kind === "Literal" || found.kind === "Identifier" ? ("name" in found ? found.name : found.value) : ""
    },
  },
  [
    `pragma solidity ^0.4.24;
library SafeMath {
    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        return a - b;
    }
    function scaled(uint256 a, uint256 b) internal view returns (uint256) {
        return a * b + block.number;
    }
}
contract Times {
    using SafeMath for uint256;
    uint256 rate;

    function clock() internal view returns (uint256) {
        return now;
    }

    function grown() internal view returns (uint256) {
        return now * rate;
    }

    function two() internal view returns (uint256, uint256) {
        return (now, 1);
    }

    function f(uint256 x, bool high) external {
        time(now, "true");
        time(block.timestamp, "true");
        time(block.number, "false");
        time(x, "false");
        time(rate, "false");
        time(now + x, "true");
        time(x + now, "true");
        time(x - now, "true");
        time(now % 7, "true");
        time(now * 2, "false");
        time(x + 1, "false");
        time(now / 60, "true");
        time(now / 3600, "false");
        time(now / x, "false");
        time(x / 60, "false");
        time(high ? now : x, "true");
        time(high ? x : now, "true");
        time(high ? x : 1, "false");
        time(uint64(now), "true");
        time(uint64(x), "false");
        time(clock(), "true");
        time(grown(), "false");
        time(now.sub(x), "true");
        time(x.sub(1), "false");
        time(now.scaled(x), "false");
        time(keccak256(now), "false");
        time(uint256(keccak256(now)), "false");
    }

    function g(uint256 x) external {
        uint256 at = now;
        time(at, "true");
        uint256 later = at + 1 days;
        time(later, "true");
        uint256 other = x;
        time(other, "false");
        (uint256 a, ) = two();
        time(a, "false");
        uint256 word;
        assembly {
            word := timestamp
        }
        time(word, "false");
    }
}`,
    `pragma solidity ^0.8.0;
contract Written {
    uint256 kept;

    function two() internal returns (uint256, uint256) {
        return (1, 2);
    }

    function f(uint256 given, bool high) external {
        written(7, "7");
        written(kept, "kept");
        uint256 a = 1;
        written(a, "1");
        uint256 b = a;
        uint256 c = b;
        uint256 d = c;
        written(d, "1");
        uint256 e = d;
        written(e, "a");
        uint256 either = 1;
        if (high) either = 2;
        written(either, "either");
        (uint256 first, ) = two();
        written(first, "first");
        uint256 sum = 1;
        sum += 2;
        written(sum, "sum");
        if (high) given = 1;
        written(given, "given");
        uint256 word;
        assembly {
            word := 1
        }
        written(word, "word");
    }
}`,
  ],
)
