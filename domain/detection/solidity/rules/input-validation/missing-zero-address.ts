import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { type Fact, sidesOf, relationsIn } from "../../flow/facts/facts.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { ContractModel, FunctionModel, LocalVariable, StateVariable } from "../../model.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { authorities } from "../../questions/authority/authorities.ts"
import { callsInitializer } from "../../questions/deployment/initializer.ts"
import { precedents, settingsOf } from "../../questions/value/settings.ts"

export const missingZeroAddress: Rule<Program> = {
  meta: {
    id: "evm/input-validation/missing-zero-address",
    class: "missing-zero-check",
    title: "Missing zero-address check",
    severity: "low",
    confidence: "medium",
    cwe: [20],
    swc: 123,
    description:
      "The function stores a parameter as the account that holds a privileged role or receives funds, without " +
      "checking that it is not the zero address. A script that omits the argument, or a mistyped call, " +
      "permanently removes the role or burns all later payments.",
    remediation:
      "Add `require(next != address(0), …)`. For roles, prefer a two-step transfer in which the new holder has " +
      "to accept.",
    references: [
      "https://github.com/crytic/slither/wiki/Detector-Documentation#missing-zero-address-validation",
      "https://swcregistry.io/docs/SWC-123",
    ],
  },
  check: (program, report) => {
    const privileged = new Set<StateVariable>(paidState(program))
    // a proposed account has to accept, which the zero address cannot
    for (const { accepts, variable } of authorities(program).values()) if (!accepts) privileged.add(variable)
    const reported = new Set<FunctionModel>()
    let setters: Setters | undefined
    for (const flow of program.allFlows()) {
      for (const { event, place, via, at } of flow.writes) {
        const variable = place?.variables[0]
        if (via.length > 0 || variable === undefined || event.value === undefined) continue
        if (!privileged.has(variable) || !["address", "contract"].includes(variable.type.kind)) continue
        const value = flow.origins(event.value, at)
        if (!only(value, Source.parameter) || reported.has(flow.fn)) continue
        // a setter that anyone can call has a worse problem
        if (!flow.isRestricted(at)) continue
        if (isCompared(flow, at, value.parameters) || comparedByCallers(flow, value.parameters)) continue
        reported.add(flow.fn)
        setters ??= settersIn(program)
        report({
          ...placeOf(event),
          scope: flow.fn.scope,
          message: `\`${variable.name}\` can become the zero address.`,
          ...(isRepairable(setters, variable) ? { severity: "informational" as const } : {}),
        })
      }
    }
    const settings = settingsOf(program, isAccount, ({ withZero }) => withZero)
    const precedentOf = precedents(settings)
    const habits = habitsOf(settings)
    for (const setting of settings) {
      const { flow, event, at, variable, compared } = setting
      if (compared || reported.has(flow.fn)) continue
      if (!(callsInitializer(flow) || flow.onceAt(at) !== undefined || flow.isRestricted(at))) continue
      const precedent = precedentOf(setting)
      if (precedent === undefined) {
        const habit = habits.get(flow.fn.contract!)
        if (habit === undefined || !prevails(habit)) continue
        reported.add(flow.fn)
        report({
          ...placeOf(event),
          scope: flow.fn.scope,
          confidence: "low",
          message: `\`${variable.name}\` can become the zero address; ${habit.checked.length} other accounts that this contract stores cannot.`,
          trace: habit.checked.slice(0, 3).map((each) => ({ ...placeOf(each), note: "an account is checked here" })),
        })
        continue
      }
      reported.add(flow.fn)
      report({
        ...placeOf(event),
        scope: flow.fn.scope,
        message: `\`${variable.name}\` can become the zero address, which \`${precedent.flow.fn.scope}\` prevents.`,
        trace: [{ ...placeOf(precedent.event), note: "the check is here" }],
      })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Vault {
  address public owner = msg.sender;
  uint256 fee;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function hand(address next) external onlyOwner {
    owner = next; // FINDING
  }
  function setFee(uint256 next) external onlyOwner { fee = next; }
}`,
      `pragma solidity ^0.8.20;
contract Sale {
  address payable wallet;
  constructor(address payable to) {
    wallet = to; // FINDING
  }
  function buy() external payable { wallet.transfer(msg.value); }
}`,
      `pragma solidity ^0.8.20;
interface IVault { function deposit() external payable; }
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Splitter {
  IVault vault;
  address treasury;
  constructor(IVault v, address t) {
    vault = v; // FINDING
    treasury = t;
  }
  function forward() external payable { vault.deposit{value: msg.value}(); }
  function collect(IToken token) external { require(token.transfer(treasury, 1)); }
}
contract Collector {
  address treasury;
  constructor(address t) {
    treasury = t; // FINDING
  }
  function collect(IToken token) external { require(token.transfer(treasury, 1)); }
}`,
      `pragma solidity ^0.8.20;
interface IOracle { function price() external view returns (uint256); }
contract Shop {
  address immutable boss = msg.sender;
  IOracle public oracle;
  constructor(IOracle first) {
    oracle = first; // FINDING
  }
  function setOracle(IOracle to) external { require(msg.sender == boss && address(to) != address(0)); oracle = to; }
  function price() external view returns (uint256) { return oracle.price(); }
}
abstract contract Master {
  address immutable boss = msg.sender;
  address public master;
  modifier byBoss() { require(msg.sender == boss); _; }
}
contract First is Master { function setMaster(address to) external byBoss { require(to != address(0)); master = to; } }
contract Second is Master { function setMaster(address to) external byBoss { if (to == address(0)) revert(); master = to; } }
contract Third is Master {
  function setMaster(address to) external byBoss {
    master = to; // FINDING
  }
}`,
      // One function is one finding.
      `pragma solidity ^0.8.20;
contract Fees {
  address owner = msg.sender;
  address feeTo;
  address shareTo;
  function setFeeTo(address to) external { require(msg.sender == owner && to != address(0)); feeTo = to; }
  function setShareTo(address to) external { require(msg.sender == owner && to != address(0)); shareTo = to; }
  function setBoth(address first, address second) external {
    require(msg.sender == owner);
    feeTo = first; // FINDING
    shareTo = second;
  }
  function pay() external payable { payable(feeTo).transfer(msg.value / 2); payable(shareTo).transfer(msg.value / 2); }
}`,
      // Setup leaves out the check, whether it runs once by its own flag or by a modifier.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Router {
  address public owner = msg.sender;
  bool private begun;
  function begin(address first) external {
    require(!begun, "begun");
    begun = true;
    owner = first; // FINDING
  }
  function setOwner(address next) external {
    require(msg.sender == owner, "owner");
    require(next != address(0), "zero");
    owner = next;
  }
}
contract Notes is Initializable {
  address public keeper;
  function initialize(address first) external initializer {
    keeper = first; // FINDING
  }
  function setKeeper(address next) external {
    require(msg.sender == keeper, "keeper");
    require(next != address(0), "zero");
    keeper = next;
  }
}`,
      // The contract checks the other accounts that it stores.
      `pragma solidity ^0.8.20;
contract Parts {
  address immutable boss = msg.sender;
  address a;
  address b;
  address c;
  address d;
  modifier onlyBoss() { require(msg.sender == boss); _; }
  constructor(address first) { require(first != address(0)); a = first; }
  function setB(address to) external onlyBoss { require(to != address(0)); b = to; }
  function setC(address to) external onlyBoss { if (to == address(0)) revert(); c = to; }
  function setD(address to) external onlyBoss {
    d = to; // FINDING
  }
  function all() external view returns (address, address, address, address) { return (a, b, c, d); }
}`,
      // What can be set right again by somebody else, and what cannot.
      `pragma solidity ^0.8.20;
contract Payments {
  address owner;
  address payable fund;
  address payable immutable sink;
  address payable pot;
  address payable late;
  constructor(address payable s, address payable p) {
    sink = s; // FINDING
    pot = p;
    owner = msg.sender;
  }
  modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }
  function give(address to) external onlyOwner {
    owner = to; // FINDING
  }
  function setFund(address payable to) external onlyOwner {
    fund = to; // FINDING
  }
  function setLate(address payable to) external onlyOwner {
    require(late == address(0));
    late = to; // FINDING
  }
  function pay() external payable { fund.transfer(1); sink.transfer(1); pot.transfer(1); late.transfer(1); }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Parts {
  address immutable boss = msg.sender;
  address a;
  address b;
  address c;
  address d;
  modifier onlyBoss() { require(msg.sender == boss); _; }
  constructor(address first) { require(first != address(0)); a = first; }
  function setB(address to) external onlyBoss { require(to != address(0)); b = to; }
  function setC(address to) external onlyBoss { c = to; }
  function setD(address to) external onlyBoss { d = to; }
  function all() external view returns (address, address, address, address) { return (a, b, c, d); }
}`,
      `pragma solidity ^0.8.20;
interface IOracle { function price() external view returns (uint256); }
contract Shop {
  address immutable boss = msg.sender;
  IOracle public oracle;
  IOracle public second;
  constructor(IOracle first) { require(address(first) != address(0)); oracle = first; }
  function setOracle(IOracle to) external { require(msg.sender == boss); _check(address(to)); oracle = to; }
  function setSecond(IOracle to) external { require(msg.sender == boss); second = to; }
  function replace(IOracle to) external { require(msg.sender == boss && to != oracle); oracle = to; }
  function anyone(IOracle to) external { oracle = to; }
  function _check(address to) private pure { require(to != address(0)); }
  function price() external view returns (uint256) { return oracle.price() + second.price(); }
}`,
      `pragma solidity ^0.8.20;
contract Vault {
  address public owner = msg.sender;
  address public pending;
  uint256 fee;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  modifier real(address who) { _real(who); _; }
  function _real(address who) internal pure { if (who == address(0)) revert(); }
  function hand(address next) external onlyOwner real(next) { owner = next; }
  function handTo(address next) external onlyOwner { require(next != address(0) && next != owner); _set(next); }
  function _set(address next) private { owner = next; }
  function setFee(uint256 next) external onlyOwner { fee = next; }
}`,
      `pragma solidity ^0.8.20;
contract Book {
  mapping(address => address) public delegate;
  address public last;
  function choose(address to) external { delegate[msg.sender] = to; last = to; }
}`,
      `pragma solidity ^0.8.0;
contract Steps {
    address owner = msg.sender;
    address pending;
    function propose(address next) external { require(msg.sender == owner); pending = next; }
    function accept() external { require(msg.sender == pending); owner = pending; pending = address(0); }
}`,
      `pragma solidity ^0.8.20;
interface IOracle { function price() external view returns (uint256); }
interface IToken { function approve(address to, uint256 amount) external returns (bool); }
contract Shop {
  struct Config { address note; uint256 fee; }
  address immutable boss = msg.sender;
  IOracle oracle;
  address spender;
  address payable open;
  address payable old;
  Config config;
  mapping(uint256 => address payable) payees;
  modifier byBoss() { require(msg.sender == boss); _; }
  function setOracle(IOracle o) external byBoss { oracle = o; }
  function setSpender(address s) external byBoss { spender = s; }
  function setOpen(address payable o) external { open = o; }
  function setOld(address payable o) private byBoss { old = o; }
  function setNote(address n) external byBoss { config.note = n; }
  function setPayee(uint256 id, address payable p) external byBoss { payees[id] = p; }
  function buy(IToken token, uint256 id) external payable {
    token.approve(spender, oracle.price());
    open.transfer(1);
    old.transfer(1);
    payees[id].transfer(config.fee);
  }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
interface INft {
    function safeTransferFrom(address from, address to, uint256 id, bytes calldata data) external;
}
contract Prizes {
    using SafeERC20 for IERC20;
    IERC20 immutable token;
    INft nft;
    uint256 public prize;
    address payable public sink = payable(msg.sender);
    address immutable owner = msg.sender;

    constructor(IERC20 t) {
        token = t;
    }

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    function setPrize(uint256 id) external onlyOwner {
        prize = id;
    }

    function _setSink(address payable to) private {
        sink = to;
    }

    function _checkedSink(address payable to) private {
        _setSink(to);
    }

    function setSink(address payable to) external onlyOwner {
        require(to != address(0));
        _checkedSink(to);
    }

    function resetSink() external onlyOwner {
        _setSink(payable(msg.sender));
    }

    function give(address to) external onlyOwner {
        nft.safeTransferFrom(address(this), to, prize, "");
        token.safeTransfer(to, 1);
        sink.transfer(1);
    }
}`,
    ],
  },
}

/** The steps that set a variable in functions that can be called again and again. */
type Setters = ReadonlyMap<StateVariable, ReadonlyArray<{ readonly flow: Flow; readonly at: FlowNode }>>

/** Limit: steps that set one variable. */
const setterLimit = 20

const settersIn = (program: Program): Setters => {
  const setters = new Map<StateVariable, Array<{ readonly flow: Flow; readonly at: FlowNode }>>()
  for (const flow of program.allFlows()) {
    if (flow.fn.role === "constructor" || callsInitializer(flow)) continue
    for (const { event, place, at } of flow.writes) {
      const variable = place?.variables[0]
      if (variable === undefined || event.value === undefined || flow.onceAt(at) !== undefined) continue
      const known = setters.get(variable)
      if (known === undefined) setters.set(variable, [{ flow, at }])
      else if (known.length < setterLimit) known.push({ flow, at })
    }
  }
  return setters
}

/** Whether somebody can set another account later: whom a function admits does not depend on this one. */
const isRepairable = (setters: Setters, variable: StateVariable): boolean =>
  (setters.get(variable) ?? []).some(
    ({ flow, at }) =>
      !relationsIn(flow.facts(at)).some((fact) => sidesOf(fact).some((o) => o.state.includes(variable))),
  )

/** How a contract treats the accounts that it stores. */
interface Habit {
  readonly checked: Array<StorageAccess>
  unchecked: number
}

const habitsOf = (settings: ReturnType<typeof settingsOf>): ReadonlyMap<ContractModel, Habit> => {
  const habits = new Map<ContractModel, Habit>()
  for (const { flow, event, checked } of settings) {
    const { contract } = flow.fn
    if (contract === undefined) continue
    let habit = habits.get(contract)
    if (habit === undefined) habits.set(contract, (habit = { checked: [], unchecked: 0 }))
    if (checked) habit.checked.push(event)
    else habit.unchecked++
  }
  return habits
}

/** Accounts that must be checked for each one that is not. */
const checkedForEach = 3

const prevails = ({ checked, unchecked }: Habit): boolean => checked.length >= checkedForEach * unchecked

const isAccount = ({ type }: StateVariable): boolean => type.kind === "address" || type.kind === "contract"

/** State variables to which ether or tokens are sent. */
const paidState = (program: Program): ReadonlyArray<StateVariable> => {
  const found: Array<StateVariable> = []
  for (const flow of program.allFlows()) {
    for (const { receiver, value, callKind, name, args, at } of flow.calls()) {
      const paid = value !== undefined && receiver !== undefined ? [receiver] : []
      const sent = callKind === "external" && /^(safe)?transfer(From)?$/i.test(name) ? args.slice(0, -1) : []
      for (const e of [...paid, ...sent]) {
        found.push(...flow.origins(e, at).state)
      }
    }
  }
  return found
}

/** Any comparison of the parameter counts: with zero, with the current holder, or with an entry of a list. */
const isCompared = (flow: Flow, at: FlowNode, parameters: ReadonlyArray<LocalVariable>): boolean => {
  const concerns = (fact: Fact): boolean =>
    fact.kind === "any"
      ? fact.options.some((option) => option.some(concerns))
      : [fact.left, fact.right].some(
          (side) =>
            side !== undefined && [...side.parameters, ...side.keyParameters].some((p) => parameters.includes(p)),
        )
  return flow.facts(at).some(concerns)
}

/** For an internal function, whether all of its callers have compared the argument, or pass their own value. */
const comparedByCallers = (flow: Flow, parameters: ReadonlyArray<LocalVariable>, depth = 0): boolean => {
  const { graph } = flow.program
  if (flow.fn.role === "constructor" || graph.isEntryPoint(flow.fn) || depth > 4) return false
  return graph.callers(flow.fn).every(({ from, call }) => {
    const caller = flow.program.flow(from)
    const site = caller.siteOf(call.node)
    if (site === undefined) return true
    const passed = parameters.flatMap((p) => {
      const arg = site.args[flow.fn.parameters.indexOf(p)]
      return arg === undefined ? [] : [caller.origins(arg, site.at)]
    })
    return passed.every(
      (o) =>
        !only(o, Source.parameter) ||
        isCompared(caller, site.at, o.parameters) ||
        comparedByCallers(caller, o.parameters, depth + 1),
    )
  })
}
