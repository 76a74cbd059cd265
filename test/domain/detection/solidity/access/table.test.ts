import { describe, expect, it } from "vitest"
import { accessTable } from "../../../../../domain/detection/solidity/access/table/table.ts"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"

/** What the table says about the effects of each function of the only contract. */
const rowsOf = (text: string): Record<string, ReadonlyArray<string>> => {
  const program = buildProgram([parseSolidity(sourceFile("a.sol", `pragma solidity ^0.8.20;\n${text}`))])
  return Object.fromEntries(
    accessTable(program).map(({ function: name, effects }) => [
      name.split("(")[0]!,
      effects.map(({ what, who }) => `${what} · ${who}`),
    ]),
  )
}

describe("the access table", () => {
  it("names the modifier of a function that is called", () => {
    const { setRecord, setOwner } = rowsOf(`
contract Registry {
  mapping(bytes32 => address) ownerOf;
  mapping(bytes32 => uint256) ttl;
  modifier authorized(bytes32 id) { _check(id); _; }
  function _check(bytes32 id) internal view { address owner = ownerOf[id]; require(owner == msg.sender); }
  function setOwner(bytes32 id, address to) public authorized(id) { ownerOf[id] = to; }
  function setRecord(bytes32 name, address to, uint256 time) external { setOwner(name, to); ttl[name] = time; }
}`)
    expect(setOwner).toEqual(["writes `ownerOf[]` · `authorized(id)`"])
    expect(setRecord).toEqual(["writes `ttl[]` · `authorized(name)`", "writes `ownerOf[]` · `authorized(name)`"])
  })

  it("shows what a local stands for", () => {
    const { claim, wrap } = rowsOf(`
interface INames { function owner(bytes32 id) external view returns (address); }
contract Queue {
  struct Request { address by; uint256 amount; bool done; }
  INames immutable names;
  mapping(uint256 => Request) requests;
  mapping(bytes32 => uint256) wrapped;
  constructor(INames n) { names = n; }
  function claim(uint256 id) external { _claim(id); }
  function _claim(uint256 number) internal {
    Request memory request = requests[number];
    require(request.by == msg.sender, "not yours");
    requests[number].done = true;
  }
  function wrap(bytes32 id) external {
    address owner = names.owner(id);
    require(owner == msg.sender);
    wrapped[id] = block.number;
  }
}`)
    expect(claim).toEqual(["writes `requests[].done` · `requests[id].by == msg.sender`"])
    expect(wrap).toEqual(["writes `wrapped[]` · `names.owner(id) == msg.sender`"])
  })

  it("takes a hash for the name of an entry only if a text is hashed", () => {
    const { setFee, move } = rowsOf(`
interface IStore { function setUint(bytes32 key, uint256 to) external; }
interface ITree { function setOwner(bytes32 node, address to) external; }
contract Settings {
  IStore immutable store;
  ITree immutable tree;
  address immutable chief = msg.sender;
  constructor(IStore s, ITree t) { store = s; tree = t; }
  function feeKey(address market) internal pure returns (bytes32) { return keccak256(abi.encode("fee", market)); }
  function node(bytes32 parent, bytes32 label) internal pure returns (bytes32) {
    return keccak256(abi.encodePacked(parent, label));
  }
  function setFee(address market, uint256 to) external { require(msg.sender == chief); store.setUint(feeKey(market), to); }
  function move(bytes32 parent, bytes32 label, address to) external {
    require(msg.sender == chief);
    tree.setOwner(node(parent, label), to);
  }
}`)
    expect(setFee).toEqual(["writes `feeKey` · `msg.sender == chief`"])
    expect(move).toEqual(["calls `setOwner()` · `msg.sender == chief`"])
  })

  it("knows that an allowance must suffice where arithmetic is checked", () => {
    const { transferFrom, take, give } = rowsOf(`
contract Coin {
  mapping(address => uint256) held;
  mapping(address => mapping(address => uint256)) allowed;
  function _approve(address from, address who, uint256 to) internal { allowed[from][who] = to; }
  function transferFrom(address from, address to, uint256 n) external {
    _approve(from, msg.sender, allowed[from][msg.sender] - n);
    held[from] -= n;
    held[to] += n;
  }
  function take(address from, uint256 n) external { allowed[from][msg.sender] -= n; held[from] -= n; }
  function give(address from, uint256 n) external { unchecked { allowed[from][msg.sender] -= n; } held[from] -= n; }
}`)
    expect(transferFrom).toEqual([
      "writes `held[]` · holders of `allowed`",
      "writes `allowed[][]` · anyone, for themselves",
    ])
    expect(take).toEqual(["writes `allowed[][]` · anyone, for themselves", "writes `held[]` · holders of `allowed`"])
    expect(give).toEqual(["writes `allowed[][]` · anyone, for themselves", "writes `held[]` · anyone"])
  })

  it("says who may act for themselves if not everyone may", () => {
    const { trade, fund, fundFor, end } = rowsOf(`
contract Desk {
  mapping(address => bool) isPartner;
  mapping(address => uint256) held;
  mapping(address => uint256) since;
  bool legacy;
  modifier byPartner() { require(isPartner[msg.sender] || legacy); _; }
  function setPartner(address who) external { require(since[msg.sender] != 0 && isPartner[msg.sender]); isPartner[who] = true; }
  function trade(uint256 n) external byPartner { held[msg.sender] = n; }
  function fund(uint256 n) external { fundFor(msg.sender, n); }
  function fundFor(address who, uint256 n) public {
    held[who] += n;
    if (since[who] > 0) { require(msg.sender == who); since[who] = 0; }
  }
  function end() external { selfdestruct(payable(msg.sender)); }
}`)
    expect(trade).toEqual(["writes `held[]` · `isPartner[msg.sender] || legacy`"])
    expect(fund!.join()).not.toContain("msg.sender == msg.sender")
    expect(fundFor).toContain("writes `since[]` · `msg.sender == who`")
    expect(end).toEqual(["destroys the contract · anyone"])
  })

  it("does not show one heir the check of another", () => {
    const text = `pragma solidity ^0.8.20;
abstract contract Base {
  uint256 fee;
  function mayEdit() internal view virtual returns (bool);
  modifier editable() { require(mayEdit()); _; }
  function setFee(uint256 to) external editable { fee = to; }
}
contract Owned is Base {
  address owner = msg.sender;
  function mayEdit() internal view override returns (bool) { return msg.sender == owner; }
}
contract Listed is Base {
  mapping(address => bool) listed;
  constructor() { listed[msg.sender] = true; }
  function mayEdit() internal view override returns (bool) { return listed[msg.sender]; }
}`
    const rows = accessTable(buildProgram([parseSolidity(sourceFile("a.sol", text))]))
    expect(rows.map(({ contract, effects }) => [contract, effects[0]!.who])).toEqual([
      ["Owned", "`msg.sender == owner`"],
      ["Listed", "`editable`"],
    ])
  })
})
