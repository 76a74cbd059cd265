import { describe, expect, it } from "vitest"
import { sourceFile } from "../../../../domain/detection/SourceFile.ts"
import { importResolver, readRemappings } from "../../../../domain/detection/solidity/imports.ts"
import type { Call, ContractModel, FunctionModel } from "../../../../domain/detection/solidity/model.ts"
import { parseSolidity } from "../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../domain/detection/solidity/buildProgram.ts"
import type { Program } from "../../../../domain/detection/solidity/program.ts"
import type * as S from "../../../../domain/detection/solidity/syntax.ts"
import { abiName } from "../../../../domain/detection/solidity/types.ts"
import { parseVersionPragma, version } from "../../../../domain/detection/solidity/version.ts"
import { cpuTimeOf, slowness } from "../../../support/cpuTime.ts"

const program = (files: Record<string, string> | string, configs: Record<string, string> = {}): Program =>
  buildProgram(
    Object.entries(typeof files === "string" ? { "a.sol": files } : files).map(([path, text]) =>
      parseSolidity(sourceFile(path, text)),
    ),
    Object.entries(configs).flatMap(([path, text]) => readRemappings({ path, text })),
  )

const contract = (p: Program, name: string): ContractModel => {
  const found = p.contracts.find((c) => c.name === name)
  if (found === undefined) throw new Error(`no contract ${name}`)
  return found
}

const fn = (p: Program, scope: string): FunctionModel => {
  const found = p.functions.find((f) => f.scope.startsWith(scope))
  if (found === undefined) throw new Error(`no function ${scope}`)
  return found
}

const order = (p: Program, name: string): string =>
  contract(p, name)
    .linearization.map((c) => c.name)
    .join(" ")
const calls = (p: Program, scope: string): ReadonlyArray<Call> => p.callsIn(fn(p, scope))
const callKinds = (p: Program, scope: string): ReadonlyArray<string> =>
  calls(p, scope).map((c) => `${c.kind}:${c.name}`)

describe("versions", () => {
  it.each([
    ["^0.8.0", "0.8.0", "0.8.999"],
    ["^0.4.11", "0.4.11", "0.4.999"],
    [">=0.4.22 <0.9.0", "0.4.22", "0.8.999"],
    ["0.7.6", "0.7.6", "0.7.6"],
    ["=0.7.6", "0.7.6", "0.7.6"],
    ["~0.6.2", "0.6.2", "0.6.999"],
    ["0.5.*", "0.5.0", "0.5.999"],
    ["0.5.0 - 0.5.12", "0.5.0", "0.5.12"],
    ["^0.5.0 || ^0.6.0", "0.5.0", "0.6.999"],
    [">0.4.21", "0.4.22", undefined],
  ])("%s", (pragma, min, max) => {
    expect(parseVersionPragma(pragma)).toEqual([
      version(min),
      max === undefined ? Infinity : max === "0.8.999" && pragma.includes("<") ? version("0.9.0") - 1 : version(max),
    ])
  })

  it("goes by the syntax without a pragma", () => {
    expect(program("contract A { function f() { throw; } }").sources[0]!.version.before05).toBe(true)
    expect(program("contract A { function f() public { } }").sources[0]!.version.checkedArithmetic).toBe(true)
  })
})

describe("inheritance", () => {
  it("linearizes a diamond as Solidity does", () => {
    const p = program(
      "contract O {} contract A is O {} contract B is O {} contract C is O {} contract D is A, B {} contract E is C, D {}",
    )
    expect(order(p, "E")).toBe("E D B A C O")
    expect(contract(p, "E").linearizable).toBe(true)
  })

  it("tolerates an order that C3 rejects, cycles, and missing bases", () => {
    const p = program(
      "contract A {} contract B is A {} contract C is B, A {} contract X is Y {} contract Y is X {} contract Z is Z, Gone {}",
    )
    expect(contract(p, "C").linearizable).toBe(false)
    expect(order(p, "C").startsWith("C")).toBe(true)
    expect(contract(p, "X").linearizable && contract(p, "Y").linearizable).toBe(false)
    expect(contract(p, "Z").missingBases).toEqual(["Gone"])
  })

  it("handles a long chain without recursion", () => {
    const p = program(
      Array.from({ length: 5000 }, (_, i) => `contract C${i} ${i === 0 ? "" : `is C${i - 1}`} { }`).join("\n"),
    )
    expect(contract(p, "C4999").linearization.length).toBeGreaterThan(100)
  })

  it("runs the overriding function, the next one for super, and the named one for Base.f()", () => {
    const p = program(`
      contract A { function f() internal virtual {} function go() public { f(); } }
      contract B is A { function f() internal virtual override { super.f(); } }
      contract C is A { function f() internal virtual override { super.f(); } }
      contract D is B, C { function f() internal override(B, C) { super.f(); A.f(); } }`)
    const d = contract(p, "D")
    const run = (scope: string, i: number): string | undefined =>
      p.dispatch(calls(p, scope)[i]!, fn(p, scope), d)?.scope
    expect(run("A.go", 0)).toBe("D.f()")
    expect(run("D.f", 0)).toBe("C.f()")
    expect(run("C.f", 0)).toBe("B.f()")
    expect(run("D.f", 1)).toBe("A.f()")
  })

  it("knows what can be deployed", () => {
    const p =
      program(`interface I { function f() external; } abstract contract A {} contract B { function g() public; } contract C is B {}
      contract D is B { function g() public {} } library L {} contract E is I { function f() external {} }`)
    expect(p.contracts.filter((c) => c.deployable).map((c) => c.name)).toEqual(["D", "E"])
  })
})

describe("functions", () => {
  it("treats a function named like its contract as the constructor only before 0.5", () => {
    expect(fn(program("pragma solidity ^0.4.0; contract A { function A() {} }"), "A.A").role).toBe("constructor")
    expect(fn(program("pragma solidity ^0.8.0; contract A { function A() public {} }"), "A.A").role).toBe("function")
  })

  it("makes functions without a visibility public before 0.5", () => {
    expect(fn(program("pragma solidity ^0.4.0; contract A { function f() {} }"), "A.f").visibility).toBe("public")
  })

  it("formats signatures as the ABI does", () => {
    const p = program(
      `contract A { struct S { uint a; address[] b; } enum E { X } type T is int8;
      function f(uint a, S memory s, E e, A c, T t, bytes4[2] memory x, address payable q) public {} }`.replace(
        "type U is A;",
        "",
      ),
    )
    expect(fn(p, "A.f").signature).toBe("f(uint256,(uint256,address[]),uint8,address,int8,bytes4[2],address)")
  })

  it("chooses among overloads by the types of the arguments", () => {
    const p =
      program(`contract A { function f(uint a) internal {} function f(address a) internal {} function f(bytes32 a, uint b) internal {}
      function go(address x) public { f(x); f(3); f("a", 1); f({b: 2, a: "q"}); } }`)
    expect(calls(p, "A.go").map((c) => c.target?.signature)).toEqual([
      "f(address)",
      "f(uint256)",
      "f(bytes32,uint256)",
      "f(bytes32,uint256)",
    ])
  })

  it("shares one list of a name's overloads among all its calls, which would otherwise have thousands each", () => {
    const overloads = Array.from({ length: 20 }, (_, i) => `function f(uint[${i + 1}] memory a) public virtual {}`)
    const p = program(`contract A { ${overloads.join("\n")} }
      contract B is A { function f(uint a) public { f(a); f(a); } function g(uint[1] memory a) public { this.f(a); this.f(a); super.f(a); super.f(a); } }`)
    const lists = [...calls(p, "B.f"), ...calls(p, "B.g")].map((call) => {
      const type = p.typeOf(call.node.callee)
      return type.kind === "function" ? type.declared : undefined
    })
    expect(lists.map((list) => list?.length)).toEqual([21, 21, 21, 21, 20, 20])
    expect(new Set(lists).size).toBe(3)
  })

  it("sorts named arguments into the order of the parameters", () => {
    const p = program(
      "contract A { function f(uint a, address b) internal {} function go(uint x, address y) public { f({b: y, a: x}); } }",
    )
    expect(calls(p, "A.go")[0]!.args.map((a) => (a.kind === "Identifier" ? a.name : ""))).toEqual(["x", "y"])
  })
})

describe("calls", () => {
  it("distinguishes the kinds", () => {
    const p = program(`interface IERC20 { function transfer(address a, uint b) external returns (bool); }
      library Lib { function twice(uint a) internal pure returns (uint) { return a; } }
      contract Other { uint public value; constructor(uint a) {} }
      contract A {
        using Lib for uint; event E(); error Bad(uint a); struct S { uint a; } function() internal pointer; uint[] list;
        function own() public {}
        function go(address to, IERC20 token, Other other) public payable {
          token.transfer(to, 1); other.value(); this.own(); own(); uint(1).twice(); Lib.twice(2);
          to.call(""); to.delegatecall(""); to.staticcall(""); payable(to).transfer(1); payable(to).send(1);
          new Other(1); new bytes(3); S(1); emit E(); keccak256(""); abi.encode(1); list.push(1); pointer(); IERC20(to); selfdestruct(payable(to));
        }
      }`)
    const conversions = (k: string): boolean => !k.startsWith("conversion:")
    expect(callKinds(p, "A.go").filter(conversions)).toEqual([
      "external:transfer",
      "external:value",
      "external:own",
      "internal:own",
      "library:twice",
      "library:twice",
      "call:call",
      "delegatecall:delegatecall",
      "staticcall:staticcall",
      "transfer:transfer",
      "send:send",
      "create:Other",
      "allocation:",
      "struct:S",
      "builtin:keccak256",
      "builtin:abi.encode",
      "builtin:push",
      "pointer:pointer",
      "builtin:selfdestruct",
    ])
  })

  it("parses old and new call options alike", () => {
    const text = (e: S.Expression | undefined): string => (e?.kind === "Literal" ? e.value : "?")
    const old = calls(
      program("pragma solidity ^0.4.0; contract A { function f(address a) { a.call.value(1).gas(2)(3); } }"),
      "A.f",
    )
    const now = calls(program('contract A { function f(address a) public { a.call{value: 1, gas: 2}(""); } }'), "A.f")
    for (const list of [old, now]) {
      expect(list).toHaveLength(1)
      expect(list[0]).toMatchObject({ kind: "call", name: "call", args: [{ kind: "Literal" }] })
      expect([text(list[0]!.value), text(list[0]!.gas)]).toEqual(["1", "2"])
    }
  })

  it("notices a call that old code prepares but never makes", () => {
    const [call] = calls(
      program("pragma solidity ^0.4.0; contract A { function f(address a) { a.call.value(1); } }"),
      "A.f",
    )
    expect(call).toMatchObject({ kind: "call", incomplete: true })
  })

  it("passes the receiver first for functions attached by `using`", () => {
    const p = program(`library L { function add(uint a, uint b) internal pure returns (uint) { return a + b; } }
      contract A { using L for uint256; function f(uint x) public returns (uint) { return x.add(2); } }`)
    const [call] = calls(p, "A.f")
    expect(call).toMatchObject({
      kind: "library",
      target: { scope: "L.add(uint256,uint256)" },
      args: [{ kind: "Identifier", name: "x" }, { kind: "Literal" }],
    })
  })

  it("does what it can if imports are missing", () => {
    const p = program(`import "@x/SafeERC20.sol"; import "@x/Ownable.sol";
      contract A is Ownable { using SafeERC20 for IERC20; IERC20 token;
        function f() public onlyOwner { token.safeTransfer(msg.sender, 1); token.balanceOf(address(this)); Lib.go(); IERC20(msg.sender).approve(msg.sender, 1); } }`)
    expect(contract(p, "A").missingBases).toEqual(["Ownable"])
    expect(callKinds(p, "A.f")).toEqual([
      "library:safeTransfer",
      "conversion:",
      "external:balanceOf",
      "library:go",
      "conversion:IERC20",
      "external:approve",
    ])
  })
})

describe("names and types", () => {
  const typeOfReturn = (p: Program, scope: string): string => {
    const [statement] = fn(p, scope).node.body!.statements.slice(-1)
    if (statement?.kind !== "ReturnStatement") throw new Error()
    return abiName(p.typeOf(statement.value!))
  }

  it.each([
    ["b[msg.sender].amount", "uint96"],
    ["b[msg.sender].list[0]", "address"],
    ["x", "uint256"],
    ["uint8(x) + 1", "uint8"],
    ["msg.sender.balance", "uint256"],
    ["address(this)", "address"],
    ["other.x()", "uint256"],
    ["other.b(msg.sender)", "uint96"],
    ["type(int64).max", "int64"],
    ["keccak256('')", "bytes32"],
    ["x > 1 ? y : y", "int32"],
    ["abi.decode(msg.data, (uint16))", "uint16"],
    ["K", "bytes4"],
  ])("%s is %s", (code, type) => {
    const p =
      program(`bytes4 constant K = 0x12345678; contract A { struct S { uint96 amount; address[] list; } mapping(address => S) public b; uint public x; int32 y; A other;
      function f() public returns (uint) { return ${code}; } }`)
    expect(typeOfReturn(p, "A.f")).toBe(type)
  })

  it("lets inner names hide outer ones", () => {
    const p = program("contract A { uint x; function f(uint8 x) public returns (uint) { { int16 x = 1; } return x; } }")
    expect(typeOfReturn(p, "A.f")).toBe("uint8")
  })

  it("gives a local of 0.4 the scope of the whole function", () => {
    const p = program(
      "pragma solidity ^0.4.0; contract A { function f() returns (uint) { if (true) { uint8 x = 1; } return x; } }",
    )
    expect(typeOfReturn(p, "A.f")).toBe("uint8")
  })

  it("finds names through imports, aliases and modules", () => {
    const p = program({
      "a.sol":
        'import {T as U} from "./b.sol"; import * as M from "./b.sol"; contract A { function f(U u) public returns (uint) { return u.v(); } function g(M.T t) public returns (uint) { return t.v(); } }',
      "b.sol": "contract T { uint16 public v; }",
      "c.sol": "contract T { uint32 public v; }",
    })
    expect([typeOfReturn(p, "A.f"), typeOfReturn(p, "A.g")]).toEqual(["uint16", "uint16"])
  })
})

describe("imports", () => {
  const resolve = importResolver(
    ["src/A.sol", "src/lib/B.sol", "lib/oz/contracts/token/ERC20.sol", "node_modules/@x/y/C.sol", "vendor/Z.sol"],
    [
      { path: "remappings.txt", text: "@oz/=lib/oz/contracts/\n# no=thing\n" },
      { path: "foundry.toml", text: '[profile.default]\nremappings = [\n  "v/=vendor/",\n]\n' },
    ].flatMap(readRemappings),
  )
  it.each([
    ["src/A.sol", "./lib/B.sol", "src/lib/B.sol"],
    ["src/lib/B.sol", "../A.sol", "src/A.sol"],
    ["src/A.sol", "@oz/token/ERC20.sol", "lib/oz/contracts/token/ERC20.sol"],
    ["src/A.sol", "v/Z.sol", "vendor/Z.sol"],
    ["src/A.sol", "@x/y/C.sol", "node_modules/@x/y/C.sol"],
    ["src/A.sol", "src/A.sol", "src/A.sol"],
    ["src/A.sol", "@openzeppelin/contracts/token/ERC20.sol", "lib/oz/contracts/token/ERC20.sol"],
    ["src/A.sol", "./Gone.sol", undefined],
    ["src/A.sol", "../../../../../../etc/passwd", undefined],
  ])("from %s, %s is %s", (from, imported, path) => {
    expect(resolve(from, imported)).toBe(path)
  })

  it("resolve in time that grows with the text, however deep the folders and however many remappings", () => {
    const deep = Array.from({ length: 300 }, (_, index) => `${"d/".repeat(400)}f${index}.sol`)
    const many = Array.from({ length: 80_000 }, (_, index) => `p${index}/=lib/p${index}/\n`).join("")
    const hostile = importResolver(deep, readRemappings({ path: "remappings.txt", text: many }))
    const took = cpuTimeOf(() => {
      for (const path of deep) for (let index = 0; index < 20; index++) hostile(path, `q${index}/f${index}.sol`)
      for (let index = 0; index < 15_000; index++) hostile(deep[0]!, `q${index}/f1.sol`)
    })
    expect(took).toBeLessThan(1_500 * slowness())
  })

  const copies = importResolver(
    [
      "packages/a/src/A.sol",
      "packages/a/lib/oz/contracts/token/ERC20.sol",
      "packages/b/src/B.sol",
      "packages/b/lib/oz/contracts/token/ERC20.sol",
      "src/C.sol",
      "mocks/Owned.sol",
      "test/Owned.sol",
      "old/access/Owned.sol",
    ],
    readRemappings({ path: "remappings.txt", text: "@tokens/=modules/oz/contracts/token/\n" }),
  )
  it.each([
    [
      "the copy in its own package",
      "packages/a/src/A.sol",
      "@oz/contracts/token/ERC20.sol",
      "packages/a/lib/oz/contracts/token/ERC20.sol",
    ],
    [
      "the copy in its own package",
      "packages/b/src/B.sol",
      "@oz/contracts/token/ERC20.sol",
      "packages/b/lib/oz/contracts/token/ERC20.sol",
    ],
    [
      "the target of the remapping",
      "packages/b/src/B.sol",
      "@tokens/ERC20.sol",
      "packages/b/lib/oz/contracts/token/ERC20.sol",
    ],
    ["none of two copies equally far away", "src/C.sol", "@oz/contracts/token/ERC20.sol", undefined],
    ["none of several that share the name only", "src/C.sol", "@oz/contracts/utils/Owned.sol", undefined],
    ["none of several that share the name only, relative", "src/C.sol", "./Owned.sol", undefined],
    ["the one whose folder agrees", "src/C.sol", "@oz/contracts/access/Owned.sol", "old/access/Owned.sol"],
    ["the only one of its name", "src/C.sol", "../gone/B.sol", "packages/b/src/B.sol"],
  ])("for a file that is missing, takes %s: from %s, %s", (_, from, imported, path) => {
    expect(copies(from, imported)).toBe(path)
  })

  const owned = (check: string): string => `contract Owned { address owner; modifier onlyOwner() { ${check} _; } }`
  const vault = (line: string): string => `${line} contract Vault is Owned { function f() public onlyOwner {} }`
  const basesOfVault = (files: Record<string, string>) => {
    const p = program(files)
    const found = contract(p, "Vault")
    return { bases: found.bases.map((b) => b.source.file.path), missing: found.missingBases }
  }

  it.each(['import {Owned} from "@oz/access/Owned.sol";', 'import "@oz/access/Owned.sol";'])(
    "resolve a name from a missing file to the only contract of that name: %s",
    (line) => {
      expect(basesOfVault({ "a.sol": vault(line), "mocks/All.sol": owned("") })).toEqual({
        bases: ["mocks/All.sol"],
        missing: [],
      })
    },
  )

  it.each(['import {Owned} from "@oz/access/Owned.sol";', 'import "@oz/access/Owned.sol";'])(
    "leave a name from a missing file unresolved if several contracts have it: %s",
    (line) => {
      const files = {
        "a.sol": vault(line),
        "mocks/All.sol": owned(""),
        "old/Flat.sol": owned("require(msg.sender == owner);"),
      }
      expect(basesOfVault(files)).toEqual({ bases: [], missing: ["Owned"] })
    },
  )

  it("resolve a name through the import that provides it, whoever else declares it", () => {
    const files = {
      "a.sol": vault('import "./lib/Second.sol"; import "@oz/Gone.sol";'),
      "lib/Second.sol": 'import "./Third.sol";',
      "lib/Third.sol": owned("require(msg.sender == owner);"),
      "mocks/All.sol": owned(""),
    }
    expect(basesOfVault(files)).toEqual({ bases: ["lib/Third.sol"], missing: [] })
  })

  it("do not resolve a name that a missing file should provide through another import", () => {
    const files = {
      "a.sol": vault('import "./lib/Second.sol"; import {Owned} from "@oz/Gone.sol";'),
      "lib/Second.sol": owned(""),
      "old/Flat.sol": owned("require(msg.sender == owner);"),
    }
    expect(basesOfVault(files)).toEqual({ bases: [], missing: ["Owned"] })
  })

  it("keep overloads of free functions together if one file has them all", () => {
    const p = program({
      "a.sol":
        'import {add} from "lost/math.sol"; contract A { function f(int8 x) public { add(x, x); add(uint8(1), 2); } }',
      "m.sol":
        "function add(int8 a, int8 b) pure returns (int8) {} function add(uint8 a, uint8 b) pure returns (uint8) {}",
    })
    expect(calls(p, "A.f").flatMap((c) => c.target?.signature ?? [])).toEqual(["add(int8,int8)", "add(uint8,uint8)"])
  })
})
