import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import { frontEnd } from "../../../apps/engine/frontEnds.ts"
import { catalog } from "../../../domain/detection/catalog.ts"
import { ecosystems } from "../../../domain/analysis/Framework.ts"
import { exceptions } from "../../support/exampleExceptions.ts"
import { markedLines, type Mutation, mutations } from "../../support/exampleMutations.ts"
import { exampleName, recordedLines } from "../../support/exampleFindings.ts"
import { findingsIn, withRules } from "../../support/exampleRun.ts"

const loaded = new Map(await Promise.all(ecosystems.map(async (name) => [name, await frontEnd(name)] as const)))

const recorded = recordedLines()

const asWritten: Mutation = { name: "as written", of: "text", apply: (text) => text }

describe.each(catalog.map((rule) => [rule.meta.id, rule] as const))("%s", (id, rule) => {
  const [ecosystem] = id.split("/")
  const alone = withRules(loaded.get(ecosystem as (typeof ecosystems)[number])!, (other) => other === id)
  const applicable = [asWritten, ...mutations].filter(
    ({ name, of }) =>
      (of === "text" || (rule.examples.file === undefined && (of === "solidity") === (ecosystem === "evm"))) &&
      exceptions[id]?.[name] === undefined,
  )
  const flaggedAlone = (text: string): ReadonlyArray<number> =>
    [...new Set(findingsIn(alone, text, rule.examples.file).map(({ location }) => location.lineStart))].toSorted(
      (a, b) => a - b,
    )
  /**
   * As written, what is on record need not be asked again: `exampleFindings.test.ts` compares the record with all rules,
   * and another layout shows that this one reports no more without the others.
   */
  const flagged = (text: string, { apply }: Mutation): ReadonlyArray<number> => {
    const known =
      apply === asWritten.apply && applicable.length > 1 ? (recorded.get(exampleName(id, text)) ?? []) : undefined
    return isDeepStrictEqual(known, markedLines(text)) ? markedLines(text) : flaggedAlone(text)
  }

  it.each(applicable)("flags the marked lines of its vulnerable examples and no other, $name", (layout) => {
    const { apply } = layout
    for (const [text, example] of rule.examples.vulnerable.map((one) => [apply(one), one] as const)) {
      if (apply !== asWritten.apply && text === example) continue
      const expected = markedLines(text)
      expect(expected).not.toEqual([])
      expect({ text, lines: flagged(text, layout) }).toEqual({ text, lines: expected })
    }
  })

  it.each(applicable)("reports nothing in its safe examples, $name", (layout) => {
    const { apply } = layout
    for (const [text, example] of rule.examples.safe.map((one) => [apply(one), one] as const)) {
      if (apply !== asWritten.apply && text === example) continue
      expect(markedLines(text)).toEqual([])
      expect({ text, lines: flagged(text, layout) }).toEqual({ text, lines: [] })
    }
  })
})
