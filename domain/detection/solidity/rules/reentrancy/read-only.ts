import type { Rule } from "../../../Rule.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import { toggles } from "../../demands/toggles.ts"
import { canReenter } from "../../flow/events/outgoingCalls.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { StateVariable } from "../../model.ts"
import { Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { callSteps, ownCall, placeOf } from "../../questions/authority/attackerControl.ts"
import { callsStranger } from "../../access/checks/trustedCallee.ts"
import { handsOutEther, isSettledCallee, mayReenter } from "../../questions/authority/callOut.ts"

export const readOnlyReentrancy: Rule<Program> = {
  meta: {
    id: "evm/reentrancy/read-only",
    class: "reentrancy-read-only",
    title: "Read-only reentrancy",
    // whoever relies on the result is harmed
    severity: "medium",
    confidence: "medium",
    cwe: [841],
    swc: 107,
    description:
      "The function holds a reentrancy lock, but it makes an external call between two updates that belong " +
      "together, and a public view function computes its result from both. During the call, an attacker makes a " +
      "third contract (a lender, a vault) read that view function: it sees half of the change, a share price " +
      "far from the true one, and lends or redeems based on it. Users of pools that served as price oracles " +
      "have lost tens of millions this way.",
    remediation:
      "Finish all updates before the call. If that is impossible, make the view functions revert while the lock " +
      "is held, and tell integrators how to check it.",
    references: [
      "https://chainsecurity.com/curve-lp-oracle-manipulation-post-mortem/",
      "https://swcregistry.io/docs/SWC-107",
    ],
  },
  check: (program, report) => {
    const views = viewReaders(program)
    for (const flow of program.allFlows()) {
      if (!mayReenter(flow)) continue
      for (const call of flow.externalCalls) {
        if (
          !canReenter(call.event) ||
          isShortOfGas(call.event) ||
          !flow.isLocked(call.at) ||
          flow.isRestricted(call.at)
        )
          continue
        const pays = handsOutEther(program, call)
        if (pays ? isSettledCallee(flow, call) : !callsStranger(flow, call)) continue
        const found = halfSeen(flow, call, views, pays)
        if (found === undefined) continue
        const { write, variable, view } = found
        report({
          ...placeOf(ownCall(call)),
          scope: flow.fn.scope,
          message: `\`${view.fn.scope}\` reads \`${variable.name}\`, which is written only after this call.`,
          // Without ether, whether the callee hands on control, and whether the halves differ by then, is not known.
          ...(pays ? {} : { severity: "low" as const }),
          trace: [
            ...callSteps(call.via),
            { ...placeOf(call.event), note: "another contract runs" },
            {
              file: view.fn.source.file,
              span: view.fn.node.nameSpan,
              note: "computes its result from half of the change",
            },
            { ...placeOf(write.event), note: `\`${variable.name}\` is written afterwards` },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Pool {
  uint256 supply;
  mapping(address => uint256) shares;
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  function add() external payable lock { shares[msg.sender] += msg.value; supply += msg.value; }
  function price() external view returns (uint256) { return address(this).balance * 1e18 / supply; }
  function remove(uint256 amount) external lock {
    shares[msg.sender] -= amount;
    (bool ok, ) = msg.sender.call{value: amount * address(this).balance / supply}(""); // FINDING
    require(ok);
    supply -= amount;
  }
}`,
      `pragma solidity ^0.8.20;
contract Pool {
  uint256 assets;
  uint256 supply;
  uint256 status = 1;
  modifier lock() { require(status == 1); status = 2; _; status = 1; }
  function add() external payable lock { assets += msg.value; supply += msg.value; }
  function rate() public view returns (uint256) { return assets * 1e18 / supply; }
  function remove(uint256 amount) external lock {
    assets -= amount;
    _pay(msg.sender, amount);
    supply -= amount;
  }
  function _pay(address to, uint256 amount) private {
    (bool ok, ) = to.call{value: amount}(""); // FINDING
    require(ok);
  }
}`,
    ],
    safe: [
      // The receiver has too little gas to run another protocol.
      `pragma solidity ^0.8.20;
contract Auction {
  uint256 assets;
  uint256 supply;
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  function rate() external view returns (uint256) { return assets * 1e18 / supply; }
  function leave(uint256 a) external lock {
    assets -= a;
    (bool ok, ) = msg.sender.call{value: a, gas: 30_000}("");
    require(ok);
    supply -= a;
  }
}`,
      // The lock is lifted for a last call only, in a part that other functions lock.
      `pragma solidity ^0.8.20;
interface IClient { function served() external; }
contract Pool {
  bool idle = true;
  uint256 supply;
  mapping(address => uint256) shares;
  modifier alone() { require(idle); idle = false; _; idle = true; }
  function add() external payable alone { shares[msg.sender] += msg.value; supply += msg.value; }
  function remove(IClient client) external alone { leave(client); }
  function leave(IClient client) private {
    uint256 amount = shares[msg.sender];
    shares[msg.sender] = 0;
    supply -= amount;
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
    idle = true;
    client.served();
    idle = false;
  }
  function part(address who) external view returns (uint256) {
    require(idle);
    return shares[who] * 1e18 / supply;
  }
}`,
      `pragma solidity ^0.8.20;
contract Pool {
  uint256 assets;
  uint256 supply;
  uint256 status = 1;
  modifier lock() { require(status == 1); status = 2; _; status = 1; }
  function rate() public view returns (uint256) { return assets * 1e18 / supply; }
  function remove(uint256 amount) external lock {
    assets -= amount;
    supply -= amount;
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
contract Pool {
  uint256 assets;
  uint256 public supply;
  uint256 public last;
  uint256 status = 1;
  modifier lock() { require(status == 1); status = 2; _; status = 1; }
  function rate() public view returns (uint256) { require(status == 1, "busy"); return assets * 1e18 / supply; }
  function remove(uint256 amount) external lock {
    assets -= amount;
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
    supply -= amount;
    last = block.timestamp;
  }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function left() external; }
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Pool {
  uint256 supply;
  uint256 fee;
  uint256 last;
  address boss = msg.sender;
  address payable immutable treasury = payable(msg.sender);
  IToken immutable token;
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  constructor(IToken t) { token = t; }
  function price() external view returns (uint256) { return address(this).balance * 1e18 / supply; }
  function viaTransfer(uint256 a) external lock { payable(msg.sender).transfer(a); supply -= a; }
  function asBoss(uint256 a) external lock {
    require(msg.sender == boss);
    (bool ok, ) = msg.sender.call{value: a}("");
    require(ok);
    supply -= a;
  }
  function collect(uint256 a) external lock { (bool ok, ) = treasury.call{value: a}(""); require(ok); supply -= a; }
  function told(IHook hook, uint256 a) external lock { hook.left(); supply -= a; }
  function inTokens(uint256 a) external lock { token.transfer(msg.sender, a); supply -= a; }
  function early(uint256 a) external lock {
    if (a > fee) supply -= a;
    (bool ok, ) = msg.sender.call{value: a}("");
    require(ok);
  }
  function twice(uint256 a) external lock {
    supply -= a;
    (bool ok, ) = msg.sender.call{value: a}("");
    require(ok);
    supply -= fee;
  }
  function unused(uint256 a) private lock { (bool ok, ) = msg.sender.call{value: a}(""); require(ok); supply -= a; }
}
contract Unlocked {
  uint256 supply;
  function price() external view returns (uint256) { return address(this).balance * 1e18 / supply; }
  function leave(uint256 a) external { (bool ok, ) = msg.sender.call{value: a}(""); require(ok); supply -= a; }
}`,
      `pragma solidity ^0.8.20;
contract Pool {
  uint256 assets;
  uint256 supply;
  uint256 scale = 1e18;
  uint256 last;
  bool busy;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  function total() external view returns (uint256) { return supply; }
  function scaled() external view returns (uint256) { return supply * scale; }
  function poke() external returns (uint256) { last = assets / supply; return last; }
  function rate() private view returns (uint256) { return assets / supply; }
  function leave(uint256 a) external lock {
    assets -= a;
    (bool ok, ) = msg.sender.call{value: a}("");
    require(ok);
    supply -= a;
  }
}`,
      // A contract that the owner named runs before the write.
      `pragma solidity ^0.8.20;
interface IHook { function update(address who) external returns (bool); }
contract Vault {
  address owner = msg.sender;
  IHook public hook;
  bool private busy;
  uint256 public total;
  uint256 public supply;
  modifier locked() { require(!busy); busy = true; _; busy = false; }
  function setHook(IHook to) external { require(msg.sender == owner); hook = to; }
  function rate() external view returns (uint256) { return total * 1e18 / supply; }
  function put() external payable locked {
    total += msg.value;
    hook.update(msg.sender);
    supply += msg.value;
  }
}`,
    ],
  },
}

/** Less gas than it takes to run another protocol that reads the view, and stores what follows from it. */
const leastGas = 100_000

const isShortOfGas = ({ gas }: CallSite): boolean =>
  gas !== undefined &&
  (gas.kind === "Literal" || gas.kind === "YulLiteral") &&
  Number(gas.value.replaceAll("_", "")) < leastGas

interface HalfSeen {
  readonly write: Reached<StorageAccess>
  readonly variable: StateVariable
  readonly view: Flow
}

/**
 * What is written after the call and read by a view together with something changed before it (state, or the ether
 * sent).
 */
const halfSeen = (
  flow: Flow,
  call: Reached<CallSite>,
  views: ReadonlyMap<StateVariable, ReadonlyArray<Flow>>,
  pays: boolean,
): HalfSeen | undefined => {
  const locks = toggles(flow.program).all
  const changed = new Set(
    flow.writes
      .filter((w) => w.at !== call.at && flow.dominates(w.at, call.at))
      .flatMap((w) => w.place?.variables ?? []),
  )
  for (const write of flow.writes) {
    if (!flow.follows(call, write)) continue
    for (const variable of write.place?.variables ?? []) {
      if (changed.has(variable)) continue
      const view = views
        .get(variable)
        ?.find(
          (candidate) =>
            candidate.context === flow.context &&
            candidate.reads.every(({ place }) => place?.variables.some((v) => locks.has(v)) !== true) &&
            ((pays && readsBalance(candidate)) ||
              candidate.reads.some(({ place }) => place?.variables.some((v) => changed.has(v)) === true)),
        )
      if (view !== undefined) return { write, variable, view }
    }
  }
  return undefined
}

const readsBalance = (flow: Flow): boolean =>
  flow.summary.results.some(({ sources }) => (sources & (Source.balance | Source.tokenBalance)) !== 0)

/** Public view functions that compute: for each variable, those that read it along with something else. */
const viewReaders = (program: Program): ReadonlyMap<StateVariable, ReadonlyArray<Flow>> => {
  const views = new Map<StateVariable, Array<Flow>>()
  for (const flow of program.allFlows()) {
    if (flow.fn.mutability !== "view" || !program.graph.isEntryPoint(flow.fn)) continue
    for (const variable of new Set(flow.reads.flatMap(({ place }) => place?.variables ?? []))) {
      const known = views.get(variable)
      if (known === undefined) views.set(variable, [flow])
      else known.push(flow)
    }
  }
  return views
}
