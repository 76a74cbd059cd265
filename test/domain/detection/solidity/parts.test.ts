import { describe, expect, it } from "vitest"
import { sourceFile } from "../../../../domain/detection/SourceFile.ts"
import { solidityRules } from "../../../../domain/detection/solidity/catalog.ts"
import { parseSolidity } from "../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram, programParts } from "../../../../domain/detection/solidity/buildProgram.ts"
import type { Program } from "../../../../domain/detection/solidity/program.ts"

const units = (files: Record<string, string>) =>
  Object.entries(files).map(([path, text]) => parseSolidity(sourceFile(path, text)))

const parts = (files: Record<string, string>, lines: number): ReadonlyArray<Program> =>
  programParts(units(files), [], (_file, work) => work(), lines).map((part) => part())

const paths = (program: Program): ReadonlyArray<string> => program.sources.map(({ file }) => file.path)

const findings = (programs: ReadonlyArray<Program>): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const program of programs) {
    for (const rule of solidityRules)
      rule.check(program, ({ file, span }) => found.add(`${rule.meta.id} ${file.path} ${span.start} ${span.end}`))
  }
  return [...found].toSorted()
}

const bank = (name: string, base: string): string => `pragma solidity ^0.8.20;
${base === "" ? "" : `import "./${base}.sol";`}
contract ${name} ${base === "" ? "" : `is ${base} `}{
    mapping(address => uint256) private of${name};
    function pay${name}(uint256 amount) external {
        require(of${name}[msg.sender] >= amount);
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent);
        of${name}[msg.sender] -= amount;
    }
}`

const repository = { "A.sol": bank("A", ""), "B.sol": bank("B", "A"), "C.sol": bank("C", ""), "D.sol": bank("D", "C") }

describe("the parts of a program", () => {
  it("are a single one if the program is small", () => {
    expect(parts(repository, 1_000).map(paths)).toEqual([["A.sol", "B.sol", "C.sol", "D.sol"]])
  })

  it("keep files that import each other together, and are filled up to their size", () => {
    expect(parts(repository, 30).map(paths)).toEqual([
      ["A.sol", "B.sol"],
      ["C.sol", "D.sol"],
    ])
  })

  it("have the same findings as the whole", () => {
    const whole = findings([buildProgram(units(repository))])
    expect(whole.some((finding) => finding.startsWith("evm/reentrancy/"))).toBe(true)
    expect(findings(parts(repository, 30))).toEqual(whole)
  })

  it("keep a file with a missing import together with the file that declares the name it uses", () => {
    const files = {
      "a/Vault.sol": `pragma solidity ^0.8.20; import "lost/Base.sol"; contract Vault is Base { }`,
      "b/Other.sol": "pragma solidity ^0.8.20; contract Other { }",
      "c/Declares.sol": "pragma solidity ^0.8.20; contract Base { }",
    }
    const [first] = parts(files, 1)
    expect(first?.contracts.map(({ name, bases }) => [name, bases.map((base) => base.name)])).toEqual([
      ["Vault", ["Base"]],
      ["Base", []],
    ])
  })

  it("report two contracts of the same name even if they are in different parts", () => {
    const named = (x: number) => `pragma solidity ^0.8.20; contract Same { uint256 public x = ${x}; }`
    const found = findings(parts({ "a.sol": named(1), "b.sol": named(2) }, 1))
    expect(found.filter((finding) => finding.startsWith("evm/code-quality/reused-contract-name "))).toHaveLength(1)
  })
})
