import { accessOf, type Entry } from "../../../../../../domain/detection/solidity/access/entries/entries.ts"
import { replayableIn, uncoveredIn } from "../../../../../../domain/detection/solidity/access/entries/coverage.ts"
import type { Flow } from "../../../../../../domain/detection/solidity/program.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

const about = (question: (entry: Entry) => ReturnType<typeof uncoveredIn>) => (flow: Flow) => {
  const entry = accessOf(flow.program).entryOf.get(flow.fn)
  const found = entry === undefined ? undefined : question(entry)
  return found === undefined ? "none" : [found.reason, found.parameter?.name ?? []].flat().join(" ")
}

/** What signatures and proofs do not say of what they permit. */
export const papers = questionTable("papers", { left: about(uncoveredIn), again: about(replayableIn) }, [
  `pragma solidity ^0.8.20;
library MerkleProof { function verify(bytes32[] memory proof, bytes32 root, bytes32 leaf) internal pure returns (bool) { for (uint256 i; i < proof.length; i++) leaf = keccak256(abi.encode(leaf, proof[i])); return leaf == root; } }
interface ICoin { function transfer(address to, uint256 n) external returns (bool); }
interface IShop { function open() external; }
contract Desk {
  address owner = msg.sender;
  address signer;
  bytes32 root;
  uint256 limit;
  IShop shop; ICoin coin;
  string title; bytes data; bool done;
  struct Profile { string name; bytes note; }
  mapping(address => Profile) profiles;
  address immutable fixedSigner = msg.sender;
  mapping(uint256 => bool) used;
  mapping(uint256 => uint256) amounts;
  mapping(address => bool) seen;
  mapping(bytes32 => bool) hashes;
  mapping(bytes32 => bool) spent;
  mapping(address => mapping(uint256 => bool)) usedBy;
  mapping(address => uint256) held;
  constructor(address s, bytes32 r, ICoin c) { signer = s; root = r; coin = c; }
  function left(string memory) internal {}
  function again(string memory) internal {}
  function only(bytes32 h, bytes32 r, bytes32 s) internal view { require(ecrecover(h, 27, r, s) == signer); }

  // The signature says who is paid, or not, and how much.
  function pay(address to, uint256 n, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payAny(address to, uint256 n, bytes32 r, bytes32 s) external { left("uncovered to"); only(keccak256(abi.encode(n)), r, s); coin.transfer(to, n); }
  function payMuch(address to, uint256 n, bytes32 r, bytes32 s) external { left("uncovered n"); only(keccak256(abi.encode(to)), r, s); coin.transfer(to, n); }
  function payLimited(address to, uint256 n, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(to)), r, s); require(n < limit); coin.transfer(to, n); }
  function payTen(address to, uint256 n, bytes32 r, bytes32 s) external { left("uncovered n"); only(keccak256(abi.encode(to)), r, s); require(n < 10); coin.transfer(to, n); }
  function payOnce(uint256 id, address to, bytes32 r, bytes32 s) external { left("uncovered to"); require(!used[id]); used[id] = true; only(keccak256(abi.encode(id)), r, s); coin.transfer(to, 5); }
  function payPart(address to, uint256 n, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(to)), r, s); coin.transfer(to, n * limit); }
  function payProven(uint256 id, address to, bytes32[] calldata proof) external { left("uncovered to"); require(MerkleProof.verify(proof, root, keccak256(abi.encode(id)))); coin.transfer(to, 5); }
  function payByOwner(address to, uint256 n, bytes32 r, bytes32 s) external { left("none"); require(msg.sender == owner); only(keccak256(abi.encode(to)), r, s); coin.transfer(to, n); }
  function paySender(address to, uint256 n, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(msg.sender)), r, s); coin.transfer(to, n); }
  function payUnsigned(address to, uint256 n) external { left("none"); coin.transfer(to, n); }
  function payByHelper(address to, uint256 n, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(to)), r, s); _transfer(to, n); }
  function _transfer(address to, uint256 n) internal { coin.transfer(to, n); }

  function payOnlyOnce(address to, bytes32 r, bytes32 s) external { left("uncovered to"); require(!done); done = true; only(keccak256(abi.encode(owner)), r, s); coin.transfer(to, 5); }
  function payByAnyone(address who, address to, bytes32 r, bytes32 s) external { left("uncovered to"); require(ecrecover(keccak256(abi.encode(who)), 27, r, s) == who); coin.transfer(to, 5); }
  function payEither(address to, bytes32 h, bytes32 r, bytes32 s) external { left("none"); require(ecrecover(keccak256(abi.encode(limit)), 27, r, s) == signer || ecrecover(keccak256(abi.encode(h)), 27, r, s) == signer); coin.transfer(to, 5); }
  function payFixed(address to, bytes32 r, bytes32 s) external { left("none"); require(ecrecover(keccak256(abi.encode(to)), 27, r, s) == fixedSigner); coin.transfer(to, 5); }

  // What is written, and where.
  function set(uint256 n, uint256 id, bytes32 r, bytes32 s) external { left("uncovered n"); only(keccak256(abi.encode(id)), r, s); limit = n; }
  function setShop(IShop x, uint256 id, bytes32 r, bytes32 s) external { left("uncovered x"); only(keccak256(abi.encode(id)), r, s); shop = x; }
  function setTitle(string memory x, uint256 id, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(id)), r, s); title = x; }
  function setData(bytes memory x, uint256 id, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(id)), r, s); data = x; }
  function setName(address who, string memory x, uint256 id, bytes32 r, bytes32 s) external { left("uncovered who"); only(keccak256(abi.encode(id)), r, s); profiles[who].name = x; }
  function setNote(address who, bytes memory x, uint256 id, bytes32 r, bytes32 s) external { left("uncovered who"); only(keccak256(abi.encode(id)), r, s); profiles[who].note = x; }
  function setFor(address who, uint256 id, bytes32 r, bytes32 s) external { left("uncovered who"); only(keccak256(abi.encode(id)), r, s); seen[who] = true; }
  function setSum(uint256 n, uint256 id, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(id)), r, s); limit = limit + n; }
  function setOwn(uint256 n, uint256 id, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(id)), r, s); held[msg.sender] = n; }

  // A time that whoever submits it names.
  function inTime(address to, uint256 until, bytes32 r, bytes32 s) external { left("uncovered until"); only(keccak256(abi.encode(to)), r, s); require(block.timestamp < until); coin.transfer(to, 5); }
  function inLaterTime(address to, uint256 until, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(to)), r, s); require(block.timestamp < until + limit); coin.transfer(to, 5); }
  function inSignedTime(address to, uint256 until, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(to, until)), r, s); require(block.timestamp < until); coin.transfer(to, 5); }
  function atTime(address to, uint256 at, bytes32 r, bytes32 s) external { left("none"); only(keccak256(abi.encode(to)), r, s); require(block.timestamp == at); coin.transfer(to, 5); }
}`,
  `pragma solidity ^0.8.20;
library MerkleProof { function verify(bytes32[] memory proof, bytes32 root, bytes32 leaf) internal pure returns (bool) { for (uint256 i; i < proof.length; i++) leaf = keccak256(abi.encode(leaf, proof[i])); return leaf == root; } }
interface ITold { function tell(uint256 n) external; }
interface ICoin { function transfer(address to, uint256 n) external returns (bool); }
contract Desk {
  address owner = msg.sender;
  bytes32 root;
  address signer;
  uint256 limit;
  ICoin coin;
  mapping(uint256 => bool) used;
  mapping(uint256 => bool) others;
  mapping(uint256 => uint256) amounts;
  mapping(address => bool) seen;
  mapping(bytes32 => bool) hashes;
  mapping(bytes32 => bool) spent;
  mapping(address => mapping(uint256 => bool)) usedBy;
  constructor(address s, ICoin c) { signer = s; coin = c; }
  function again(string memory) internal {}
  function only(bytes32 h, bytes32 r, bytes32 s) internal view { require(ecrecover(h, 27, r, s) == signer); }

  // The mark is under a number that is not signed.
  function pay(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("none"); require(!used[id]); used[id] = true; only(keccak256(abi.encode(to, n, id)), r, s); coin.transfer(to, n); }
  function payUnbound(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("unbound id"); require(!used[id]); used[id] = true; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payAmount(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("unbound id"); require(amounts[id] == 0); amounts[id] = n; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payWord(address to, uint256 n, bytes32 id, bytes32 r, bytes32 s) external { again("unbound id"); require(!spent[id]); spent[id] = true; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payUnmarked(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("none"); used[id] = true; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payMarked(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("none"); require(used[id]); used[id] = true; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payOther(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("none"); require(!others[id]); used[id] = true; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payAccount(address to, uint256 n, address who, bytes32 r, bytes32 s) external { again("none"); require(!seen[who]); seen[who] = true; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payHash(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("none"); bytes32 h = keccak256(abi.encode(id)); require(!hashes[h]); hashes[h] = true; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function paySenders(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("none"); require(!usedBy[msg.sender][id]); usedBy[msg.sender][id] = true; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payKept(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("none"); require(!used[id]); used[id] = true; limit = id; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payByOwner(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("none"); require(msg.sender == owner); require(!used[id]); used[id] = true; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }

  function payPaid(address to, uint256 n, uint256 id, bytes32 r, bytes32 s) external { again("none"); require(amounts[id] > 0); amounts[id] = n; only(keccak256(abi.encode(to, n)), r, s); coin.transfer(to, n); }
  function payProven(address to, uint256 n, uint256 id, bytes32[] calldata proof) external { again("none"); require(!used[id]); used[id] = true; require(MerkleProof.verify(proof, root, keccak256(abi.encode(to, n)))); coin.transfer(to, n); }

  // Whoever sees it is paid.
  function cash(uint256 n, bytes32 r, bytes32 s) external { again("bearer"); only(keccak256(abi.encode(n)), r, s); coin.transfer(msg.sender, n); }
  function cashEther(uint256 n, bytes32 r, bytes32 s) external { again("bearer"); only(keccak256(abi.encode(n)), r, s); payable(msg.sender).transfer(n); }
  function cashOwn(uint256 n, bytes32 r, bytes32 s) external { again("none"); only(keccak256(abi.encode(n, msg.sender)), r, s); coin.transfer(msg.sender, n); }
  function cashFive(uint256 n, bytes32 r, bytes32 s) external { again("none"); only(keccak256(abi.encode(n)), r, s); coin.transfer(msg.sender, 5); }
  function cashTo(uint256 n, address payable to, bytes32 r, bytes32 s) external { again("none"); only(keccak256(abi.encode(n, to)), r, s); to.transfer(n); }
  function cashEither(uint256 n, address to, bytes32 r, bytes32 s) external { again("none"); only(keccak256(abi.encode(n)), r, s); coin.transfer(n > 5 ? msg.sender : to, n); }
  function tell(uint256 n, bytes32 r, bytes32 s) external { again("none"); only(keccak256(abi.encode(n)), r, s); ITold(msg.sender).tell(n); }
}`,
])
