import type { Rule } from "../../../Rule.ts"
import { oncePerPair } from "../../../oncePer.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { FunctionModel } from "../../model.ts"
import { Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import { recoveriesIn } from "../../questions/authority/recoveredSigner.ts"
import { walk } from "../../visit.ts"

export const signatureMalleability: Rule<Program> = {
  meta: {
    id: "evm/signature/malleability",
    class: "sig-malleability",
    title: "Signature malleability",
    severity: "medium",
    // Harmless if a nonce or the digest marks the use; lowered to low if nothing keyed by the signature is found.
    confidence: "medium",
    cwe: [347],
    swc: 117,
    description:
      "For every ECDSA signature (v, r, s), there is a second one with the other v and s' = n - s that recovers " +
      "to the same signer, and anyone can compute it. `ecrecover` accepts both. If used signatures are recorded " +
      "to prevent reuse, the second form has not been recorded, and the action runs again.",
    remediation:
      "Reject s in the upper half of the curve order (`uint256(s) > 0x7FFF…20A0`), as OpenZeppelin's " +
      "ECDSA.recover does (Solady's ECDSA does not). Record the signed digest or a nonce as used, never the " +
      "bytes of the signature.",
    references: [
      "https://swcregistry.io/docs/SWC-117",
      "https://eips.ethereum.org/EIPS/eip-2",
      "https://github.com/OpenZeppelin/openzeppelin-contracts/security/advisories/GHSA-4h98-2769-gh6h",
    ],
  },

  check: (program, report) => {
    const bare = new Map<CallSite, FunctionModel>()
    const keyed = new Set<FunctionModel>()
    for (const flow of program.allFlows()) {
      const recoveries = recoveriesIn(program, flow)
      if (recoveries.length === 0) continue
      for (const { site } of recoveries) {
        const unseen = site.target === undefined && isSingleBytes(program, site)
        if (unseen && signatureIsKey(program, flow)) bare.set(site, flow.fn)
        if (site.callKind !== "builtin") continue
        if (!near(program, flow.fn).some((fn) => boundsS(program, program.flow(fn)))) bare.set(site, flow.fn)
      }
      if (!signatureIsKey(program, flow)) continue
      keyed.add(flow.fn)
      for (const { to } of program.graph.callees(flow.fn)) keyed.add(to)
    }
    for (const [site, fn] of bare) {
      const isKey = keyed.has(fn)
      if (!isKey && !isHelper(program, fn)) continue
      report({
        ...placeOf(site),
        scope: site.at.callable.scope,
        ...(isKey
          ? { message: "Used signatures are recorded by their bytes." }
          : { confidence: "low" as const, severity: "low" as const }),
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Claims {
    address signer = msg.sender;
    mapping(bytes32 => bool) used;
    mapping(address => uint256) points;

    function claim(uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 id = keccak256(abi.encode(v, r, s));
        require(!used[id]);
        used[id] = true;
        bytes32 digest = keccak256(abi.encode(address(this), msg.sender, amount));
        address by = ecrecover(digest, v, r, s); // FINDING
        require(by != address(0) && by == signer);
        points[msg.sender] += amount;
    }
}`,
      `pragma solidity ^0.4.24;
contract Transfers {
    mapping(address => uint256) balances;
    mapping(bytes32 => bool) signatureUsed;

    function move(bytes signature, address to, uint256 value, uint256 nonce) public {
        bytes32 txid = keccak256(abi.encodePacked(to, value, nonce, signature));
        require(!signatureUsed[txid]);
        address from = signerOf(keccak256(abi.encodePacked(this, to, value, nonce)), signature);
        require(from != address(0));
        balances[from] -= value;
        balances[to] += value;
        signatureUsed[txid] = true;
    }

    function signerOf(bytes32 h, bytes sig) internal pure returns (address) {
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(sig, 32))
            s := mload(add(sig, 64))
            v := byte(0, mload(add(sig, 96)))
        }
        return ecrecover(h, v, r, s); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
library Signers {
    function signerOf(bytes32 h, uint8 v, bytes32 r, bytes32 s) internal pure returns (address by) {
        by = ecrecover(h, v, r, s); // FINDING
        require(by != address(0));
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
contract Redeem {
    using ECDSA for bytes32;
    address signer = msg.sender;
    mapping(bytes => bool) used;
    mapping(address => uint256) points;

    function redeem(uint256 amount, bytes calldata signature) external {
        require(!used[signature]);
        used[signature] = true;
        bytes32 digest = keccak256(abi.encode(address(this), msg.sender, amount));
        require(digest.recover(signature) == signer); // FINDING
        points[msg.sender] += amount;
    }
}`,
      `pragma solidity ^0.8.0;
function signerOf(bytes32 h, uint8 v, bytes32 r, bytes32 s) pure returns (address) {
    return ecrecover(h, v, r, s); // FINDING
}
contract Checks {
    address signer = msg.sender;
    uint256 constant ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    function isSigned(bytes32 h, uint8 v, bytes32 r, bytes32 s) external view returns (bool) {
        require(uint256(s) < ORDER && v >= 27);
        return ecrecover(h, v, r, s) == signer; // FINDING
    }

    function isRecent(bytes32 h, uint8 v, bytes32 r, bytes32 s) external view returns (bool) {
        assembly {
            if gt(timestamp(), 0x0000000000000000000000000000000000000000000000000000000070000000) {
                revert(0, 0)
            }
        }
        return ecrecover(h, v, r, s) == signer; // FINDING
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Votes {
    mapping(address => uint256) public nonces;
    mapping(address => address) public delegates;

    function delegate(address to, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
        address by = ecrecover(keccak256(abi.encode(this, block.chainid, to, nonce)), v, r, s);
        require(by != address(0) && nonce == nonces[by]++);
        delegates[by] = to;
    }
}`,
      `pragma solidity ^0.8.0;
contract Nonces {
    mapping(address => uint256) nonces;
    mapping(address => address) delegateOf;

    function delegate(address to, address from, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 h = keccak256(abi.encode(address(this), block.chainid, to, nonces[from]++));
        require(from != address(0) && ecrecover(h, v, r, s) == from);
        delegateOf[from] = to;
    }
}`,
      `pragma solidity ^0.8.0;
library Recover {
    function recover(bytes32 h, uint8 v, bytes32 r, bytes32 s) internal pure returns (address by) {
        if (uint256(s) > 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0) revert();
        by = ecrecover(h, v, r, s);
        require(by != address(0));
    }
}`,
      `pragma solidity ^0.8.0;
contract Claims {
    address signer = msg.sender;
    uint256 constant HALF = 57896044618658097711785492504343953926418782139537452191302581570759080747168;
    mapping(bytes32 => bool) used;

    function low(bytes32 s) private pure {
        require(uint256(s) <= HALF, "s");
    }

    function claim(uint8 v, bytes32 r, bytes32 s) external {
        low(s);
        bytes32 id = keccak256(abi.encode(v, r, s));
        require(!used[id]);
        used[id] = true;
        bytes32 digest = keccak256(abi.encode(address(this), msg.sender));
        require(ecrecover(digest, v, r, s) == signer && signer != address(0));
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
contract Tickets {
    using ECDSA for bytes32;
    address signer = msg.sender;
    uint256 constant HALF = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;
    mapping(bytes32 => bool) used;
    mapping(address => uint256) nonces;

    function isSigned(bytes32 h, bytes calldata signature) external view returns (bool) {
        return h.recover(signature) == signer;
    }

    function redeem(uint8 v, bytes32 r, bytes32 s) external {
        bytes32 id = keccak256(abi.encode(v, r, s));
        require(!used[id]);
        used[id] = true;
        bytes32 digest = keccak256(abi.encode(address(this), msg.sender));
        require(digest.recover(v, r, s) == signer);
    }

    function check(bytes32 h, uint8 v, bytes32 r, bytes32 s) external view {
        require(ecrecover(h, v, r, s) == signer);
    }

    function count(address from, uint8 v, bytes32 r, bytes32 s) external returns (uint256) {
        bytes32 h = keccak256(abi.encode(address(this), from, nonces[from]));
        require(from != address(0) && ecrecover(h, v, r, s) == from);
        return ++nonces[from];
    }

    function isLow(bytes32 h, uint8 v, bytes32 r, bytes32 s) external view returns (bool) {
        if (HALF >= uint256(s)) return ecrecover(h, v, r, s) == signer;
        return false;
    }

    function isLowToo(bytes32 h, uint8 v, bytes32 r, bytes32 s) external view returns (bool) {
        assembly {
            if gt(s, 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0) {
                revert(0, 0)
            }
        }
        return ecrecover(h, v, r, s) == signer;
    }
}`,
      `pragma solidity ^0.8.20;
contract Vault {
  address immutable signer;
  mapping(bytes32 => bool) public used;
  constructor(address by) { signer = by; }
  function open(bytes32 h, uint8 v, bytes32 r, bytes32 s) external {
    assembly {
      if gt(s, 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0) { revert(0, 0) }
      if eq(h, "none") { revert(0, 0) }
    }
    require(ecrecover(h, v, r, s) == signer);
    used[h] = true;
  }
  function openLate(bytes32 h, uint8 v, bytes32 r, bytes32 s) external {
    assembly {
      if eq(h, "none") { revert(0, 0) }
      if gt(s, 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0) { revert(0, 0) }
    }
    require(ecrecover(h, v, r, s) == signer);
    used[h] = true;
  }
}`,
    ],
  },
}

const isHalfOrder = (program: Program, e: Expr): boolean => {
  if (e.kind === "YulLiteral") return /^0x[0-9a-f]{64}$/i.test(e.value) && inRange(BigInt(e.value))
  if (e.kind.startsWith("Yul")) return false
  // It is not Yul but a Solidity expression.
  const value = constantNumber(program, e as Parameters<typeof constantNumber>[1])
  return value !== undefined && inRange(value)
}

/** Half the order of secp256k1 has 255 bits; no other compared number does. */
const inRange = (value: bigint): boolean => value >> 254n === 1n

/**
 * Whether some comparison checks a value against half the curve's order. Queried for each signature that is recovered
 * nearby.
 */
const boundsS = oncePerPair((program: Program, flow: Flow): boolean => {
  for (const node of flow.conditionNodes()) {
    let found = false
    walk(node.expression!, (e) => {
      if (e.kind === "BinaryOperation") found ||= isHalfOrder(program, e.left) || isHalfOrder(program, e.right)
      if (e.kind === "YulFunctionCall") found ||= e.args.some((arg) => isHalfOrder(program, arg))
      return !found
    })
    if (found) return true
  }
  return false
})

const nearLimit = 24

/** The function, its callees and its callers. */
const near = (program: Program, fn: FunctionModel): ReadonlyArray<FunctionModel> => [
  fn,
  ...program.graph.callees(fn).map(({ to }) => to),
  ...program.graph
    .callers(fn)
    .slice(0, nearLimit)
    .map(({ from }) => from),
]

/** Whether the bytes of a signature, rather than what was signed, are the key of something recorded. */
const signatureIsKey = (program: Program, flow: Flow): boolean => {
  const parts = recoveriesIn(program, flow).flatMap(({ signature, digest }) =>
    signature.parameters.filter((p) => !digest.parameters.includes(p)),
  )
  return flow.writes.some(({ place }) => {
    const key = place?.keys
    return (
      key !== undefined &&
      // the signer's own entry is not a record of the signature
      ((key.sources | key.keys) & Source.recovered) === 0 &&
      [...key.parameters, ...key.keyParameters].some((p) => parts.includes(p) || p.type.kind === "bytes")
    )
  })
}

/** A library's `recover(digest, signature)`: OpenZeppelin's accepted two forms of the same bytes before 4.7.3. */
const isSingleBytes = (program: Program, { args }: CallSite): boolean =>
  // not Yul, but arguments of a call in Solidity
  program.typeOf(args.at(-1) as Parameters<Program["typeOf"]>[0]).kind === "bytes"

/** Whether others may rely on it through code without source: a library, or a check offered to anybody. */
const isHelper = (program: Program, fn: FunctionModel): boolean => {
  if (fn.returns.length === 0 || (fn.mutability !== "view" && fn.mutability !== "pure")) return false
  return fn.contract?.node.contractKind === "library" || fn.role === "free" || program.graph.isEntryPoint(fn)
}
