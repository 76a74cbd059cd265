import { assert, describe, it } from "@effect/vitest"
import { boundedSkips } from "../../../domain/repository/SourceLimits.ts"

describe("what was skipped", () => {
  it("is described accurately", () => {
    const skipped = [{ file: "a.sol", reason: "is a symbolic link" }]
    assert.deepStrictEqual(boundedSkips(skipped), skipped)
  })

  it("is cut off after a thousand files, with the number of the others", () => {
    const skipped = Array.from({ length: 2_500 }, (_, n) => ({ file: `${n}.sol`, reason: "is odd" }))
    const shown = boundedSkips(skipped)
    assert.lengthOf(shown, 1_001)
    assert.deepStrictEqual(shown.at(-1), { file: ".", reason: "has 1,500 more files that were skipped" })
  })

  it("truncates endless paths", () => {
    const [shown] = boundedSkips([{ file: "a/".repeat(20_000), reason: "has a path of more than 1,024 bytes" }])
    assert.strictEqual(shown?.file, `${"a/".repeat(512)}…`)
  })
})
