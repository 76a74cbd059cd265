import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { Expr, FlowNode, Loop } from "../../flow/graph/graph.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import { costToGrow } from "../../questions/authority/growingArrays.ts"
import { isCapped } from "../../questions/value/callerNumbers.ts"
import { walk } from "../../visit.ts"

export const unboundedLoop: Rule<Program> = {
  meta: {
    id: "evm/denial-of-service/unbounded-loop",
    class: "dos-gas-limit",
    title: "Unbounded loop",
    severity: "medium",
    confidence: "medium",
    cwe: [400, 834],
    swc: 128,
    description:
      "For each element, the loop writes to storage or makes an external call, and anyone can add elements. " +
      "Once the list is long enough (an attacker can add thousands of tiny entries), the call no longer fits " +
      "into a block and fails forever: payouts stop, or the contract cannot be closed.",
    remediation:
      "Keep a running total instead of iterating, let each participant claim their own share, or process the " +
      "list in batches, with the position kept in storage. Otherwise, limit the length where elements are " +
      "added.",
    references: [
      "https://swcregistry.io/docs/SWC-128",
      "https://consensys.github.io/smart-contract-best-practices/attacks/denial-of-service/#gas-limit-dos-on-a-contract-via-unbounded-operations",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!partsOfTransactions(program).has(flow.fn)) continue
      for (const loop of flow.loops) {
        const found = concern(program, flow, loop)
        if (found === undefined || loop.condition === undefined || flow.isRestricted(loop.condition)) continue
        const { callable, expression } = loop.condition
        report({ file: callable.source.file, span: expression ?? loop.node, scope: callable.scope, ...found })
      }
      for (const { event, via, place, at } of flow.writes) {
        if (via.length > 0 || place?.path !== "" || !clears(program, event.operation, event.value as S.Node)) continue
        const variable = place.variables.find((v) => costToGrow(flow, v) !== undefined)
        if (variable === undefined || flow.isRestricted(at)) continue
        report({
          file: event.at.callable.source.file,
          span: event.expression,
          scope: event.at.callable.scope,
          message: `Clearing \`${variable.name}\` costs gas for each element, and anyone can add elements.`,
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // What another contract names can be added again, or the caller names it.
      `pragma solidity ^0.8.20;
interface IPool { function rewardAt(uint256 i) external view returns (address); }
contract Wrapper {
  address[] rewards;
  address[] named;
  mapping(address => uint256) registered;
  mapping(address => uint256) seen;
  IPool immutable pool;
  constructor(IPool p) { pool = p; }
  function add(uint256 i) external { rewards.push(pool.rewardAt(i)); }
  function addNamed(address token) external {
    require(registered[token] == 0);
    named.push(token);
    registered[token] = 1;
  }
  function checkpoint() external {
    for (uint256 i = 0; i < rewards.length; i++) seen[rewards[i]] += 1; // FINDING
    for (uint256 i = 0; i < named.length; i++) seen[named[i]] += 1; // FINDING
  }
}`,
      // Who adds: anyone for others, or anyone who pays; what the caller asks for, and a loop that ends when it is done.
      `pragma solidity ^0.8.20;
interface ICourt { function cost() external view returns (uint256); function appeal() external payable; }
contract Rounds {
  struct Case { uint256[] rounds; uint256[] notes; }
  Case[] cases;
  mapping(address => uint256[]) tips;
  uint256[] tickets;
  uint256[] steps;
  ICourt immutable court;
  uint256 immutable price;
  uint256 sum;
  constructor(ICourt c, uint256 p) { court = c; price = p; }
  function tip(address to) external { _tip(to, 1); }
  function _tip(address to, uint256 n) internal { tips[to].push(n); }
  function note(uint256 id) external { cases[id].notes.push(1); }
  function appeal(uint256 id) external payable {
    cases[id].rounds.push(1);
    court.appeal{value: court.cost()}();
  }
  function buy() external payable {
    require(msg.value >= price);
    tickets.push(1);
  }
  function take() external { for (uint256 i = 0; i < tips[msg.sender].length; i++) sum += tips[msg.sender][i]; } // FINDING
  function read(uint256 id) external { for (uint256 i = 0; i < cases[id].notes.length; i++) sum += cases[id].notes[i]; } // FINDING
  function count(uint256 id) external { for (uint256 i = 0; i < cases[id].rounds.length; i++) sum += cases[id].rounds[i]; } // FINDING
  function last() external { for (uint256 i = cases[0].notes.length; i > 0; i--) sum += cases[0].notes[i - 1]; } // FINDING
  function under() external { for (uint256 i = 0; cases[0].notes.length > i; i++) sum += cases[0].notes[i]; } // FINDING
  function most() external { _most(0, 1000); }
  function _most(uint256 id, uint256 max) internal {
    uint256 end = cases[id].notes.length;
    if (end > max) end = max;
    for (uint256 i = 0; i < end; i++) sum += cases[id].notes[i]; // FINDING
  }
  function stop() external { for (uint256 i = 0; i < 255; i++) { steps.push(i); if (sum == i) return; } } // FINDING
  function draw() external { for (uint256 i = 0; i < tickets.length; i++) sum += tickets[i]; } // FINDING
  function fill() external { for (uint256 i = 0; i < 255; i++) { steps.push(i); if (sum == i) break; } } // FINDING
}`,
      // Anyone may add at any time, up to a length of their choice.
      `pragma solidity ^0.8.20;
import {Initializable} from "./Initializable.sol";
contract Lists is Initializable {
  address boss;
  uint256[] parts;
  uint256[] queue;
  uint256[] weeks_;
  uint256 sum;
  function initialize(address to) external  { boss = to; _add(1); }
  function add(uint256 part) external { require(msg.sender == boss); _add(part); }
  function _add(uint256 part) internal { parts.push(part); }
  function enqueue(uint256 n) external {
    queue.push(n);
    if (queue.length > n) revert();
    sum = 0;
  }
  function checkpoint(uint256 at) external {
    if (weeks_.length == 0 || weeks_[weeks_.length - 1] != at) weeks_.push(at);
  }
  function count() external {
    for (uint256 i; i < parts.length; i++) sum += parts[i]; // FINDING
    for (uint256 i; i < queue.length; i++) sum += queue[i]; // FINDING
    for (uint256 i; i < weeks_.length; i++) sum += weeks_[i]; // FINDING
  }
}`,
      // What the length decides is not whether more can be added.
      `pragma solidity ^0.8.20;
import {Initializable} from "./Initializable.sol";
contract Lists is Initializable {
  address boss;
  uint256[] parts;
  uint256[] queue;
  uint256[] weeks_;
  uint256 sum;
  function initialize(address to) external initializer { boss = to; _add(1); }
  function add(uint256 part) external { require(msg.sender == boss); _add(part); }
  function _add(uint256 part) internal { parts.push(part); }
  function enqueue(uint256 n) external {
    queue.push(n);
    if (queue.length > 30) sum = 1;
    sum = 0;
  }
  function checkpoint(uint256 at) external {
    if (weeks_.length == 0 || weeks_[weeks_.length - 1] != at + block.timestamp) weeks_.push(at + block.timestamp);
  }
  function count() external {
    for (uint256 i; i < parts.length; i++) sum += parts[i];
    for (uint256 i; i < queue.length; i++) sum += queue[i]; // FINDING
    for (uint256 i; i < weeks_.length; i++) sum += weeks_[i]; // FINDING
  }
}`,
      // What else each iteration does makes it no cheaper.
      `pragma solidity ^0.8.0;
contract Fill {
    uint256[] list;
    uint256 sum;
    function add(uint256 count) external {
        for (uint256 i = 0; i < count; i++) { // FINDING
            list.push(i);
            sum += i;
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Pool {
    address[] members;
    mapping(address => uint256) rewards;

    function join() external {
        members.push(msg.sender);
    }

    function distribute() external {
        uint256 count = members.length;
        for (uint256 i = 0; i < count; i++) { // FINDING
            rewards[members[i]] += 1;
        }
    }
}`,
      `pragma solidity ^0.6.0;
contract Counted {
    mapping(uint256 => address) people;
    mapping(address => uint256) points;
    uint256 next;

    function join() external {
        people[next++] = msg.sender;
    }

    function reward() external {
        for (uint256 i = 0; i < next; i++) points[people[i]]++; // FINDING
    }
}`,
      `pragma solidity ^0.4.24;
contract Fill {
    uint[] list;
    address[] addresses;
    address[] creditors;

    function lend() public payable {
        creditors.push(msg.sender);
    }

    function insert(uint value, uint rounds) public {
        for (uint i = 0; i < rounds; i++) { // FINDING
            list.push(value);
        }
    }

    function fill() public {
        for (uint i = 0; i < 350; i++) { // FINDING
            addresses.push(msg.sender);
        }
    }

    function reset() public {
        creditors = new address[](0); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Sums {
    struct Entry { address who; uint256 amount; }
    Entry[] entries;
    uint256 last;

    function add() external payable { entries.push(Entry(msg.sender, msg.value)); }

    function sum() public view returns (uint256 result) {
        for (uint256 i = 0; i < entries.length; i++) result += entries[i].amount; // FINDING
    }

    function close() external { last = sum(); }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function ping() external; }
contract List {
  uint256[] list;
  uint256[] small;
  uint256 start;
  IHook hook;
  function add(uint256 x) external { list.push(x); }
  function ping() external {
    for (uint256 i = 0; i < list.length; i++) hook.ping(); // FINDING
  }
  function both() external {
    for (uint256 i = 0; i < list.length && i < start; i++) hook.ping(); // FINDING
  }
  function clear() external {
    delete list; // FINDING
  }
  function fill() external {
    for (uint256 i = 0; i < 226; i++) small.push(i); // FINDING
  }
}`,
      `pragma solidity ^0.4.24;
contract List {
  uint256[] list;
  function grow(uint256 count) public {
    for (uint256 i = 0; i < count; i++) list.length++; // FINDING
  }
}`,
      // Each member who joins looks at all others.
      `pragma solidity ^0.8.20;
contract Club {
  mapping(uint256 => address) public members;
  mapping(address => uint256) public seen;
  uint256 public count;
  function join() external {
    members[count++] = msg.sender;
    for (uint256 i = 0; i < count; i++) seen[members[i]] += 1; // FINDING
  }
}`,
      // The branch that notices a large number goes on with it.
      `pragma solidity ^0.8.20;
contract Tickets {
  event Large(uint256 count);
  uint256 constant MOST = 50;
  uint256[] issued;
  function issue(uint256 count) external {
    if (count > MOST) emit Large(count);
    for (uint256 i = 0; i < count; i++) issued.push(i); // FINDING
  }
}`,
    ],
    safe: [
      // Another contract decides what is added, once each; a first entry is added while there is none.
      `pragma solidity ^0.8.20;
interface IPool { function count() external view returns (uint256); function rewardAt(uint256 i) external view returns (address); }
contract Wrapper {
  address[] rewards;
  uint256[] firsts;
  mapping(address => uint256) registered;
  mapping(address => uint256) seen;
  IPool immutable pool;
  constructor(IPool p) { pool = p; }
  function addRewards() external {
    uint256 count = pool.count();
    for (uint256 i = 0; i < count; i++) {
      address token = pool.rewardAt(i);
      if (registered[token] == 0) {
        rewards.push(token);
        registered[token] = rewards.length;
      }
    }
    if (firsts.length == 0) firsts.push(count);
  }
  function checkpoint() external {
    for (uint256 i = 0; i < rewards.length; i++) seen[rewards[i]] += 1;
    for (uint256 i = 0; i < firsts.length; i++) seen[msg.sender] += firsts[i];
  }
}`,
      // Other lists of the same variable grow; a list of one's own; a batch that the caller chooses, within what there is.
      `pragma solidity ^0.8.20;
interface INft { function mint(address to) external returns (uint256); }
contract Lists {
  struct Dial { uint256[] history; }
  Dial[] dials;
  mapping(address => uint256[]) owned;
  mapping(uint256 => uint256[]) parts;
  address boss = msg.sender;
  INft immutable nft;
  uint256 sum;
  constructor(INft n) { nft = n; }
  function addDial() external { require(msg.sender == boss); dials.push(); }
  function checkpoint(uint256 id) external { dials[id].history.push(1); }
  function take(uint256 id) external { _give(msg.sender, id); }
  function _give(address to, uint256 id) internal { owned[to].push(id); }
  function create(uint256 n) external { _fill(nft.mint(msg.sender), n); }
  function _fill(uint256 id, uint256 n) internal { parts[id].push(n); }
  function all() external { for (uint256 i = 0; i < dials.length; i++) sum += dials[i].history[0]; }
  function mine(address who) external { for (uint256 i = 0; i < owned[who].length; i++) sum += owned[who][i]; }
  function whole(uint256 id) external { for (uint256 i = 0; i < parts[id].length; i++) sum += parts[id][i]; }
  function while_() external { uint256 i = 0; while (i < dials.length && sum < 5) sum += dials[i++].history[0]; }
  function from() external { for (uint256 i = dials[0].history.length; i < 10; i++) sum += dials[i].history[0]; }
  function downTo() external { for (uint256 i = 10; i > dials[0].history.length; i--) sum += dials[i].history[0]; }
  function batch(uint256 id, uint256 most) external {
    uint256 end = dials[id].history.length;
    if (end > most) end = most;
    for (uint256 i = 0; i < end; i++) sum += dials[id].history[i];
  }
}`,
      // The list grows once, up to a length that is checked afterwards, or with time.
      `pragma solidity ^0.8.20;
import {Initializable} from "./Initializable.sol";
contract Lists is Initializable {
  address boss;
  uint256[] parts;
  uint256[] queue;
  uint256[] weeks_;
  uint256 sum;
  function initialize(address to) external initializer { boss = to; _add(1); }
  function add(uint256 part) external { require(msg.sender == boss); _add(part); }
  function _add(uint256 part) internal { parts.push(part); }
  function enqueue(uint256 n) external {
    queue.push(n);
    if (queue.length > 30) revert();
    sum = 0;
  }
  function checkpoint(uint256 at) external {
    if (weeks_.length == 0 || weeks_[weeks_.length - 1] != block.timestamp / 1 weeks) weeks_.push(block.timestamp / 1 weeks);
  }
  function count() external {
    for (uint256 i; i < parts.length; i++) sum += parts[i];
    for (uint256 i; i < queue.length; i++) sum += queue[i];
    for (uint256 i; i < weeks_.length; i++) sum += weeks_[i];
  }
}`,
      // The number is lowered to a limit, or refused above it.
      `pragma solidity ^0.8.20;
contract Tickets {
  uint256 constant MOST = 50;
  uint256[] issued;
  function issue(uint256 count) external {
    if (count > MOST) count = MOST;
    for (uint256 i = 0; i < count; i++) issued.push(i);
  }
  function issueAll(uint256 count) external {
    if (count > MOST) revert();
    for (uint256 i = 0; i < count; i++) issued.push(i);
  }
}`,
      `pragma solidity ^0.8.0;
contract Pool {
    address owner = msg.sender;
    address[] members;
    uint256[] tiers;
    mapping(address => uint256) rewards;
    uint256 position;

    function add(address member) external {
        require(msg.sender == owner);
        members.push(member);
    }

    function distribute() external {
        for (uint256 i = 0; i < members.length; i++) rewards[members[i]] += 1;
    }

    function batch(address[] calldata who) external {
        for (uint256 i = 0; i < who.length; i++) rewards[who[i]] += 1;
    }

    function setUp() external {
        for (uint256 i = 0; i < 10; i++) tiers.push(i);
    }
}`,
      `pragma solidity ^0.8.0;
contract Sums {
    uint256[] values;
    uint256[] few;
    uint256 total;

    function addFew(uint256 value) external {
        require(few.length < 20);
        few.push(value);
    }

    function raise() external {
        for (uint256 i = 0; i < few.length; i++) few[i]++;
    }

    function add(uint256 value) external {
        values.push(value);
        total += value;
    }

    function addMany(uint256 count) external {
        require(count <= 20);
        for (uint256 i = 0; i < count; i++) values.push(i);
    }

    function sum() external view returns (uint256 result) {
        for (uint256 i = 0; i < values.length; i++) result += values[i];
    }
}`,
      `pragma solidity ^0.8.0;
contract Pages {
    address[] members;
    mapping(address => uint256) rewards;

    function join() external { members.push(msg.sender); }

    function reward(uint256 from, uint256 to) external {
        for (uint256 i = from; i < to && i < members.length; i++) rewards[members[i]]++;
    }
}`,
      `pragma solidity ^0.8.20;
contract List {
  uint256[] list;
  uint256[] other;
  uint256 fee;
  uint256 public total;
  address boss = msg.sender;
  constructor() { for (uint256 i = 0; i < list.length; i++) total += list[i]; }
  function add(uint256 x) external { list.push(x); }
  function asBoss() external { require(msg.sender == boss); for (uint256 i = 0; i < list.length; i++) total += list[i]; }
  function clear() external { require(msg.sender == boss); delete list; }
  function count() external {
    uint256 n = list[0];
    for (uint256 i = 0; i < list.length; i++) n += fee;
    total = n;
  }
  function page(uint256 max) external { for (uint256 i = 0; i < list.length && i < max; i++) total += list[i]; }
  function mirrored(uint256 max) external { for (uint256 i = 0; list.length > i && max > i; i++) total += list[i]; }
  function few() external { for (uint256 i = 0; i < list.length && i < 10; i++) total += list[i]; }
  function gas() external { for (uint256 i = 0; i < list.length && gasleft() > 9000; i++) total += list[i]; }
  function rounds() external { for (uint256 i = 0; i < 1000; i++) total += i; }
  function five() external { fill(5); }
  function fill(uint256 n) private { for (uint256 i = 0; i < n; i++) other.push(i); }
  function copy() external { list = other; }
  function unused() private { for (uint256 i = 0; i < list.length; i++) total += list[i]; }
}`,
      `pragma solidity ^0.8.20;
contract Queue {
  mapping(uint256 => address) public waiting;
  mapping(address => bool) public served;
  uint256 public last;
  uint256 public next;
  function wait_() external { waiting[last++] = msg.sender; }
  function serve(uint256 upTo) external {
    while (next < upTo) {
      served[waiting[next]] = true;
      next++;
    }
  }
}`,
    ],
  },
}

/**
 * Number of new storage slots in one call beyond which (at 22,100 gas each, EIP-2929) a sixth of a 30 million gas block
 * is used up.
 */
const manySlots = 226n

/**
 * What makes loops expensive: they read elements, write to storage or make external calls, by this function or its
 * callees. The value says whether they add to storage.
 */
const costsOf = oncePer((flow: Flow): ReadonlyMap<Loop, { readonly grows: boolean }> => {
  const costs = new Map<Loop, { readonly grows: boolean }>()
  const add = (at: FlowNode, grows: boolean): void => {
    for (let l = at.loop; l !== undefined; l = l.outer) costs.set(l, { grows: grows || costs.get(l)?.grows === true })
  }
  for (const { at, event, place } of flow.writes)
    add(at, event.operation === "push" || place?.path.endsWith(".length") === true)
  for (const { at } of flow.externalCalls) add(at, false)
  for (const { at, place } of flow.reads) if (place?.path.includes("[]") === true) add(at, false)
  return costs
})

/** The comparisons in `i < limit && j < other`, with both sides of each. */
const limitsOf = (e: Expr | undefined): ReadonlyArray<readonly [S.Expression, S.Expression]> => {
  if (e?.kind !== "BinaryOperation") return []
  return e.operator === "&&" ? [...limitsOf(e.left), ...limitsOf(e.right)] : [[e.left, e.right]]
}

/** What the counter is below: `limit` in `i < limit` and `limit > i`, the counter in `i > 0`; both sides of `i != limit`. */
const upperLimits = (e: Expr | undefined): ReadonlyArray<S.Expression> => {
  if (e?.kind !== "BinaryOperation") return []
  if (e.operator === "&&" || e.operator === "||") return [...upperLimits(e.left), ...upperLimits(e.right)]
  return e.operator.startsWith("<") ? [e.right] : e.operator.startsWith(">") ? [e.left] : [e.left, e.right]
}

/** Whether one of several conditions bounds the iterations by the caller's request, or by a constant. */
const isPaged = (flow: Flow, condition: FlowNode): boolean => {
  const limits = limitsOf(condition.expression)
  const isOwn = (e: S.Expression): boolean => {
    const value = flow.origins(e, condition)
    return has(value, Source.parameter | Source.gas) || constantNumber(flow.program, e) !== undefined
  }
  return limits.length > 1 && limits.some(([left, right]) => isOwn(left) || isOwn(right))
}

/** A read-only loop matters if a transaction depends on it. */
const partsOfTransactions = oncePer(({ graph }: Program) =>
  graph.reachedFrom(({ mutability }) => mutability !== "view" && mutability !== "pure"),
)

interface Concern {
  readonly message: string
  readonly severity?: "low"
}

const concern = (program: Program, flow: Flow, loop: Loop): Concern | undefined => {
  const { condition } = loop
  if (condition === undefined) return undefined
  const cost = costsOf(flow).get(loop)
  if (cost === undefined) return undefined
  const paged = isPaged(flow, condition)
  for (const limit of upperLimits(condition.expression)) {
    const value = flow.origins(limit, condition)
    const parameter = value.parameters.find(({ type }) => type.kind === "integer")
    const isAsked = paged || (parameter !== undefined && program.graph.isEntryPoint(flow.fn))
    for (const variable of isAsked ? [] : value.state) {
      const price = costToGrow(flow, variable, limit, condition)
      if (price === undefined) continue
      return price === "gas"
        ? { message: `Anyone can make \`${variable.name}\` larger.` }
        : { message: `Anyone who pays for it can make \`${variable.name}\` larger.`, severity: "low" }
    }
    if (
      cost.grows &&
      parameter !== undefined &&
      program.graph.isEntryPoint(flow.fn) &&
      !isCapped({ parameter, flow, at: condition })
    ) {
      const message = `The parameter \`${parameter.name}\` determines the number of iterations, and each adds to storage.`
      // Only the caller's own transaction fails.
      return { message, severity: "low" }
    }
    const rounds = constantNumber(program, limit)
    if (cost.grows && rounds !== undefined && rounds >= manySlots)
      return {
        message: `Each of its ${rounds} iterations adds to storage.`,
        ...(leavesEarly(loop) ? { severity: "low" as const } : {}),
      }
  }
  return undefined
}

/** Whether a condition within the loop ends it. */
const leavesEarly = ({ node }: Loop): boolean => {
  let found = false
  walk(node, (e) => {
    found ||= e.kind === "BreakStatement" || e.kind === "ReturnStatement"
    return !found
  })
  return found
}

/** `delete list`, `list = new T[](0)` */
const clears = (program: Program, operation: string, value: S.Node | undefined): boolean =>
  operation === "delete" ||
  (operation === "assign" && value?.kind === "FunctionCall" && program.callOf(value)?.kind === "allocation")
