import type { Rule } from "../../../Rule.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { recoveriesIn } from "../../questions/authority/recoveredSigner.ts"
import { untilWhen } from "../../questions/value/limitNames.ts"

export const uncheckedDeadline: Rule<Program> = {
  meta: {
    id: "evm/signature/unchecked-deadline",
    class: "sig-replay",
    title: "Signed deadline is never checked",
    severity: "medium",
    confidence: "medium",
    cwe: [613, 294],
    swc: 121,
    description:
      "The signed message states a deadline, but the function never compares it with the current time. A " +
      "signature that its signer considers expired can be used for as long as its nonce is unused, even after " +
      "prices and intentions have changed.",
    remediation: "Revert if `block.timestamp` is past the signed deadline.",
    references: ["https://eips.ethereum.org/EIPS/eip-2612", "https://cwe.mitre.org/data/definitions/613.html"],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (!program.graph.isEntryPoint(fn) || fn.mutability === "view" || fn.mutability === "pure") continue
      // What is only announced may be checked by whoever acts on it.
      if (flow.writes.length === 0 && flow.externalCalls.every(({ event }) => event.isStatic)) continue
      const deadlines = fn.parameters.filter(({ name, type }) => type.kind === "integer" && untilWhen.test(name))
      for (const deadline of deadlines) {
        const recovery = recoveriesIn(program, flow).find(({ digest }) => isIn(digest, deadline))
        if (recovery === undefined || isHeldAgainstTime(flow, deadline)) continue
        report({
          ...placeOf(recovery.site),
          scope: fn.scope,
          trace: [
            {
              file: fn.source.file,
              span: fn.node.nameSpan,
              note: `\`${deadline.name}\` is part of the signed message`,
            },
            { ...placeOf(recovery.site), note: "the signer is recovered" },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Coin {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  mapping(address => uint256) public nonces;
  mapping(address => mapping(address => uint256)) public allowance;
  function permit(address from, address to, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 hash = keccak256(abi.encode(domain, from, to, amount, nonces[from]++, deadline));
    address signer = ecrecover(hash, v, r, s); // FINDING
    require(signer != address(0) && signer == from);
    allowance[from][to] = amount;
  }
}`,
      `pragma solidity ^0.8.20;
contract Orders {
  mapping(address => uint256) public nonces;
  mapping(bytes32 => bool) public open;
  function _hash(address maker, bytes32 order, uint64 expiry) internal returns (bytes32) {
    return keccak256(abi.encode(block.chainid, address(this), maker, order, expiry, nonces[maker]++));
  }
  function place(address maker, bytes32 order, uint64 expiry, uint8 v, bytes32 r, bytes32 s) external {
    address signer = ecrecover(_hash(maker, order, expiry), v, r, s); // FINDING
    if (signer == address(0) || signer != maker) revert();
    open[order] = true;
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken {
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function record(bytes32 hash) external;
}
contract Offers {
  IToken immutable token;
  uint256 immutable start = block.timestamp + 1 days;
  mapping(address => uint256) public nonces;
  constructor(IToken t) { token = t; }
  function take(address from, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    require(block.timestamp >= start && deadline != 0);
    bytes32 hash = keccak256(abi.encode(block.chainid, address(this), from, amount, nonces[from]++, deadline));
    address signer = ecrecover(hash, v, r, s); // FINDING
    require(signer != address(0) && signer == from);
    token.record(hash);
    require(token.transferFrom(from, msg.sender, amount));
  }
}`,
    ],
    safe: [
      // The signature is only announced: whoever uses it checks the time.
      `pragma solidity ^0.8.20;
contract Candidates {
  event Signed(address by, bytes32 what, uint256 deadline);
  bytes32 constant TYPE = keccak256("Sign(bytes32 what,uint256 deadline)");
  function sign(bytes32 what, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 digest = keccak256(abi.encode(TYPE, what, deadline, address(this)));
    require(ecrecover(digest, v, r, s) == msg.sender && msg.sender != address(0));
    emit Signed(msg.sender, what, deadline);
  }
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  mapping(address => uint256) public nonces;
  mapping(address => mapping(address => uint256)) public allowance;
  function _inTime(uint256 deadline) internal view { if (deadline < block.timestamp) revert(); }
  function permit(address from, address to, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    _inTime(deadline);
    bytes32 hash = keccak256(abi.encode(domain, from, to, amount, nonces[from]++, deadline));
    address signer = ecrecover(hash, v, r, s);
    require(signer != address(0) && signer == from);
    allowance[from][to] = amount;
  }
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  mapping(address => uint256) public nonces;
  mapping(address => mapping(address => uint256)) public allowance;
  function permit(address from, address to, uint256 amount, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external {
    require(expiry == 0 || block.timestamp <= expiry);
    bytes32 hash = keccak256(abi.encode(domain, from, to, amount, nonces[from]++, expiry));
    address signer = ecrecover(hash, v, r, s);
    require(signer != address(0) && signer == from);
    allowance[from][to] = amount;
  }
}`,
      `pragma solidity ^0.8.20;
import "./Clock.sol";
interface IClock {
  function check(uint256 deadline) external view;
}
contract Offers is Clock {
  IClock immutable clock;
  mapping(address => uint256) public nonces;
  mapping(address => uint256) public offers;
  event Late(address from);
  constructor(IClock c) { clock = c; }
  function _offer(address from, address validToken, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) internal {
    bytes32 hash = keccak256(abi.encode(block.chainid, address(this), from, validToken, amount, nonces[from]++, deadline));
    require(from != address(0) && ecrecover(hash, v, r, s) == from);
    offers[from] = amount;
  }
  function offer(address from, address validToken, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    clock.check(deadline);
    _offer(from, validToken, amount, deadline, v, r, s);
  }
  function inherited(address from, address validToken, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    _checkTime(deadline);
    _offer(from, validToken, amount, deadline, v, r, s);
  }
  function offerOrTell(address from, address validToken, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    if (block.timestamp > deadline) emit Late(from);
    else _offer(from, validToken, amount, deadline, v, r, s);
  }
  function isSigned(address from, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external view returns (bool) {
    return ecrecover(keccak256(abi.encode(block.chainid, address(this), amount, deadline)), v, r, s) == from;
  }
  function isSignedPurely(address from, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external pure returns (bool) {
    return ecrecover(keccak256(abi.encode(amount, deadline)), v, r, s) == from;
  }
  function cancel(address from, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 hash = keccak256(abi.encode(block.chainid, address(this), from, nonces[from]++));
    require(from != address(0) && ecrecover(hash, v, r, s) == from);
    delete offers[from];
  }
}`,
    ],
  },
}

const isIn = ({ parameters }: Origins, p: LocalVariable): boolean => parameters.includes(p)

/** Whether it is compared with the time, or passed to another contract, which may do that. */
const isHeldAgainstTime = (flow: Flow, p: LocalVariable): boolean =>
  flow.facts(flow.exit).some((fact) => isAboutTime(fact, p)) ||
  flow
    .calls()
    .some(
      ({ callKind, args, at }) =>
        (callKind === "external" || callKind === "unknown") &&
        args.some((arg) => isIn(flow.origins(arg, at), p) && !has(flow.origins(arg, at), Source.hash)),
    )

const isAboutTime = (fact: Fact, p: LocalVariable): boolean => {
  if (fact.kind === "any") return fact.options.some((option) => option.some((f) => isAboutTime(f, p)))
  const sides = fact.right === undefined ? [fact.left] : [fact.left, fact.right]
  return (
    sides.some((side) => isIn(side, p)) &&
    sides.some((side) => has(side, Source.timestamp | Source.unknown | Source.external))
  )
}
