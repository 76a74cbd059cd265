import { describe, expect, it } from "vitest"
import { listExamples } from "./listExamples.ts"
import { setExamples } from "./setExamples.ts"
import { reportedSolana, understoodSolana, vulnerable } from "./table.ts"

/** A missing signer, or a signer unrelated to what is changed. */
const unauthorized = /^missing-(signer|access-control)$/

describe.each(
  [...listExamples, ...setExamples].map(
    (one) => [`${one.framework}${one.shows === undefined ? "" : `: ${one.shows}`}`, one] as const,
  ),
)("%s", (_, example) => {
  it("is understood", () => {
    const { coverage, handlers } = understoodSolana(example)
    expect(handlers).toEqual(example.handlers)
    expect(coverage?.framework).toBe(example.framework)
    expect(coverage?.warning).toBeUndefined()
  })

  it("needs its caller check", () => {
    const reported = (text: string) => reportedSolana(example, text).filter((one) => unauthorized.test(one))
    expect(reported(example.safe)).toEqual([])
    expect(reported(vulnerable(example))).not.toEqual([])
  })
})
