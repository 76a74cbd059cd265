import type { Rule } from "../../../Rule.ts"
import { oncePer } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { Source } from "../../flow/graph/origins.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { FunctionModel, LocalVariable, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { isIdle, isReported } from "../../questions/value/idleNumber.ts"
import { abiName } from "../../types.ts"

export const functionWithoutEffect: Rule<Program> = {
  meta: {
    id: "evm/logic/function-without-effect",
    class: "write-after-write",
    title: "State-changing function has no effect",
    severity: "medium",
    confidence: "medium",
    cwe: [563, 710],
    description:
      "The function is not `view`, and it emits an event about what the caller requests, or checks who may " +
      "request it, but it neither writes state nor calls anything. The assignment, transfer, mint or deletion " +
      "that it exists for is missing: anyone who calls it, or watches the event, believes that a setting has " +
      "changed, tokens were burned or a request was canceled.",
    remediation:
      "Make the change that the function announces. If there is nothing to do, declare it `view`, or remove it " +
      "together with its event.",
    references: ["https://cwe.mitre.org/data/definitions/563.html"],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (!program.graph.isEntryPoint(fn) || fn.role !== "function" || fn.mutability !== "nonpayable") continue
      const found = isIdleFunction(flow) ? doesNothing(flow) : onlyReports(flow)
      if (found === undefined) continue
      const { isAnnounced, message } = found
      report({
        file: fn.source.file,
        span: fn.node.nameSpan,
        scope: fn.scope,
        ...(isAnnounced && fn.parameters.some((parameter) => isKept(flow, parameter))
          ? {}
          : { severity: "low" as const }),
        message,
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
interface IFeed { function price() external view returns (uint256); }
contract Market {
  enum Mode { Open, Closed }
  address immutable owner = msg.sender;
  IFeed public feed;
  Mode public mode;
  bool public paused;
  uint256 public rate;
  uint256 public changes;
  event FeedSet(IFeed to);
  event ModeSet(Mode to);
  event PausedSet(bool to);
  event RateSet(uint256 to);
  constructor(IFeed f, bool p, uint256 r) { feed = f; paused = p; rate = r; mode = Mode.Closed; }
  function setRate(uint256 to) external { // FINDING
    require(msg.sender == owner);
    _count();
    emit RateSet(to);
  }
  function _count() private { changes += 1; }
  function setFeed(IFeed to) external { // FINDING
    require(msg.sender == owner);
    _count();
    emit FeedSet(to);
  }
  function setMode(Mode to) external { // FINDING
    require(msg.sender == owner);
    _count();
    emit ModeSet(to);
  }
  function setPaused(bool to) external { // FINDING
    require(msg.sender == owner);
    _count();
    emit PausedSet(to);
  }
}`,
      `pragma solidity ^0.8.20;
contract Rounds {
  address owner = msg.sender;
  uint256 public period;
  address public keeper;
  uint256 public count;
  event PeriodSet(uint256 to);
  event KeeperSet(address to);
  event Counted(uint256 by);
  constructor(uint256 first, address k) { period = first; keeper = k; }
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function setPeriod(uint256 to) external onlyOwner { // FINDING
    require(_rounded(to) > 0);
    emit PeriodSet(to);
  }
  function _rounded(uint256 n) private pure returns (uint256) { return n < 10 ? n : 10 * _rounded(n / 10); }
  function setKeeper(address to) external onlyOwner { // FINDING
    count += 1;
    emit KeeperSet(to);
  }
  function add(uint256 by) external { // FINDING
    emit Counted(by);
  }
  function due() external view returns (uint256) { return block.timestamp + period + count; }
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  mapping(address => uint256) held;
  address immutable bridge = msg.sender;
  bool open = true;
  function mint(address to, uint256 amount) external { require(msg.sender == bridge); held[to] += amount; }
  function burn(address from, uint256 amount) external { // FINDING
    require(msg.sender == bridge);
  }
  // nothing says what these are for
  function leave(uint256 amount) external { require(open); }
  function forget(uint256 amount) public virtual {}
}`,
    ],
    safe: [
      // What is told is not kept, or kept elsewhere.
      `pragma solidity ^0.8.20;
contract Books {
  address immutable owner = msg.sender;
  uint256 public constant UNIT = 1e18;
  int64 public offset;
  bytes32 public tag;
  uint256 public count;
  event Noted(uint256 amount);
  event Sent(address to);
  event Tagged(bytes32 what);
  constructor(bytes32 t, int64 o) { tag = t; offset = o; }
  function note(uint256 amount) external { require(msg.sender == owner); count += 1; emit Noted(amount); }
  function send(address to) external { require(msg.sender == owner); count += 1; emit Sent(to); }
  function label(bytes32 what) external { require(msg.sender == owner); count += 1; emit Tagged(what); }
}
contract Rates {
  address immutable owner = msg.sender;
  uint256 public first;
  uint256 public count;
  event Raised(uint256 by);
  event Bumped(uint256 count);
  constructor(uint256 f) { first = f; }
  function raise(uint256 by) external { require(msg.sender == owner); count += by; emit Raised(by); }
  function bump(uint256) external { require(msg.sender == owner); count += 1; emit Bumped(count); }
  function skip(uint256 by) external { require(msg.sender == owner); count += 1; emit Bumped(count); }
  function quiet(uint256 by) external { require(msg.sender == owner); count += 1; }
}`,
      // Others do it: in assembly, in code that is chosen later, made here, or behind a function of a library.
      `pragma solidity ^0.8.20;
contract Child { constructor(uint256 n) { } }
library Slots {
  function put(uint256 to) internal { assembly { sstore(0, to) } }
}
contract Desk {
  address immutable owner = msg.sender;
  event Told(uint256 to);
  function put(uint256 to) external { require(msg.sender == owner); Slots.put(to); emit Told(to); }
  function make(uint256 to) external { require(msg.sender == owner); new Child(to); emit Told(to); }
  function use(uint256 to) external { require(msg.sender == owner); _run(_put, to); emit Told(to); }
  function hand(address code, uint256 to) external {
    require(msg.sender == owner);
    (bool done, ) = code.delegatecall(abi.encode(to));
    require(done);
    emit Told(to);
  }
  function _run(function(uint256) internal step, uint256 to) private { step(to); }
  function _put(uint256 to) private { Slots.put(to); }
  function pass(uint256 to) external { require(msg.sender == owner); assembly { tstore(0, to) } emit Told(to); }
  fallback() external { emit Told(0); }
  function never(uint256 to) external { require(msg.sender == owner); emit Told(to); revert("closed"); }
}`,
      `pragma solidity ^0.8.20;
import "./Missing.sol";
interface IHook { function told(uint256 amount) external; function asked(uint256 amount) external view; }
library Notes { function write(uint256 to) internal { emit Noted(to); } event Noted(uint256 to); }
contract Steps is IHook {
  address owner = msg.sender;
  uint256 public step;
  IHook hook;
  event Stepped(uint256 to, bytes32 note);
  function told(uint256 amount) external override {}
  function asked(uint256 amount) external view override { require(amount > step); }
  function go(uint256 to, bytes32 note) external { require(msg.sender == owner); step = to; emit Stepped(to, note); }
  function tell(uint256 to) external { hook.told(to); emit Stepped(to, ""); }
  function pay(uint256 to) external payable { emit Stepped(to, ""); }
  function run(uint256 to) external { assembly { sstore(to, 1) } emit Stepped(to, ""); }
  function refuse(uint256) external pure { revert(); }
  function beat() external {}
  function _each(uint256 to) internal virtual {}
}
abstract contract Base {
  function onEnd(uint256 amount) external virtual {}
}
contract Heir is Base {
  uint256 total;
  function onEnd(uint256 amount) external override { total = amount; }
}
contract Token is Missing {
  event Burned(uint256 amount);
  function burn(uint256 amount) external { _burn(msg.sender, amount); emit Burned(amount); }
  function burnAll(uint256 amount) external onlyHolder { _inner(amount); }
  function _inner(uint256 amount) internal { _burn(msg.sender, amount); }
  function flush(uint256 amount) external flushing { emit Burned(amount); }
}`,
      `pragma solidity ^0.8.20;
contract Log {
  address owner = msg.sender;
  uint256 public rate;
  uint256 public last;
  event RateSet(uint256 to, uint256 block_);
  event Said(string what);
  constructor(uint256 r) { rate = r; }
  function set(uint256 to) external { require(msg.sender == owner); _set(to); emit RateSet(to, block.number); }
  function _set(uint256 to) private { rate = to; }
  function say(string calldata what) external { require(msg.sender == owner); last = block.number; emit Said(what); }
}`,
      `pragma solidity ^0.8.20;
contract Front {
  address immutable module = msg.sender;
  function pass(bytes memory data, bytes32 topic) external {
    require(msg.sender == module);
    assembly { log1(add(data, 32), mload(data), topic) }
  }
}`,
    ],
  },
}

interface Idle {
  /** Whether an event says that something happens. */
  readonly isAnnounced: boolean
  readonly message: string
}

const doesNothing = (flow: Flow): Idle | undefined => {
  const { fn } = flow
  const announced = flow.calls().find(({ callKind }) => callKind === "event")
  // Assembly passes on the event of another contract.
  if (announced !== undefined && announced.call === undefined) return undefined
  const isRestricted = flow.isRestricted(flow.exit)
  if (announced !== undefined)
    return { isAnnounced: isRestricted, message: `\`${fn.name}\` emits \`${announced.name}\` but changes nothing.` }
  return isRestricted
    ? { isAnnounced: false, message: `\`${fn.name}\` checks who calls it and then does nothing.` }
    : undefined
}

/** A function that only some may call tells its caller's word to the outside, and does something else. */
const onlyReports = (flow: Flow): Idle | undefined => {
  const { fn, program } = flow
  if (!isSetter(flow)) return undefined
  const told = fn.parameters.find(
    (parameter) =>
      isSetting(parameter) &&
      isReported(program, fn, parameter) &&
      isIdle(program, fn, parameter) &&
      isKept(flow, parameter),
  )
  return told === undefined || !flow.isRestricted(flow.exit)
    ? undefined
    : { isAnnounced: true, message: `\`${told.name}\` appears only in the event and is never stored.` }
}

/**
 * Whether it stores what it is given, apart from what others do for it. A payment, or a message that is carried out,
 * tells more than it needs: where it came from.
 */
const isSetter = (flow: Flow): boolean =>
  flow.externalCalls.every(({ event, via }) => event.isStatic || via.length > 0) &&
  flow.writes.every(
    ({ event, via, at }) =>
      via.length > 0 ||
      event.value === undefined ||
      (flow.origins(event.value, at).sources & (Source.state | Source.external)) === 0,
  )

/** Whether what it takes could be a value that only the constructor sets, although it is not immutable. */
const isKept = ({ program, fn }: Flow, { type }: LocalVariable): boolean =>
  fn.contract!.linearization.some(({ stateVariables }) =>
    stateVariables.some(
      (variable) =>
        !variable.constant &&
        !variable.immutable &&
        abiName(type) === abiName(variable.type) &&
        !changeable(program).has(variable),
    ),
  )

/** Text and hashes are often only for others to read. */
const isSetting = ({ type }: LocalVariable): boolean =>
  ["integer", "address", "contract", "bool", "enum"].includes(type.kind)

/** What is written after construction. */
const changeable = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const writers = program.allFlows().filter(({ fn }) => fn.role !== "constructor")
  return new Set(
    writers.flatMap(({ writes }) => writes.flatMap(({ place }) => place?.variables.map(declaredWhole) ?? [])),
  )
})

/** Whether it, and everything that it calls, leaves the state as it is; code without source may change it. */
const isIdleFunction = (flow: Flow): boolean =>
  flow.isReachable(flow.exit) &&
  flow.writes.length === 0 &&
  flow.externalCalls.every(({ event }) => event.isStatic) &&
  fullyRead(flow.program).has(flow.fn)

const unseen = new Set<CallSite["callKind"]>(["unknown", "pointer"])

/** Functions whose modifiers and calls all have their source here, as have those of what they call. */
const fullyRead = oncePer((program: Program): ReadonlySet<FunctionModel> => {
  const read = new Set<FunctionModel>()
  for (const group of program.graph.groups) {
    const members = new Set(group)
    const isRead = (fn: FunctionModel): boolean =>
      fn.modifiers.every(({ modifier }) => modifier !== undefined) &&
      program
        .flow(fn)
        .calls()
        .every(({ callKind, target }) =>
          callKind === "internal" || callKind === "library"
            ? target !== undefined && (read.has(target) || members.has(target))
            : !unseen.has(callKind),
        )
    if (group.every(isRead)) for (const fn of group) read.add(fn)
  }
  return read
})
