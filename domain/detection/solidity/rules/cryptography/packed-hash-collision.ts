import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import { isSetByAnyone } from "../../access/checks/trustedChoice.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { isInitCode } from "../../questions/call/initCode.ts"
import { writtenAs } from "../../questions/value/writtenAs.ts"
import type * as S from "../../syntax.ts"
import type { Type } from "../../types.ts"

export const packedHashCollision: Rule<Program> = {
  meta: {
    id: "evm/cryptography/packed-hash-collision",
    class: "hash-collision",
    title: "Hash collision with abi.encodePacked",
    severity: "medium",
    // The impact of a collision depends on what the hash identifies.
    confidence: "medium",
    cwe: [294],
    swc: 133,
    description:
      'The hash covers several variable-length values that are concatenated without their lengths, so `("a", ' +
      '"bc")` and `("ab", "c")` have the same hash. If the hash identifies a deposit, a vote or a signed ' +
      "message, an attacker can move characters or array elements from one value to its neighbor and pass off " +
      "the result as the approved one.",
    remediation:
      "Use `abi.encode`, which includes the length of each value, or hash each value separately first. With " +
      "`abi.encodePacked`, use at most one variable-length value.",
    references: [
      "https://swcregistry.io/docs/SWC-133",
      "https://docs.soliditylang.org/en/latest/abi-spec.html#non-standard-packed-mode",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        const found = examine(program, flow, site)
        if (found === undefined) continue
        const { file } = site.at.callable.source
        report({
          file,
          span: found.node,
          scope: site.at.callable.scope,
          message: `${found.parts.length} variable-length values are adjacent in the packed encoding.`,
          trace: [
            ...found.parts.map((span) => ({ file, span, note: "variable length" })),
            { file, span: site.node, note: "hashed without lengths" },
          ],
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // A header whose length depends on the caller, a name that anyone sets.
      `pragma solidity ^0.8.20;
contract Inbox {
  mapping(bytes32 => bool) seen;
  string name;
  function rename(string calldata to) external { name = to; }
  function header(bytes calldata of, bool isShort) internal pure returns (bytes memory, uint256) {
    if (isShort) return (abi.encodePacked(uint64(5)), 1);
    return (abi.encodePacked(of), 2);
  }
  function add(bytes calldata data, bytes calldata of) external {
    (bytes memory head, ) = header(of, data.length < 5);
    seen[keccak256(bytes.concat(head, data))] = true; // FINDING
  }
  function addNamed(bytes calldata data) external { seen[keccak256(abi.encodePacked(name, data))] = true; } // FINDING
}`,
      `pragma solidity ^0.8.15;
contract Names {
    mapping(bytes32 => address) public holder;

    function claim(string memory first, string memory last) external payable {
        bytes32 id = keccak256(abi.encodePacked(first, last)); // FINDING
        require(holder[id] == address(0));
        holder[id] = msg.sender;
    }
}`,
      `pragma solidity ^0.5.0;
contract Access {
    address signer = msg.sender;
    mapping(address => bool) isAdmin;

    function add(address[] calldata admins, address[] calldata users, uint8 v, bytes32 r, bytes32 s) external {
        bytes memory packed = abi.encodePacked(admins, users); // FINDING
        require(ecrecover(keccak256(packed), v, r, s) == signer);
        for (uint256 i = 0; i < admins.length; i++) isAdmin[admins[i]] = true;
    }
}`,
      `pragma solidity ^0.8.0;
contract Ids {
    mapping(bytes32 => address) public owner;

    function digest(bytes memory data) internal pure returns (bytes32) {
        return keccak256(data);
    }

    function take(string calldata first, bytes calldata second) external {
        owner[digest(abi.encodePacked(first, second))] = msg.sender; // FINDING
    }
}`,
      `pragma solidity ^0.4.11;
contract Votes {
    mapping(bytes32 => bool) seen;

    function vote(string topic, address by, string text) public {
        bytes32 id = sha3(topic, by, text); // FINDING
        require(!seen[id]);
        seen[id] = true;
    }
}`,
      `pragma solidity ^0.8.15;
contract Orders {
    struct Order { uint256 id; string note; }
    mapping(bytes32 => bool) done;

    function run(bytes calldata code, string calldata name, bytes32 salt) external {
        bytes32 id = keccak256(abi.encodePacked(code, abi.encode(name))); // FINDING
        require(!done[id] && !done[keccak256(abi.encodePacked(uint8(1), salt, id))]);
        done[id] = true;
    }

    function runAll(bytes calldata code, Order calldata order) external {
        bytes memory args = abi.encode(order);
        done[keccak256(abi.encodePacked(code, args))] = true; // FINDING
    }
}`,
      `pragma solidity ^0.8.20;
library Hashes { function digest(bytes memory data) internal pure returns (bytes32) { return keccak256(data); } }
abstract contract Hasher {
  function _digest(bytes memory data) internal view virtual returns (bytes32);
  function _hash(bytes memory data) internal view virtual returns (bytes32);
  function a(string memory x, string memory y) external pure returns (bytes32) {
    return sha256(abi.encodePacked(x, y)); // FINDING
  }
  function b(string memory x, string memory y) external pure returns (bytes20) {
    return ripemd160(abi.encodePacked(x, y)); // FINDING
  }
  function c(bytes memory x, bytes memory y) external pure returns (bytes32) {
    return keccak256(bytes.concat(x, y)); // FINDING
  }
  function d(string memory x, string memory y) external pure returns (bytes32) {
    return keccak256(bytes(string.concat(x, y))); // FINDING
  }
  function e(string memory x, string memory y) external pure returns (bytes32) {
    return keccak256(abi.encodePacked(x, "-", y)); // FINDING
  }
  function f(string memory x, string memory y) external pure returns (bytes32) {
    return keccak256(abi.encodePacked(x, 123456789, y)); // FINDING
  }
  function g(string memory x, string memory y, string memory z) external pure returns (bytes32) {
    return keccak256(abi.encodePacked(x, y, "----------", z)); // FINDING
  }
  function h(string memory x, string memory y, string memory z) external pure returns (bytes32) {
    return keccak256(abi.encodePacked(x, "----------", y, z)); // FINDING
  }
  function i(string memory x, string memory y) external pure returns (bytes32) {
    return Hashes.digest(abi.encodePacked(x, y)); // FINDING
  }
  function j(string memory x, string memory y) external view returns (bytes32) {
    return _hash(abi.encodePacked(x, y)); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
library Hashing {
  function of(bytes memory data) internal pure returns (bytes32) { return keccak256(data); }
  function size(bytes memory data) internal pure returns (bytes32) { return bytes32(data.length); }
}
contract Names {
  mapping(bytes32 => bool) public taken;
  function keccak(bytes memory data) internal pure returns (bytes32) { return bytes32(data); }
  function ripemd(bytes memory data) public pure returns (bytes32) { return bytes32(data); }
  function text(uint256 n) internal pure returns (string memory) { return string(abi.encode(n)); }
  function both(uint256 a, uint256 b) internal pure returns (string memory) { return string(abi.encode(a, b)); }
  function a(string calldata x, string calldata y) external { taken[keccak256(abi.encodePacked(x, y))] = true; } // FINDING
  function b(string calldata x, string calldata y) external { taken[Hashing.of(abi.encodePacked(x, y))] = true; } // FINDING
  function c(string calldata x, string calldata y) external { bytes memory p = abi.encodePacked(x, y); taken[Hashing.of(p)] = true; }
  function d(string calldata x, string calldata y) external { taken[Hashing.size(abi.encodePacked(x, y))] = true; }
  function e(string calldata x, string calldata y) external { taken[keccak(abi.encodePacked(x, y))] = true; }
  function f(bytes[2] calldata x, string calldata y) external { taken[keccak256(abi.encodePacked(x, y))] = true; } // FINDING
  function g(uint256[2] calldata x, string calldata y) external { taken[keccak256(abi.encodePacked(x, y))] = true; }
  function h(bytes calldata x) external { taken[keccak256(abi.encodePacked(text(x.length), x))] = true; }
  function i(bytes calldata x, uint256 n) external { taken[keccak256(abi.encodePacked(both(x.length, n), x))] = true; } // FINDING
  function j(bytes calldata x, uint256 n) external { taken[keccak256(abi.encodePacked(abi.encode(n), x))] = true; }
  function k(bytes calldata x, uint256 n) external { taken[keccak256(abi.encodePacked(abi.encode(n, x), x))] = true; } // FINDING
  function l(string calldata x, string calldata y) external { taken[keccak256(abi.encodePacked(string.concat(x), y))] = true; } // FINDING
  function m(string calldata x, string calldata y) external { taken[keccak256(abi.encode(x, y))] = true; }
  function n(string calldata x, string calldata y) external { taken[sha256(abi.encodePacked(x, y))] = true; } // FINDING
}
`,
    ],
    safe: [
      // A header of fixed length from a helper; a text that only the owner stores.
      `pragma solidity ^0.8.20;
contract Inbox {
  struct Bounds { uint64 from; uint64 to; }
  mapping(bytes32 => bool) seen;
  string name;
  address owner = msg.sender;
  function rename(string calldata to) external { require(msg.sender == owner); name = to; }
  function header(uint256 read) internal view returns (bytes memory, Bounds memory) {
    Bounds memory bounds = Bounds(uint64(block.timestamp), uint64(read));
    bytes memory text = abi.encodePacked(bounds.from, bounds.to, uint64(read));
    return (text, bounds);
  }
  function add(bytes calldata data, uint256 read) external {
    (bytes memory head, ) = header(read);
    seen[keccak256(bytes.concat(head, data))] = true;
  }
  function addNamed(bytes calldata data) external { seen[keccak256(abi.encodePacked(name, data))] = true; }
}`,
      `pragma solidity ^0.8.15;
contract Names {
    bytes32 separator;
    string constant prefix = "names:";

    function id(string memory first, string memory last) external pure returns (bytes32) {
        return keccak256(abi.encode(first, last));
    }

    function one(string memory name, uint256 number, address by) external pure returns (bytes32) {
        return keccak256(abi.encodePacked(prefix, number, name, by));
    }

    function digest(bytes32 structHash) external view returns (bytes32) {
        return keccak256(abi.encodePacked("\\x19\\x01", separator, structHash));
    }

    function each(string memory first, string memory last) external pure returns (bytes32) {
        return keccak256(abi.encodePacked(keccak256(bytes(first)), keccak256(bytes(last))));
    }
}`,
      `pragma solidity ^0.8.15;
library Numbers {
    function toString(uint256 x) internal pure returns (string memory s) {
        s = new string(x % 10);
    }
}
contract Pool {
    uint256 public x;
}
contract Personal {
    function hashOf(bytes memory message) external pure returns (bytes32) {
        uint256 size = message.length;
        return keccak256(abi.encodePacked("\\x19Ethereum Signed Message:\\n", Numbers.toString(size), message));
    }

    function typeHash(string memory name, string memory rest) external pure returns (bytes32) {
        return keccak256(abi.encodePacked("Outer(", name, " contents,uint256 chainId)", rest));
    }

    function hash(bytes memory message) external pure returns (bytes32) {
        return keccak256(
            abi.encodePacked("\\x19Ethereum Signed Message:\\n", Numbers.toString(message.length), message)
        );
    }

    function codeHash(bytes memory args) external pure returns (bytes32) {
        return keccak256(abi.encodePacked(type(Pool).creationCode, args));
    }

    function uri(string memory base, string memory id) external pure returns (string memory) {
        return string(abi.encodePacked(base, id));
    }
}`,
      `pragma solidity ^0.8.15;
library Create2 {
    function computeAddress(bytes32 salt, bytes32 codeHash, address by) internal pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", by, salt, codeHash)))));
    }
}
contract Factory {
    function at(bytes32 salt, bytes memory code, bytes memory args) external view returns (address) {
        bytes32 codeHash = keccak256(abi.encodePacked(code, args));
        bytes32 full = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, codeHash));
        return address(uint160(uint256(full)));
    }

    function by(bytes32 salt, bytes memory code, string memory name) external view returns (address) {
        return Create2.computeAddress(salt, keccak256(abi.encodePacked(code, abi.encode(name))), address(this));
    }

    function deploy(bytes32 salt, bytes memory code, bytes memory args) external returns (address made) {
        bytes memory initCode = abi.encodePacked(code, args);
        assembly { made := create2(0, add(initCode, 0x20), mload(initCode), salt) }
        require(made.codehash != keccak256(initCode));
    }

    function known(bytes memory code, address owner, uint256[2] memory limits) external pure returns (bytes32) {
        bytes memory args = abi.encode(owner, limits);
        return keccak256(abi.encodePacked(code, args));
    }
}`,
      `pragma solidity ^0.8.20;
interface IHasher { function hash(bytes memory data) external view returns (bytes32); }
contract Hasher {
  struct Pair { uint256 a; uint256 b; }
  function digits(uint256 n) internal pure returns (string memory) { return n > 9 ? "many" : "few"; }
  function digest(bytes memory data) internal pure returns (bytes32) { return keccak256(data); }
  function size(bytes memory data) internal pure returns (uint256) { return data.length; }
  function salted(bytes memory data, bytes32 salt) internal pure returns (bytes32) {
    require(data.length > 0);
    return keccak256(abi.encode(salt));
  }
  function a(string memory x, string memory y) external pure returns (bytes32) {
    return keccak256(abi.encodePacked(x, "--------", y));
  }
  function b(bytes memory x) external pure returns (bytes32) {
    return keccak256(abi.encodePacked(digits(x.length), x));
  }
  function c(Pair memory p, bytes memory x) external pure returns (bytes32) {
    return keccak256(abi.encodePacked(abi.encode(p), x));
  }
  function d(uint256 n, bytes memory x) external pure returns (bytes32) {
    return keccak256(abi.encodePacked(abi.encodePacked(n), x));
  }
  function e(uint256 n, bytes memory x) external pure returns (bytes32) {
    return keccak256(abi.encodePacked(abi.encodeWithSelector(0x12345678, n), x));
  }
  function f(bytes32 n, bytes memory x) external pure returns (bytes32) {
    return keccak256(abi.encodePacked(bytes.concat(n), x));
  }
  function g(IHasher hasher, string memory x, string memory y) external view returns (bytes32) {
    return hasher.hash(abi.encodePacked(x, y));
  }
  function h(string memory x, string memory y) external pure returns (uint256) { return size(abi.encodePacked(x, y)); }
  function i(string memory x, string memory y) external pure returns (bytes32) {
    return salted(abi.encodePacked(x, y), bytes32(0));
  }
  function j(string memory x) external pure returns (bytes32) { return digest(abi.encodePacked(x, uint256(1))); }
}`,
    ],
  },
}

const hashes = new Set(["keccak256", "sha3", "sha256", "ripemd160"])

const packers = new Set(["abi.encodePacked", "bytes.concat", "string.concat"])

/** Values whose length or content an outsider may choose, unlike constants and contract code. */
const open =
  Source.parameter | Source.calldata | Source.external | Source.lowLevel | Source.value | Source.sender | Source.unknown

/** What only trusted accounts store is not for outsiders to divide. */
const isOpen = ({ program }: Flow, value: Origins): boolean =>
  has(value, open) || value.state.some((variable) => isSetByAnyone(program, variable))

/** `message.length`, or its digits: determined by another argument. */
const isLength = (flow: Flow, written: S.Expression, from: FlowNode, depth = 0): boolean => {
  if (depth > 4) return false
  const { e, at } = writtenAs(flow, written, from)
  if (e.kind === "MemberAccess") return e.member === "length"
  return e.kind === "FunctionCall" && e.args.length === 1 && isLength(flow, e.args[0]!, at, depth + 1)
}

const isOfVariableLength = (type: Type): boolean =>
  type.kind === "string" ||
  type.kind === "bytes" ||
  (type.kind === "array" && (!type.fixed || isOfVariableLength(type.base))) ||
  (type.kind === "struct" && type.struct.members.some((member) => isOfVariableLength(member.type)))

/** An encoding of fixed-length values, whose own length is fixed. */
const isFixedEncoding = (flow: Flow, written: S.Expression, from: FlowNode): boolean => {
  const { e } = writtenAs(flow, written, from)
  const call = e.kind === "FunctionCall" ? flow.program.callOf(e) : undefined
  if (returnsFixedEncoding(flow, e, from)) return true
  return call?.kind === "builtin" && !call.args.some((arg) => isOfVariableLength(flow.program.typeOf(arg)))
}

/** `(header, …) = pack(…)`: one of several results of a function of the program. */
const returnsFixedEncoding = (flow: Flow, e: S.Expression, from: FlowNode): boolean => {
  const variable = flow.program.referenceOf(e)
  if (variable?.kind !== "LocalVariable") return false
  const { definitions } = flow.values.reaching(variable, from)
  const [{ value, index } = {}] = definitions
  if (definitions.length !== 1 || index === undefined || value?.kind !== "FunctionCall") return false
  const target = flow.siteOf(value)?.target
  if (target?.implemented !== true) return false
  const inner = flow.program.flow(target)
  const results = resultsOf(inner)
  return (
    results.length > 0 &&
    results.length <= resultLimit &&
    results.every(({ at, e }) => {
      const one = e.kind === "TupleExpression" ? e.components[index] : undefined
      return one !== undefined && isFixedEncoding(inner, one, at)
    })
  )
}

/** Limit: results of one function that are examined. */
const resultLimit = 8

const resultsOf = oncePer((flow: Flow) =>
  flow.nodes.flatMap((at) =>
    at.node?.kind === "ReturnStatement" && at.node.value !== undefined ? [{ at, e: at.node.value }] : [],
  ),
)

/** A literal this long between two values separates them. */
const separatorLength = 8

/** The variable-length arguments that more than one input can divide in the same way. */
const movable = (
  program: Program,
  flow: Flow,
  args: ReadonlyArray<S.Expression>,
  at: FlowNode,
): ReadonlyArray<S.Expression> => {
  let run: Array<S.Expression> = []
  for (const arg of args) {
    if (arg.kind === "Literal" && arg.literalKind !== "number" && arg.value.length >= separatorLength) {
      if (run.length > 1) break
      run = []
    } else if (
      isOfVariableLength(program.typeOf(arg)) &&
      isOpen(flow, flow.origins(arg, at)) &&
      !isLength(flow, arg, at) &&
      !isFixedEncoding(flow, arg, at)
    )
      run.push(arg)
  }
  return run
}

/** The packed encoding that is hashed: written in place, or assigned to a local. */
const packedIn = (
  program: Program,
  flow: Flow,
  e: Expr,
  at: FlowNode,
): { readonly node: S.FunctionCall; readonly args: ReadonlyArray<S.Expression>; readonly at: FlowNode } | undefined => {
  if (e.kind.startsWith("Yul")) return undefined
  // It is not Yul but a Solidity expression.
  const written = writtenAs(flow, e as S.Expression, at)
  const call = written.e.kind === "FunctionCall" ? program.callOf(written.e) : undefined
  if (call?.kind === "conversion" && call.args[0] !== undefined)
    return packedIn(program, flow, call.args[0], written.at)
  return call?.kind === "builtin" && packers.has(call.name)
    ? { node: call.node, args: call.args, at: written.at }
    : undefined
}

/** A function that hashes its argument. */
const hashesArgument = (program: Program, { callKind, target, name }: CallSite): boolean => {
  if (callKind !== "internal" && callKind !== "library") return false
  if (target === undefined || !target.implemented) return /hash/i.test(name)
  return program
    .flow(target)
    .summary.results.some((r) => has(r, Source.hash) && r.parameters.some((p) => p.type.kind === "bytes"))
}

const examine = (program: Program, flow: Flow, site: CallSite) => {
  const { call } = site
  if (call === undefined) return undefined
  if (hashesArgument(program, site)) {
    for (const arg of call.args) {
      const packed = arg.kind === "FunctionCall" ? packedIn(program, flow, arg, site.at) : undefined
      const parts = packed === undefined ? [] : movable(program, flow, packed.args, packed.at)
      if (packed !== undefined && parts.length > 1) return { ...packed, parts }
    }
    return undefined
  }
  if (!hashes.has(site.name)) return undefined
  const packed =
    call.args.length > 1
      ? { node: call.node, args: call.args, at: site.at }
      : call.args[0] === undefined
        ? undefined
        : packedIn(program, flow, call.args[0], site.at)
  if (packed === undefined) return undefined
  const parts = movable(program, flow, packed.args, packed.at)
  return parts.length < 2 || isInitCode(flow, packed.node, call.node) ? undefined : { ...packed, parts }
}
