import type { Rule } from "../../../Rule.ts"
import { canReenter } from "../../flow/events/outgoingCalls.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"

export const lockNotFirst: Rule<Program> = {
  meta: {
    id: "evm/reentrancy/lock-not-first",
    class: "reentrancy-guard-order",
    title: "Reentrancy guard is not the first modifier",
    severity: "low",
    confidence: "low",
    cwe: [841, 696],
    swc: 107,
    description:
      "Modifiers run in the order in which they are written. Those before the reentrancy lock run without it: " +
      "an external call in one of them (to a token, an oracle, a hook) can reenter the contract, although the " +
      "function looks protected.",
    remediation: "Put the lock first: `function f() external nonReentrant onlyOwner`.",
    references: ["https://github.com/Cyfrin/aderyn", "https://swcregistry.io/docs/SWC-107"],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!program.graph.isEntryPoint(flow.fn)) continue
      const invocation = lateLock(flow)
      if (invocation === undefined) continue
      report({
        file: flow.fn.source.file,
        span: invocation,
        scope: flow.fn.scope,
        // Harmless as long as the modifiers before it make no calls, which the next change may forget.
        ...(callsBefore(flow, invocation) ? {} : { severity: "informational" as const }),
        message: `\`${invocation.path.join(".")}\` comes after \`${flow.fn.modifiers[0]!.node.path.join(".")}\`.`,
      })
    }
  },
  examples: {
    vulnerable: [
      // What is called once the lock is taken cannot call back.
      `pragma solidity ^0.8.20;
interface IHook { function before(address who) external; }
contract Pool {
  uint256 private entered = 1;
  address keeper = msg.sender;
  uint256 public total;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  modifier byKeeper() { require(msg.sender == keeper); _; }
  modifier hooked() { IHook(keeper).before(msg.sender); _; }
  function renew() external byKeeper lock hooked { total += 1; } // FINDING
}`,
      // What a modifier calls before the lock is taken can call back.
      `pragma solidity ^0.8.20;
interface IHook { function before(address who) external; function allows(address who) external view returns (bool); }
contract Pool {
  uint256 private entered = 1;
  IHook immutable hook;
  uint256 public total;
  constructor(IHook h) { hook = h; }
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  modifier hooked() { hook.before(msg.sender); _; }
  modifier allowed() { require(hook.allows(msg.sender)); _; }
  function collect() external hooked lock { total += 1; } // FINDING
  function give() external allowed lock { total += 1; } // FINDING
}`,
      `pragma solidity ^0.8.20;
contract Pool {
  uint256 private entered = 1;
  address keeper = msg.sender;
  uint256 public total;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  modifier byKeeper() { require(msg.sender == keeper); _; }
  function collect() external byKeeper lock { total += 1; } // FINDING
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
contract Pool is ReentrancyGuard {
  uint256 public total;
  modifier positive(uint256 amount) { require(amount > 0); _; }
  function add(uint256 amount) external positive(amount) nonReentrant { total += amount; } // FINDING
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/Pausable.sol";
import "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
contract Pool is Pausable, ReentrancyGuard {
  uint256 public total;
  function add(uint256 amount) external whenNotPaused nonReentrant { total += amount; } // FINDING
}`,
      `pragma solidity ^0.8.20;
contract Pool {
  bool private busy;
  uint256 public calls;
  uint256 public total;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  modifier counted() { calls += 1; _; }
  function collect() external counted lock { total += 1; } // FINDING
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Pool {
  uint256 private entered = 1;
  address keeper = msg.sender;
  uint256 public total;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  modifier byKeeper() { require(msg.sender == keeper); _; }
  function collect() external lock byKeeper { total += 1; }
}`,
      `pragma solidity ^0.8.20;
contract Pool {
  bool paused;
  address keeper = msg.sender;
  uint256 public total;
  modifier live() { require(!paused); _; }
  modifier byKeeper() { require(msg.sender == keeper); _; }
  function collect() external live byKeeper { total += 1; }
}`,
      `pragma solidity ^0.8.20;
contract Pool {
  bool private busy;
  address keeper = msg.sender;
  uint256 public total;
  modifier lock() { require(!busy); busy = true; _; busy = false; }
  modifier byKeeper() { require(msg.sender == keeper); _; }
  function collect() external { _collect(); }
  function _collect() private byKeeper lock { total += 1; }
}`,
    ],
  },
}

/** Whether a modifier before the lock calls something that can call back. */
const callsBefore = ({ fn, program, context, externalCalls }: Flow, lock: S.ModifierInvocation): boolean => {
  const before = new Set(
    fn.modifiers
      .filter(({ node }) => node.start < lock.start)
      .flatMap(({ modifier }) => (modifier === undefined ? [] : [program.dispatchModifier(modifier, context)])),
  )
  return externalCalls.some(({ event, via: [first] }) => {
    const { callable } = (first ?? event).at
    return callable.kind === "Modifier" && before.has(callable) && canReenter(event)
  })
}

/** The modifier that takes the lock, if it is not the first. */
const lateLock = (flow: Flow): S.ModifierInvocation | undefined => {
  const { fn, program, context } = flow
  const body = flow.nodes.find((node) => node.callable === fn && node.expression !== undefined)
  const lock = body === undefined ? undefined : flow.lockAt(body)
  if (lock === undefined) return undefined
  const index = fn.modifiers.findIndex(({ node, modifier }) => {
    // the interface of OpenZeppelin's guard, if it has no source
    if (modifier === undefined) return node.path.at(-1) === "nonReentrant"
    const active = program.dispatchModifier(modifier, context)
    return (
      lock !== true &&
      flow.writes.some((write) => write.at.callable === active && write.place?.variables.includes(lock) === true)
    )
  })
  return index > 0 ? fn.modifiers[index]!.node : undefined
}
