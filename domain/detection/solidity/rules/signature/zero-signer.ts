import { oncePerPair } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { FunctionModel, StateVariable } from "../../model.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { isTrustedChoice } from "../../access/checks/trustedChoice.ts"
import { placeAt, placeOf } from "../../questions/authority/attackerControl.ts"
import { initialized } from "../../questions/deployment/initialized.ts"
import { isOrdering } from "../../questions/value/callerNumbers.ts"
import { recoveriesIn } from "../../questions/authority/recoveredSigner.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

interface Comparison {
  readonly flow: Flow
  readonly at: FlowNode
  readonly expression: S.BinaryOperation
  readonly other: Origins
}

interface Uses {
  readonly zeroChecked: boolean
  readonly compared: ReadonlyArray<Comparison>
}

export const zeroSigner: Rule<Program> = {
  meta: {
    id: "evm/signature/zero-signer",
    class: "sig-zero-address",
    title: "Invalid signature recovers to the zero address",
    severity: "high",
    // Requires an expected signer that can be zero: an unset entry, an input, a renounced owner.
    confidence: "medium",
    cwe: [347],
    swc: 122,
    description:
      "`ecrecover` does not revert on a malformed signature but returns address(0), and the result is compared " +
      "with an expected signer here without excluding that case. If the expected address is zero as well (an " +
      "owner that was never set or was renounced, an entry that does not exist, an address that the caller " +
      "passes), any garbage is a valid signature.",
    remediation:
      "Add `require(signer != address(0))` for the recovered address, or use OpenZeppelin's ECDSA.recover or " +
      "Solady's ECDSA, which revert on invalid signatures. Reject the zero address where signers are " +
      "configured.",
    references: [
      "https://docs.soliditylang.org/en/latest/units-and-global-variables.html#mathematical-and-cryptographic-functions",
      "https://swcregistry.io/docs/SWC-122",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const sites = recoveriesIn(program, flow).filter(({ site }) => site.name === "ecrecover")
      if (sites.length === 0) continue
      const uses = receivers(program, flow.fn).map((fn) => usesOf(program.flow(fn)))
      if (uses.some(({ zeroChecked }) => zeroChecked)) continue
      const unsafe = uses
        .flatMap(({ compared }) => compared)
        .find(
          ({ other }) =>
            !only(other, Source.sender | Source.literal | Source.constant | Source.created | Source.self) &&
            !(only(other, Source.state | Source.immutable) && other.state.every((v) => neverZero(program, v))),
        )
      if (unsafe === undefined) continue
      const { expression, at } = unsafe
      const isSettled =
        [expression.left, expression.right].some((side) => isElement(program, side, at)) ||
        isAppointed(program, unsafe.flow.expand(unsafe.other))
      for (const { site } of sites) {
        report({
          ...placeOf(site),
          scope: site.at.callable.scope,
          ...(isSettled ? { severity: "low" as const } : {}),
          trace: [
            { ...placeOf(site), note: "returns address(0) for an invalid signature" },
            { ...placeAt(unsafe.at, unsafe.expression), note: "compared with the expected signer" },
          ],
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // An entry that exists, or a signer whom only the owner sets: it would have to be zero there.
      `pragma solidity ^0.8.20;
contract Signers {
  address[] keys;
  address signer;
  address once;
  address owner = msg.sender;
  mapping(uint256 => address) table;
  function setSigner(address to) external { require(msg.sender == owner); signer = to; }
  function setOnce(address to) external { require(msg.sender == owner); once = to; }
  function renounce() external { require(msg.sender == owner); once = address(0); }
  function byKey(bytes32 h, uint8 v, bytes32 r, bytes32 s, uint256 i) external view returns (bool) {
    return ecrecover(h, v, r, s) == keys[i]; // FINDING
  }
  function byHelper(bytes32 h, uint8 v, bytes32 r, bytes32 s, uint256 i) external view returns (bool) {
    return check(h, v, r, s, keys[i]);
  }
  function check(bytes32 h, uint8 v, bytes32 r, bytes32 s, address key) private pure returns (bool) {
    return ecrecover(h, v, r, s) == key; // FINDING
  }
  function byTable(bytes32 h, uint8 v, bytes32 r, bytes32 s, uint256 i) external view returns (bool) {
    return ecrecover(h, v, r, s) == table[i]; // FINDING
  }
  function bySigner(bytes32 h, uint8 v, bytes32 r, bytes32 s) external view returns (bool) {
    return ecrecover(h, v, r, s) == signer; // FINDING
  }
  function byOnce(bytes32 h, uint8 v, bytes32 r, bytes32 s) external view returns (bool) {
    return ecrecover(h, v, r, s) == once; // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
contract Wallet {
    address public admin;
    uint256 nonce;

    function pay(address payable to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 h = keccak256(abi.encode(address(this), block.chainid, nonce++, to, amount));
        address by = ecrecover(h, v, r, s); // FINDING
        require(by == admin, "not signed");
        to.transfer(amount);
    }
}`,
      `pragma solidity ^0.5.0;
contract Listings {
    struct Listing {
        address seller;
        uint256 price;
    }
    mapping(uint256 => Listing) listings;

    function signerOf(bytes32 h, uint8 v, bytes32 r, bytes32 s) private pure returns (address) {
        return ecrecover(h, v, r, s); // FINDING
    }

    function cancel(uint256 id, uint8 v, bytes32 r, bytes32 s) external {
        require(signerOf(keccak256(abi.encode(this, id)), v, r, s) == listings[id].seller);
        delete listings[id];
    }
}`,
      `pragma solidity ^0.8.0;
contract Permits {
    mapping(address => uint256) nonces;
    mapping(address => mapping(address => uint256)) allowed;

    function permit(address from, address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        require(to != address(0));
        bytes32 h = keccak256(abi.encode(address(this), from, to, amount, nonces[from]++));
        if (from != ecrecover(h, v, r, s)) revert(); // FINDING
        allowed[from][to] = amount;
    }
}`,
      `pragma solidity ^0.8.0;
contract Fixed {
    address immutable signer;
    address immutable owner;
    uint256 public value;
    constructor(address s, address o) {
        require(o != address(0));
        signer = s;
        owner = o;
    }

    function set(uint256 to, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(this, to)), v, r, s) == signer); // FINDING
        value = to;
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Several {
  mapping(address => address) owners;
  address constant SENTINEL = address(1);
  constructor(address first) { require(first != address(0)); owners[first] = SENTINEL; }
  function check(bytes32 hash, uint8[] calldata v, bytes32[] calldata r, bytes32[] calldata s) external view {
    address last;
    for (uint256 i = 0; i < v.length; i++) {
      address current = ecrecover(hash, v[i], r[i], s[i]);
      require(current > last && owners[current] != address(0) && current != SENTINEL);
      last = current;
    }
  }
}`,
      `pragma solidity ^0.8.0;
contract Fixed {
    address immutable signer;
    uint256 public value;
    constructor(address s) { require(s != address(0)); signer = s; }

    function set(uint256 to, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(this, to)), v, r, s) == signer);
        value = to;
    }
}`,
      `pragma solidity ^0.8.0;
contract Wallet {
    address public admin = msg.sender;
    uint256 nonce;

    function recover(bytes32 h, uint8 v, bytes32 r, bytes32 s) internal pure returns (address by) {
        by = ecrecover(h, v, r, s);
        if (by == address(0)) revert("invalid");
    }

    function pay(address payable to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 h = keccak256(abi.encode(address(this), block.chainid, nonce++, to, amount));
        require(recover(h, v, r, s) == admin, "not signed");
        to.transfer(amount);
    }
}`,
      `pragma solidity ^0.8.0;
contract Registry {
    mapping(address => bytes32) keys;
    mapping(address => bool) trusted;

    function own(bytes32 key, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(this, key)), v, r, s) == msg.sender);
        keys[msg.sender] = key;
    }

    function set(address of, bytes32 key, uint8 v, bytes32 r, bytes32 s) external {
        require(of != address(0));
        require(ecrecover(keccak256(abi.encode(this, key)), v, r, s) == of);
        keys[of] = key;
    }

    function trust(bytes32 key, uint8 v, bytes32 r, bytes32 s) external {
        require(trusted[ecrecover(keccak256(abi.encode(this, key)), v, r, s)]);
        keys[msg.sender] = key;
    }
}`,
      `pragma solidity ^0.8.0;
contract Permits {
    mapping(address => uint256) nonces;
    mapping(address => mapping(address => uint256)) allowed;

    function permit(address from, address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 h = keccak256(abi.encode(address(this), from, to, amount, nonces[from]++));
        address by = ecrecover(h, v, r, s);
        if (address(0) == by) return;
        require(from == by);
        allowed[from][to] = amount;
    }
}`,
      `pragma solidity ^0.8.0;
contract Council {
    address admin;
    uint256 public value;

    function set(uint256 to, uint8 v, bytes32 r, bytes32 s) external {
        require(admin != address(0));
        require(ecrecover(keccak256(abi.encode(this, to)), v, r, s) == admin);
        value = to;
    }

    function inOrder(address a, bytes32 h, uint8 v, bytes32 r, bytes32 s) external {
        address by = ecrecover(h, v, r, s);
        require(a < by && by == a);
        value = 1;
    }

    function below(address a, bytes32 h, uint8 v, bytes32 r, bytes32 s) external {
        address by = ecrecover(h, v, r, s);
        require(by > a && by == a);
        value = 2;
    }

    function own(address token, address wanted, bytes32 h, uint8 v, bytes32 r, bytes32 s) external {
        require(token == wanted);
        require(ecrecover(h, v, r, s) == msg.sender);
        value = 3;
    }
}`,
      `pragma solidity ^0.8.0;
contract Deployed {
    address admin;
    address keeper;
    uint256 public value;

    constructor(address k) {
        admin = msg.sender;
        _setKeeper(k);
    }

    function _setKeeper(address k) internal {
        require(k != address(0));
        keeper = k;
    }

    function set(uint256 to, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(this, to)), v, r, s) == admin);
        value = to;
    }

    function keep(uint256 to, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(this, to)), v, r, s) == keeper);
        value = to;
    }
}`,
    ],
  },
}

const shares = (a: Origins, b: Origins): boolean =>
  a.parameters.some((p) => b.parameters.includes(p)) || a.state.some((v) => b.state.includes(v))

const isEquality = ({ operator }: S.BinaryOperation): boolean => operator === "==" || operator === "!="

/** Values that cannot be zero when a function ends. */
const neverZeroAtEnd = (flow: Flow): ReadonlyArray<Origins> =>
  flow
    .facts(flow.exit)
    .flatMap((fact) => (fact.kind === "relation" && fact.operator === "!=" && fact.withZero ? [fact.left] : []))

/** What a function compares a recovered address with. */
const usesOf = (flow: Flow): Uses => {
  const compared: Array<Comparison> = []
  const nonZero: Array<Origins> = []
  let zeroChecked = false
  for (const node of flow.stepsWith(Shape.ordering | Shape.equality)) {
    if (node.expression === undefined) continue
    walk(node.expression, (e) => {
      if (e.kind !== "BinaryOperation") return
      const [left, right] = [flow.origins(e.left, node), flow.origins(e.right, node)]
      // signers in ascending order: whatever is above another address is not zero
      if (isOrdering(e)) zeroChecked ||= has(left, Source.recovered) || has(right, Source.recovered)
      if (!isEquality(e)) return
      if (isZero(e.left) || isZero(e.right)) {
        const tested = isZero(e.left) ? right : left
        if (has(tested, Source.recovered)) zeroChecked = true
        else nonZero.push(tested)
      } else if (has(left, Source.recovered)) compared.push({ flow, at: node, expression: e, other: right })
      else if (has(right, Source.recovered)) compared.push({ flow, at: node, expression: e, other: left })
    })
  }
  // including in a function that receives the expected address afterwards
  nonZero.push(...neverZeroAtEnd(flow))
  // including in a function that receives the address
  zeroChecked ||= nonZero.some((tested) => has(tested, Source.recovered))
  return { zeroChecked, compared: compared.filter(({ other }) => !nonZero.some((tested) => shares(tested, other))) }
}

/**
 * Whether every value assigned to it is checked not to be zero, or is an address that cannot be, and a constructor sets
 * it.
 */
const neverZero = (program: Program, variable: StateVariable): boolean => {
  const { contract } = variable
  if (contract === undefined || !initialized(program, variable)) return false
  for (const fn of [contract, ...contract.derived].flatMap((c) => c.functions)) {
    const flow = program.flow(fn)
    for (const { event, via, place } of flow.writes) {
      if (via.length > 0 || place?.variables.includes(variable) !== true) continue
      if (event.value === undefined) return false
      const value = flow.origins(event.value, event.at)
      const isChecked = neverZeroAtEnd(flow).some((tested) => shares(tested, value))
      if (!isChecked && !only(value, Source.sender | Source.created | Source.self)) return false
    }
  }
  return true
}

/** An element of a list: the list has no others, whereas a mapping has zeros everywhere. */
const isElement = (program: Program, e: S.Expression, at: FlowNode): boolean => {
  if (e.kind === "IndexAccess") return program.typeOf(e.base).kind === "array"
  const variable = program.referenceOf(e)
  if (variable?.kind !== "LocalVariable" || at.callable.kind !== "Function") return false
  const fn = at.callable
  const callers = program.graph.callers(fn)
  return (
    !program.graph.isEntryPoint(fn) &&
    fn.parameters.includes(variable) &&
    callers.length > 0 &&
    callers.every(({ call }) => {
      const arg = call.args[fn.parameters.indexOf(variable)]
      return arg?.kind === "IndexAccess" && program.typeOf(arg.base).kind === "array"
    })
  )
}

/** An address that only trusted accounts set, and that nothing sets to zero. */
const isAppointed = (program: Program, signer: Origins): boolean =>
  only(signer, Source.state) &&
  isTrustedChoice(program, signer) &&
  signer.state.every((variable) => {
    const values = writesOf(program, variable)
    return variable.type.kind !== "mapping" && values.length > 0 && values.every((value) => !isCleared(value))
  })

const isCleared = (value: Origins | undefined): boolean =>
  value === undefined || only(value, Source.literal | Source.constant)

/** What functions, except inherited ones without source, assign to a variable; undefined for `delete`. */
const writesOf = oncePerPair((program: Program, variable: StateVariable): ReadonlyArray<Origins | undefined> =>
  program.allFlows().flatMap((flow) =>
    flow.changes
      .of(variable)
      .filter(({ via }) => via.length === 0)
      .map(({ event }) => (event.value === undefined ? undefined : flow.origins(event.value, event.at))),
  ),
)

const depthLimit = 4

const callerLimit = 24

/** The function and those that receive the recovered address from it. */
const receivers = (program: Program, fn: FunctionModel): ReadonlyArray<FunctionModel> => {
  const found = new Set<FunctionModel>([fn])
  let ring: ReadonlyArray<FunctionModel> = [fn]
  for (let depth = 0; depth < depthLimit; depth++) {
    const next: Array<FunctionModel> = []
    for (const inner of ring) {
      for (const { from } of program.graph.callers(inner).slice(0, callerLimit)) {
        if (found.has(from)) continue
        found.add(from)
        next.push(from)
      }
    }
    ring = next
  }
  return [...found]
}
