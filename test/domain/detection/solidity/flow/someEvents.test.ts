import * as fc from "fast-check"
import { expect, it } from "vitest"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"
import { SomeEvents } from "../../../../../domain/detection/solidity/flow/graph/someEvents.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import type { Flow } from "../../../../../domain/detection/solidity/program.ts"

const statement = fc.constantFrom(
  "s = x;",
  "t = s + s++;",
  "if (x > 1) { s = 1; }",
  "if (x > 2) { s = 2; return; } else { t = s; }",
  "for (uint256 i; i < x; i++) { s += i; if (s > 3) break; }",
  "while (t > x) { t -= 1; }",
)

const flowOf = (statements: ReadonlyArray<string>): Flow => {
  const text = `contract C { uint256 s; uint256 t; function f(uint256 x) external { ${statements.join("\n")} } }`
  return buildProgram([parseSolidity(sourceFile("a.sol", text))]).allFlows()[0]!
}

it("SomeEvents answers as asking of each pair of events does", () => {
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 24 }), fc.nat(), (statements, skipped) => {
      const flow = flowOf(statements)
      const events = flow.writes.filter((_, at) => at % ((skipped % 3) + 1) === 0)
      const some = new SomeEvents(flow, events)
      for (const other of [...flow.reads, ...flow.writes]) {
        const { at, order } = other
        const isOnEveryPath = events.some((one) => one.at !== at && flow.dominates(one.at, at))
        expect(some.precede(at)).toBe(isOnEveryPath)
        expect(some.mustPrecede(other)).toBe(isOnEveryPath || events.some((one) => one.at === at && one.order < order))
        expect(some.mayPrecede(other)).toBe(events.some((one) => flow.follows(one, other)))
        expect(some.reach(at)).toBe(events.some((one) => flow.reaches(one.at, at)))
        expect(some.follow(at)).toBe(events.some((one) => flow.reaches(at, one.at)))
      }
    }),
    { numRuns: 60 },
  )
})
