import { describe, expect, it } from "vitest"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"
import type { FlowNode } from "../../../../../domain/detection/solidity/flow/graph/graph.ts"
import type { Flow } from "../../../../../domain/detection/solidity/program.ts"
import { has, Source } from "../../../../../domain/detection/solidity/flow/graph/origins.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"

const repeat = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join("\n")

const flowOf = (body: string): Flow => {
  const text = `pragma solidity ^0.8.20; contract C {
    uint s; mapping(uint => uint) m; function f(uint x, uint z) external { uint y = x; ${body} }
  }`
  const program = buildProgram([parseSolidity(sourceFile("a.sol", text))])
  return program.flow(program.functions[0]!)
}

/** How often `ask` looks at the predecessors of a step. */
const stepsOf = (flow: Flow, ask: () => void): number => {
  let steps = 0
  for (const node of flow.nodes) {
    const { preds } = node
    Object.defineProperty(node, "preds", {
      get: (): ReadonlyArray<FlowNode> => {
        steps++
        return preds
      },
    })
  }
  ask()
  return steps
}

/** Computes the origins of everything that is assigned. */
const askAll = (flow: Flow): void => {
  for (const node of flow.nodes)
    for (const { value } of node.definitions) if (value !== undefined) flow.origins(value, node)
}

describe("the search for the definitions that reach a use", () => {
  it.each<readonly [string, (i: number) => string]>([
    ["both branches add to a local", (i) => `if (z > ${i}) { y += ${i}; } else { y -= 2; }`],
    ["both branches assign a local", (i) => `if (z > ${i}) { y = z; } else { y = y / 2; }`],
    ["a loop adds to a local", (i) => `for (uint i${i}; i${i} < z; i${i}++) { y += ${i}; }`],
    ["every step uses a local that is assigned far above", (i) => `${i === 0 ? "y = z;" : ""} uint w${i} = y;`],
  ])("takes steps in proportion to the text where %s", (_, statement) => {
    const steps = (count: number): number => {
      const flow = flowOf(repeat(count, statement))
      return stepsOf(flow, () => askAll(flow))
    }
    expect(steps(800) / steps(200)).toBeLessThan(5)
  })

  it("still sees all operands of a long sum", () => {
    const flow = flowOf(`${repeat(500, (i) => `if (z > ${i}) { y += ${i}; } else { y += s; }`)} m[0] = y + msg.value;`)
    const last = flow.writes.at(-1)!
    const origins = flow.origins(last.event.value!, last.at)
    for (const source of [Source.parameter, Source.state, Source.value, Source.literal])
      expect(has(origins, source)).toBe(true)
    expect(has(origins, Source.unknown)).toBe(false)
    expect(origins.parameters.map(({ name }) => name)).toContain("x")
  })

  it("distinguishes up to a hundred definitions", () => {
    const flow = flowOf(`${repeat(40, (i) => `if (z > ${i}) { y += ${i}; } else { y += ${i}; }`)} y = 1; m[0] = y;`)
    const last = flow.writes.at(-1)!
    expect(flow.origins(last.event.value!, last.at).sources).toBe(Source.literal)
  })
})
