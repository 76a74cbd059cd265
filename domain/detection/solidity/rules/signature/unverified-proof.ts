import { mayShutOut } from "../../demands/demands.ts"
import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { FunctionModel, LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { changesSomething, idleMembers, isIdle, isReported } from "../../questions/value/idleNumber.ts"
import type { Type } from "../../types.ts"

export const unverifiedProof: Rule<Program> = {
  meta: {
    id: "evm/signature/unverified-proof",
    class: "missing-access-control",
    title: "Signature or proof is never verified",
    severity: "high",
    // only the name says what an argument of bytes is
    confidence: "medium",
    cwe: [347, 345],
    description:
      "The function takes a signature or a proof from its caller but never does anything with it, and nothing " +
      "else restricts who may call it. Whatever the signature or proof was meant to establish (who agreed, what " +
      "happened on another chain, who is on the list) is taken on the caller's word, so anyone can claim it.",
    remediation:
      "Verify the signature or proof against a known signer or root before acting, over everything that the caller " +
      "chooses. If an interface requires the argument and nothing has to be proven, leave it unnamed.",
    references: ["https://cwe.mitre.org/data/definitions/347.html"],
  },

  check: (program, report) => {
    const called = calledElsewhere(program)
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (!program.graph.isEntryPoint(fn) || called.has(`${fn.name} ${fn.parameters.length}`)) continue
      const idle = fn.parameters.find((parameter) => isUnverified(program, flow, parameter))
      // whoever is trusted is believed
      if (idle === undefined || !changesSomething(flow) || mayShutOut(flow, flow.exit)) continue
      report({
        file: fn.source.file,
        span: idle.node.nameSpan,
        scope: fn.scope,
        message: `\`${idle.name}\` is never verified.`,
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Wallet {
  uint256 public nonce;
  function execute(address to, uint256 value, bytes calldata data, bytes calldata signatures) external { // FINDING
    nonce++;
    (bool done, ) = to.call{value: value}(data);
    require(done);
  }
}`,
      `pragma solidity ^0.8.20;
contract Airdrop {
  bytes32 immutable root;
  mapping(address => uint256) public balanceOf;
  mapping(uint256 => bool) claimed;
  event Claimed(uint256 index, uint256 amount);
  constructor(bytes32 r) { root = r; }
  function claim(uint256 index, uint256 amount, bytes32[] calldata merkleProof) external { // FINDING
    require(!claimed[index]);
    claimed[index] = true;
    balanceOf[msg.sender] += amount;
    emit Claimed(index, amount);
  }
}`,
      `pragma solidity ^0.8.20;
contract Registry {
  struct Slot { uint64 time; bytes32 state; }
  struct SlotProof { Slot slot; bytes32[] witnesses; }
  struct Request { address owner; address to; bytes signature; }
  mapping(bytes32 => uint256) public exits;
  mapping(address => address) public delegate;
  function permit(address owner, address to, uint8 v, bytes32 r, bytes32 s) external { // FINDING
    delegate[owner] = to;
  }
  function exit(bytes32 key, uint64 epoch, SlotProof calldata proof) external { // FINDING
    _exit(key, epoch);
  }
  function _exit(bytes32 key, uint64 epoch) private { exits[key] = epoch; }
  function forward(Request calldata request) external { // FINDING
    delegate[request.owner] = request.to;
  }
  function set(address owner, address to, bytes calldata sig) external { // FINDING
    _set(owner, to, sig);
  }
  function _set(address owner, address to, bytes calldata sig) private { delegate[owner] = to; }
}`,
      // A struct says what it is by its own name or by that of its type.
      `pragma solidity ^0.8.20;
contract Bridge {
  struct Receipt { bytes32 root; uint64 epoch; }
  struct Attestation { bytes32 root; uint64 epoch; }
  mapping(address => uint256) public balanceOf;
  function mint(address to, uint256 amount, Receipt calldata witness) external { // FINDING
    balanceOf[to] += amount;
  }
  function redeem(address to, uint256 amount, Attestation calldata given) external { // FINDING
    balanceOf[to] += amount;
  }
  function release(address to, uint256 amount, Receipt[] calldata proofs) external { // FINDING
    balanceOf[to] += amount;
  }
  // that the contract itself calls it verifies nothing
  function claim(address to, bytes32 id, bytes32[] calldata proof) public { // FINDING
    balanceOf[to] += uint256(id);
  }
  function claimAll(address to, bytes32[] calldata ids, bytes32[][] calldata proofs) external {
    for (uint256 i; i < ids.length; i++) claim(to, ids[i], proofs[i]);
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
interface IVerifier { function verify(bytes32 root, bytes32 leaf, bytes32[] calldata proof) external view returns (bool); }
contract Claims {
  bytes32 immutable root;
  IVerifier immutable verifier;
  address immutable owner = msg.sender;
  mapping(address => uint256) public balanceOf;
  mapping(address => bool) claimed;
  struct Request { address owner; address to; bytes signature; }
  mapping(address => address) public delegate;
  constructor(bytes32 r, IVerifier v) { root = r; verifier = v; }
  function claim(uint256 amount, bytes32[] calldata proof) external {
    require(!claimed[msg.sender]);
    require(verifier.verify(root, keccak256(abi.encode(msg.sender, amount)), proof));
    claimed[msg.sender] = true;
    balanceOf[msg.sender] += amount;
  }
  function grant(address to, uint256 amount, bytes calldata signature) external {
    require(msg.sender == owner);
    balanceOf[to] += amount;
  }
  function receiveMessage(address to, uint256 amount, bytes calldata) external { balanceOf[to] += amount > 5 ? 1 : 0; }
  function permit(address from, address to, uint8 v, bytes32 r, bytes32 s) external {
    require(from != address(0) && ecrecover(keccak256(abi.encode(from, to)), v, r, s) == from);
    delegate[from] = to;
  }
  function forward(Request calldata request) external {
    _check(request.owner, request.to, request.signature);
    delegate[request.owner] = request.to;
  }
  function _check(address from, address to, bytes calldata signature) private pure {
    (uint8 v, bytes32 r, bytes32 s) = abi.decode(signature, (uint8, bytes32, bytes32));
    require(from != address(0) && ecrecover(keccak256(abi.encode(from, to)), v, r, s) == from);
  }
}`,
      `pragma solidity ^0.8.20;
abstract contract Inbox {
  uint256 public count;
  mapping(bytes32 => bool) public seen;
  function receiveProof(bytes calldata proof) external { count++; _verify(proof); }
  function _verify(bytes calldata proof) internal virtual { count++; }
  function check(bytes calldata proof) external view returns (bool) { return count > 5; }
  function old(bytes calldata proof) external pure { revert(); }
  function raw(bytes calldata proof) external {
    bytes32 h;
    assembly { h := calldataload(proof.offset) }
    seen[h] = true;
  }
  struct Vote { uint256 id; address by; }
  struct Signature { bytes raw; uint256 id; }
  event Bid(uint256 amount, bytes bidSignature);
  function bid(uint256 amount, bytes calldata bidSignature) external { count += amount; emit Bid(amount, bidSignature); }
  function part(Signature calldata signature) external { seen[keccak256(signature.raw)] = true; count += signature.id; }
  // its parts are handed on separately
  function vote(bytes calldata attestation) external { _vote(abi.decode(attestation, (Vote)), attestation); }
  event Voted(uint256 id, bytes attestation);
  function _vote(Vote memory given, bytes calldata attestation) private { count += given.id; emit Voted(given.id, attestation); }
  // a number, and one of the parts alone, are no signature
  function mark(uint256 proofs, bytes32 r) external { count += 2; }
}
interface IGuard { function done(address to, bytes calldata signatures) external; }
contract Guard is IGuard {
  uint256 public times;
  function done(address to, bytes calldata signatures) external { times += to == msg.sender ? 1 : 2; }
}
contract Signed {
  IGuard immutable guard;
  address immutable owner = msg.sender;
  constructor(IGuard g) { guard = g; }
  function run(address to, bytes calldata signatures) external {
    (uint8 v, bytes32 r, bytes32 s) = abi.decode(signatures, (uint8, bytes32, bytes32));
    require(ecrecover(keccak256(abi.encode(to, address(this))), v, r, s) == owner);
    guard.done(to, signatures);
  }
}
contract Strict is Inbox {
  function _verify(bytes calldata proof) internal override { require(seen[keccak256(proof)]); }
}`,
      `pragma solidity ^0.8.20;
abstract contract Book {
  struct Bid { uint256 id; uint256 price; bytes32[] path; }
  mapping(bytes32 => uint256) public best;
  mapping(bytes32 => address) public keeper;
  function _noted(uint256 id, bytes32 proof) private { best[proof] = id; }
  function note(uint256 id, bytes32 proof) external { _noted(id, proof); }
  // a struct that proves nothing may be ignored, and so may numbers that are named like parts of a signature
  function bid(bytes32 id, uint256 price, Bid calldata other) external { best[id] = price; }
  function keep(bytes32 salt, uint256 v, bytes32 r) external { keeper[salt] = msg.sender; }
  function seed(bytes32 salt, uint256 v, bytes32 s) external { keeper[salt] = msg.sender; }
  function mixed(bytes32 r, bytes32 s, bytes32 salt) external { keeper[salt] = msg.sender; }
  function plain(bytes32 v, bytes32 s, bytes32 salt) external { keeper[salt] = msg.sender; }
  // nor does a code that comes with a proof
  function join(bytes32 referral, bytes32 proof) external { require(best[proof] != 0); keeper[proof] = msg.sender; }
}`,
    ],
  },
}

/** How arguments of plain bytes, or their types, are named that prove something. */
const proofName = /proof|sig(?:nature)?s?$|attestation|witness/i

const isProof = ({ name, type }: Pick<LocalVariable, "name" | "type">): boolean =>
  type.kind === "struct"
    ? proofName.test(name) || proofName.test(type.struct.name)
    : proofName.test(name) && isBytes(type.kind === "array" ? type.base : type)

const isBytes = ({ kind }: Type): boolean => kind === "bytes" || kind === "fixedBytes" || kind === "struct"

/** `v, r, s` */
const isSplit = oncePer(({ parameters }: FunctionModel): boolean => {
  const names = new Set(parameters.map(({ name }) => name.replaceAll("_", "")))
  return ["v", "r", "s"].every((part) => names.has(part))
})

/** Functions of other contracts that the program calls: whoever informs another has verified what it tells them. */
const calledElsewhere = (program: Program): ReadonlySet<string> =>
  new Set(
    program
      .allFlows()
      .flatMap((flow) => flow.calls())
      .flatMap(({ callKind, name, args }) => (callKind === "external" ? [`${name} ${args.length}`] : [])),
  )

const isUnverified = (program: Program, { fn }: Flow, parameter: LocalVariable): boolean =>
  isProof(parameter) || (parameter.type.kind === "fixedBytes" && isSplit(fn))
    ? // what an event reports, others may verify
      isIdle(program, fn, parameter) && !isReported(program, fn, parameter)
    : idleMembers(program, fn, parameter).some(isProof)
