import { describe, expect, it } from "vitest"
import { accessOf, runsOnce } from "../../../../../domain/detection/solidity/access/entries/entries.ts"
import { deviations } from "../../../../../domain/detection/solidity/access/lacking/deviations.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"

const programOf = (text: string) => buildProgram([parseSolidity(sourceFile("Example.sol", text))])

/** The standing of the first effect of `f`, in a contract with the usual things to check. */
const standing = (body: string, more = ""): string => {
  const program = programOf(`pragma solidity ^0.8.20;
interface IRegistry { function isKeeper(address who) external view returns (bool); function sender() external view returns (address); }
contract Example {
  address owner; address immutable parent = msg.sender; IRegistry registry; uint256 x; bool done;
  mapping(address => bool) wards; mapping(bytes32 => mapping(address => bool)) roles; mapping(uint256 => address) ownerOf;
  mapping(address => uint256) balance;
  ${more}
  function f(uint256 to, address who, bytes32 r, bytes32 s, IRegistry other) external ${body}
}`)
  const access = accessOf(program)
  const entry = access.entries.find(({ fn }) => fn.name === "f")!
  return entry.deeds[0]!.demands.standing
}

describe("what keeps strangers out", () => {
  it.each([
    ["stored owner", "{ require(msg.sender == owner); x = to; }"],
    ["custom error", "{ if (msg.sender != owner) revert(); x = to; }"],
    ["immutable peer", "{ require(parent == msg.sender); x = to; }"],
    ["the contract itself", "{ require(msg.sender == address(this)); x = to; }"],
    ["a table of accounts", "{ require(wards[msg.sender]); x = to; }"],
    ["a role", "{ require(roles[r][msg.sender]); x = to; }"],
    ["owner of the item named", "{ require(ownerOf[to] == msg.sender); x = to; }"],
    ["a registry's answer", "{ require(registry.isKeeper(msg.sender)); x = to; }"],
    ["a messenger of a known account", "{ require(registry.sender() == owner); x = to; }"],
    ["a signature", "{ require(ecrecover(r, 27, r, s) == owner); x = to; }"],
    ["asked after the write", "{ x = to; require(msg.sender == owner); }"],
    ["either of two", "{ require(msg.sender == owner || wards[msg.sender]); x = to; }"],
  ])("%s", (_name, body) => expect(standing(body)).toBe("guarded"))

  it.each([
    ["the comparison the wrong way round", "{ require(msg.sender != owner); x = to; }"],
    ["the same with two accounts", "{ require(!(msg.sender != owner && msg.sender == parent)); x = to; }"],
    ["of an entry", "{ if (msg.sender == address(registry)) revert(); x = to; }"],
    ["a way around it for some arguments", "{ if (to > 10) require(msg.sender == owner); x = to; }"],
    ["the same as one condition", "{ require(to < 10 || wards[msg.sender]); x = to; }"],
    ["there is an owner, or it is the sender", "{ require(owner != address(0) || owner == msg.sender); x = to; }"],
    ["inside a modifier", "inverted { x = to; }"],
  ])("%s shuts nobody out", (_name, body) =>
    expect(standing(body, "modifier inverted() { require(owner != msg.sender); _; }")).toBe("open"),
  )

  it.each([
    ["nothing to be done", "{ require(to == 0 || msg.sender == owner); x += to; }"],
    ["own account, or allowed", "{ if (who != msg.sender) require(wards[msg.sender]); x = to; }"],
    ["a branch", "{ if (msg.sender != owner) x = to; }"],
  ])("%s is somebody's own affair", (_name, body) => expect(standing(body)).toBe("tied"))

  it("through modifiers of any name, helpers and hooks", () => {
    const modifier =
      "modifier zz() { _a(); _; } function _a() internal view { if (_b() != owner) revert(); } function _b() internal view returns (address) { return msg.sender; }"
    expect(standing("zz { x = to; }", modifier)).toBe("guarded")
    expect(standing("{ _w(to); }", "function _w(uint256 v) internal { require(msg.sender == owner); x = v; }")).toBe(
      "guarded",
    )
  })

  it("a flag that is set only inside a guarded call", () => {
    const flag =
      "bool inside; function g(bytes calldata d) external { require(msg.sender == owner); inside = true; address(this).call(d); inside = false; }"
    expect(standing("{ require(inside); x = to; }", flag)).toBe("guarded")
    const lock =
      "bool free = true; function g(bytes calldata d) external { free = false; address(this).call(d); free = true; }"
    expect(standing("{ require(free); x = to; }", lock)).toBe("open")
  })
})

describe("what restricts nobody", () => {
  it.each([
    ["an argument that is the owner", "{ require(who == owner); x = to; }"],
    ["an answer that the caller supplies", "{ require(other.isKeeper(who)); x = to; }"],
    ["an answer nobody looks at", "{ registry.isKeeper(who); x = to; }"],
    ["a phase", "{ require(!done); x = to; }"],
    ["a modifier that checks nothing", "only { x = to; }", "modifier only() { _; }"],
    ["that the value is new", "{ require(x != to); x = to; }"],
  ])("%s", (_name, body, more = "") => expect(standing(body, more)).toBe("open"))

  it.each([
    ["an own balance", "{ require(balance[msg.sender] >= to); x = to; }"],
    ["an answer of a contract that the caller names", "{ require(other.isKeeper(msg.sender)); x = to; }"],
  ])("%s, though the sender plays a part", (_name, body) => expect(standing(body)).toBe("tied"))
})

describe("what runs once", () => {
  const once = (text: string): boolean => {
    const access = accessOf(programOf(`pragma solidity ^0.8.20; contract A { ${text} }`))
    return runsOnce(
      access,
      access.entries.find(({ fn }) => fn.name === "init")!,
    )
  }

  it("sets a flag that nothing resets, or an address that only authorized callers change", () => {
    expect(
      once("bool done; address o; function init(address a) external { require(!done); done = true; o = a; }"),
    ).toBe(true)
    expect(
      once(
        "address o; function init(address a) external { require(o == address(0)); o = a; } function hand(address a) external { require(msg.sender == o); o = a; }",
      ),
    ).toBe(true)
  })

  it("does not if the flag is reset or never set", () => {
    expect(
      once(
        "address o; bool done; function init(address a) external { require(!done); done = true; o = a; } function reset() external { require(msg.sender == o); done = false; }",
      ),
    ).toBe(false)
    expect(once("bool done; address o; function init(address a) external { require(!done); o = a; }")).toBe(false)
  })
})

describe("deviations", () => {
  it("state the evidence and how much of it there is", () => {
    const found = deviations(
      programOf(`pragma solidity ^0.8.20; contract A { address o = msg.sender; mapping(uint256 => uint256) cap; uint256 n;
  function a(uint256 k, uint256 v) external { require(msg.sender == o); cap[k] = v; }
  function b(uint256 k) external { require(msg.sender == o); cap[k] = 0; }
  function c(uint256 k, uint256 v) external { cap[k] = v; }
  function d() external payable { n += msg.value; } }`),
    )
    expect(
      found.map(({ entry, reason, guarded, of }) => [entry.fn.name, reason, guarded.map(({ fn }) => fn.name), of]),
    ).toEqual([["c", "same", ["a", "b"], 3]])
  })

  it("do not exist if no sibling is guarded", () => {
    expect(
      deviations(
        programOf(
          "contract A { uint256 x; uint256 y; function a(uint256 v) external { x = v; } function b(uint256 v) external { x = v; y = v; } }",
        ),
      ),
    ).toEqual([])
  })
})
