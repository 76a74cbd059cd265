import type { Rule } from "../../../Rule.ts"
import { isSomewhere } from "../../flow/graph/storagePlace.ts"
import type { Program } from "../../program.ts"
import { lostCopies, lostParameters } from "../../questions/storage/lostCopies.ts"
import type * as S from "../../syntax.ts"

export const memoryCopyLost: Rule<Program> = {
  meta: {
    id: "evm/storage/memory-copy-lost",
    class: "storage-memory-copy",
    title: "Storage change made to a memory copy is lost",
    severity: "high",
    confidence: "high",
    cwe: [664],
    description:
      "A struct or array in storage is copied to memory, the copy is changed, and then nothing is done with it: " +
      "the contract's state remains the same. The function appears to record a payment, a reward or a lock, but " +
      "the next call sees the old values, so the same amount can be claimed again or is never credited.",
    remediation:
      "Declare the local variable (or the parameter of the internal function) as `storage` if the state is " +
      "meant to change, or write the copy back: `users[id] = user;`.",
    references: [
      "https://docs.soliditylang.org/en/latest/types.html#data-location-and-assignment-behavior",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#modifying-storage-array-by-value",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const { change, copied } of lostCopies(flow)) {
        const { source, scope } = change.callable
        const span = change.expression!
        report({
          file: source.file,
          span,
          scope,
          trace: [
            { file: source.file, span: copied, note: "copied from storage into memory" },
            { file: source.file, span, note: "changes the copy, which is never used again" },
          ],
        })
      }
      for (const { name, node, target, args, at } of flow.calls()) {
        if (target === undefined) continue
        const { file } = at.callable.source
        for (const [parameter, change] of lostParameters(program.flow(target))) {
          const arg = args[target.parameters.indexOf(parameter)]
          // not Yul, but arguments of a call in Solidity
          if (arg === undefined || !isSomewhere(flow.place(arg as S.Expression, at))) continue
          // a value of a type without source may have a function of that name of its own
          if (program.typeOf(arg as S.Expression).kind === "unknown") continue
          report({
            file,
            span: node,
            scope: at.callable.scope,
            message: `\`${name}\` changes a copy of its argument.`,
            trace: [
              { file, span: arg, note: "copied from storage into memory" },
              { file: change.callable.source.file, span: change.expression!, note: "changes the copy" },
            ],
          })
        }
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Values {
    uint256[1] values;
    function change(uint256[1] copy) internal { copy[0] = 1; }
    function run() public { change(values); } // FINDING
}`,
      `pragma solidity ^0.8.0;
contract Shop {
    struct Item { uint256 price; bool sold; }
    Item[] items;
    function get(uint256 id) internal view returns (Item memory) { return items[id]; }
    function sell(uint256 id) external {
        Item memory item = get(id);
        require(!item.sold);
        item.sold = true; // FINDING
        payable(msg.sender).transfer(item.price);
    }
    function close() external {
        Item[] memory all = items;
        for (uint256 i; i < all.length; i++) all[i].sold = true; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Staking {
    struct User {
        uint256 amount;
        uint256 debt;
    }
    mapping(address => User) public users;

    function settle(uint256 debt) external {
        User memory user = users[msg.sender];
        user.debt = debt; // FINDING
    }
}`,
      `pragma solidity ^0.5.0;
contract Marks {
    uint256[3] public marks;

    function set(uint256[3] memory all) internal pure {
        all[0] = 1;
    }

    function reset() external {
        set(marks); // FINDING
    }

    function clear() external {
        uint256[3] memory all = marks;
        for (uint256 i = 0; i < 3; i++) {
            all[i] = 0; // FINDING
        }
    }
}`,
      `pragma solidity ^0.8.20;
contract Points {
  struct Point { uint256 x; uint256 y; }
  Point kept;
  uint256[] list;
  uint256 last;
  function a() external {
    Point memory p = kept;
    p.x++; // FINDING
  }
  function b() external {
    Point memory p = kept;
    p.x--; // FINDING
    p.y = 5;
  }
  function c() external {
    Point memory p = kept;
    delete p.x; // FINDING
  }
  function d() external {
    Point memory p = kept;
    p.x = 5; // FINDING
    last = p.y;
  }
  function e() external {
    uint256[] memory l = list;
    l[0] = 5; // FINDING
    last = l.length;
  }
}`,
      `pragma solidity ^0.8.0;
contract Rows {
    struct Row {
        uint256 a;
        uint256 b;
    }
    Row[] rows;

    function twice(uint256 i) external {
        Row memory row = rows[i];
        row.a = 1; // FINDING
        row.a = 2;
    }

    function replace(uint256 i) external returns (uint256) {
        Row memory row = rows[i];
        row.a = 1; // FINDING
        row = rows[i + 1];
        return row.a;
    }
}`,
    ],
    safe: [
      // A set of a library without source has functions of its own.
      `pragma solidity ^0.8.20;
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
struct Sum { uint256 amount; }
using Sums for Sum global;
library Sums {
  function add(Sum memory self, Sum memory more) internal pure { self.amount += more.amount; }
}
contract Desk {
  using EnumerableSet for EnumerableSet.AddressSet;
  EnumerableSet.AddressSet private members;
  function join() external { members.add(msg.sender); }
}`,
      `pragma solidity ^0.8.0;
contract Staking {
    struct User {
        uint256 amount;
        uint256 debt;
    }
    mapping(address => User) public users;
    event Settled(User user);

    function settle(uint256 debt) external {
        User storage user = users[msg.sender];
        user.debt = debt;
    }

    function back(uint256 debt) external {
        User memory user = users[msg.sender];
        user.debt = debt;
        users[msg.sender] = user;
    }

    function preview(uint256 debt) external view returns (User memory) {
        User memory user = users[msg.sender];
        user.debt = debt;
        return user;
    }

    function log(uint256 debt) external {
        User memory user = users[msg.sender];
        user.debt += debt;
        if (user.debt > user.amount) emit Settled(user);
    }
}`,
      `pragma solidity ^0.8.0;
contract Sorted {
    uint256[] values;

    function median() external view returns (uint256) {
        uint256[] memory all = values;
        sort(all);
        return all[all.length / 2];
    }

    function sort(uint256[] memory all) internal pure {
        for (uint256 i = 1; i < all.length; i++) {
            uint256 x = all[i];
            all[i] = all[i - 1];
            all[i - 1] = x;
        }
    }

    function set(uint256[] storage all) internal {
        all[0] = 1;
    }

    function reset() external {
        set(values);
    }
}`,
      `pragma solidity ^0.8.20;
contract Points {
  struct Point { uint256 x; uint256 y; }
  Point kept;
  uint256 last;
  function a() external view returns (Point memory p) { p = kept; p.x = 5; }
  function b() external { Point memory p = kept; Point memory q = p; p.x = 5; last = q.x; }
  function c() external { Point memory p = kept; p.x = 5; uint256 got; assembly { got := mload(p) } last = got; }
  function d() external view returns (uint256) { Point memory p = kept; p.x = 5; return p.x + p.y; }
  function e() external { use(kept); }
  function use(Point memory p) private { p.x = 5; last = p.x; }
  function f() external { Point memory p = kept; while (last > 0) { last = p.x; p.x = 5; } }
}`,
      `pragma solidity ^0.8.0;
contract Rows {
    struct Row {
        uint256 a;
        uint256 b;
        bool open;
    }
    Row[] rows;
    mapping(uint256 => uint256[]) lists;
    mapping(uint256 => Row) byId;
    mapping(uint256 => bool) seen;

    function blank() internal pure returns (Row memory row) {
        row.a = 1;
    }

    function fresh() internal pure returns (Row memory) {
        return Row(1, 2, false);
    }

    function raise(Row memory row) internal pure {
        row.a += 1;
    }

    function preview(uint256 i) external view returns (uint256) {
        Row memory row = rows[i];
        row.a = 3;
        return row.b;
    }

    function copies(uint256 i) external {
        Row memory row = rows[i];
        row = rows[i + 1];
        Row memory made = blank();
        made.a = 2;
        Row memory other = fresh();
        other.a = 3;
        raise(other);
    }

    function check(uint256 i) external {
        Row memory row = rows[i];
        row.open = seen[i];
        if (!row.open) revert();
    }

    function mark(uint256 i) external {
        Row memory row = rows[i];
        row.a += 5;
        seen[row.a] = true;
    }

    function count(uint256 i) external returns (uint256) {
        Row memory row = rows[i];
        row.a += 5;
        return lists[row.a].length;
    }

    function look(uint256 i) external returns (uint256) {
        Row memory row = rows[i];
        row.a += 5;
        return byId[row.a].b;
    }

    function store(uint256 i) external {
        Row memory row = rows[i];
        row.a = 1;
        row.b = 2;
        rows[0] = row;
    }
}`,
    ],
  },
}
