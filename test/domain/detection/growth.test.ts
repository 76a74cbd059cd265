import { describe, expect, it } from "vitest"
import type { Ecosystem } from "../../../domain/analysis/Framework.ts"
import { axes, examiner, growthAlong } from "../../support/axes/growth.ts"

/** So many that a rule that compares everything with everything is noticed; `npm run bench:growth` takes more. */
const characters = 20_000

/** What the engine itself leaves out of such files is said in the coverage; a rule that fails is a mistake. */
const isFailure = (note: string): boolean => /ended early|could not be/.test(note)

describe.each(Object.keys(axes) as ReadonlyArray<Ecosystem>)(
  "no rule of %s grows faster than the text",
  async (ecosystem) => {
    const run = await examiner(ecosystem)
    // The first run loads and compiles what all need.
    run(Object.values(axes[ecosystem])[0]!(10))

    // Neighbors on the machine cost a measurement more than once in a while; what grows does so each time.
    it.each(Object.entries(axes[ecosystem]))("along %s", { retry: 2 }, (_name, axis) => {
      const { suspects, broken } = growthAlong(run, axis, characters)
      expect(suspects).toEqual([])
      expect(broken.filter(isFailure)).toEqual([])
    })
  },
)
