import { frontEnd } from "../../apps/engine/frontEnds.ts"
import type { Rule } from "../../domain/detection/Rule.ts"
import { examplesOf as allExamples, type NamedExample } from "../support/exampleFindings.ts"
import { exampleProject } from "../support/exampleRun.ts"
import { edited, type Edits, type Variant } from "../support/exampleVariants.ts"
import { cleanBenchOf } from "./bench.ts"
import { ecosystemOf, samplesOf } from "./benches.ts"
import type { Schema } from "./schema.ts"
import { type Exam, examine, isWitnessed, same, verdictWith, withEarly } from "./trials.ts"
import { variantsOf } from "./variants.ts"

interface Nearby {
  readonly rule: Rule<unknown>
  readonly example: NamedExample
  readonly near: Generator<Edits, undefined>
}

const categoryOf = (id: string): string => id.slice(0, id.lastIndexOf("/"))

/** Programs near examples: near the rules' own in every round, and in turn near a similar one. */
function* nearExamples(
  own: ReadonlyArray<Nearby>,
  akin: ReadonlyArray<Nearby>,
): Generator<Nearby & { readonly edits: Edits }, undefined> {
  let [left, others] = [[...own], [...akin]]
  while (left.length > 0 || others.length > 0) {
    const [next, ...waiting] = others
    const still = new Set<Nearby>()
    for (const one of [...left, ...(next === undefined ? [] : [next])]) {
      const { value: edits } = one.near.next()
      if (edits === undefined) continue
      still.add(one)
      yield { ...one, edits }
    }
    left = left.filter((one) => still.has(one))
    others = next !== undefined && still.has(next) ? [...waiting, next] : waiting
  }
}

interface Search {
  readonly schema: Schema
  readonly indexes: ReadonlyArray<number>
  /** Words that are swapped like those of the language. */
  readonly words: ReadonlyArray<ReadonlyArray<string>>
  /** Of CPU. */
  readonly seconds: number
}

const examined = (rule: Rule<unknown>, sample: Exam["sample"]): Exam | undefined => {
  try {
    return examine(rule, sample)
  } catch {
    return undefined
  }
}

/** Examples near which a search begins. */
const mostExamples = 40

/** The rules' own examples that evaluate most of the guards in question, and then those that evaluate most guards. */
const tellingExamples = async (
  rules: ReadonlyArray<Rule<unknown>>,
  { schema, indexes, words }: Search,
): Promise<ReadonlyArray<Nearby>> => {
  const ranked: Array<Nearby & { readonly witnessed: number; readonly steps: number }> = []
  for (const rule of rules) {
    const examples = allExamples(ecosystemOf(rule.meta.id)).filter((example) => example.rule.id === rule.meta.id)
    const texts = examples.map(({ text }) => text)
    const samples = await samplesOf(rule)
    for (const [at, example] of examples.entries()) {
      const exam = examined(rule, samples[at]!)
      if (exam === undefined || exam.steps === 0) continue
      const witnessed = indexes.filter((index) => isWitnessed(index, schema, exam)).length
      ranked.push({ rule, example, near: variantsOf(example.text, texts, words), witnessed, steps: exam.steps })
    }
  }
  return ranked.toSorted((a, b) => b.witnessed - a.witnessed || b.steps - a.steps).slice(0, mostExamples)
}

const akinTo = (rule: Rule<unknown>, words: Search["words"]): ReadonlyArray<Nearby> => {
  const { id } = rule.meta
  const akin = allExamples(ecosystemOf(id)).filter(
    (example) => example.rule.id !== id && categoryOf(example.rule.id) === categoryOf(id),
  )
  const texts = akin.map(({ text }) => text)
  return akin.map((example) => ({ rule, example, near: variantsOf(example.text, texts, words) }))
}

/** Searches for programs near examples that distinguish survivors from the rules. */
export const searchNear = async (
  rules: ReadonlyArray<Rule<unknown>>,
  search: Search,
  found: (variant: Variant, indexes: ReadonlyArray<number>) => void,
): Promise<void> => {
  const { schema, indexes, words, seconds } = search
  const open = new Set(indexes)
  const [first] = rules
  if (first === undefined) return
  const some = await frontEnd(ecosystemOf(first.meta.id))
  const own = await tellingExamples(rules, search)
  const until = process.threadCpuUsage().user + 1_000_000 * seconds
  const akin = rules.length === 1 ? akinTo(first, words) : []
  for (const { rule, example, edits } of nearExamples(own, akin)) {
    if (open.size === 0 || process.threadCpuUsage().user > until) break
    const { name, text, file } = example
    const { sources, path } = exampleProject(some, edited(text, edits), file)
    const bench = cleanBenchOf(some, sources)
    const exam = bench === undefined ? undefined : examined(rule, { name, bench, lineOf: () => "" })
    if (exam === undefined) continue
    const told = [...open].filter((index) => {
      if (!isWitnessed(index, schema, exam)) return false
      const after = withEarly(index, schema, () => verdictWith(index, exam))
      return after !== undefined && !same(after.places, exam.usual.places)
    })
    if (told.length === 0) continue
    for (const index of told) open.delete(index)
    const prefix = `${path}:`
    const flags = [...exam.usual.places].map((place) => Number(place.slice(prefix.length))).toSorted((a, b) => a - b)
    found({ rule: rule.meta.id, of: name, edits, flags }, told)
  }
}
