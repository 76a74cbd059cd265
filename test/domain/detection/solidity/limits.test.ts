import { describe, expect, it } from "vitest"
import { sourceFile } from "../../../../domain/detection/SourceFile.ts"
import { parseSolidity } from "../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../domain/detection/solidity/buildProgram.ts"
import { unreadMarks } from "../../../../domain/detection/solidity/access/checks/unreadMarks.ts"
import type { Program } from "../../../../domain/detection/solidity/program.ts"
import { cpuTimeOf } from "../../../support/cpuTime.ts"

const repeat = (n: number, text: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => text(i)).join("\n")

const build = (...texts: ReadonlyArray<string>): Program =>
  buildProgram(texts.map((text, i) => parseSolidity(sourceFile(`f${i}.sol`, text))))

/** Asks every question that rules ask, about every function. */
const ask = (program: Program): number => {
  let answers = 0
  for (const flow of program.allFlows()) {
    for (const call of flow.externalCalls) {
      answers += flow.facts(call.at).length > 0 ? 1 : 0
      flow.isLocked(call.at)
      flow.isRestricted(call.at)
    }
    for (const write of flow.writes) flow.isRestricted(write.at)
    for (const site of flow.calls()) for (const arg of site.args) flow.deepOrigins(arg, site.at)
    for (const node of flow.conditionNodes()) if (node.expression !== undefined) flow.origins(node.expression, node)
  }
  return answers
}

/** Seconds of this thread's own CPU time, on which other work on the machine has little effect. */
const cpuSeconds = (work: () => void): number => cpuTimeOf(work) / 1_000

const contract = (members: string): string =>
  `pragma solidity ^0.8.0; contract C { uint x; address o; mapping(address => uint) b; ${members} }`

describe("modifiers", () => {
  const text = (length: number, uses: number, before = ""): string =>
    contract(`${before} modifier m() virtual { ${"x = 1;".repeat(length)} _; }
      modifier own() { require(msg.sender == o); _; } ${repeat(uses, (i) => `function f${i}() public m own {}`)}`)
  const unplaced = (...texts: ReadonlyArray<string>) =>
    [...build(...texts).everything.unplaced].map(({ contract: of, name }) => `${of?.name} ${name}`)

  it("are placed into functions unless they are large and used often", () => {
    expect(unplaced(text(300, 100))).toEqual([])
    expect(unplaced(text(3_000, 3))).toEqual([])
    expect(unplaced(text(3_000, 300))).toEqual(["C m"])
  })

  it("are measured by their largest override", () => {
    const heir = `contract D is C { modifier m() override { ${"x = 1;".repeat(3_000)} _; } }`
    expect(unplaced(text(1, 300) + heir)).toEqual(["C m", "D m"])
  })

  it("that are not placed count as missing from the sources", () => {
    const [before, after] = [text(1, 300), text(3_000, 300)].map((each) =>
      build(each).functions.map(({ modifiers }) => modifiers.map(({ modifier }) => modifier?.name)),
    )
    expect(before![0]).toEqual(["m", "own"])
    expect(after![0]).toEqual([undefined, "own"])
  })
})

describe("the model takes seconds at most for hostile programs", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    [
      "10,000 functions that call each other in a ring",
      [
        contract(
          repeat(
            10_000,
            (i) => `function f${i}(uint a) public { require(msg.sender == o); b[o] += a; f${(i + 1) % 10_000}(a); }`,
          ),
        ),
      ],
    ],
    [
      "a modifier of 4,000 statements on 1,000 functions",
      [
        contract(
          `modifier m() { ${repeat(4_000, () => "x = 1;")} _; } ${repeat(1_000, (i) => `function f${i}() public m {}`)}`,
        ),
      ],
    ],
    [
      "a chain of 10,000 internal functions",
      [
        contract(
          `${repeat(10_000, (i) => `function f${i}(uint a) internal { x = a; ${i < 9999 ? `f${i + 1}(a);` : ""} }`)} function z(uint a) public { f0(a); }`,
        ),
      ],
    ],
    [
      "calls that double at each of 2,000 levels",
      [
        contract(
          `${repeat(2000, (i) => `function f${i}(uint a) internal returns (uint) { ${i < 1999 ? `return f${i + 1}(f${i + 1}(a));` : "return a;"} }`)} function z(uint a) public { x = f0(a); }`,
        ),
      ],
    ],
    [
      "300 functions that all call 20 others",
      [
        contract(
          `${repeat(300, (i) => `function f${i}(uint a) internal { b[o] += a; o.call(""); ${repeat(20, (j) => `f${(i * 7 + j * 13) % 300}(a);`)} }`)} function z(uint a) public { f0(a); }`,
        ),
      ],
    ],
    [
      "20,000 conditions in one function",
      [contract(`function f(uint a) public { ${repeat(20_000, (i) => `require(a > ${i}); b[o] = a;`)} }`)],
    ],
    [
      "20,000 returns in one function",
      [contract(`function f(uint a) public { ${repeat(20_000, (i) => `if (a == ${i}) return;`)} o.call(""); }`)],
    ],
    [
      "20,000 assignments to one local",
      [contract(`function f(uint a) public { uint y; ${repeat(20_000, () => "y = y + a;")} x = y; }`)],
    ],
    [
      "modifiers that repeat the body",
      [contract(`modifier m() { _; _; } function f() public ${"m ".repeat(40)} { x = 1; }`)],
    ],
    [
      "1,000 contracts derived from one with 300 virtual functions",
      [
        `contract B { uint x; ${repeat(300, (i) => `function f${i}() public virtual { x = ${i}; f${(i + 1) % 300}(); }`)} } ${repeat(1000, (i) => `contract D${i} is B { function f${i % 300}() public override { x = 1; } }`)}`,
      ],
    ],
    [
      "2,000 structs that contain two of the next one",
      [
        contract(
          `${repeat(2000, (i) => `struct S${i} { S${i + 1} a; S${i + 1} c; }`)} function f(S0 memory s) public {}`,
        ),
      ],
    ],
    [
      "1,000 files that import each other and declare the same names",
      Array.from(
        { length: 1000 },
        (_, i) =>
          `import "./f${(i + 1) % 1000}.sol"; import "./f${(i * 7) % 1000}.sol"; contract C${i} { C${(i + 5) % 1000} c; function f() public { T(o).g(); } } contract T { function g() public {} }`,
      ),
    ],
    [
      "3,000 libraries for one type, each of which calls what all of them attach",
      [
        repeat(
          3_000,
          (i) => `library L${i} { function f(uint a) internal { a.f(); } } using L${i} for uint; contract C${i} {}`,
        ),
      ],
    ],
    [
      "inheritance in a ring",
      [
        "contract A is B { function f() public { g(); super.f(); } } contract B is C { function g() public {} } contract C is A {}",
      ],
    ],
    [
      "assembly that loads what it stores",
      [
        contract(
          `function f() public { assembly { ${repeat(300, (i) => `mstore(${i}, add(mload(${i + 1}), mload(${i + 2})))`)} } }`,
        ),
      ],
    ],
  ])(
    "%s",
    (_name, texts) => {
      const seconds = cpuSeconds(() => {
        const program = build(...texts)
        ask(program)
        expect(program.functions.length).toBeGreaterThan(0)
      })
      // The slowest takes 3 s.
      expect(seconds).toBeLessThan(10)
    },
    120_000,
  )

  it("takes time proportional to the text", () => {
    const unit = contract(
      repeat(
        50,
        (j) =>
          `function f${j}(uint a) public {\n require(msg.sender == o);\n b[msg.sender] += a;\n (bool ok,) = o.call{value: a}("");\n require(ok);\n}`,
      ),
    )
    const time = (files: number): number => cpuSeconds(() => ask(build(...Array.from({ length: files }, () => unit))))
    time(20)
    const small = time(20)
    const large = time(160)
    // Eight times the text: twice as much again is left for the collector and a busy machine.
    expect(large / small).toBeLessThan(8 * 2.5)
  }, 120_000)

  it("finds the unread marks of one function in time proportional to their number", () => {
    const time = (marks: number): number => {
      const program = build(
        contract(
          `${repeat(marks, (i) => `mapping(uint => uint) w${i}; mapping(address => bool) m${i};`)}
function f(uint id, address to) external {
${repeat(marks, (i) => `w${i}[id] |= 1 << id; m${i}[msg.sender] = true;`)}
payable(to).transfer(1); }`,
        ),
      )
      for (const flow of program.allFlows()) expect(flow.writes.length).toBe(2 * marks)
      return cpuSeconds(() => expect(unreadMarks(program)).toHaveLength(2 * marks))
    }
    time(25)
    // Four times as many; each was compared with every read and write of the function.
    expect(time(400) / Math.max(0.02, time(100))).toBeLessThan(10)
  }, 120_000)
})
