import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { lineAt, sourceFile } from "../../../../domain/detection/SourceFile.ts"
import { parseSolidity } from "../../../../domain/detection/solidity/parse/parse.ts"
import type * as S from "../../../../domain/detection/solidity/syntax.ts"
import { walk } from "../../../../domain/detection/solidity/visit.ts"

const parse = (text: string): S.SourceUnit => parseSolidity(sourceFile("a.sol", text))

/** Compact form of an expression, with its brackets as the tree has them. */
const show = (e: S.Expression | undefined): string => {
  switch (e?.kind) {
    case undefined:
      return ""
    case "Identifier":
      return e.name
    case "Literal":
      return e.value + (e.unit ?? "")
    case "MemberAccess":
      return `${show(e.object)}.${e.member}`
    case "IndexAccess":
      return `${show(e.base)}[${show(e.index)}]`
    case "IndexRangeAccess":
      return `${show(e.base)}[${show(e.from)}:${show(e.to)}]`
    case "FunctionCall":
      return `${show(e.callee)}(${e.args.map((a, i) => (e.names === undefined ? show(a) : `${e.names[i]}=${show(a)}`)).join(",")})`
    case "FunctionCallOptions":
      return `${show(e.callee)}{${e.options.map((o) => `${o.name}:${show(o.value)}`).join(",")}}`
    case "UnaryOperation":
      return e.prefix ? `(${e.operator} ${show(e.operand)})` : `(${show(e.operand)} ${e.operator})`
    case "BinaryOperation":
    case "Assignment":
      return `(${show(e.left)} ${e.operator} ${show(e.right)})`
    case "Conditional":
      return `(${show(e.condition)} ? ${show(e.then)} : ${show(e.else)})`
    case "TupleExpression":
      return `<${e.components.map(show).join(",")}>`
    case "InlineArray":
      return `[${e.components.map(show).join(",")}]`
    case "NewExpression":
      return "new"
    case "TypeExpression":
      return "type()"
    case "TypeNameExpression":
      return e.typeName.name
    case "UnknownExpression":
      return "?"
  }
}

const contract = (unit: S.SourceUnit, name?: string): S.ContractDefinition => {
  const found = unit.items.find(
    (i): i is S.ContractDefinition => i.kind === "ContractDefinition" && (name === undefined || i.name === name),
  )
  if (found === undefined) throw new Error("no contract")
  return found
}

const functions = (c: S.ContractDefinition): ReadonlyArray<S.FunctionDefinition> =>
  c.members.filter((m) => m.kind === "FunctionDefinition")

const statements = (code: string): ReadonlyArray<S.Statement> => {
  const unit = parse(`contract C { function f() public { ${code} } }`)
  expect(unit.errors).toEqual([])
  return functions(contract(unit))[0]!.body!.statements
}

const expression = (code: string): string => {
  const [statement] = statements(`${code};`)
  if (statement?.kind !== "ExpressionStatement") throw new Error(statement?.kind)
  return show(statement.expression)
}

describe("expressions", () => {
  it.each([
    ["a + b[i].c * d(e)", "(a + (b[i].c * d(e)))"],
    ["!x.call.value(v)()", "(! x.call.value(v)())"],
    ["!a[i] && -x.y > 3", "((! a[i]) && ((- x.y) > 3))"],
    ["delete a[i].b", "(delete a[i].b)"],
    ["a ? b : c ? d : e", "(a ? b : (c ? d : e))"],
    ["a = b = c", "(a = (b = c))"],
    ["a += b ? c : d", "(a += (b ? c : d))"],
    ["a || b && c == d | e ^ f & g << h", "(a || (b && (c == (d | (e ^ (f & (g << h)))))))"],
    ["a - b - c", "((a - b) - c)"],
    ["2 ** 3 ** 4", "(2 ** (3 ** 4))"],
    ["i++ + ++j", "((i ++) + (++ j))"],
    ["(a)", "a"],
    ["(a, , b) = f()", "(<a,,b> = f())"],
    ["x[1:]", "x[1:]"],
    ['x.call{value: v, gas: 3}("")', "x.call{value:v,gas:3}()"],
    ["f({a: 1, b: 2})", "f(a=1,b=2)"],
    ["new X{salt: s}(a)", "new{salt:s}(a)"],
    ["payable(msg.sender).transfer(1 ether)", "payable(msg.sender).transfer(1ether)"],
    ["type(uint256).max - x", "(type().max - x)"],
    ["abi.decode(d, (uint256[], address payable, X.Y[]))", "abi.decode(d,<uint256[],address payable,X.Y[]>)"],
    ["[uint(1), 2]", "[uint(1),2]"],
    ['hex"ab" == unicode"é"', "(ab == é)"],
    ['"a" "b"', "ab"],
    ["0xFf + .5e3 + 1_000", "((0xFf + .5e3) + 1_000)"],
    ["x =- 1", "(x = (- 1))"],
  ])("%s", (code, tree) => {
    expect(expression(code)).toBe(tree)
  })

  it("keeps the text of every node at its span", () => {
    const text = "contract C { function f() public { x = (a + b).c(d); } }"
    const found: Array<string> = []
    walk(parse(text), (node) => {
      if (node.kind === "Identifier" || node.kind === "MemberAccess") found.push(text.slice(node.start, node.end))
    })
    expect(found).toEqual(["x", "(a + b).c", "a", "b", "d"])
  })
})

describe("statements", () => {
  it.each([
    ["uint x = 1;", "VariableDeclarationStatement"],
    ["A.B.C memory x;", "VariableDeclarationStatement"],
    ["X[] storage y = z;", "VariableDeclarationStatement"],
    ["mapping(address => uint) storage m = n;", "VariableDeclarationStatement"],
    ["function(uint) internal returns (uint) g = h;", "VariableDeclarationStatement"],
    ["(bool ok, ) = f();", "VariableDeclarationStatement"],
    ["(, uint b) = f();", "VariableDeclarationStatement"],
    ["var (a, , b) = f();", "VariableDeclarationStatement"],
    ["var a = 1;", "VariableDeclarationStatement"],
    ["a[1] = 2;", "ExpressionStatement"],
    ["(a, b) = (b, a);", "ExpressionStatement"],
    ["uint(1);", "ExpressionStatement"],
    ["throw;", "ThrowStatement"],
    ["_;", "PlaceholderStatement"],
    ["emit E(1);", "EmitStatement"],
    ["revert E(1);", "RevertStatement"],
    ["revert();", "ExpressionStatement"],
    ["return (a, b);", "ReturnStatement"],
    ["unchecked { a++; }", "Block"],
    ["try x.f{value: 1}() returns (uint a) { } catch Error(string memory r) { } catch { }", "TryStatement"],
    ["do { } while (true);", "DoWhileStatement"],
    ["for (;;) { }", "ForStatement"],
  ])("%s is a %s", (code, kind) => {
    expect(statements(code)[0]?.kind).toBe(kind)
  })

  it("reads inline assembly as a tree", () => {
    const [assembly] = statements(`assembly ("memory-safe") {
      let a, b := f(1)
      function f(x) -> y, z { y := x z := x }
      switch a case 0 { sstore(s.slot, caller()) } default { leave }
      for { let i := 0 } lt(i, 3) { i := add(i, 1) } { if iszero(b) { break } }
      return(0, 32)
    }`)
    if (assembly?.kind !== "InlineAssembly") throw new Error()
    expect(assembly.flags).toEqual(["memory-safe"])
    expect(assembly.body.statements.map((s) => s.kind)).toEqual([
      "YulVariableDeclaration",
      "YulFunctionDefinition",
      "YulSwitch",
      "YulFor",
      "YulExpressionStatement",
    ])
  })

  it("parses the loose assembly of 0.4", () => {
    const unit = parse(
      "contract C { function f() { assembly { mload(0x40) =: p  let x := calldatasize loop: jump(loop) } } }",
    )
    expect(unit.errors).toEqual([])
  })
})

describe("definitions", () => {
  it("reads a contract of 0.4", () => {
    const unit = parse(`pragma solidity ^0.4.11;
      import "./A.sol"; import * as B from "b.sol"; import {C, D as E} from "c.sol"; import "d.sol" as F;
      contract Old is A(1), B.C {
        uint constant public X = 1; address owner;
        function Old() { owner = msg.sender; }
        function() payable { }
        function f(uint a) constant returns (uint r, uint) { throw; }
        modifier m { if (msg.sender != owner) throw; _; }
        event E(address indexed a, uint) anonymous;
        function (uint) external returns (bool) pointer;
      }`)
    expect(unit.errors).toEqual([])
    expect(unit.imports.map((i) => [i.path, i.alias, i.symbols?.length])).toEqual([
      ["./A.sol", undefined, undefined],
      ["b.sol", "B", undefined],
      ["c.sol", undefined, 2],
      ["d.sol", "F", undefined],
    ])
    const c = contract(unit)
    expect(c.bases.map((b) => [b.path.join("."), b.args?.length])).toEqual([
      ["A", 1],
      ["B.C", undefined],
    ])
    expect(functions(c).map((f) => [f.functionKind, f.name, f.mutability, f.visibility])).toEqual([
      ["function", "Old", "nonpayable", "default"],
      ["fallback", "", "payable", "default"],
      ["function", "f", "constant", "default"],
    ])
    expect(c.members.map((m) => m.kind).slice(-3)).toEqual([
      "ModifierDefinition",
      "EventDefinition",
      "StateVariableDeclaration",
    ])
  })

  it("reads a file of 0.8", () => {
    const unit = parse(`pragma solidity >=0.8.20 <0.9.0;
      type Price is uint128; error Bad(uint a); uint constant ONE = 1; event Free();
      using {add as +, L.sub} for Price global;
      function add(Price a, Price b) pure returns (Price) { return a; }
      struct S { uint a; mapping(address who => uint what) b; }
      enum E { A, B }
      abstract contract T layout at 0x10 is I {
        uint256 transient lock; address immutable owner; uint public override(I, J) x;
        constructor() payable Base(1) { }
        receive() external payable { } fallback(bytes calldata d) external returns (bytes memory) { }
        function f() external virtual override(I) onlyOwner returns (uint) { }
        modifier n(uint a) virtual override { _; }
        function g() external virtual;
      }
      interface I { function f() external returns (uint); } library L { using L for *; }`)
    expect(unit.errors).toEqual([])
    const t = contract(unit, "T")
    expect(t.abstract).toBe(true)
    expect(t.layout?.kind).toBe("Literal")
    expect(functions(t).map((f) => f.functionKind)).toEqual([
      "constructor",
      "receive",
      "fallback",
      "function",
      "function",
    ])
    expect(functions(t)[3]).toMatchObject({
      virtual: true,
      override: { bases: [["I"]] },
      modifiers: [{ path: ["onlyOwner"] }],
    })
    expect(unit.items.map((i) => i.kind)).toEqual([
      "TypeDefinition",
      "ErrorDefinition",
      "StateVariableDeclaration",
      "EventDefinition",
      "UsingDirective",
      "FunctionDefinition",
      "StructDefinition",
      "EnumDefinition",
      "ContractDefinition",
      "ContractDefinition",
      "ContractDefinition",
    ])
  })

  it("accepts contextual keywords as names elsewhere", () => {
    const unit = parse(
      `contract C { uint error; uint from; uint layout; function receive_(uint type_, uint global) public { from = error + layout; } }`,
    )
    expect(unit.errors).toEqual([])
  })
})

describe("recovery", () => {
  const file = `contract A is B {
  uint x;
  function f(uint a) public returns (uint) {
    if (a > 1) {
      x = 2;
    }
    return x;
  }
  function g() external onlyOwner {
    x = 3;
    for (uint i; i < 3; i++) { x += i; }
  }
  modifier m() { _; }
  event E(uint x);
  function k() public { y.call(""); }
}
contract Z { function h() public { x = 1; } }`

  it.each([...file].flatMap((c, i) => ("{}();".includes(c) ? [[i, c] as const] : [])))(
    "keeps every function and modifier when the character at %i (%s) is lost",
    (at) => {
      const unit = parse(`${file.slice(0, at)} ${file.slice(at + 1)}`)
      const names = unit.items.flatMap((i) =>
        i.kind === "ContractDefinition"
          ? i.members.flatMap((m) =>
              "name" in m && (m.kind === "FunctionDefinition" || m.kind === "ModifierDefinition") ? [m.name] : [],
            )
          : [],
      )
      for (const name of ["f", "g", "m", "k", "h"]) expect(names).toContain(name)
      expect(unit.errors.length).toBeGreaterThan(0)
    },
  )

  it("returns members to their contract if an extra brace closed it", () => {
    const unit = parse("contract A { function f() public { } } function g() external { } uint y; modifier m() { _; } }")
    expect(contract(unit).members).toHaveLength(4)
  })

  it("reports the line of an error", () => {
    const unit = parse("contract A {\n function f() public {\n  x = ;\n }\n}")
    expect(unit.errors.map((e) => lineAt(unit.file, e.start))).toEqual([3])
  })
})

describe("hostile text", () => {
  it.each([
    ["parentheses", `x = ${"(".repeat(10_000)}1${")".repeat(10_000)};`],
    ["blocks", `${"{".repeat(10_000)}${"}".repeat(10_000)}`],
    ["conditions", `${"if (a) {".repeat(10_000)}${"}".repeat(10_000)}`],
    ["else-ifs", `${"if (a) b; else ".repeat(10_000)} c;`],
    ["operators", `x = ${"a + ".repeat(20_000)}1;`],
    ["members", `x = a${".b".repeat(20_000)};`],
    ["negations", `x = ${"!".repeat(20_000)}a;`],
    ["assembly", `assembly { ${"{".repeat(10_000)}${"}".repeat(10_000)} }`],
    ["opcodes", `assembly { let a := ${"add(1,".repeat(10_000)}1${")".repeat(10_000)} }`],
  ])("stops at its nesting limit in 10,000 levels of %s and keeps the next function", (_, code) => {
    const unit = parse(`contract C { function f() public { ${code} } function g() public { x = 1; } }`)
    expect(functions(contract(unit)).map((f) => f.name)).toEqual(["f", "g"])
    expect(unit.problems.length).toBeGreaterThan(0)
  })

  it("parses 2 MB within seconds", () => {
    const body = "function f(uint a) public { require(a > 1); balances[msg.sender] += a; }\n"
    const unit = parse(`contract C {\n${body.repeat(30_000)}}`)
    expect(functions(contract(unit))).toHaveLength(30_000)
  }, 10_000)

  it("never throws, and keeps every span inside the text", () => {
    const words = fc.constantFrom(
      "contract",
      "C",
      "{",
      "}",
      "(",
      ")",
      "function",
      "f",
      ";",
      "=",
      "mapping",
      "=>",
      "assembly",
      "if",
      "else",
      '"',
      "/*",
      "//",
      "\n",
      "0x",
      "1e",
      ".",
      ",",
      "[",
      "]",
      "modifier",
      "_",
      "try",
      "catch",
      "returns",
      "is",
      "using",
      "for",
      "unchecked",
      "case",
      "let",
      ":=",
      "?",
      ":",
      "pragma",
      "import",
      'hex"',
      "\u202e",
      "\ud800",
    )
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(words, { maxLength: 80 }).map((w) => w.join(" ")),
    )
    fc.assert(
      fc.property(text, (source) => {
        const unit = parse(source)
        walk(unit, (node) => {
          expect(node.start).toBeGreaterThanOrEqual(0)
          expect(node.end).toBeLessThanOrEqual(source.length)
          expect(node.start).toBeLessThanOrEqual(node.end)
        })
      }),
      { numRuns: 1500 },
    )
  })
})
