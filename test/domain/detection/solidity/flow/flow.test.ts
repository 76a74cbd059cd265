import { describe, expect, it } from "vitest"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"
import type { FlowNode } from "../../../../../domain/detection/solidity/flow/graph/graph.ts"
import type { CallSite } from "../../../../../domain/detection/solidity/flow/graph/events.ts"
import { canReenter, sendsEther } from "../../../../../domain/detection/solidity/flow/events/outgoingCalls.ts"
import type { Flow, Program } from "../../../../../domain/detection/solidity/program.ts"
import { has, only, type Origins, Source } from "../../../../../domain/detection/solidity/flow/graph/origins.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"

const build = (text: string): Program => buildProgram([parseSolidity(sourceFile("a.sol", text))])

const flowOf = (p: Program, scope: string): Flow => {
  const fn = p.functions.find((f) => f.scope.startsWith(scope) && f.implemented)
  if (fn === undefined) throw new Error(`no function ${scope}`)
  return p.flow(fn)
}

/** The flow of `f` in a contract with the usual state. */
const flow = (members: string, pragma = "^0.8.0"): Flow =>
  flowOf(
    build(`pragma solidity ${pragma};
    interface Auth { function can(address a) external view returns (bool); }
    contract C {
      address owner; bool locked; uint total; mapping(address => uint) balances; mapping(address => bool) admins; bytes32 root;
      struct Account { uint amount; address who; uint[] list; } mapping(address => Account) accounts;
      ${members}
    }`),
    "C.f(",
  )

const site = (f: Flow, name: string): CallSite => {
  const found = [...f.calls()].find((c) => c.name === name)
  if (found === undefined) throw new Error(`no call of ${name}`)
  return found
}

/** The node of the call `mark()`, which stands for "here" in the tests below. */
const mark = (f: Flow, name = "mark"): FlowNode => site(f, name).at
const marks = "function mark() internal {} function mark2() internal {}"

const written = (f: Flow): ReadonlyArray<string> =>
  [...new Set(f.writes.flatMap((w) => w.place!.variables.map((v) => `${v.name}${w.place!.path}`)))].toSorted()
const read = (f: Flow): ReadonlyArray<string> =>
  [...new Set(f.reads.flatMap((w) => w.place!.variables.map((v) => v.name)))].toSorted()

describe("control flow", () => {
  it.each([
    ["require(a > 1); mark(); mark2();", true],
    ["if (a > 1) mark(); mark2();", false],
    ["if (a > 1) { mark(); } else { return; } mark2();", true],
    ["if (a > 1) { mark(); } else { revert(); } mark2();", true],
    ["for (uint i; i < a; i++) mark(); mark2();", false],
    ["do { mark(); } while (a > 1); mark2();", true],
    ["while (true) { mark(); if (a > 1) break; } mark2();", true],
    ["while (true) { if (a > 1) break; mark(); } mark2();", false],
    ["try this.g() { mark(); } catch { mark(); } mark2();", false],
    ["assembly { if eq(a, 1) { revert(0, 0) } } mark(); mark2();", true],
    ["{ { mark(); } } mark2();", true],
  ])("%s: the first on every path to the second is %s", (code, expected) => {
    const f = flow(`${marks} function g() external {} function f(uint a) public { ${code} }`)
    expect(f.dominates(mark(f), mark(f, "mark2"))).toBe(expected)
  })

  it("wraps modifiers around the body, in order, including what follows the underscore", () => {
    const f =
      flow(`${marks} function after_() internal {} modifier m(uint x) { require(x > 1); mark(); _; after_(); } modifier n { mark2(); _; }
      function body() internal {} function f(uint a) public m(a) n returns (uint) { body(); return 1; }`)
    const names = ["mark", "mark2", "body", "after_"].map((name) => mark(f, name))
    for (let i = 1; i < names.length; i++) expect(f.dominates(names[i - 1]!, names[i]!)).toBe(true)
  })

  it("knows that code after a function that always reverts is unreachable", () => {
    const f = flow(
      `${marks} function fail() internal pure { revert("no"); } function f(uint a) public { if (a > 1) { fail(); mark(); } mark2(); }`,
    )
    expect([...f.calls()].map((c) => c.name)).toEqual(["fail", "mark2"])
  })

  it("orders events in a loop both ways", () => {
    const f = flow(`${marks} function f(uint a) public { for (uint i; i < a; i++) { mark(); mark2(); } }`)
    expect(f.follows(site(f, "mark"), site(f, "mark2")) && f.follows(site(f, "mark2"), site(f, "mark"))).toBe(true)
    expect(site(f, "mark").at.loop?.node.kind).toBe("ForStatement")
  })

  it("marks unchecked code", () => {
    const f = flow(`${marks} function f(uint a) public { unchecked { mark(); } mark2(); }`)
    expect([mark(f).unchecked, mark(f, "mark2").unchecked]).toEqual([true, false])
  })
})

describe("storage", () => {
  it("sees writes through pointers, aliases, struct members and internal functions", () => {
    const f = flow(`
      function set(Account storage a) internal { a.amount = 1; }
      function get(address who) internal view returns (Account storage) { return accounts[who]; }
      function f(uint a) public {
        Account storage x = accounts[msg.sender]; Account storage y = x; y.amount = a; y.list.push(a);
        set(accounts[owner]); get(msg.sender).who = owner; delete balances[owner]; total++; (total, owner) = (a, msg.sender);
      }`)
    expect(written(f)).toEqual([
      "accounts[].amount",
      "accounts[].list",
      "accounts[].who",
      "balances[]",
      "owner",
      "total",
    ])
  })

  it("does not mistake memory for storage", () => {
    const f = flow(
      "function f(uint a) public { Account memory x = accounts[msg.sender]; x.amount = a; uint[] memory l = new uint[](1); l[0] = a; }",
    )
    expect(written(f)).toEqual([])
    expect(read(f)).toEqual(["accounts"])
  })

  it("treats a struct without a location as a storage pointer before 0.5, and notices an uninitialized one", () => {
    const f = flow("function f(uint a) public { Account x; x.amount = a; }", "^0.4.0")
    expect(f.nodes.flatMap((n) => n.events).some((e) => e.kind === "write" && e.place.uninitialized)).toBe(true)
  })

  it("finds the variable behind slots in assembly", () => {
    const f = flow(`bytes32 constant SLOT = keccak256("x");
      function f(uint a) public { assembly { sstore(total.slot, a) let s := SLOT sstore(s, 1) tstore(0, 1) } }`)
    expect(written(f)).toEqual(["0", "SLOT", "total"])
    expect(f.writes.map((w) => w.place!.variables[0]!.transient)).toEqual([false, false, true])
  })

  it("gives namespaced storage a single name", () => {
    const f =
      flow(`struct Store { address boss; } function store() private pure returns (Store storage $) { assembly { $.slot := 0x1234 } }
      function f(uint a) public { Store storage $ = store(); require($.boss == msg.sender); $.boss = address(0); }`)
    expect(written(f)).toEqual(["Store.boss"])
    expect(read(f)).toEqual(["Store.boss"])
    expect(f.isRestricted(f.exit)).toBe(true)
  })

  it("distinguishes the members of a struct in storage, all of which are written with the whole", () => {
    const f = flow(`struct Main { uint count; address boss; } Main main; Main other;
      function raise(Main storage m) internal { m.count++; }
      function f() public { raise(main); delete other; }`)
    expect(written(f)).toEqual(["main.count", "other", "other.boss", "other.count"])
  })

  it("keeps the key under which a callee writes through a storage pointer", () => {
    const f = flow(`struct Role { mapping(address => bool) bearer; } Role role;
      function add(Role storage r, address who) internal { r.bearer[who] = true; }
      function f() public { add(role, msg.sender); }`)
    expect(f.writes[0]!.place!.keys.sources).toBe(Source.sender)
  })

  it("gives the path from the caller to a nested write", () => {
    const f = flow(
      "function c(uint a) private { total = a; } function b(uint a) private { c(a); } function f(uint a) public { b(a); }",
    )
    expect(f.writes[0]!.via.map((v) => v.name)).toEqual(["b", "c"])
  })

  it("terminates for mutually recursive functions", () => {
    const f = flow(
      "function g(uint a) internal { total = a; f(a); } function f(uint a) public { balances[msg.sender] = a; g(a); }",
    )
    expect(written(f)).toEqual(["balances[]", "total"])
  })
})

describe("external calls", () => {
  it("knows which ones can reenter, and which carry ether", () => {
    const f = flow(`function g() external view {} function f(address payable a) public {
      a.call{value: 1}(""); a.call{value: 0}("x"); a.transfer(1); a.send(2); this.g(); a.staticcall(""); a.delegatecall(""); a.call{gas: 2300}("");
      assembly { pop(call(gas(), a, 5, 0, 0, 0, 0)) } }`)
    const kinds = f.externalCalls.map(
      ({ event }) => `${event.name}${canReenter(event) ? " reenters" : ""}${sendsEther(event) ? " pays" : ""}`,
    )
    expect(kinds).toEqual([
      "call reenters pays",
      "call reenters",
      "transfer pays",
      "send pays",
      "g",
      "staticcall",
      "delegatecall reenters",
      "call",
      "call reenters pays",
    ])
  })

  it("reports whether the result is dropped", () => {
    const f = flow(
      "function f(address payable a) public { a.send(1); if (!a.send(2)) revert(); require(a.send(3)); bool ok = a.send(4); assembly { pop(call(gas(), a, 0, 0, 0, 0, 0)) } }",
    )
    expect(f.externalCalls.map(({ event }) => event.resultIgnored)).toEqual([true, false, false, false, true])
  })
})

describe("origins", () => {
  const originsOf = (members: string, value: string): Origins => {
    const f = flow(`function sink(uint x) internal {} function id(uint x) internal pure returns (uint) { return x; }
      function two(uint x) internal view returns (uint p, uint q) { p = x; q = block.timestamp; } ${members}
      function f(uint a, address to, bytes calldata d) public payable { ${value} }`)
    const call = site(f, "sink")
    return f.origins(call.args[0]!, call.at)
  }

  it.each([
    ["sink(a);", Source.parameter],
    ["uint x = a + 1; sink(x);", Source.parameter | Source.literal],
    ["uint x = 1; x = a; sink(x);", Source.parameter],
    ["uint x = 1; if (a > 1) x = total; sink(x);", Source.literal | Source.state],
    ["uint x; for (uint i; i < 3; i++) { x += a; } sink(x);", Source.literal | Source.parameter],
    ["sink(uint(uint160(msg.sender)));", Source.sender],
    ["sink(uint(keccak256(abi.encode(block.timestamp))) % 5);", Source.timestamp | Source.hash | Source.literal],
    ["sink(uint(blockhash(block.number - 1)));", Source.blockEntropy | Source.blockNumber | Source.literal],
    ["sink(address(this).balance);", Source.balance],
    ["sink(to.balance);", Source.otherBalance],
    ["sink(id(msg.value));", Source.value],
    ["(uint p, uint q) = two(a); sink(q);", Source.timestamp],
    ["(uint p, uint q) = two(a); sink(p);", Source.parameter],
    ["(uint p, uint q) = (msg.value, 1); sink(p);", Source.value],
    ["sink(balances[msg.sender]);", Source.state],
    ["Account storage s = accounts[to]; sink(s.amount);", Source.state],
    ["Account memory m = Account(a, to, new uint[](0)); sink(m.amount);", Source.parameter | Source.literal],
    ["uint x; assembly { x := timestamp() } sink(x);", Source.timestamp],
    ["uint x; assembly { x := sload(total.slot) } sink(x);", Source.state],
    ["uint x = a > 1 ? msg.value : 2; sink(x);", Source.value | Source.literal],
    ["sink(abi.decode(d, (uint)));", Source.parameter],
    ["sink(uint(uint160(ecrecover(bytes32(a), 1, 0, 0))));", Source.recovered],
  ])("%s", (code, sources) => {
    expect(originsOf("", code).sources & ~Source.hash).toBe(sources & ~Source.hash)
  })

  it("separates what selects a value from the value itself", () => {
    const o = originsOf("", "sink(balances[msg.sender]);")
    expect(has(o, Source.sender)).toBe(false)
    expect(o.keys & Source.sender).not.toBe(0)
    expect(o.state.map((v) => v.name)).toEqual(["balances"])
    expect(only(o, Source.state)).toBe(true)
  })

  it("follows a parameter of an internal function into its callers", () => {
    const p = build(
      `contract C { function send(address to) internal { to.call(""); } function a(address x) external { send(x); } function b() external { send(msg.sender); } }`,
    )
    const f = flowOf(p, "C.send")
    const call = site(f, "call")
    expect(f.origins(call.receiver!, call.at).sources).toBe(Source.parameter)
    expect(f.deepOrigins(call.receiver!, call.at).sources).toBe(Source.parameter | Source.sender)
  })

  it("terminates for circular chains of assignments", () => {
    const f = flow(`function f(uint a) public { uint x; uint y; ${"y = x + a; x = y * x;".repeat(3000)} total = x; }`)
    expect(f.writes).toHaveLength(1)
  })
})

describe("who may call", () => {
  const checks = (members: string, head: string, code: string): string => {
    const f = flow(
      `${marks} function _msgSender() internal view virtual returns (address) { return msg.sender; } ${members} function f(uint a, address to, bytes32[] calldata proof, uint8 v) public ${head} { ${code} mark(); }`,
    )
    return (
      [...new Set(f.callerChecks(mark(f)).map((c) => c.kind))].join(",") +
      (f.isRestricted(mark(f)) ? " restricted" : "")
    )
  }

  it.each([
    ["a comparison with the owner", "", "", "require(msg.sender == owner);", "owner restricted"],
    ["the other way round, with revert", "", "", "if (owner != msg.sender) revert();", "owner restricted"],
    ["the body inside the condition", "", "", "if (msg.sender == owner) { mark(); } return;", "owner restricted"],
    ["throw of old code in an else", "", "", "if (msg.sender == owner) { } else { revert(); }", "owner restricted"],
    ["a modifier of any name", "modifier zz() { require(_msgSender() == owner); _; }", "zz", "", "owner restricted"],
    [
      "a modifier that calls a function",
      "function q() internal view { if (_msgSender() != owner) revert(); } modifier zz() { q(); _; }",
      "zz",
      "",
      "owner restricted",
    ],
    [
      "a function that returns a boolean",
      "function q() internal view returns (bool) { return msg.sender == owner; } ",
      "",
      "require(q());",
      "owner restricted",
    ],
    ["a boolean in between", "", "", "bool ok = msg.sender == owner; require(ok, 'no');", "owner restricted"],
    ["a table of admins", "", "", "require(admins[msg.sender]);", "member restricted"],
    [
      "a role as in OpenZeppelin",
      "struct R { mapping(address => bool) m; } mapping(bytes32 => R) roles; function has_(bytes32 r, address w) public view returns (bool) { return roles[r].m[w]; } function check(bytes32 r, address w) internal view { if (!has_(r, w)) revert(); }",
      "",
      "check(bytes32(0), _msgSender());",
      "member restricted",
    ],
    ["either of two checks", "", "", "require(msg.sender == owner || admins[msg.sender]);", "owner restricted"],
    [
      "either of two checks, in branches",
      "",
      "",
      "if (msg.sender != owner) { require(admins[msg.sender]); }",
      "member restricted",
    ],
    [
      "a search in a list",
      "address[] list; function q() internal view returns (bool) { for (uint i; i < list.length; i++) { if (list[i] == msg.sender) return true; } return false; }",
      "",
      "require(q());",
      "owner restricted",
    ],
    ["a recovered signer", "", "", "require(ecrecover(bytes32(a), v, 0, 0) == owner);", "signature restricted"],
    [
      "assembly",
      "",
      "",
      "assembly { if iszero(eq(caller(), sload(owner.slot))) { revert(0, 0) } }",
      "owner restricted",
    ],
    ["an answer of a fixed contract", "Auth auth;", "", "require(auth.can(msg.sender));", "external restricted"],
    ["an answer of a contract that the caller names", "", "", "require(Auth(to).can(msg.sender));", ""],
    ["tx.origin", "", "", "require(tx.origin == owner);", "origin restricted"],
    ["an argument", "", "", "require(msg.sender == to);", "self"],
    ["an amount of one's own", "", "", "require(balances[msg.sender] >= a);", "holder"],
    ["a table of those shut out", "", "", "require(!admins[msg.sender]);", ""],
    ["a zero address", "", "", "require(msg.sender != address(0));", ""],
    ["one check or anything else", "", "", "require(msg.sender == owner || a > 3);", ""],
    ["a check on one path only", "", "", "if (a > 1) require(msg.sender == owner);", ""],
    ["a check that comes too late", "modifier zz() { _; require(msg.sender == owner); }", "zz", "", ""],
    ["a comparison whose result is dropped", "", "", "msg.sender == owner;", ""],
    ["a missing modifier named as a guard", "", "onlyOwner", "", " restricted"],
    ["a hook that the deployer must supply", "function hook() internal virtual;", "", "hook();", " restricted"],
  ])("%s", (_, members, head, code, expected) => {
    expect(checks(members, head, code)).toBe(expected)
  })

  it("looks at all callers of an internal function", () => {
    const p = build(`contract C { address owner; uint x; function set(uint a) internal { x = a; }
      function good(uint a) public { require(msg.sender == owner); set(a); } }
      contract D { address owner; uint x; function set(uint a) internal { x = a; }
      function good(uint a) public { require(msg.sender == owner); set(a); } function bad(uint a) public { set(a); } }`)
    const restricted = ["C.set", "D.set"].map((scope) => {
      const f = flowOf(p, scope)
      return f.isRestricted(f.exit)
    })
    expect(restricted).toEqual([true, false])
  })

  it("uses the override of the deployed contract", () => {
    const p =
      build(`abstract contract A { uint x; function set(uint a) public { hook(); x = a; } function hook() internal virtual {} }
      contract B is A { address owner; function hook() internal override { require(msg.sender == owner); } }`)
    const f = flowOf(p, "A.set")
    expect(f.context?.name).toBe("B")
    expect(f.isRestricted(f.exit)).toBe(true)
  })
})

describe("locks", () => {
  const lock = (members: string, head: string, code = 'msg.sender.call("");'): string => {
    const f = flow(`${members} function f() public ${head} { ${code} }`)
    const call = f.externalCalls[0]!
    const held = f.lockAt(call.at)
    const once = f.onceAt(call.at)
    return held === true
      ? "by name"
      : held !== undefined
        ? `lock ${held.name}`
        : once !== undefined
          ? `once ${once.name}`
          : "none"
  }

  it.each([
    ["a flag", "modifier m() { require(!locked); locked = true; _; locked = false; }", "m", "lock locked"],
    [
      "OpenZeppelin's two functions",
      "uint s; modifier m() { before_(); _; after_(); } function before_() private { if (s == 2) revert(); s = 2; } function after_() private { s = 1; }",
      "m",
      "lock s",
    ],
    [
      "a counter compared afterwards",
      "uint n; modifier m() { n += 1; uint l = n; _; require(l == n); }",
      "m",
      "lock n",
    ],
    [
      "transient storage",
      "modifier m() { assembly { if tload(0) { revert(0, 0) } tstore(0, 1) } _; assembly { tstore(0, 0) } }",
      "m",
      "lock 0",
    ],
    [
      "a flag in assembly",
      "uint constant SLOT = 5; modifier m() { assembly { if eq(sload(SLOT), address()) { revert(0, 0) } sstore(SLOT, address()) } _; assembly { sstore(SLOT, codesize()) } }",
      "m",
      "lock SLOT",
    ],
    ["an initializer", "bool done; modifier m() { require(!done); done = true; _; }", "m", "once done"],
    ["a missing modifier by its name", "", "nonReentrant", "by name"],
    ["a flag that is never checked", "modifier m() { locked = true; _; locked = false; }", "m", "none"],
    ["a flag that is never set", "modifier m() { require(!locked); _; }", "m", "none"],
    [
      "a check of a balance",
      "modifier m() { require(balances[msg.sender] > 0); _; balances[msg.sender] = 0; }",
      "m",
      "none",
    ],
    ["a flag set after the call", "modifier m() { require(!locked); _; locked = true; }", "m", "none"],
  ])("%s", (_, members, head, expected) => {
    expect(lock(members, head)).toBe(expected)
  })

  it("recognizes state that was checked and changed before", () => {
    const f = flow(
      'mapping(uint => bool) done; function f(uint a) public { require(!done[a]); done[a] = true; msg.sender.call(""); total = 1; }',
    )
    expect(f.consumedAt(f.externalCalls[0]!.at).map((v) => v.name)).toEqual(["done"])
  })
})

describe("reachable functions", () => {
  it("start at entry points and exclude what is never called", () => {
    const p = build(
      "contract C { function a() public { b(); } function b() internal { c(); } function c() private {} function d() internal {} constructor() { d(); } }",
    )
    const names = (scope: string): string =>
      p.graph
        .entryPointsOf(flowOf(p, scope).fn)
        .map((f) => f.name)
        .join()
    expect([names("C.c"), names("C.d")]).toEqual(["a", ""])
    expect(p.graph.isReachable(flowOf(p, "C.d").fn)).toBe(false)
  })
})
