import type { Rule } from "../../../Rule.ts"
import type { FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"

export const missingSuperCall: Rule<Program> = {
  meta: {
    id: "evm/logic/missing-super-call",
    class: "missing-update",
    title: "Override does not call the base function",
    // it may replace the base function on purpose
    severity: "low",
    confidence: "medium",
    cwe: [573, 840],
    description:
      "The function overrides one that changes state or checks something, but does not call it, although the " +
      "project's other overrides of that function do. What the base contract relies on does not happen: " +
      "balances are not moved, a total is not updated, a limit is not checked.",
    remediation:
      "Call `super.f(…)` in the override. If replacing the base function is intended, say so in a comment and " +
      "suppress the finding.",
    references: ["https://docs.openzeppelin.com/contracts/5.x/extending-contracts#calling-super"],
  },

  check: (program, report) => {
    for (const overrides of overridesOf(program).values()) {
      const silent = overrides.filter(({ callsBase }) => !callsBase)
      const [one, ...others] = silent
      if (one === undefined || others.length > 0 || overrides.length <= callersAtLeast) continue
      const { fn, base } = one
      report({
        file: fn.source.file,
        span: fn.node.nameSpan,
        scope: fn.scope,
        message: `The ${overrides.length - 1} other overrides of \`${fn.name}\` call the overridden function.`,
        trace: [{ file: base.source.file, span: base.node.nameSpan, note: "this is omitted" }],
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
abstract contract Coin {
  mapping(address => uint256) held;
  function _update(address from, address to, uint256 n) internal virtual { held[from] -= n; held[to] += n; }
  function move(address to, uint256 n) external { _update(msg.sender, to, n); }
  function _touch() internal {}
}
abstract contract Capped is Coin {
  function _update(address from, address to, uint256 n) internal virtual override { require(n < 100); super._update(from, to, n); }
}
abstract contract Noted is Coin {
  uint256 count;
  function _update(address from, address to, uint256 n) internal virtual override { count++; super._update(from, to, n); }
}
contract Counted is Coin {
  uint256 sum;
  function _update(address from, address to, uint256 n) internal override { // FINDING
    _touch();
    sum += n;
  }
}
contract Both is Capped, Noted {
  function _update(address from, address to, uint256 n) internal override(Capped, Noted) { super._update(from, to, n); }
}`,
      `pragma solidity ^0.8.20;
contract Owned {
  address owner = msg.sender;
  uint256 level;
  function raise(uint256 to) public virtual { require(msg.sender == owner); level = to; }
}
contract First is Owned { uint256 a; function raise(uint256 to) public override { Owned.raise(to); a = to; } }
contract Second is Owned { uint256 a; function raise(uint256 to) public override { super.raise(to); a = to; } }
contract Third is Owned {
  uint256 a;
  function raise(uint256 to) public override { // FINDING
    require(to > a);
    a = to;
  }
}`,
      `pragma solidity ^0.5.17;
interface IHook { function moved(uint256 n) external; }
contract Told {
  IHook hook;
  function _moved(uint256 n) internal { hook.moved(n); }
}
contract One is Told { uint256 a; function _moved(uint256 n) internal { super._moved(n); a = n; } }
contract Two is Told { uint256 a; function _moved(uint256 n) internal { super._moved(n); a += n; } }
contract Three is Told {
  uint256 a;
  function _moved(uint256 n) internal { // FINDING
    a -= n;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
abstract contract Hooks {
  uint256 sum;
  function _before(uint256 n) internal virtual {}
  function _after(uint256 n) internal virtual { sum += n; }
  function _weigh(uint256 n) internal virtual { sum *= n; }
  function _end(uint256 n) internal virtual { sum -= n; }
  function _mark(uint256 n) internal virtual { sum = n; }
  function run(uint256 n) external { _before(n); _after(n); _weigh(n); _end(n); _mark(n); }
}
contract One is Hooks {
  function _before(uint256 n) internal override { super._before(n); sum = n; }
  function _after(uint256 n) internal override { super._after(n); }
  function _mark(uint256 n) internal override { super._mark(n + 1); }
  function _weigh(uint256 n) internal override { super._weigh(n); }
  function _end(uint256 n) internal override { super._end(n); }
}
contract Two is Hooks {
  function _before(uint256 n) internal override { super._before(n); sum = 2 * n; }
  function _after(uint256 n) internal override { sum -= n; }
  function _mark(uint256 n) internal override { sum = n + 2; }
  function _weigh(uint256 n) internal override { super._weigh(n); sum += 1; }
  function _end(uint256 n) internal override { sum = n; super._end(n); }
}
contract Three is Hooks {
  function _before(uint256 n) internal override { sum = 3 * n; }
  function _after(uint256 n) internal override { sum -= 2 * n; }
}
contract Four is Hooks {
  function _end(uint256) internal pure override { revert(); }
  function _weigh(uint256 n) internal override { _inner(n); }
  function _inner(uint256 n) internal { super._weigh(n); }
}`,
      `pragma solidity ^0.8.20;
interface IStep { function step(uint256 n) external; }
contract A is IStep { uint256 a; function step(uint256 n) external override { a = n; } }
contract B is IStep { uint256 a; function step(uint256 n) external override { a += n; } }
contract C is IStep { uint256 a; function step(uint256 n) external override { a -= n; } }`,
    ],
  },
}

/** The overrides that must call the base function before one that does not is reported. */
const callersAtLeast = 2

interface Override {
  readonly fn: FunctionModel
  /** What `super` would call. */
  readonly base: FunctionModel
  readonly callsBase: boolean
}

/** By signature: the overrides of functions that do something. */
const overridesOf = (program: Program): ReadonlyMap<string, ReadonlyArray<Override>> => {
  const found = new Map<string, Array<Override>>()
  for (const flow of program.allFlows()) {
    const { fn } = flow
    if (fn.contract === undefined || !flow.isReachable(flow.exit)) continue
    const bases = fn.contract.linearization
      .slice(1)
      .flatMap(({ functions }) => functions.filter((each) => each.signature === fn.signature))
    const base = bases.find(({ implemented }) => implemented)
    if (base === undefined || !doesSomething(program, base)) continue
    const override = { fn, base, callsBase: callsAny(program, fn, new Set(bases)) }
    const known = found.get(fn.signature)
    if (known === undefined) found.set(fn.signature, [override])
    else known.push(override)
  }
  return found
}

const doesSomething = (program: Program, fn: FunctionModel): boolean => {
  const { writes, externalCalls } = program.flow(fn)
  return writes.length > 0 || externalCalls.some(({ event }) => !event.isStatic)
}

/** Whether it calls one of them, or leaves that to another function that it calls. */
const callsAny = (program: Program, fn: FunctionModel, bases: ReadonlySet<FunctionModel>): boolean =>
  program.graph
    .callees(fn)
    .some(({ to }) => bases.has(to) || program.graph.callees(to).some((edge) => bases.has(edge.to)))
