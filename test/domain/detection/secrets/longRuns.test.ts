import { describe, expect, it } from "vitest"
import { longRuns, runCharacters } from "../../../../domain/detection/secrets/longRuns.ts"

const letters = runCharacters(/[ab]/)
const runs = (text: string, shortest: number, longest: number): ReadonlyArray<string> =>
  longRuns(text, letters, shortest, longest).map(({ run, start }) => `${run}@${start}`)

/** The same by a regular expression, whose matches are runs of any length. */
const matches = (text: string, shortest: number, longest: number): ReadonlyArray<string> =>
  [...text.matchAll(/[ab]+/g)]
    .filter(({ 0: run }) => run.length >= shortest && run.length <= longest)
    .map(({ 0: run, index }) => `${run}@${index}`)

describe("longRuns", () => {
  it("finds runs at both ends of a text and next to each other, none that is shorter or longer", () => {
    expect(runs("aab ba.bbb-abab", 2, 3)).toEqual(["aab@0", "ba@4", "bbb@7"])
    expect(runs("ébaé", 2, 2)).toEqual(["ba@1"])
    expect(runs("", 1, 1)).toEqual([])
  })

  it("agrees with a regular expression on every text of up to seven characters", () => {
    const texts = Array.from({ length: 2 ** 8 }, (_, bits) =>
      bits.toString(2).slice(1).replaceAll("0", "a").replaceAll("1", "."),
    )
    for (const text of texts)
      for (const shortest of [1, 2, 3])
        for (const longest of [shortest, 5])
          expect(runs(text, shortest, longest)).toEqual(matches(text, shortest, longest))
  })
})
