import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parentPort } from "node:worker_threads"
import type { Rule } from "../../domain/detection/Rule.ts"
import type { Variant } from "../support/exampleVariants.ts"
import { ecosystemOf, projectsIn, samplesOf } from "./benches.ts"
import { detailsOf } from "./details.ts"
import { literalListsOf, mutantsOf } from "./guards.ts"
import { controlRuleOf, mutate, ruleOf } from "./loading.ts"
import type { Schema } from "./schema.ts"
import { searchNear } from "./searchNear.ts"
import {
  type Exam,
  examine,
  examsOf,
  examsOfOthers,
  isWitnessed,
  same,
  saysTheSame,
  verdictWith,
  withEarly,
  wrongIn,
} from "./trials.ts"

/** A request to a thread: the mutants of one file with these indexes. */
export interface MutantJob {
  /** The file whose guards are removed, as a URL. */
  readonly url: string
  /** Files that must be reloaded to see the mutant, as URLs. */
  readonly reload: ReadonlyArray<string>
  /** The rules whose examples decide. */
  readonly rules: ReadonlyArray<{ readonly id: string; readonly url: string }>
  readonly indexes: ReadonlyArray<number>
  /** Changes to guards instead of their removal. */
  readonly details: boolean
  /** For survivors: a folder of projects in which to look for places that they change. */
  readonly hints?: string
  /** For survivors: CPU seconds to search for a program near an example that distinguishes each from the rule. */
  readonly search?: number
}

/** `trying` and `resting` tell in which mutant a thread hangs. */
export type MutantMessage =
  | { readonly type: "trying"; readonly index: number }
  | { readonly type: "resting" }
  | { readonly type: "tried"; readonly index: number; readonly killed: boolean; readonly isSeen: boolean }
  | { readonly type: "hint"; readonly index: number; readonly hint: string | undefined }
  | { readonly type: "found"; readonly variant: Variant; readonly indexes: ReadonlyArray<number> }
  | { readonly type: "failed"; readonly reason: string }
  /** With the megabytes that the thread retains. */
  | { readonly type: "done"; readonly megabytes: number }

const port = parentPort
if (port === null) throw new Error("this module runs as a thread")
const say = (message: MutantMessage): void => port.postMessage(message)

/** The procedure must distinguish the file from one that finds nothing, or that does not load. */
const checkItself = async (job: MutantJob): Promise<void> => {
  for (const judge of job.rules) {
    try {
      const rule = await controlRuleOf(judge)
      for (const { bench, expected } of await samplesOf(rule)) if (!same(bench(rule).places, expected!)) return
    } catch {
      return
    }
  }
  throw new Error("the control survives")
}

const placeIn = (told: string): string => String((JSON.parse(told) as ReadonlyArray<unknown>)[0])

/** The first places in projects in which a survivor differs. */
const hintAmong = (index: number, exams: ReadonlyArray<Exam>): string | undefined => {
  const found: Array<string> = []
  for (const exam of exams) {
    const { name, lineOf } = exam.sample
    const after = verdictWith(index, exam)?.told
    if (after === undefined) return `${name}: throws`
    const before = exam.usual.told
    const more = [...after].find((place) => !before.has(place))
    const fewer = [...before].find((place) => !after.has(place))
    if (more !== undefined) found.push(`${name} more: ${more}: ${lineOf(placeIn(more)).trim()}`)
    if (fewer !== undefined) found.push(`${name} FEWER: ${fewer}: ${lineOf(placeIn(fewer)).trim()}`)
    if (found.length >= 3) break
  }
  return found.length === 0 ? undefined : found.join("\n")
}

/** Tries the mutants on the rules' own examples, and those that survive on the examples of other rules. */
const tryAll = async (job: MutantJob, schema: Schema, rules: ReadonlyArray<Rule<unknown>>): Promise<void> => {
  const seen = new Set<number>()
  const killedBy = (index: number, exams: ReadonlyArray<Exam>): boolean => {
    say({ type: "trying", index })
    const seeing = exams.filter((exam) => isWitnessed(index, schema, exam))
    if (seeing.length > 0) seen.add(index)
    return withEarly(index, schema, () => seeing.some((exam) => !saysTheSame(index, exam)))
  }
  const exams = await examsOf(rules)
  const wrong = wrongIn(exams)
  if (wrong.length > 0) throw new Error(`examples fail as they are:\n${wrong.join("\n")}`)
  await checkItself(job)
  const left = job.indexes.filter((index) => !killedBy(index, exams))
  say({ type: "resting" })
  const others = left.length === 0 ? [] : await examsOfOthers(rules)
  const surviving = new Set(left.filter((index) => !killedBy(index, others)))
  for (const index of job.indexes) say({ type: "tried", index, killed: !surviving.has(index), isSeen: seen.has(index) })
}

const hintAll = async (
  { indexes, hints }: MutantJob,
  schema: Schema,
  rules: ReadonlyArray<Rule<unknown>>,
): Promise<void> => {
  const samples = await projectsIn(ecosystemOf(rules[0]!.meta.id), hints!)
  const exams = rules.flatMap((rule) => samples.map((sample) => examine(rule, sample)))
  for (const index of indexes) {
    say({ type: "trying", index })
    const seeing = exams.filter((exam) => isWitnessed(index, schema, exam))
    say({ type: "hint", index, hint: withEarly(index, schema, () => hintAmong(index, seeing)) })
  }
}

const work = async (job: MutantJob): Promise<void> => {
  const path = fileURLToPath(job.url)
  const text = readFileSync(path, "utf8")
  const schema = mutate(job.url, job.reload, (job.details ? detailsOf : mutantsOf)(path, text))
  const rules: Array<Rule<unknown>> = []
  for (const judge of job.rules) rules.push(await ruleOf(judge))
  if (job.hints !== undefined) return hintAll(job, schema, rules)
  if (job.search === undefined) return tryAll(job, schema, rules)
  say({ type: "trying", index: job.indexes[0] ?? 0 })
  const search = { schema, indexes: job.indexes, words: literalListsOf(path, text), seconds: job.search }
  return searchNear(rules, search, (variant, indexes) => say({ type: "found", variant, indexes }))
}

port.on("message", (job: MutantJob) => {
  work(job).then(
    () => say({ type: "done", megabytes: process.memoryUsage().heapUsed / 1e6 }),
    (error: unknown) => say({ type: "failed", reason: error instanceof Error ? (error.stack ?? "") : String(error) }),
  )
})
