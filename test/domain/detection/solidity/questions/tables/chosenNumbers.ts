import {
  callerNumber,
  comparedAnywhere,
  isCapped,
} from "../../../../../../domain/detection/solidity/questions/value/callerNumbers.ts"
import { checkedAfter } from "../../../../../../domain/detection/solidity/questions/value/checkedAfter.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

/** Through which parameter a stranger makes a number as large as they like, and what keeps them from it. */
export const chosenNumbers = questionTable(
  "chosenNumbers",
  {
    wide: (flow, [e], at) => callerNumber(flow, e!, at, 256)?.parameter.name ?? "",
    narrow: (flow, [e], at) => callerNumber(flow, e!, at, 64)?.parameter.name ?? "",
    checked: (flow, [chosen, result], at) =>
      checkedAfter(flow, at, flow.origins(chosen!, at), flow.origins(result!, at)),
    kept: (flow, [e], at) => {
      const found = callerNumber(flow, e!, at, 256)
      return found === undefined
        ? "no number"
        : [isCapped(found) ? ["capped"] : [], comparedAnywhere(found) ? ["compared"] : []].flat().join(" ")
    },
  },
  [
    `pragma solidity ^0.8.0;
contract Numbers {
    struct Given { uint256 amount; uint64 small; }
    uint256 total;
    uint256 constant MOST = 100;
    address owner;

    function shapes(uint256 a, uint64 small, uint128 half, int256 signed, address who, bool yes, bytes calldata data, Given calldata given, uint256[] calldata list) external {
        wide(a, "a");
        wide(total, "");
        wide(7, "");
        wide(msg.value, "");
        wide(block.timestamp, "");
        wide(small, "");
        narrow(small, "small");
        wide(half, "");
        narrow(half, "half");
        wide(signed, "signed");
        wide(-signed, "signed");
        wide(uint160(who), "");
        wide(a + 1, "a");
        wide(1 + a, "a");
        wide(a - total, "a");
        wide(total * a, "a");
        wide(a / 2, "");
        wide(a % 7, "");
        wide(a >> 1, "");
        wide(~a, "");
        wide(given.amount, "given");
        wide(given.small, "");
        wide(list[0], "list");
        wide(yes ? a : 3, "a");
        wide(yes ? 3 : a, "a");
        wide(a < 3 ? a : 3, "");
        wide(uint256(a), "a");
        wide(uint64(a), "");
        narrow(uint64(a), "a");
        narrow(uint32(a), "");
        wide(uint256(keccak256(data)), "");
        wide(total = a, "a");
        wide(data.length, "");
    }

    function locals(uint256 a) external {
        uint256 one = a;
        uint256 two = one + 3;
        wide(two, "a");
        uint256 three;
        wide(three, "");
        three = total;
        wide(three, "");
        a = 5;
        wide(a, "");
    }

    function loop(uint256 a) external {
        uint256 sum = 0;
        for (uint256 i = 0; i < 3; i++) sum = sum + a;
        wide(sum, "a");
        uint256 count = 0;
        for (uint256 i = 0; i < 3; i++) count = count + 1;
        wide(count, "");
    }

    function looks(uint256 a) external view returns (uint256) {
        wide(a, "");
        return a;
    }

    function passes(uint256 outer) external { taken(outer); }
    function taken(uint256 inner) internal { wide(inner, "outer"); }

    function passesChecked(uint256 outer) external { takenChecked(outer); }
    function takenChecked(uint256 inner) internal {
        require(inner < MOST);
        wide(inner, "");
    }

    function passesCapped(uint256 outer) external {
        require(outer <= total);
        takenCapped(outer);
    }
    function takenCapped(uint256 inner) internal { wide(inner, ""); }

    function passesOwned(uint256 outer) external {
        require(msg.sender == owner);
        takenOwned(outer);
    }
    function takenOwned(uint256 inner) internal { wide(inner, ""); }

    function passesState() external { takenState(total); }
    function takenState(uint256 inner) internal { wide(inner, ""); }

    function again(uint256 a) external { recursion(a); }
    function recursion(uint256 depth) internal {
        if (depth > 0) recursion(depth - 1);
        wide(depth, "a");
    }

    function free(uint256 a, uint256 b) external {
        kept(a, "");
        require(a != 0);
        kept(a, "");
        require(a > 0);
        kept(a, "");
        kept(total, "no number");
    }

    function least(uint256 a, uint256 b) external {
        require(b < a);
        kept(a, "compared");
    }

    function below(uint256 a) external {
        require(a < total);
        kept(a, "capped compared");
    }

    function above(uint256 a) external {
        require(a > MOST);
        kept(a, "compared");
    }

    function flipped(uint256 a) external {
        require(MOST >= a);
        kept(a, "capped compared");
    }

    function equal(uint256 a) external {
        require(a == total);
        kept(a, "capped");
    }

    // The caller chooses what it is compared with.
    function withOther(uint256 a, uint256 b) external {
        require(a < b);
        kept(a, "compared");
    }

    function elsewhere(uint256 a, bool yes) external {
        if (yes) {
            if (a > 9) total = 3;
        } else {
            kept(a, "compared");
        }
    }

    function shifted(uint256 a, uint256 b) external {
        if ((a | b) >> 128 == 0) total = 1;
        kept(a, "compared");
    }

    function shiftedOtherwise(uint256 a) external {
        if (a >> 128 == 7) total = 1;
        kept(a, "");
    }

    function clamped(uint256 a) external {
        if (a > MOST) a = MOST;
        kept(a, "capped compared");
    }

    // Nothing keeps it small: the branch goes on with the number.
    function noticed(uint256 a) external {
        if (a > MOST) total = 1;
        kept(a, "compared");
    }

    function eitherWay(uint256 a, bool yes) external {
        require((yes && a < MOST) || a < total);
        kept(a, "capped compared");
    }

    function unlessSaid(uint256 a, bool yes) external {
        require(yes || a < MOST);
        kept(a, "compared");
    }

    function unchecked_(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "false");
        total = c;
    }

    function ordered(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "true");
        require(c >= a);
    }

    function orderedTurned(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "true");
        require(a <= c);
    }

    function orderedAmong(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "true");
        require(yes && c >= a);
    }

    function orderedNot(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "true");
        require(!(c < a));
    }

    function positive(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "false");
        require(c > 0);
    }

    function positiveTurned(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "false");
        require(0 < c);
    }

    function same(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "false");
        require(c == a);
    }

    function divided(uint256 a, bool yes) external {
        uint256 c = total * a;
        checked(a, c, "true");
        require(c / a == total);
    }

    function dividedElse(uint256 a, bool yes) external {
        uint256 c = total * a;
        checked(a, c, "true");
        if (c / a != total) revert();
    }

    function multiplied(uint256 a, bool yes) external {
        uint256 c = total * a;
        checked(a, c, "false");
        require(c * a == total);
    }

    function reverts(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "true");
        if (c < a) revert();
    }

    function notices(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "false");
        if (c < a) total = 1;
    }

    function other(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "false");
        require(total >= MOST);
    }

    function tooEarly(uint256 a, bool yes) external {
        require(total >= a);
        uint256 c = total + a;
        checked(a, c, "false");
        total = c;
    }

    function insisted(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "true");
        _require(c >= a, 7);
    }

    function insistedSecond(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "true");
        _requireSecond(7, c >= a);
    }

    function noted(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "false");
        _note(c >= a);
    }

    function insistedOther(uint256 a, bool yes) external {
        uint256 c = total + a;
        checked(a, c, "false");
        _require(yes, 7);
    }

    function _require(bool holds, uint256 code) internal pure { if (!holds) revert(); }
    function _requireSecond(uint256 code, bool holds) internal pure { if (!holds) revert(); }
    function _note(bool holds) internal { if (holds) total = 2; }
}`,
  ],
)
