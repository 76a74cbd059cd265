import { constantNumber } from "../../../../../../domain/detection/solidity/questions/value/constantNumber.ts"
import { constantTruth } from "../../../../../../domain/detection/solidity/questions/value/constantTruth.ts"
import { localConstant } from "../../../../../../domain/detection/solidity/questions/value/localConstant.ts"
import { sameExpression } from "../../../../../../domain/detection/solidity/questions/value/sameExpression.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

const largest = String(2n ** 512n)

/** What a number is for certain, and whether two expressions are the same one. */
export const numbers = questionTable(
  "numbers",
  {
    number: ({ program }, [e]) => constantNumber(program, e!),
    truth: ({ program }, [e]) => constantTruth(program, e!),
    local: (flow, [e], at) => localConstant(flow, e!, at),
    same: ({ program }, [a, b]) => sameExpression(program, a!, b!),
  },
  [
    `pragma solidity ^0.8.0;
contract Numbers {
    uint256 constant DAY = 1 days;
    uint256 state = 3;

    function f() external {
        number(1_000, "1000");
        number(0xff, "255");
        number(0x${"0".repeat(128)}, "0");
        number(0x${"0".repeat(129)}, "undefined");
        number(${"0".repeat(160)}, "0");
        number(${"0".repeat(161)}, "undefined");
        number(1e18, "1000000000000000000");
        number(1e160, "1${"0".repeat(160)}");
        number(1e161, "undefined");
        number(2.5e1, "25");
        number(25e-1, "undefined");
        number(20e-1, "2");
        number(.5 ether, "500000000000000000");
        number("5", "undefined");
        number(true, "undefined");
        number(DAY * 7 - 1, "604799");
        number(state, "undefined");
        number(-5, "-5");
        number(~5, "undefined");
        number(uint8(127), "127");
        number(uint8(128), "undefined");
        number(uint8(0), "0");
        number(int8(-1), "undefined");
        number(uint8(state), "undefined");
        number(7 / 2, "3");
        number(1 / 0, "undefined");
        number(7 % 4, "3");
        number(7 % 0, "undefined");
        number(2 ** 3, "8");
        number(2 ** 0, "1");
        number(1 ** 512, "1");
        number(1 ** 513, "undefined");
        number(2 ** -1, "undefined");
        number(2 << 3, "16");
        number(2 << 0, "2");
        number(0 << 512, "0");
        number(0 << 513, "undefined");
        number(2 << -1, "undefined");
        number(2 ** 512, "${largest}");
        number(2 ** 512 + 1, "undefined");
        number(-(2 ** 512) - 1, "undefined");
        number(0 - 2 ** 512, "-${largest}");
        number(state + 1, "undefined");
        number(1 + state, "undefined");
        number(5 | 2, "undefined");
    }

    function g() external {
        truth(true, "true");
        truth(false, "false");
        truth(1, "undefined");
        truth(!true, "false");
        truth(!(state > 1), "undefined");
        truth(-1, "undefined");
        truth(-(1 > 2), "undefined");
        truth(true && true, "true");
        truth(state > 1 && false, "false");
        truth(state > 1 && true, "undefined");
        truth(true || state > 1, "true");
        truth(false || state > 1, "undefined");
        truth(false || false, "false");
        truth(1 == 1, "true");
        truth(1 != 1, "false");
        truth(1 < 1, "false");
        truth(1 <= 1, "true");
        truth(1 > 1, "false");
        truth(1 >= 1, "true");
        truth(1 + 1, "undefined");
        truth(state == 1, "undefined");
    }
}`,
    `pragma solidity ^0.8.0;
contract Locals {
    uint256[] list;

    function pair() internal returns (uint256, uint256) {
        return (1, 2);
    }

    function f(uint256 given, bool high) external {
        local(5 + 1, "6");
        local(given, "undefined");
        uint256 zero;
        local(zero, "0");
        bool no;
        local(no, "undefined");
        uint256 five = 5;
        uint256 six = five;
        local(six, "5");
        uint256 either = 1;
        if (high) either = 2;
        local(either, "undefined");
        (uint256 first, ) = pair();
        local(first, "undefined");
        uint256 raised = 1;
        raised += 1;
        local(raised, "undefined");
        uint256 gone = 3;
        delete gone;
        local(gone, "undefined");
        if (high) given = 1;
        local(given, "undefined");
        uint256 word;
        assembly {
            word := 7
        }
        local(word, "undefined");
    }

    function g(uint256 n) external {
        while (n > 0) {
            uint256 each = 1;
            local(each, "undefined");
        }
    }
}`,
    `pragma solidity ^0.8.0;
contract Pairs {
    struct Pair {
        uint256 a;
        uint256 b;
    }
    Pair one;
    Pair two;
    mapping(uint256 => uint256) list;
    mapping(uint256 => uint256) other;

    function f(uint256 x, uint256 y) external {
        same(x, x, "true");
        same(x, y, "false");
        same(nothing, missing, "false");
        same(x, 1, "false");
        same(msg, msg, "true");
        same(msg, block, "false");
        same(this, msg, "false");
        same(1, 1, "true");
        same(1, 2, "false");
        same(1 days, 1 hours, "false");
        same(1, x, "false");
        same(one.a, one.a, "true");
        same(one.a, one.b, "false");
        same(one.a, two.a, "false");
        same(one.a, x, "false");
        same(list[x], list[x], "true");
        same(list[x], list[y], "false");
        same(list[x], other[x], "false");
        same(list[x], x, "false");
        same(x + y, x + y, "true");
        same(x + y, x - y, "false");
        same(x + y, y + y, "false");
        same(x + y, x + x, "false");
        same(x + y, x, "false");
        same(f(x, y), f(x, y), "false");
    }
}`,
  ],
)
