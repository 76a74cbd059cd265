import type { Rule } from "../../../Rule.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { FunctionModel, LocalVariable, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { isIdle, isReported } from "../../questions/value/idleNumber.ts"
import { abiName } from "../../types.ts"

export const functionWithoutEffect: Rule<Program> = {
  meta: {
    id: "evm/logic/function-without-effect",
    class: "write-after-write",
    title: "Function announces or permits a change but changes nothing",
    severity: "medium",
    confidence: "medium",
    cwe: [563, 710],
    description:
      "The function can change state by its declaration, and it emits an event about what its caller asks for or " +
      "checks who may ask for it, but it neither writes state nor calls anything. The assignment, transfer, mint or " +
      "deletion that it is there for is missing: whoever calls it, or watches the event, believes that a setting has " +
      "changed, that tokens were burned or that a request was canceled.",
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
    require(to > 0);
    emit PeriodSet(to);
  }
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
  function leave(uint256 amount) external { // FINDING
    require(open);
  }
  function forget(uint256 amount) public virtual {} // FINDING
}`,
    ],
    safe: [
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
  const isRestricted = flow.isRestricted(flow.exit)
  if (announced !== undefined)
    return { isAnnounced: isRestricted, message: `${fn.name} emits ${announced.name} and changes nothing.` }
  if (isRestricted) return { isAnnounced: false, message: `${fn.name} checks who calls it and then does nothing.` }
  if (isPrescribed(fn)) return undefined
  if (flow.facts(flow.exit).length > 0)
    return { isAnnounced: false, message: `${fn.name} checks a condition and then does nothing.` }
  return fn.parameters.some(({ name }) => name !== "")
    ? { isAnnounced: false, message: `${fn.name} does nothing with what it is called with.` }
    : undefined
}

/** A function that only some may call tells its caller's word to the outside, and does something else. */
const onlyReports = (flow: Flow): Idle | undefined => {
  const { fn, program } = flow
  if (!flow.calls().some(({ callKind }) => callKind === "event")) return undefined
  const told = fn.parameters.find(
    (parameter) =>
      isSetting(parameter) &&
      isReported(program, fn, parameter) &&
      isIdle(program, fn, parameter) &&
      isKept(flow, parameter),
  )
  return told === undefined || !flow.isRestricted(flow.exit)
    ? undefined
    : { isAnnounced: true, message: `${told.name} is only reported by an event; nothing is set to it.` }
}

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
const isSetting = ({ name, type }: LocalVariable): boolean =>
  name !== "" && ["integer", "address", "contract", "bool", "enum"].includes(type.kind)

const memo = new WeakMap<Program, ReadonlySet<StateVariable>>()

/** What is written after construction. */
const changeable = (program: Program): ReadonlySet<StateVariable> => {
  let found = memo.get(program)
  if (found === undefined) {
    const writers = program.allFlows().filter(({ fn }) => fn.role !== "constructor")
    found = new Set(
      writers.flatMap(({ writes }) => writes.flatMap(({ place }) => place?.variables.map(declaredWhole) ?? [])),
    )
    memo.set(program, found)
  }
  return found
}

/** Whether it, and everything that it calls, leaves the state as it is; code without source may change it. */
const isIdleFunction = (flow: Flow): boolean =>
  flow.isReachable(flow.exit) &&
  flow.writes.length === 0 &&
  flow.externalCalls.every(({ event }) => event.isStatic) &&
  isSeen(flow, new Set())

const unseen = new Set<CallSite["callKind"]>(["unknown", "pointer", "delegatecall", "callcode", "create"])

const isSeen = (flow: Flow, seen: Set<FunctionModel>): boolean => {
  if (seen.has(flow.fn)) return true
  seen.add(flow.fn)
  return (
    flow.fn.modifiers.every(({ modifier, node }) => modifier !== undefined || node.kind !== "ModifierInvocation") &&
    !flow.nodes.some(({ assembly }) => assembly !== undefined) &&
    flow
      .calls()
      .every(({ callKind, target }) =>
        callKind === "internal" || callKind === "library"
          ? target?.implemented === true && isSeen(flow.program.flow(target), seen)
          : !unseen.has(callKind),
      )
  )
}

/** Whether an interface or base prescribes the function, or heirs fill it in: it may be there for that alone. */
const isPrescribed = ({ contract, signature, node }: FunctionModel): boolean =>
  node.override !== undefined ||
  contract!.derived.some(({ functions }) => functions.some((fn) => fn.signature === signature)) ||
  contract!.linearization
    .slice(1)
    .some(
      ({ functions, missingBases }) => missingBases.length > 0 || functions.some((fn) => fn.signature === signature),
    )
