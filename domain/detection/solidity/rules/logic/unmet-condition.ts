import type { Deed } from "../../access/entries/deeds.ts"
import { type Access, accessOf, type Entry } from "../../access/entries/entries.ts"
import { unmetConditions } from "../../access/checks/unmetConditions.ts"
import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"

export const unmetCondition: Rule<Program> = {
  meta: {
    id: "evm/logic/unmet-condition",
    class: "tautology",
    title: "Condition can never be met",
    severity: "medium",
    confidence: "medium",
    cwe: [561, 570],
    description:
      "The function requires a flag, an entry or a phase that nothing sets, or that only code behind the same " +
      "condition sets. The function always reverts: an initializer that cannot run, a claim that cannot be " +
      "made, funds that cannot be withdrawn. Usually, a `!` is missing, or the assignment that leads to this " +
      "state.",
    remediation:
      "Invert the condition if the state is meant to be unset before (`require(!used[id]); used[id] = true;`), or add " +
      "the assignment that sets it.",
    references: ["https://cwe.mitre.org/data/definitions/570.html"],
  },

  check: (program, report) => {
    const access = accessOf(program)
    for (const { entry, fact, variable, member, behind } of unmetConditions(program)) {
      report({
        file: fact.at.callable.source.file,
        span: fact.expression,
        scope: fact.at.callable.scope,
        message: `${member === undefined ? `Nothing sets \`${variable.name}\`` : `Nothing sets \`${variable.name}\` to ${member}`}${behind.length === 0 ? "" : " unless it is already set"}, so ${entry.fn.name} always reverts.`,
        trace: [
          ...behind
            .slice(0, stepLimit)
            .map(({ event }) => ({ ...placeOf(event), note: "set only behind the same condition" })),
          ...insteadOf(access, entry).map(({ event }) => ({ ...placeOf(event), note: "set without it" })),
        ],
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Wrapped {
  uint256 public total;
  bool public ready = false;
  bool public open = true;
  function begin(uint256 n) external {
    require(ready); // FINDING
    ready = true;
    total += n;
  }
  function more(uint256 n) external {
    require(open);
    open = true;
    total += n;
  }
}`,
      `pragma solidity ^0.8.20;
contract Claims {
  mapping(bytes32 => bool) used;
  bool ready;
  address owner;
  uint256 count;
  function init(address to) external {
    require(ready, "already"); // FINDING
    ready = true;
    owner = to;
  }
  function claim(bytes32 id) external {
    require(used[id], "used"); // FINDING
    used[id] = true;
    count++;
  }
}`,
      `pragma solidity ^0.8.20;
contract Sale {
  enum Phase { New, Open, Closed }
  Phase phase;
  struct Order { address maker; Phase phase; }
  mapping(uint256 => Order) orders;
  address owner = msg.sender;
  address pending;
  uint256 sum;
  function start() external { require(msg.sender == owner && phase == Phase.New); sum = 1; }
  function enter() external payable {
    require(phase == Phase.Open); // FINDING
    sum += msg.value;
  }
  function close() external {
    if (msg.sender != owner) revert();
    phase = Phase.Closed;
  }
  function place(uint256 id) external { orders[id] = Order(msg.sender, Phase.New); }
  function fill(uint256 id) external {
    Order storage order = orders[id];
    require(order.phase == Phase.Open); // FINDING
    order.phase = Phase.Closed;
  }
  function offer(address to) external { require(msg.sender == owner); owner = to; }
  function accept() external {
    require(msg.sender == pending); // FINDING
    owner = pending;
    pending = address(0);
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Claims {
  mapping(bytes32 => bool) used;
  bool ready;
  bool open = true;
  bool immutable live;
  address owner;
  address pending;
  mapping(address => bool) admins;
  uint256 rate;
  uint256 count;
  constructor(bool l) { live = l; }
  function init(address to) external { require(!ready, "already"); ready = true; owner = to; }
  function claim(bytes32 id) external { require(ready && open && live && !used[id], "used"); used[id] = true; count++; }
  function offer(address to) external { require(msg.sender == owner); pending = to; }
  function accept() external { require(msg.sender == pending); owner = pending; pending = address(0); }
  function admit(address who) external { require(admins[msg.sender]); admins[who] = true; }
  function retune() external { require(rate > 0); rate = 2; }
}`,
      `pragma solidity ^0.8.20;
library Books { struct Book { bool open; } function unlock(Book storage self) internal { self.open = true; } }
contract Sale {
  using Books for Books.Book;
  enum Phase { New, Open, Closed }
  Phase phase;
  struct Order { address maker; Phase phase; bool filled; }
  mapping(uint256 => Order) orders;
  mapping(uint256 => Books.Book) books;
  uint256 sum;
  function start(Phase to) external { require(phase == Phase.New); phase = to; }
  function enter() external payable { require(phase == Phase.Open); sum += msg.value; }
  function place(uint256 id, Phase first) external { orders[id] = Order({ maker: msg.sender, phase: Phase.Open, filled: false }); }
  function fill(uint256 id) external {
    require(orders[id].phase == Phase.Open && orders[id].maker != address(0));
    orders[id].filled = true;
  }
  Order[] queue;
  mapping(address => mapping(uint256 => Order)) mine;
  function join(Order memory order) external { queue.push(order); mine[msg.sender][1] = order; mine[msg.sender][2] = Order(msg.sender, order.phase, order.filled); }
  function leave(uint256 i, address who) external {
    require(queue[i].filled && mine[who][i].filled && mine[who][i].phase == Phase.Closed);
    queue[i].filled = false;
    mine[who][i].filled = false;
  }
  function unlock(uint256 id) external { books[id].unlock(); }
  function read(uint256 id) external { require(books[id].open); sum = id; }
}`,
    ],
  },
}

/** Limit: steps of one kind in the trace. */
const stepLimit = 3

/** Where other functions set what this one would have set. */
const insteadOf = (access: Access, entry: Entry): ReadonlyArray<Deed["reached"]> =>
  entry.deeds
    .flatMap(({ variable }) => (variable === undefined ? [] : (access.bySubject.get(variable) ?? [])))
    .flatMap(({ entry: other, deed }) => (other === entry ? [] : [deed.reached]))
    .slice(0, stepLimit)
