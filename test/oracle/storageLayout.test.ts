import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"
import { catalog } from "../../domain/detection/catalog.ts"
import { sourceFile } from "../../domain/detection/SourceFile.ts"
import { buildProgram } from "../../domain/detection/solidity/buildProgram.ts"
import { parseSolidity } from "../../domain/detection/solidity/parse/parse.ts"
import { layoutOf } from "../../domain/detection/solidity/questions/storage/layout.ts"

const require = createRequire(import.meta.url)

interface Output {
  readonly errors?: ReadonlyArray<{ readonly severity: string }>
  readonly contracts?: Record<
    string,
    Record<string, { storageLayout?: { storage: ReadonlyArray<{ label: string; slot: string; offset: number }> } }>
  >
}

/** Where the compiler puts the state of each contract; undefined where no release accepts the text. */
const solcLayouts = (text: string): Record<string, ReadonlyArray<string>> | undefined => {
  const input = JSON.stringify({
    language: "Solidity",
    sources: { "a.sol": { content: text } },
    settings: { outputSelection: { "*": { "*": ["storageLayout"] } } },
  })
  for (const name of ["solc", "solc-0.7", "solc-0.6", "solc-0.5"]) {
    const output: Output = JSON.parse(require(name).compile(input))
    if (output.errors?.some(({ severity }) => severity === "error") === true) continue
    return Object.fromEntries(
      Object.entries(output.contracts?.["a.sol"] ?? {}).map(([contract, { storageLayout }]) => [
        contract,
        (storageLayout?.storage ?? []).map(({ label, slot, offset }) => `${label} ${slot}:${offset}`),
      ]),
    )
  }
  return undefined
}

const ourLayouts = (text: string): Record<string, ReadonlyArray<string>> => {
  const program = buildProgram([parseSolidity(sourceFile("a.sol", text))])
  return Object.fromEntries(
    program.contracts.map((contract) => [
      contract.name,
      layoutOf(program, contract).map(
        ({ variable, after, slot, offset }) => `${variable.name} ${after}${slot}:${offset}`,
      ),
    ]),
  )
}

const packing = `pragma solidity ^0.8.20;
interface IToken { function f() external; }
uint256 constant ROOM = 50;
type Price is uint96;
enum Phase { Idle, Open }
struct Pair { uint128 a; uint128 b; address c; }
struct Deep { bool on; Pair pair; uint8 last; }
abstract contract First {
  uint256 private constant USED = 3;
  bool a; uint8 b; address c; Phase d; IToken e; Price f;
  uint256[ROOM - USED] private room;
  bytes5[7] small;
  uint24[3][2] grid;
}
abstract contract Second { bytes32 immutable key = 0; string name; bytes data; mapping(address => Pair) pairs; uint16[] list; }
contract Third is Second, First {
  uint8 one;
  Pair pair;
  uint8 two;
  Deep[2] deeps;
  function () external outside;
  function () internal inside;
  int24 three;
  uint256[2 * 3] many;
  Pair[] dynamic;
  bool four;
  bytes31 five;
  bytes1 six;
}`

describe("storage layout", () => {
  it("places every kind of type like solc", () => {
    expect(ourLayouts(packing)).toMatchObject(solcLayouts(packing)!)
  })

  it("places the state of the examples like solc", () => {
    const examples = catalog
      .filter(({ meta }) => meta.id.startsWith("evm/"))
      .flatMap(({ examples: { vulnerable, safe } }) => [...vulnerable, ...safe])
      .filter((text) => !text.includes("import") && /\bis\b/.test(text) && /;\s*(?:\/\/.*)?\n/.test(text))
    let contracts = 0
    for (const text of examples.slice(0, 150)) {
      const expected = solcLayouts(text)
      if (expected === undefined) continue
      contracts += Object.keys(expected).length
      expect(ourLayouts(text), text).toMatchObject(expected)
    }
    expect(contracts).toBeGreaterThan(100)
  }, 120_000)
})
