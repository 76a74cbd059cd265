import type { Rule } from "../../../Rule.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import { isZero } from "../../flow/values/isZero.ts"
import { canReenter } from "../../flow/events/outgoingCalls.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { callSteps, ownCall, placeOf } from "../../questions/authority/attackerControl.ts"
import { callsStranger, isTrustedCallee } from "../../access/checks/trustedCallee.ts"
import { handsOutEther, isHeld, mayReenter, readsOf, staleWrite } from "../../questions/authority/callOut.ts"

export const crossFunctionReentrancy: Rule<Program> = {
  meta: {
    id: "evm/reentrancy/cross-function",
    class: "reentrancy-cross-function",
    title: "Cross-function reentrancy",
    severity: "high",
    // whether the second function is exploitable at that moment is for a person to judge
    confidence: "medium",
    cwe: [841],
    swc: 107,
    description:
      "The function makes an external call and updates state afterwards. It is protected against reentrancy " +
      "itself, but another public function that reads and writes the same state has no lock. During the call, " +
      "an attacker enters that function, which still sees the old state: they transfer a balance that is about " +
      "to be cleared, or withdraw what was just withdrawn.",
    remediation:
      "Update all state before the call. Put the same reentrancy lock on every function that reads or writes " +
      "this state, not only on the one that makes the call.",
    references: [
      "https://swcregistry.io/docs/SWC-107",
      "https://consensys.github.io/smart-contract-best-practices/attacks/reentrancy/#cross-function-reentrancy",
    ],
  },
  check: (program, report) => {
    const users = openUsers(program)
    for (const flow of program.allFlows()) {
      if (!mayReenter(flow)) continue
      const used = usedWrites(flow, users)
      if (used.length === 0) continue
      for (const call of flow.externalCalls) {
        if (!canReenter(call.event) || flow.isRestricted(call.at)) continue
        const ether = handsOutEther(program, call)
        if (!ether && !callsStranger(flow, call)) continue
        const locked = isHeld(flow, call)
        // a function that can reenter itself is plain reentrancy
        if (!locked && staleWrite(flow, call) !== undefined) continue
        const found = laterWrite(flow, call, used, locked)
        if (found === undefined) continue
        const { write, variable, user } = found
        report({
          ...placeOf(ownCall(call)),
          scope: flow.fn.scope,
          message: `\`${variable.name}\` is written after this call, and \`${user.fn.scope}\` uses it without a lock.`,
          // what a stranger's contract gains without ether depends on what it is asked for
          ...(ether ? {} : { severity: "medium" as const }),
          ...(isTrustedCallee(flow, call) ? { severity: "low" as const } : {}),
          trace: [
            ...callSteps(call.via),
            { ...placeOf(call.event), note: "another contract runs and can call back" },
            {
              file: user.fn.source.file,
              span: user.fn.node.nameSpan,
              note: `still sees the old value of \`${variable.name}\``,
            },
            { ...placeOf(write.event), note: `\`${variable.name}\` is written afterwards` },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      // A contract that the deployer chose could call back, too.
      `pragma solidity ^0.8.20;
interface ICourt { function open() external payable returns (uint256); }
contract Evidence {
  ICourt immutable court;
  uint256 public due = 5;
  bool private busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  constructor(ICourt c) { court = c; }
  function dispute() external payable lock {
    require(due > 0);
    court.open{value: 1}(); // FINDING
    due = 0;
  }
  function settle() external { require(due > 0); due = 0; }
}`,
      // What an heir adds does not take the place of what the contract itself does.
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) balances;
  bool busy;
  modifier single() { require(!busy, "busy"); busy = true; _; busy = false; }
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function spend(uint256 amount) external {
    require(balances[msg.sender] >= amount);
    balances[msg.sender] -= amount;
  }
  function withdraw() external single {
    uint256 amount = balances[msg.sender];
    (bool ok, ) = msg.sender.call{value: amount}(""); // FINDING
    require(ok);
    balances[msg.sender] = 0;
  }
}
contract Branch is Bank {
  function burn(uint256 amount) external {
    require(balances[msg.sender] >= amount);
    balances[msg.sender] -= amount;
  }
}`,
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) balances;
  bool busy;
  modifier single() { require(!busy, "busy"); busy = true; _; busy = false; }
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function give(address to, uint256 amount) external {
    require(balances[msg.sender] >= amount);
    balances[msg.sender] -= amount;
    balances[to] += amount;
  }
  function withdraw() external single {
    uint256 amount = balances[msg.sender];
    (bool ok, ) = msg.sender.call{value: amount}(""); // FINDING
    require(ok);
    balances[msg.sender] = 0;
  }
}`,
      `pragma solidity ^0.4.24;
contract Rewards {
  mapping(address => uint) rewards;
  mapping(address => bool) claimed;
  function pay(address to, uint amount) private { require(to.call.value(amount)()); // FINDING
  }
  function bonus(address to) public {
    require(!claimed[to]);
    rewards[to] += 100;
    claimed[to] = true;
    uint amount = rewards[to];
    pay(to, amount);
    rewards[to] = 0;
  }
  function give(address to) public {
    uint amount = rewards[msg.sender];
    rewards[to] += amount;
    rewards[msg.sender] = 0;
  }
}`,
      // Replaced, lowered or cleared while the payment is under way.
      `pragma solidity ^0.8.20;
abstract contract Book {
  mapping(address => uint256) owed;
  mapping(address => uint256) held;
  mapping(address => uint256) left;
  function move(address to) external { owed[to] = owed[msg.sender]; owed[msg.sender] = 0; }
  function lower(uint256 amount) external { held[msg.sender] = held[msg.sender] - amount; }
  function merge(address with) external { owed[msg.sender] = held[with] + left[with]; }
  function swap(address with) external { uint256 mine = left[msg.sender]; left[msg.sender] = left[with]; left[with] = mine; }
}
contract Shares {
  mapping(address => uint256) shares;
  mapping(address => uint256) parts;
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  receive() external payable {}
  function cut(bool all, uint256 more) external {
    uint256 sum;
    if (!all) sum = shares[msg.sender] + more;
    shares[msg.sender] = sum;
  }
  function clip(bool all, uint256 more) external {
    uint256 sum = parts[msg.sender] + more;
    if (all) sum = 0;
    parts[msg.sender] = sum;
  }
  function take() external lock {
    (bool ok, ) = msg.sender.call{value: shares[msg.sender]}(""); // FINDING
    require(ok);
    shares[msg.sender] = 0;
  }
  function takeParts() external lock {
    (bool ok, ) = msg.sender.call{value: parts[msg.sender]}(""); // FINDING
    require(ok);
    parts[msg.sender] = 0;
  }
}
contract Bank is Book {
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  receive() external payable {}
  function take() external lock {
    (bool ok, ) = msg.sender.call{value: owed[msg.sender]}(""); // FINDING
    require(ok);
    owed[msg.sender] = 0;
  }
  function takeHeld() external lock {
    (bool ok, ) = msg.sender.call{value: held[msg.sender]}(""); // FINDING
    require(ok);
    held[msg.sender] = 0;
  }
  function takeLeft() external lock {
    (bool ok, ) = msg.sender.call{value: left[msg.sender]}(""); // FINDING
    require(ok);
    left[msg.sender] = 0;
  }
}`,
      `pragma solidity ^0.8.20;
contract Jar {
  mapping(address => uint256) public credit;
  mapping(address => uint256) public bonus;
  function put() external payable { credit[msg.sender] += msg.value; }
  function close() external {
    uint256 amount = credit[msg.sender];
    credit[msg.sender] = amount / 2;
    (bool ok, ) = msg.sender.call{value: amount / 2}(""); // FINDING
    require(ok);
    delete credit[msg.sender];
  }
  function take(uint256 amount) external {
    require(credit[msg.sender] >= amount);
    credit[msg.sender] -= amount;
    payable(msg.sender).transfer(amount);
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Vault {
  mapping(address => uint256) balances;
  bool busy;
  modifier single() { require(!busy, "busy"); busy = true; _; busy = false; }
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function give(address to, uint256 amount) external { _give(to, amount); }
  function _give(address to, uint256 amount) private single {
    require(balances[msg.sender] >= amount);
    balances[msg.sender] -= amount;
    balances[to] += amount;
  }
  function withdraw() external single {
    uint256 amount = balances[msg.sender];
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
    balances[msg.sender] = 0;
  }
}`,
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) balances;
  bool busy;
  modifier single() { require(!busy, "busy"); busy = true; _; busy = false; }
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function give(address to, uint256 amount) external single {
    require(balances[msg.sender] >= amount);
    balances[msg.sender] -= amount;
    balances[to] += amount;
  }
  function withdraw() external single {
    uint256 amount = balances[msg.sender];
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
    balances[msg.sender] = 0;
  }
}`,
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) balances;
  uint256 paid;
  address boss = msg.sender;
  bool busy;
  modifier single() { require(!busy, "busy"); busy = true; _; busy = false; }
  function fix(address who, uint256 to) external { require(msg.sender == boss); balances[who] -= to; }
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function withdraw() external single {
    uint256 amount = balances[msg.sender];
    balances[msg.sender] = 0;
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
    paid = paid + amount;
  }
}`,
      // What is used meanwhile is only added to, or is not this contract's.
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) owed;
  mapping(address => uint256) bonus;
  mapping(address => uint256) seats;
  mapping(address => uint256) turns;
  address immutable head = msg.sender;
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  receive() external payable {}
  function take() external lock {
    uint256 amount = owed[msg.sender] + bonus[msg.sender];
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
    owed[msg.sender] = 0;
    bonus[msg.sender] = 0;
  }
  function add(address to, uint256 amount) external { require(owed[to] > 0); owed[to] += amount; }
  function give(address to, uint256 amount) external { uint256 sum = bonus[to] + amount; bonus[to] = sum; }
}
contract Fund {
  mapping(address => uint256) owed;
  address immutable head = msg.sender;
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  receive() external payable {}
  function takeByHead(address to) external lock {
    require(msg.sender == head);
    (bool ok, ) = to.call{value: owed[to]}("");
    require(ok);
    owed[to] = 0;
  }
  function move(address to, uint256 amount) external { owed[msg.sender] -= amount; owed[to] += amount; }
}
interface IHook { function run() external; }
contract Told {
  mapping(address => uint256) owed;
  IHook immutable hook;
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  constructor(IHook h) { hook = h; }
  function take() external lock { require(owed[msg.sender] > 0); hook.run(); owed[msg.sender] = 0; }
  function move(address to, uint256 amount) external { owed[msg.sender] -= amount; owed[to] += amount; }
}
abstract contract Ledger {
  mapping(address => uint256) owed;
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  receive() external payable {}
  function _move(address from, address to, uint256 amount) internal { owed[from] -= amount; owed[to] += amount; }
}
contract Pays is Ledger {
  function take() external lock {
    (bool ok, ) = msg.sender.call{value: owed[msg.sender]}("");
    require(ok);
    owed[msg.sender] = 0;
  }
  function move(address to, uint256 amount) external lock { _move(msg.sender, to, amount); }
}
contract Moves is Ledger {
  function move(address to, uint256 amount) external { owed[msg.sender] -= amount; owed[to] += amount; }
}
contract Steps {
  uint256 step;
  uint256 last;
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  receive() external payable {}
  function pay(address to) external lock {
    require(step > 0);
    (bool ok, ) = to.call{value: 1}("");
    require(ok);
    step = 0;
  }
  function next() external { last = step; step++; }
}`,
      // Each item is cleared before its payment, in whatever round; the other function is a part of the first one.
      `pragma solidity ^0.8.20;
contract Payroll {
  mapping(address => uint256) public due;
  function put(address to) external payable { due[to] += msg.value; }
  function payAll(address[] calldata to) external {
    for (uint256 i = 0; i < to.length; i++) {
      uint256 amount = due[to[i]];
      due[to[i]] = 0;
      (bool ok, ) = to[i].call{value: amount}("");
      require(ok);
    }
  }
  function give(address to, uint256 amount) external {
    require(due[msg.sender] >= amount);
    due[msg.sender] -= amount;
    due[to] += amount;
  }
}
contract Jar {
  mapping(address => uint256) public credit;
  function put() external payable { credit[msg.sender] += msg.value; }
  function take(uint256 amount) external {
    _lower(amount);
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
    delete credit[msg.sender];
  }
  function _lower(uint256 amount) private {
    require(credit[msg.sender] >= amount);
    credit[msg.sender] -= amount;
  }
}`,
    ],
  },
}

/** Limit: writes after one call that are examined closely. */
const writeLimit = 50

interface User {
  readonly flow: Flow
  /** Its position in the program. */
  readonly order: number
}

/** By the contract that a function is written in. */
type Users = ReadonlyMap<ContractModel, ReadonlyArray<User>>

interface Later {
  readonly write: Reached<StorageAccess>
  readonly variable: StateVariable
  readonly user: Flow
}

const laterWrite = (
  flow: Flow,
  call: Reached<CallSite>,
  used: ReadonlyArray<Later>,
  locked: boolean,
): Later | undefined => {
  let looked = 0
  for (const later of used) {
    const { write, variable } = later
    if (!flow.follows(call, write)) continue
    // a function without a lock that changed the state before the call, and clears it afterwards
    if (!locked && (!clears(write.event) || flow.reaches(write.at, call.at))) continue
    if (++looked > writeLimit) return undefined
    if (locked === flow.changedBeforeCall(call, variable) || !spends(flow.program, write.event)) continue
    // nothing was decided by it yet: the other function might as well have run before
    if (!readBefore(flow, call, variable)) continue
    if (!flow.recheckedBefore(write, call, variable)) return later
  }
  return undefined
}

/** The writes of a function to what other functions of the contract use. */
const usedWrites = (flow: Flow, users: ReadonlyMap<StateVariable, Users>): ReadonlyArray<Later> => {
  const known = new Map<StateVariable, Flow | undefined>()
  const userOf = (variable: StateVariable): Flow | undefined => {
    if (!known.has(variable)) known.set(variable, otherUser(flow, users.get(variable)))
    return known.get(variable)
  }
  return flow.writes.flatMap((write) =>
    (write.place?.variables ?? []).flatMap((variable) => {
      const user = userOf(variable)
      return user === undefined ? [] : [{ write, variable, user }]
    }),
  )
}

/** The first other function of the contract as deployed. */
const otherUser = (flow: Flow, users: Users | undefined): Flow | undefined => {
  let first: User | undefined
  for (const contract of flow.context?.linearization ?? []) {
    const other = users?.get(contract)?.find((user) => user.flow.fn !== flow.fn)
    if (other !== undefined && (first === undefined || other.order < first.order)) first = other
  }
  return first?.flow
}

const readBefore = (flow: Flow, call: Reached<CallSite>, variable: StateVariable): boolean =>
  readsOf(flow).byVariable.get(variable)?.mayPrecede(call) === true

/** For each variable, the functions, open to anyone and without a lock, that read it and then lower or clear it. */
const openUsers = (program: Program): ReadonlyMap<StateVariable, Users> => {
  const users = new Map<StateVariable, Map<ContractModel, Array<User>>>()
  for (const [order, flow] of program.allFlows().entries()) {
    const { contract } = flow.fn
    if (contract === undefined || !program.graph.isEntryPoint(flow.fn)) continue
    const read = new Set(flow.reads.flatMap(({ place }) => place?.variables ?? []))
    for (const write of flow.writes) {
      if (write.event.operation === "increment" || isHeld(flow, write) || flow.isRestricted(write.at)) continue
      if (!spends(program, write.event)) continue
      for (const variable of write.place?.variables ?? []) {
        if (!read.has(variable)) continue
        let byContract = users.get(variable)
        if (byContract === undefined) users.set(variable, (byContract = new Map()))
        const known = byContract.get(contract)
        if (known === undefined) byContract.set(contract, [{ flow, order }])
        else known.push({ flow, order })
      }
    }
  }
  return users
}

const clears = ({ operation, value }: StorageAccess): boolean =>
  operation === "delete" || (operation === "assign" && value !== undefined && isZero(value))

/** `entry.amount = entry.amount + more`, possibly through a local. */
const isSum = (program: Program, value: Expr, at: FlowNode): boolean => {
  const { callable } = at
  const inside = callable.kind === "Function" ? program.flowIfBuilt(callable) : undefined
  if (inside === undefined) return false
  if (value.kind === "Identifier") {
    const local = program.referenceOf(value)
    if (local?.kind !== "LocalVariable") return false
    const { definitions } = inside.values.reaching(local, at)
    const [only] = definitions
    return definitions.length === 1 && only?.value !== undefined && only.at !== at
      ? isSum(program, only.value, only.at)
      : false
  }
  return value.kind === "BinaryOperation" && value.operator === "+"
}

/** Not an addition: those only make what is owed larger. */
const spends = (program: Program, { at, operation, value }: StorageAccess): boolean => {
  if (operation === "assign" && value !== undefined) return !isSum(program, value, at)
  const statement = at.node
  return !(
    statement?.kind === "ExpressionStatement" &&
    statement.expression.kind === "Assignment" &&
    statement.expression.operator === "+="
  )
}
