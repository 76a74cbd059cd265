import { describe, expect, it } from "vitest"
import type { Ecosystem } from "../../../domain/analysis/Framework.ts"
import { axes, examiner, growthAlong } from "./growth.ts"

/** So many that a rule that compares everything with everything is noticed; `npm run bench:growth` takes more. */
const characters = 20_000

/** What the engine itself leaves out of such files is said in the coverage; a rule that fails is a mistake. */
const isFailure = (note: string): boolean => /ended early|could not be/.test(note)

/** Tests that no rule of an ecosystem grows faster than the text: one file per ecosystem, so that they run side by side. */
export const testGrowth = (ecosystem: Ecosystem): void => {
  describe(`no rule of ${ecosystem} grows faster than the text`, async () => {
    const run = await examiner(ecosystem)
    // The first run loads and compiles what all need.
    run(Object.values(axes[ecosystem])[0]!(10))

    // Neighbors on the machine cost a measurement more than once in a while; what grows does so each time.
    it.each(Object.entries(axes[ecosystem]))("along %s", { retry: 2 }, (_name, axis) => {
      const { suspects, broken } = growthAlong(run, axis, characters)
      expect(suspects).toEqual([])
      expect(broken.filter(isFailure)).toEqual([])
    })
  })
}
