import type { Rule } from "../../../Rule.ts"
import { oncePerPair } from "../../../oncePer.ts"
import { scopesOf } from "../../access/table/reported.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Origins } from "../../flow/graph/origins.ts"
import type { FunctionModel, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { type Recovery, recoveriesIn } from "../../questions/authority/recoveredSigner.ts"
import type { Type } from "../../types.ts"
import { signatureReplay } from "./replay.ts"

export const unusedNonce: Rule<Program> = {
  meta: {
    id: "evm/signature/unused-nonce",
    class: "sig-replay",
    title: "Signed nonce is not consumed",
    // often, something else prevents the signed action from being repeated
    severity: "medium",
    confidence: "medium",
    cwe: [294],
    swc: 121,
    description:
      "The function accepts a signature without consuming the signer's nonce, although the nonce is part of the " +
      "signed message, or other functions consume one for the same kind of signature. The signature remains valid: " +
      "it can be submitted again as soon as its effect is undone, and the signer cannot revoke it by using the " +
      "nonce for something else.",
    remediation:
      "Increment the signer's nonce on every path that accepts the signature, in the call that verifies it " +
      "(`_useNonce(signer)` of OpenZeppelin's Nonces returns and increments it in one step).",
    references: ["https://swcregistry.io/docs/SWC-121", "https://docs.openzeppelin.com/contracts/5.x/api/utils#Nonces"],
  },

  check: (program, report) => {
    let told: ReadonlySet<string> | undefined
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (fn.contract === undefined || fn.mutability === "view" || fn.mutability === "pure") continue
      const recoveries = recoveriesIn(program, flow)
      if (recoveries.length === 0) continue
      const kept =
        recoveries.find((recovery) => isAcceptedUncounted(flow, recovery)) ?? beside(program, flow, recoveries)
      if (kept === undefined) continue
      told ??= scopesOf(program, [signatureReplay])
      if (told.has(fn.scope)) continue
      report({
        ...placeOf(kept.site),
        scope: fn.scope,
        trace: [{ ...placeOf(kept.site), note: "the signature is accepted without consuming a nonce" }],
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
abstract contract Ballots {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  mapping(address => uint256) public nonces;
  mapping(address => mapping(uint256 => uint256)) keyed;
  function _signed(bytes32 h, address by, uint8 v, bytes32 r, bytes32 s) internal pure returns (bool) {
    return by != address(0) && ecrecover(h, v, r, s) == by;
  }
  function _good(address by, uint256 id, uint8 v, bytes32 r, bytes32 s) internal virtual returns (bool) {
    if (_signed(keccak256(abi.encode(domain, by, id, keyed[by][id])), by, v, r, s)) { // FINDING
      return true;
    }
    return _signed(keccak256(abi.encode(domain, by, id, nonces[by]++)), by, v, r, s);
  }
  function _next(address by, uint256 id) internal { keyed[by][id]++; nonces[by]++; }
}`,
      `pragma solidity ^0.8.20;
contract Votes {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  mapping(address => uint256) public nonces;
  mapping(uint256 => mapping(address => bool)) public voted;
  mapping(uint256 => mapping(address => bool)) public changed;
  mapping(uint256 => uint256) public count;
  function _check(bytes32 h, address by, uint8 v, bytes32 r, bytes32 s) internal view {
    require(by != address(0) && ecrecover(keccak256(abi.encode(domain, h)), v, r, s) == by);
  }
  function _vote(uint256 id, address by) internal { require(!voted[id][by]); voted[id][by] = true; count[id]++; }
  function _change(uint256 id, address by) internal { require(!changed[id][by]); changed[id][by] = true; count[id]--; }
  function vote(uint256 id) external { _vote(id, msg.sender); }
  function change(uint256 id) external { _change(id, msg.sender); }
  function voteFor(uint256 id, address by, uint8 v, bytes32 r, bytes32 s) external {
    _check(keccak256(abi.encode(id, by, nonces[by]++)), by, v, r, s);
    _vote(id, by);
  }
  function changeFor(uint256 id, address by, uint8 v, bytes32 r, bytes32 s) external {
    _check(keccak256(abi.encode(id, by)), by, v, r, s); // FINDING
    _change(id, by);
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
abstract contract Ballots {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  mapping(address => uint256) public nonces;
  mapping(address => mapping(uint256 => uint256)) keyed;
  function _signed(bytes32 h, address by, uint8 v, bytes32 r, bytes32 s) internal pure returns (bool) {
    return by != address(0) && ecrecover(h, v, r, s) == by;
  }
  function _good(address by, uint256 id, uint8 v, bytes32 r, bytes32 s) internal virtual returns (bool) {
    if (_signed(keccak256(abi.encode(domain, by, id, keyed[by][id])), by, v, r, s)) {
      _use(by, id);
      return true;
    }
    return _signed(keccak256(abi.encode(domain, by, id, nonces[by]++)), by, v, r, s);
  }
  function _use(address by, uint256 id) internal { keyed[by][id]++; }
  function _refused(address by, uint256 id, uint8 v, bytes32 r, bytes32 s) internal returns (bool) {
    if (!_signed(keccak256(abi.encode(domain, by, id, keyed[by][id])), by, v, r, s)) return false;
    _use(by, id);
    return true;
  }
  function _counted(address by, uint256 id, uint8 v, bytes32 r, bytes32 s) internal returns (bool) {
    bool good = _signed(keccak256(abi.encode(domain, by, id, keyed[by][id])), by, v, r, s);
    if (good) { return true; }
    delete keyed[by][id];
    return false;
  }
  function both(address by, uint256 id, uint8 v, bytes32 r, bytes32 s) external {
    require(_counted(by, id, v, r, s));
    keyed[by][id]++;
  }
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  mapping(address => uint256) public nonces;
  mapping(address => mapping(bytes32 => bool)) public used;
  mapping(address => uint256) public balances;
  function _check(bytes32 h, address by, uint8 v, bytes32 r, bytes32 s) internal view {
    require(by != address(0) && ecrecover(keccak256(abi.encode(domain, h)), v, r, s) == by);
  }
  function _move(address from, address to, uint256 amount) internal { balances[from] -= amount; balances[to] += amount; }
  function send(address to, uint256 amount) external { _move(msg.sender, to, amount); }
  function sendFor(address from, address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    _check(keccak256(abi.encode(from, to, amount, nonces[from]++)), from, v, r, s);
    _move(from, to, amount);
  }
  function sendOnce(address from, address to, uint256 amount, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
    require(!used[from][nonce]);
    used[from][nonce] = true;
    _check(keccak256(abi.encode(from, to, amount, nonce)), from, v, r, s);
    _move(from, to, amount);
  }
}`,
      // The action counts for itself, or the caller of the check does; what is only noted, or is done in another
      // contract without a signature, is not what others do.
      `pragma solidity ^0.8.20;
abstract contract Signed {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  mapping(address => uint256) public nonces;
  mapping(uint256 => uint256) public count;
  mapping(uint256 => mapping(address => bool)) public left;
  function _check(bytes32 h, address by, uint8 v, bytes32 r, bytes32 s) internal view {
    require(by != address(0) && ecrecover(keccak256(abi.encode(domain, h)), v, r, s) == by);
  }
  function _leave(uint256 id, address by) internal { require(!left[id][by]); left[id][by] = true; }
}
contract Open is Signed {
  function leave(uint256 id) external { _leave(id, msg.sender); }
}
contract Closed is Signed {
  function leaveFor(uint256 id, address by, uint8 v, bytes32 r, bytes32 s) external {
    _check(keccak256(abi.encode(id, by)), by, v, r, s);
    _leave(id, by);
  }
  function addFor(uint256 id, address by, uint8 v, bytes32 r, bytes32 s) external {
    _check(keccak256(abi.encode(id, by, nonces[by]++)), by, v, r, s);
    count[id]++;
  }
}
contract Votes is Signed {
  event Noted(uint256 id, address by);
  function _add(uint256 id, address by) internal { nonces[by]++; count[id]++; }
  function _note(uint256 id, address by) internal { emit Noted(id, by); }
  function add(uint256 id) external { _add(id, msg.sender); }
  function note(uint256 id) external { _note(id, msg.sender); }
  function exit(uint256 id) external { _leave(id, msg.sender); }
  function addFor(uint256 id, address by, uint8 v, bytes32 r, bytes32 s) external {
    _check(keccak256(abi.encode(id, by, nonces[by])), by, v, r, s);
    _add(id, by);
  }
  function noteFor(uint256 id, address by, uint8 v, bytes32 r, bytes32 s) external {
    _check(keccak256(abi.encode("note", id, by)), by, v, r, s);
    _note(id, by);
  }
}
contract Seats is Signed {
  function add(uint256 id) external { count[id]++; }
  function exit(uint256 id) external { _leave(id, msg.sender); }
  function addFor(uint256 id, address by, uint8 v, bytes32 r, bytes32 s) external {
    _check(keccak256(abi.encode(id, by, nonces[by]++)), by, v, r, s);
    count[id]++;
  }
  function exitFor(uint256 id, address by, uint8 v, bytes32 r, bytes32 s) external {
    _exit(id, by, nonces[by]++, v, r, s);
  }
  function _exit(uint256 id, address by, uint256 nonce, uint8 v, bytes32 r, bytes32 s) internal {
    _check(keccak256(abi.encode(id, by, nonce)), by, v, r, s);
    _leave(id, by);
  }
}
contract Turns is Signed {
  function _take(uint256 id, address by) internal { nonces[by]++; count[id]++; }
  function _give(uint256 id, address by) internal { nonces[by]++; count[id]--; }
  function take(uint256 id) external { _take(id, msg.sender); }
  function give(uint256 id) external { _give(id, msg.sender); }
  function takeFor(uint256 id, address by, uint8 v, bytes32 r, bytes32 s) external {
    _check(keccak256(abi.encode("take", id, by, nonces[by])), by, v, r, s);
    _take(id, by);
  }
  function giveFor(uint256 id, address by, uint8 v, bytes32 r, bytes32 s) external {
    _check(keccak256(abi.encode("give", id, by, nonces[by])), by, v, r, s);
    _give(id, by);
  }
}`,
    ],
  },
}

const isCounter = (type: Type): boolean =>
  type.kind === "mapping" && (type.value.kind === "integer" || isCounter(type.value))

/** Numbers kept per signer that are part of the signed message. */
const countersOf = ({ state }: Origins): ReadonlyArray<StateVariable> => state.filter(({ type }) => isCounter(type))

const writesOne = (flow: Flow, counters: ReadonlyArray<StateVariable>): ReadonlySet<FlowNode> =>
  new Set(
    flow.writes.flatMap(({ at, place }) => (place?.variables.some((v) => counters.includes(v)) === true ? [at] : [])),
  )

/** Limit: steps examined between the check and the result. */
const stepLimit = 4_000

/** Whether `return true` can be reached from the signature check without passing a step that changes the nonce. */
const isAcceptedUncounted = (flow: Flow, { site, digest }: Recovery): boolean => {
  const counters = countersOf(digest)
  if (counters.length === 0) return false
  const counting = writesOne(flow, counters)
  if ([...counting].some((at) => flow.dominates(at, site.at))) return false
  if (flow.program.graph.callers(flow.fn).some(({ from }) => writesOne(flow.program.flow(from), counters).size > 0))
    return false
  const seen = new Set<FlowNode>([site.at])
  const queue = [site.at]
  for (let i = 0; i < queue.length && i < stepLimit; i++) {
    const step = queue[i]!
    if (
      step.node?.kind === "ReturnStatement" &&
      step.expression?.kind === "Literal" &&
      step.expression.value === "true"
    )
      return true
    for (const next of step.succs) {
      if (seen.has(next) || counting.has(next)) continue
      seen.add(next)
      queue.push(next)
    }
  }
  return false
}

/**
 * The signature check of a function that does by signature what others do for the sender, so that whatever prevents a
 * repetition is not about the signature, while sibling functions that accept signatures consume a nonce.
 */
const beside = (program: Program, flow: Flow, recoveries: ReadonlyArray<Recovery>): Recovery | undefined => {
  const { graph } = program
  if (!graph.isEntryPoint(flow.fn) || usesNonce(flow, recoveries) || !doesWhatOthersDo(program, flow)) return undefined
  const others = signedBeside(program, flow)
  return others.length > 0 && others.every((other) => usesNonce(other, recoveriesIn(program, other)))
    ? recoveries[0]
    : undefined
}

const usesNonce = (flow: Flow, recoveries: ReadonlyArray<Recovery>): boolean =>
  recoveries.some(({ digest }) => writesOne(flow, countersOf(digest)).size > 0)

/** Whether all it does is call a function of the contract that another entry point calls without a signature. */
const doesWhatOthersDo = (program: Program, flow: Flow): boolean =>
  flow.calls().some(({ target }) => {
    if (target === undefined || target.mutability === "view" || target.mutability === "pure") return false
    const inner = program.flow(target)
    return (
      inner.writes.length > 0 &&
      flow.writes.every(({ via }) => via[0]?.target === target) &&
      program.graph.callers(target).some(({ from }) => isUnsigned(program, from) && from.contract === flow.fn.contract)
    )
  })

const isUnsigned = (program: Program, fn: FunctionModel): boolean =>
  program.graph.isEntryPoint(fn) && recoveriesIn(program, program.flow(fn)).length === 0

/** Entry points of the contract and of its bases that check signatures, except this one. */
const signedBeside = (program: Program, flow: Flow): ReadonlyArray<Flow> =>
  signedOf(program, flow.fn.contract!).filter((other) => other !== flow)

const signedOf = oncePerPair(
  (program: Program, contract: NonNullable<FunctionModel["contract"]>): ReadonlyArray<Flow> =>
    contract.linearization.flatMap((base) =>
      base.functions.flatMap((fn) => {
        if (fn.mutability === "view" || fn.mutability === "pure") return []
        if (!program.graph.isEntryPoint(fn)) return []
        const flow = program.flowIfBuilt(fn)
        return flow !== undefined && recoveriesIn(program, flow).length > 0 ? [flow] : []
      }),
    ),
)
