import { describe, expect, it } from "vitest"
import { shortened } from "../../../domain/access/accessLimits.ts"
import { type AccessRow, type AccessStanding, compareAccess } from "../../../domain/access/AccessTable.ts"
import { weakest } from "../../../domain/access/looseness.ts"
import { accessTable } from "../../../domain/detection/solidity/access/table/table.ts"
import { parseSolidity } from "../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../domain/detection/solidity/buildProgram.ts"
import { sourceFile } from "../../../domain/detection/SourceFile.ts"
import { renderAccess, renderAccessChanges } from "../../../domain/report/AccessMarkdown.ts"

const tableOf = (text: string): ReadonlyArray<AccessRow> =>
  accessTable(buildProgram([parseSolidity(sourceFile("src/Example.sol", text))]))

const told = (rows: ReadonlyArray<AccessRow>) =>
  rows.map((row) => [row.function, row.standing, ...row.effects.map(({ what, who }) => `${what}: ${who}`)])

const bank = (check: string): string => `pragma solidity ^0.8.20;
contract Owned {
  address public owner = msg.sender;
  modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }
  function hand(address next) external onlyOwner { owner = next; }
}
contract Bank is Owned {
  bool ready;
  uint256 public fee;
  mapping(address => uint256) public held;
  function setUp(uint256 first) external { require(!ready); ready = true; fee = first; }
  function setFee(uint256 to) external ${check} { fee = to; }
  function put() external payable { held[msg.sender] += msg.value; }
  function sweep(address payable to) external onlyOwner { to.transfer(address(this).balance); }
  function poke() external { fee = block.timestamp; }
  function look() external view returns (uint256) { return fee; }
}`

describe("access tables", () => {
  it("say per contract what each function can do and who is allowed to call it", () => {
    const rows = tableOf(bank("onlyOwner"))
    expect(told(rows.filter(({ contract }) => contract === "Bank"))).toEqual([
      ["setUp(uint256)", "once", "writes `ready`: the first caller", "writes `fee`: the first caller"],
      ["setFee(uint256)", "guarded", "writes `fee`: `msg.sender == owner`"],
      ["put()", "tied", "writes `held[]`: anyone, for themselves"],
      ["sweep(address)", "guarded", "sends ether to `to`: `msg.sender == owner`"],
      ["poke()", "open", "writes `fee`: anyone"],
      ["hand(address)", "guarded", "writes `owner`: `msg.sender == owner`"],
    ])
    expect(rows.find(({ function: name }) => name === "hand(address)")?.effects[0]?.kind).toBe("authority")
    expect(rows.find(({ function: name }) => name === "sweep(address)")?.effects[0]?.kind).toBe("assets")
  })

  it("describe callers in terms of the entry point, even if a modifier or another file checks them", () => {
    const rows = tableOf(`pragma solidity ^0.8.20;
abstract contract Roles {
  mapping(bytes32 => mapping(address => bool)) granted;
  mapping(address => uint256) held;
  function has(bytes32 role, address who) internal view returns (bool) { return granted[role][who]; }
  function check(bytes32 role, address who) internal view { if (!has(role, who)) revert(); }
  modifier only(bytes32 role) { check(role, msg.sender); _; }
  function sub(uint256 a, uint256 b) internal pure returns (uint256 c) { require(b <= a); c = a - b; }
}
contract Vault is Roles {
  bytes32 constant KEEPER = keccak256("KEEPER");
  address token; address admin; address guardian; IACL acl; uint256 x; bool managed;
  modifier adminOrListed() { if (msg.sender != admin) acl.demand(msg.sender); _; }
  function tune(uint256 to) external only(KEEPER) { x = to; }
  function halt() external { if (msg.sender != admin /* or */ && // the
    msg.sender != guardian) revert(); x = 0; }
  function take(uint256 amount) external { held[msg.sender] = sub(held[msg.sender], amount); }
  function leave() external { uint256 amount = held[msg.sender]; require(amount > 0); held[msg.sender] = 0; }
  function list(uint256 to) external adminOrListed { x = to; }
  modifier whenManaged() { if (managed) require(granted[KEEPER][msg.sender]); _; }
  function ease(uint256 to) external whenManaged { x = to; }
  function pay(address to, uint256 amount) external only(KEEPER) { IERC20(token).transfer(to, amount); }
  function pull(uint256 amount) external { IERC20(token).transferFrom(msg.sender, address(this), amount); }
}
interface IACL { function demand(address who) external view; }
interface IERC20 { function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); }`)
    expect(rows.map(({ function: name, effects }) => `${name} ${effects[0]!.what}: ${effects[0]!.who}`)).toEqual([
      "tune(uint256) writes `x`: `granted[KEEPER][msg.sender]`",
      "halt() writes `x`: `msg.sender == admin || msg.sender == guardian`",
      "take(uint256) writes `held[]`: `amount <= held[msg.sender]`",
      "leave() writes `held[]`: holders of `held`",
      "list(uint256) writes `x`: `acl.demand(msg.sender) || msg.sender == admin`",
      "ease(uint256) writes `x`: `whenManaged`",
      "pay(address,uint256) transfers `token` to `to`: `granted[KEEPER][msg.sender]`",
      "pull(uint256) transfers `token` from the caller to this contract: anyone, for themselves",
    ])
  })

  it("omit locks in assembly, and recognize an initializer by a time that others only advance", () => {
    const rows = tableOf(`pragma solidity ^0.8.20;
contract Market {
  bytes32 constant LOCK = keccak256("lock");
  uint256 constant BUSY = 1;
  uint256 constant FREE = 0;
  uint256 last;
  uint256 index;
  modifier lock() { enter(); _; leave(); }
  function enter() internal { bytes32 slot = LOCK; uint256 s; assembly { s := sload(slot) } require(s != BUSY); assembly { sstore(slot, BUSY) } }
  function leave() internal { bytes32 slot = LOCK; assembly { sstore(slot, FREE) } }
  function start() external { require(last == 0); last = block.timestamp; index = 1e15; }
  function accrue() external lock { index += block.timestamp - last; last = block.timestamp; }
}`)
    expect(told(rows)).toEqual([
      ["start()", "once", "writes `last`: the first caller", "writes `index`: the first caller"],
      ["accrue()", "open", "writes `index`: anyone", "writes `last`: anyone"],
    ])
  })

  it("do not mistake a function that does one thing while a number is zero, and another later, for an initializer", () => {
    const rows = tableOf(`pragma solidity ^0.8.20;
contract Pool {
  uint256 public shares;
  uint256 public spare;
  function split(uint256 amount) public {
    if (shares > 0) { shares += amount / 2; spare += amount / 2; } else { spare += amount; }
  }
  function put(uint256 amount) external { split(amount); shares += amount; }
}
contract Once {
  uint256 public shares;
  function start(uint256 amount) external { if (shares > 0) revert(); shares = amount; }
}`)
    expect(rows.map((row) => [row.function, row.standing])).toEqual([
      ["split(uint256)", "open"],
      ["put(uint256)", "open"],
      ["start(uint256)", "once"],
    ])
  })

  it("omit what is asked of contracts without source", () => {
    const rows = tableOf(`pragma solidity ^0.8.20;
import "./Sets.sol";
contract A {
  using Sets for Sets.Set;
  Sets.Set keys;
  uint256 x;
  function f(uint256 key) external { require(keys.contains(key) && keys.isFull()); x = key; }
  function g(uint256 key) external { keys.add(key); }
}`)
    expect(rows.map(({ effects }) => effects.map(({ what }) => what))).toEqual([["writes `x`"], ["calls `keys.add()`"]])
  })

  it("state the condition that holds, however it is written", () => {
    const rows = tableOf(`pragma solidity ^0.8.20;
contract A {
  address owner = msg.sender;
  mapping(address => bool) wards;
  mapping(address => bool) barred;
  mapping(address => uint256) level;
  uint256 x;
  function a() external { if (msg.sender != owner) revert(); x = 1; }
  function b() external { if (!wards[msg.sender]) revert(); x = 1; }
  function c() external { if (owner != msg.sender && !wards[msg.sender]) revert(); x = 1; }
  function d() external { if (level[msg.sender] < 2) revert(); x = 1; }
  function e() external { require(2 <= level[msg.sender] && wards[msg.sender]); x = 1; }
}`)
    expect(rows.map(({ effects }) => effects[0]!.who)).toEqual([
      "`msg.sender == owner`",
      "`wards[msg.sender]`",
      "`owner == msg.sender || wards[msg.sender]`",
      "`level[msg.sender] >= 2`",
      "`2 <= level[msg.sender]` and `wards[msg.sender]`",
    ])
  })

  it("list the ways past a helper that returns an answer", () => {
    const rows = tableOf(`pragma solidity ^0.8.20;
contract A {
  address owner = msg.sender;
  mapping(address => bool) wards;
  uint256 x;
  function may(address who) internal view returns (bool) {
    if (who == owner) return true;
    if (wards[who]) return true;
    return false;
  }
  function a() external { require(may(msg.sender)); x = 1; }
}`)
    expect(rows.map(({ effects }) => effects[0]!.who)).toEqual(["`msg.sender == owner || wards[msg.sender]`"])
  })

  it("name the entries of a key-value store", () => {
    const rows = tableOf(`pragma solidity ^0.8.20;
interface IStore { function setUint(bytes32 key, uint256 value) external; }
contract A {
  IStore immutable store;
  address immutable owner;
  constructor(IStore s) { store = s; owner = msg.sender; }
  function a(uint256 fee) external { require(msg.sender == owner); store.setUint(keccak256("fee"), fee); }
}`)
    expect(rows.map(({ effects }) => effects.map(({ what, who }) => `${what}: ${who}`))).toEqual([
      ["writes `fee`: `msg.sender == owner`"],
    ])
  })

  it("give the line of the effect and that of the function", () => {
    const row = tableOf(bank("onlyOwner")).find(({ function: name }) => name === "setFee(uint256)")
    expect([row?.file, row?.line, row?.effects[0]?.line]).toEqual(["src/Example.sol", 12, 12])
  })

  it("are compared by contract and function, loosened ones first", () => {
    const before = tableOf(bank("onlyOwner"))
    const after = tableOf(bank("").replace("function poke", "function nudge"))
    expect(compareAccess(before, after).map(({ function: name, change }) => [name, change])).toEqual([
      ["setFee(uint256)", "loosened"],
      ["nudge()", "added"],
      ["poke()", "removed"],
    ])
    expect(compareAccess(after, before).map(({ function: name, change }) => [name, change])).toEqual([
      ["poke()", "added"],
      ["setFee(uint256)", "tightened"],
      ["nudge()", "removed"],
    ])
    expect(compareAccess(before, tableOf(bank("onlyOwner")))).toEqual([])
  })

  it("notice other conditions, even if there are equally many", () => {
    const other = bank("onlyOwner").replace("onlyOwner { fee = to; }", "{ require(owner == msg.sender); fee = to; }")
    expect(compareAccess(tableOf(bank("onlyOwner")), tableOf(other)).map(({ change }) => change)).toEqual(["changed"])
  })

  it("distinguish contracts of the same name by their order", () => {
    const rows = tableOf("contract A { uint256 x; function f() external { x = 1; } }")
    expect(compareAccess([...rows, ...rows], [...rows, ...rows])).toEqual([])
    expect(compareAccess(rows, [...rows, ...rows]).map(({ change }) => change)).toEqual(["added"])
  })

  it("keep truncated code formatted as code", () => {
    expect(shortened(`\`${"a".repeat(200)}\` or \`b\``)).toBe(`\`${"a".repeat(119)}…\``)
    expect(shortened(`\`a\` ${"b".repeat(200)}`)).toBe(`\`a\` ${"b".repeat(116)}…`)
  })

  it("use the weakest of several conditions", () => {
    const standings: ReadonlyArray<AccessStanding> = ["guarded", "once", "tied", "open"]
    standings.forEach((each, i) => expect(weakest(standings.slice(0, i + 1))).toBe(each))
    expect(weakest([])).toBe("guarded")
  })
})

describe("access tables as Markdown", () => {
  it("have one line per kind of caller", () => {
    expect(renderAccess(tableOf("contract A { uint256 x; function f(uint256 to) external { x = to; } }"))).toBe(
      "# Who can do what\n\n## A\n\n| Function | Can | Allowed callers |\n|---|---|---|\n| `f(uint256)` | writes `x` | **anyone** |",
    )
  })

  it("keep a repository's bars and markup inside their cells", () => {
    const [row] = tableOf("contract A { uint256 x; function f() external { x = 1; } }")
    const hostile = {
      ...row!,
      contract: "A | <b>",
      effects: [{ ...row!.effects[0]!, standing: "guarded" as const, who: "`a || b` | c" }],
    }
    const text = renderAccess([hostile])
    for (const line of text.split("\n").filter((each) => each.startsWith("| `f"))) {
      expect(line.split(/(?<!\\)\|/)).toHaveLength(5)
    }
    expect(text).toContain("\\<b>")
    expect(
      renderAccessChanges(compareAccess([], [hostile]))
        .split("\n")
        .at(-1)!
        .split(/(?<!\\)\|/),
    ).toHaveLength(6)
  })
})
