import { describe, expect, it } from "vitest"
import { cosmwasmExamples } from "./cosmwasmExamples.ts"
import { reportedCosmWasm, understoodCosmWasm } from "./cosmwasmTable.ts"
import { vulnerable } from "./table.ts"

const named = cosmwasmExamples.map(
  (one) => [`${one.framework}${one.shows === undefined ? "" : `: ${one.shows}`}`, one] as const,
)

describe.each(named)("%s", (_, example) => {
  it("is understood", () => {
    const { coverage, handlers } = understoodCosmWasm(example)
    expect(handlers).toEqual(example.handlers)
    expect(coverage?.framework).toBe(example.framework)
    expect(coverage?.warning).toBeUndefined()
  })

  it("needs its sender check", () => {
    expect(reportedCosmWasm(example, example.safe)).not.toContain("missing-auth")
    expect(reportedCosmWasm(example, vulnerable(example))).toContain("missing-auth")
  })
})
