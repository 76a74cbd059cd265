import type { Rule } from "../../../Rule.ts"
import { oncePer } from "../../../oncePer.ts"
import { type Access, accessOf, type Entry, runsOnce } from "../../access/entries/entries.ts"
import { canReenter } from "../../flow/events/outgoingCalls.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { Flow, Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { isInitializerPart } from "../../questions/deployment/initializer.ts"

export const missingLock: Rule<Program> = {
  meta: {
    id: "evm/reentrancy/missing-lock",
    class: "reentrancy-guard-order",
    title: "Reentrancy lock missing where sibling functions have one",
    // it is not examined what reentering could achieve
    severity: "low",
    confidence: "medium",
    cwe: [841, 667],
    swc: 107,
    description:
      "Nearly all functions of the contract, or nearly all that make external calls, hold the reentrancy lock; this " +
      "one does not. A lock protects only the functions that take it: while another function holds it and makes an " +
      "external call, this one can be entered, and its changes are based on half-updated state.",
    remediation:
      "Take the lock here too, or move the part that does not need it into a function that neither makes external " +
      "calls nor writes state.",
    references: [
      "https://docs.openzeppelin.com/contracts/5.x/api/utils#ReentrancyGuard",
      "https://swcregistry.io/docs/SWC-107",
    ],
  },
  check: (program, report) => {
    const access = accessOf(program)
    for (const contract of access.own.keys()) {
      // inherited functions are locked like the contract's own
      const entries = contract.linearization.flatMap((base) => access.own.get(base) ?? [])
      const all = entries.slice(0, compared).filter((entry) => isComparable(access, entry))
      // trusted callers are often left without a lock
      for (const alike of [all.filter(({ guarded }) => guarded), all.filter(({ guarded }) => !guarded)]) {
        const told = unlockedAmong(alike).filter(({ entry }) => entry.contract === contract)
        // if several of its own functions lack the lock, that is intended
        const own = alike.filter((entry) => entry.contract === contract).length
        if (!prevails(own - told.length, own)) continue
        for (const { entry, locked, of, why } of told) {
          const { reached } = entry.deeds[0]!
          report({
            ...placeOf(reached.via[0] ?? reached.event),
            scope: entry.fn.scope,
            message: `${locked.length} of ${of} functions of this contract ${why}hold the reentrancy lock; this one does not.`,
            trace: locked
              .slice(0, 3)
              .map(({ fn }) => ({ file: fn.source.file, span: fn.node.nameSpan, note: "the lock is held here" })),
          })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Pool {
  uint256 private entered = 1;
  IToken token;
  mapping(address => uint256) shares;
  mapping(address => uint256) prizes;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function join(uint256 amount) external lock { shares[msg.sender] += amount; token.transfer(address(this), amount); }
  function leave(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function claim() external lock { uint256 due = prizes[msg.sender]; prizes[msg.sender] = 0; token.transfer(msg.sender, due); }
  function give(address to, uint256 amount) external {
    shares[msg.sender] -= amount; // FINDING
    token.transfer(to, amount);
  }
  function approve(uint256 amount) external { prizes[msg.sender] = amount; }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
contract Settings is ReentrancyGuard {
  mapping(address => uint256) a;
  mapping(address => uint256) b;
  mapping(address => uint256) c;
  function setA(uint256 to) external nonReentrant { a[msg.sender] = to; }
  function setB(uint256 to) external nonReentrant { b[msg.sender] = to; }
  function setC(uint256 to) external nonReentrant { c[msg.sender] = to; }
  function addA(uint256 by) external nonReentrant { a[msg.sender] += by; }
  function addB(uint256 by) external nonReentrant { b[msg.sender] += by; }
  function addC(uint256 by) external {
    c[msg.sender] += by; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Guarded {
  uint256 private entered = 1;
  IToken internal token;
  mapping(address => uint256) internal shares;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function join(uint256 amount) external lock { shares[msg.sender] += amount; token.transfer(address(this), amount); }
  function leave(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
}
contract Giving is Guarded {
  function give(address to, uint256 amount) external {
    shares[msg.sender] -= amount; // FINDING
    token.transfer(to, amount);
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Guarded {
  uint256 private entered = 1;
  IToken internal token;
  mapping(address => uint256) internal shares;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function a(uint256 amount) external lock { shares[msg.sender] += amount; token.transfer(address(this), amount); }
  function b(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function c(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function d(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function e(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function f(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function g(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function h(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function i(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function j(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function k(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function l(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
}
contract Giving is Guarded {
  function give(address to, uint256 amount) external { shares[msg.sender] -= amount; token.transfer(to, amount); }
  function back(address to, uint256 amount) external { shares[msg.sender] -= amount; token.transfer(to, amount); }
}
contract Single {
  uint256 private entered = 1;
  IToken internal token;
  mapping(address => uint256) internal shares;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function a(uint256 amount) external lock { shares[msg.sender] += amount; token.transfer(address(this), amount); }
  function b(uint256 amount) external { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Pool {
  uint256 private entered = 1;
  IToken token;
  mapping(address => uint256) shares;
  mapping(address => uint256) prizes;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function join(uint256 amount) external lock { shares[msg.sender] += amount; token.transfer(address(this), amount); }
  function leave(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function claim() external lock { uint256 due = prizes[msg.sender]; prizes[msg.sender] = 0; token.transfer(msg.sender, due); }
  function give(address to, uint256 amount) external { _give(to, amount); }
  function _give(address to, uint256 amount) internal lock { shares[msg.sender] -= amount; token.transfer(to, amount); }
  function approve(uint256 amount) external { prizes[msg.sender] = amount; }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Pool {
  uint256 private entered = 1;
  IToken token;
  mapping(address => uint256) shares;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function join(uint256 amount) external lock { shares[msg.sender] += amount; token.transfer(address(this), amount); }
  function leave(uint256 amount) external lock { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function give(address to, uint256 amount) external { shares[msg.sender] -= amount; token.transfer(to, amount); }
  function back(address to, uint256 amount) external { shares[msg.sender] -= amount; token.transfer(to, amount); }
}`,
      // Set up once, restricted, calling nobody, or several without the lock.
      `pragma solidity ^0.8.20;
interface IHook { function run() external; function read() external view returns (uint256); }
abstract contract Lock {
  uint256 private state = 1;
  modifier lock() { require(state == 1); state = 2; _; state = 1; }
}
contract Desk is Lock {
  address immutable head = msg.sender;
  IHook hook;
  uint256 count;
  function begin(IHook h) external { require(address(hook) == address(0)); hook = h; h.run(); }
  function one() external lock { hook.run(); count += 1; }
  function two() external lock { hook.run(); count += 2; }
  function three() external lock { hook.run(); count += 3; }
  function four() external { count += hook.read(); }
  function five() external { require(msg.sender == head); hook.run(); count += 5; }
}
contract Half is Lock {
  IHook immutable hook;
  uint256 count;
  constructor(IHook h) { hook = h; }
  function one() external lock { hook.run(); count += 1; }
  function two() external lock { hook.run(); count += 2; }
  function three() external lock { hook.run(); count += 3; }
  function four() external { hook.run(); count += 4; }
  function five() external { hook.run(); count += 5; }
}
contract Few is Lock {
  uint256 count;
  function one() external lock { count += 1; }
  function two() external lock { count += 2; }
  function three() external lock { count += 3; }
  function four() external lock { count += 4; }
  function five() external lock { count += 5; }
  function six() external { count += 6; }
  function seven() external { count += 7; }
}
contract Loose is Lock {
  IHook immutable hook;
  uint256 count;
  constructor(IHook h) { hook = h; }
  function one() external lock { hook.run(); count += 1; }
  function two() external { hook.run(); count += 2; }
  function three() external { hook.run(); count += 3; }
  function four() external lock { hook.run(); count += 4; }
  function five() external lock { count += 5; }
  function six() external lock { count += 6; }
  function seven() external lock { count += 7; }
}
contract Inner is Lock {
  IHook immutable hook;
  uint256 count;
  constructor(IHook h) { hook = h; }
  function one() external lock { hook.run(); count += 1; }
  function two() external lock { hook.run(); count += 2; }
  function three() external lock { hook.run(); count += 3; }
  function four() external { _four(); }
  function _four() private lock { hook.run(); count += hook.read(); }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Guarded {
  uint256 private entered = 1;
  mapping(address => uint256) internal shares;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function a(uint256 to) external lock { shares[msg.sender] = to; }
  function b(uint256 by) external lock { shares[msg.sender] += by; }
  function c(uint256 by) external lock { shares[msg.sender] -= by; }
  function d() external lock { delete shares[msg.sender]; }
  function e(uint256 by) external lock { shares[msg.sender] *= by; }
  function f(uint256 to) external { shares[msg.sender] = to; }
  function g(uint256 by) external { shares[msg.sender] += by; }
  function h(uint256 by) external { shares[msg.sender] -= by; }
}
// What the base leaves unlocked may be left so here.
contract Further is Guarded {
  function i(uint256 by) external { shares[msg.sender] /= by; }
}
// One of two that call a token: no habit.
contract Paying {
  uint256 private entered = 1;
  IToken private token;
  mapping(address => uint256) private shares;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function a(uint256 to) external lock { shares[msg.sender] = to; }
  function b(uint256 by) external lock { shares[msg.sender] += by; }
  function c(uint256 by) external lock { shares[msg.sender] -= by; }
  function leave(uint256 by) external lock { shares[msg.sender] -= by; token.transfer(msg.sender, by); }
  function give(address to, uint256 by) external { shares[msg.sender] -= by; token.transfer(to, by); }
}
// Whoever just sends Ether cannot take a lock.
contract Receiving {
  uint256 private entered = 1;
  IToken private token;
  mapping(address => uint256) private shares;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function leave(uint256 by) external lock { shares[msg.sender] -= by; token.transfer(msg.sender, by); }
  function give(address to, uint256 by) external lock { shares[msg.sender] -= by; token.transfer(to, by); }
  receive() external payable { shares[msg.sender] += msg.value; token.transfer(msg.sender, msg.value); }
}
contract Half {
  uint256 private entered = 1;
  IToken internal token;
  mapping(address => uint256) internal shares;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function leave(uint256 by) external lock { shares[msg.sender] -= by; token.transfer(msg.sender, by); }
  function give(address to, uint256 by) external lock { shares[msg.sender] -= by; token.transfer(to, by); }
  function burn(uint256 by) external { shares[msg.sender] -= by; token.transfer(address(0), by); }
  function lose(uint256 by) external { shares[msg.sender] -= by; token.transfer(address(1), by); }
}
contract Other is Half {
  function lend(address to, uint256 by) external { shares[msg.sender] -= by; token.transfer(to, by); }
}`,
      // A parent's own function, setup of a parent, a lock taken on the way or by hand.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
interface IHook {
  function run(uint256 id) external;
  function cost(uint256 id) external view returns (uint256);
}
abstract contract Locked {
  bool internal busy;
  modifier nonReentrant() { require(!busy); busy = true; _; busy = false; }
}
contract Clock {
  IHook public timer;
  uint256 public ticks;
  function tick() external { ticks++; timer.run(ticks); }
}
contract Rota is Clock, Locked {
  mapping(uint256 => bool) public known;
  function add(uint256 id) external nonReentrant { known[id] = true; timer.run(id); }
  function drop(uint256 id) external nonReentrant { known[id] = false; timer.run(id); }
  function swap(uint256 id) external nonReentrant { known[id] = !known[id]; timer.run(id); }
}
contract Jobs is Locked, Initializable {
  IHook hook;
  address owner = msg.sender;
  modifier byOwner() { require(msg.sender == owner); _; }
  mapping(uint256 => uint256) public done;
  function __Jobs_init(IHook h) public onlyInitializing { hook = h; h.run(0); }
  function add(uint256 id) external nonReentrant { done[id] = 1; hook.run(id); }
  function redo(uint256 id) external nonReentrant { done[id] += 1; hook.run(id); }
  function quote(uint256 id) external { done[id] += hook.cost(id); _run(id); }
  function run(uint256 id) external {
    require(done[id] > 0, "unknown");
    require(!busy, "busy");
    busy = true;
    hook.run(id);
    done[id] += 3;
    busy = false;
  }
  function close(uint256 id) external byOwner nonReentrant { done[id] = 9; hook.run(id); }
  function reopen(uint256 id) external byOwner nonReentrant { done[id] = 8; hook.run(id); }
  function _run(uint256 id) internal nonReentrant { hook.run(id); }
}`,
    ],
  },
}

/** Setup runs once, before there is anything to protect. */
const isComparable = (access: Access, entry: Entry): boolean =>
  entry.fn.role === "function" && !isInitializerPart(entry.fn) && !runsOnce(access, entry)

/** Limit: functions of one contract that are examined. */
const compared = 400

/** Number of functions with the lock before one without it stands out. */
const atLeast = 5

/** The same among those that make external calls. */
const fewest = 2

/** Whether at most one function lacks it, or one in seven. */
const prevails = (locked: number, all: number): boolean => all - locked <= Math.max(1, Math.floor(all / 7))

const callsOut = ({ flow }: Entry): boolean => flow.externalCalls.some(({ event }) => canReenter(event))

interface Unlocked {
  readonly entry: Entry
  readonly locked: ReadonlyArray<Entry>
  readonly of: number
  readonly why: string
}

/**
 * Among functions with the same callers, those without the lock that nearly all of them hold, or all that make external
 * calls.
 */
const unlockedAmong = (alike: ReadonlyArray<Entry>): ReadonlyArray<Unlocked> => {
  const locked = alike.filter(isLocked)
  const callers = alike.filter(callsOut)
  const lockedCallers = locked.filter(callsOut)
  const unlocked = alike.filter((entry) => !isLocked(entry))
  if (locked.length >= atLeast && prevails(locked.length, alike.length))
    return unlocked.map((entry) => ({ entry, locked, of: alike.length, why: "" }))
  if (lockedCallers.length < fewest || !prevails(lockedCallers.length, callers.length)) return []
  return unlocked
    .filter(callsOut)
    .map((entry) => ({ entry, locked: lockedCallers, of: callers.length, why: "that make external calls " }))
}

/** Whether the lock is held where the function's own text begins. */
const isLocked = oncePer((entry: Entry): boolean => {
  const { flow, fn } = entry
  const first = flow.nodes.find((node) => node.callable === fn && node.expression !== undefined)
  return first !== undefined && (flow.lockAt(first) !== undefined || isLockedInside(flow))
})

/** Whether a function on the way takes the lock before each call that could come back. */
const isLockedInside = (flow: Flow): boolean => {
  const calls = flow.externalCalls.filter(({ event }) => canReenter(event))
  return calls.length > 0 && calls.every((reached) => isLockedOnWay(flow, reached))
}

const isLockedOnWay = (flow: Flow, { at, via, event }: Reached<CallSite>): boolean => {
  if (flow.lockAt(at) !== undefined) return true
  return via.some(({ target }, i) => {
    const inner = target === undefined ? undefined : flow.program.flowIfBuilt(target)
    const step = (via[i + 1] ?? event).at
    return inner !== undefined && inner.lockAt(step) !== undefined
  })
}
