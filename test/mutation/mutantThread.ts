import { readdirSync, readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parentPort } from "node:worker_threads"
import { frontEnd } from "../../apps/engine/frontEnds.ts"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import type { Rule } from "../../domain/detection/Rule.ts"
import { examplesOf as allExamples, type NamedExample } from "../support/exampleFindings.ts"
import { markedLines } from "../support/exampleMutations.ts"
import { exampleProject } from "../support/exampleRun.ts"
import { type Bench, benchOf, cleanBenchOf, type Verdict } from "./bench.ts"
import { edited, type Edits, readVariants, type Variant } from "../support/exampleVariants.ts"
import { detailsOf } from "./details.ts"
import { applyMutant, controlOf, literalListsOf, type Mutant, mutantsOf } from "./guards.ts"
import { variantsOf } from "./variants.ts"

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

/** Sent before and after each mutant, so that it is known in which one a thread hangs. */
export type MutantMessage =
  | { readonly type: "trying"; readonly index: number }
  | { readonly type: "tried"; readonly index: number; readonly killed: boolean }
  | { readonly type: "hint"; readonly index: number; readonly hint: string | undefined }
  | { readonly type: "found"; readonly variant: Variant; readonly indexes: ReadonlyArray<number> }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "done" }

let text = ""
let mutants: ReadonlyArray<Mutant> = []
let mutated = ""
let reloaded: ReadonlySet<string> = new Set()

/** The text with a mutant, by its index, with the control, or unchanged. */
const mutatedText = (which: string): string => {
  if (which === "none") return text
  return applyMutant(text, which === "control" ? controlOf(fileURLToPath(mutated), text) : mutants[Number(which)]!)
}

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context)
    const query = context.parentURL === undefined ? "" : new URL(context.parentURL).search
    return query !== "" && found.url.startsWith("file:") && reloaded.has(found.url)
      ? { ...found, url: found.url + query }
      : found
  },
  load: (asked, context, next) => {
    const url = new URL(asked)
    const which = url.searchParams.get("mutant")
    if (which === null) return next(asked, context)
    url.search = ""
    const source = url.href === mutated ? mutatedText(which) : readFileSync(fileURLToPath(url), "utf8")
    return { format: "module-typescript", source, shortCircuit: true }
  },
})

const ruleOf = async (specifier: string, id: string): Promise<Rule<unknown>> => {
  const isRule = (value: unknown): value is Rule<unknown> =>
    typeof value === "object" && value !== null && "meta" in value && (value as Rule<unknown>).meta.id === id
  const rule = Object.values((await import(specifier)) as object).find(isRule)
  if (rule === undefined) throw new Error(`${specifier} exports no rule ${id}`)
  return rule
}

interface Example {
  readonly name: string
  readonly expected: ReadonlySet<string>
  readonly bench: Bench
}

const same = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((place) => b.has(place))

const usual = new WeakMap<Bench, Map<Rule<unknown>, Verdict>>()

/** The findings of the rule itself, remembered from mutant to mutant. */
const usualIn = (bench: Bench, rule: Rule<unknown>): Verdict => {
  const known = usual.get(bench) ?? new Map<Rule<unknown>, Verdict>()
  usual.set(bench, known)
  const verdict = known.get(rule) ?? bench(rule)
  known.set(rule, verdict)
  return verdict
}

const examples = new Map<string, ReadonlyArray<Example>>()

/** A rule's own examples, the most telling ones first. */
const examplesOf = async ({ meta: { id }, examples: own }: Rule<unknown>): Promise<ReadonlyArray<Example>> => {
  const known = examples.get(id)
  if (known !== undefined) return known
  const some = await frontEnd(id.split("/")[0] as Ecosystem)
  const read = [...own.vulnerable, ...own.safe].map((example, index): Example => {
    const { sources, path } = exampleProject(some, example, own.file)
    const { length } = own.vulnerable
    return {
      name: index < length ? `vulnerable ${index + 1}` : `safe ${index - length + 1}`,
      expected: new Set(markedLines(example).map((line) => `${path}:${line}`)),
      bench: benchOf(some, sources),
    }
  })
  examples.set(id, read)
  return read
}

/** Whether a mutant reports the same as the rule: the same lines, texts, severity and confidence. */
const saysTheSame = async (whole: Rule<unknown>, mutant: Rule<unknown>): Promise<boolean> =>
  (await examplesOf(whole)).every(({ bench, expected }) => {
    const { places, told } = bench(mutant)
    return same(places, expected) && same(told, usualIn(bench, whole).told)
  })

const ecosystemOf = ({ meta: { id } }: Rule<unknown>): Ecosystem => id.split("/")[0] as Ecosystem

const near = new Map<string, ReadonlyArray<Bench>>()

/** Programs near examples that pin the guards of a rule. */
const nearOnes = async (rule: Rule<unknown>): Promise<ReadonlyArray<Bench>> => {
  const { id } = rule.meta
  const known = near.get(id)
  if (known !== undefined) return known
  const some = await frontEnd(ecosystemOf(rule))
  const named = new Map(allExamples(ecosystemOf(rule)).map((example) => [example.name, example]))
  const benches = readVariants()
    .filter((variant) => variant.rule === id)
    .flatMap(({ of, edits }) => {
      const example = named.get(of)
      if (example === undefined) return []
      return [benchOf(some, exampleProject(some, edited(example.text, edits), example.file).sources)]
    })
  near.set(id, benches)
  return benches
}

const others = new Map<Ecosystem, ReadonlyArray<Hint>>()

/** The examples of all rules; the findings of this one in them are recorded in `test/pinned/exampleFindings.txt`. */
const othersIn = async (ecosystem: Ecosystem): Promise<ReadonlyArray<Hint>> => {
  const known = others.get(ecosystem)
  if (known !== undefined) return known
  const some = await frontEnd(ecosystem)
  const read = allExamples(ecosystem).map(({ name, text, file }): Hint => ({
    name,
    bench: benchOf(some, exampleProject(some, text, file).sources),
    lineOf: (place) => text.split("\n")[Number(place.split(":")[1]) - 1] ?? "",
  }))
  others.set(ecosystem, read)
  return read
}

const flagsTheSame = (benches: ReadonlyArray<Bench>, whole: Rule<unknown>, mutant: Rule<unknown>): boolean =>
  benches.every((bench) => same(bench(mutant).places, usualIn(bench, whole).places))

const flagsTheSameOfOthers = async (whole: Rule<unknown>, mutant: Rule<unknown>): Promise<boolean> =>
  flagsTheSame(
    (await othersIn(ecosystemOf(whole))).map(({ bench }) => bench),
    whole,
    mutant,
  )

/** Where a survivor differs from the rule: in code of other rules or in real code. */
interface Hint {
  readonly name: string
  readonly bench: Bench
  readonly lineOf: (place: string) => string
}

const hints = new Map<string, ReadonlyArray<Hint>>()

const hintsOf = async (ecosystem: Ecosystem, folder: string): Promise<ReadonlyArray<Hint>> => {
  const known = hints.get(ecosystem)
  if (known !== undefined) return known
  const some = await frontEnd(ecosystem)
  const ofProjects = readdirSync(folder, { withFileTypes: true }).map(({ name }): Hint => {
    const project = join(folder, name)
    const paths = readdirSync(project, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
    const read = (path: string) => ({ text: readFileSync(join(project, path), "utf8") })
    return {
      name: basename(project),
      bench: benchOf(some, { paths, read }),
      lineOf: (place) => read(place.split(":")[0]!).text.split("\n")[Number(place.split(":")[1]) - 1] ?? "",
    }
  })
  hints.set(ecosystem, ofProjects)
  return ofProjects
}

const placeIn = (told: string): string => String((JSON.parse(told) as ReadonlyArray<unknown>)[0])

/** The first places in which a survivor differs. */
const hintFor = async (rule: Rule<unknown>, mutant: Rule<unknown>, folder: string): Promise<string | undefined> => {
  const found: Array<string> = []
  for (const { name, bench, lineOf } of await hintsOf(ecosystemOf(rule), folder)) {
    const before = usualIn(bench, rule).told
    let after: ReadonlySet<string>
    try {
      after = bench(mutant).told
    } catch (error) {
      return `${name}: throws ${String(error)}`
    }
    const more = [...after].find((place) => !before.has(place))
    const fewer = [...before].find((place) => !after.has(place))
    if (more !== undefined) found.push(`${name} more: ${more}: ${lineOf(placeIn(more)).trim()}`)
    if (fewer !== undefined) found.push(`${name} FEWER: ${fewer}: ${lineOf(placeIn(fewer)).trim()}`)
    if (found.length >= 3) break
  }
  return found.length === 0 ? undefined : found.join("\n")
}

const verdict = (bench: Bench, rule: Rule<unknown>): Verdict | undefined => {
  try {
    return bench(rule)
  } catch {
    return undefined
  }
}

interface Nearby {
  readonly name: string
  readonly text: string
  readonly file: string | undefined
  readonly near: Generator<Edits, undefined>
}

interface NearOne extends Nearby {
  readonly edits: Edits
}

const categoryOf = (id: string): string => id.slice(0, id.lastIndexOf("/"))

/** Programs near examples: near the rule's own in every round, and in turn near a similar one. */
function* nearExamples(own: ReadonlyArray<Nearby>, akin: ReadonlyArray<Nearby>): Generator<NearOne, undefined> {
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

/** Searches for programs near examples that distinguish survivors from the rule. */
const searchNear = async (whole: Rule<unknown>, url: string, job: MutantJob): Promise<void> => {
  const until = process.threadCpuUsage().user + 1_000_000 * (job.search ?? 0)
  const open = new Map<number, Rule<unknown>>()
  for (const index of job.indexes) open.set(index, await ruleOf(`${url}?mutant=${index}&of=${++serial}`, whole.meta.id))
  const some = await frontEnd(ecosystemOf(whole))
  const words = literalListsOf(fileURLToPath(job.url), text)
  const nearby = (of: ReadonlyArray<NamedExample>): ReadonlyArray<Nearby> => {
    const texts = of.map((example) => example.text)
    return of.map(({ name, text, file }) => ({ name, text, file, near: variantsOf(text, texts, words) }))
  }
  const { id } = whole.meta
  const own = allExamples(ecosystemOf(whole)).filter(({ rule }) => rule.id === id)
  const akin = allExamples(ecosystemOf(whole)).filter(
    ({ rule }) => rule.id !== id && categoryOf(rule.id) === categoryOf(id),
  )
  for (const { name, text, file, edits } of nearExamples(nearby(own), nearby(akin))) {
    if (open.size === 0 || process.threadCpuUsage().user > until) break
    const { sources, path } = exampleProject(some, edited(text, edits), file)
    const bench = cleanBenchOf(some, sources)
    const before = bench === undefined ? undefined : verdict(bench, whole)
    if (bench === undefined || before === undefined) continue
    const indexes = [...open].flatMap(([index, mutant]) => {
      const after = verdict(bench, mutant)
      return after === undefined || !same(after.places, before.places) ? [index] : []
    })
    if (indexes.length === 0) continue
    for (const index of indexes) open.delete(index)
    const prefix = `${path}:`
    const flags = [...before.places].map((place) => Number(place.slice(prefix.length))).toSorted((a, b) => a - b)
    say({ type: "found", variant: { rule: id, of: name, edits, flags }, indexes })
  }
}

const port = parentPort
if (port === null) throw new Error("this module runs as a thread")
const say = (message: MutantMessage): void => port.postMessage(message)

let serial = 0

interface Judge {
  readonly id: string
  readonly url: string
  readonly whole: Rule<unknown>
}

/** Whether the examples of a rule, or those of other rules, distinguish the mutant from it. */
const isKilled = async (rules: ReadonlyArray<Judge>, query: string): Promise<boolean> => {
  for (const { id, url, whole } of rules) {
    try {
      const mutant = await ruleOf(url + query, id)
      if (!(await saysTheSame(whole, mutant))) return true
      if (!flagsTheSame(await nearOnes(whole), whole, mutant)) return true
      // For a question that many rules ask, trying all examples would take minutes per mutant.
      if (rules.length === 1 && !(await flagsTheSameOfOthers(whole, mutant))) return true
    } catch {
      // A rule that throws is named in the coverage, which the examples do not accept.
      return true
    }
  }
  return false
}

const hintAmong = async (rules: ReadonlyArray<Judge>, query: string, folder: string): Promise<string | undefined> => {
  for (const { id, url, whole } of rules) {
    const hint = await hintFor(whole, await ruleOf(url + query, id), folder)
    if (hint !== undefined) return hint
  }
  return undefined
}

/** The procedure must distinguish the unchanged text from one that finds nothing. */
const checkItself = async (rules: ReadonlyArray<Judge>): Promise<void> => {
  for (const { id, url, whole } of rules) {
    const again = await ruleOf(`${url}?mutant=none&of=${++serial}`, id)
    if (!(await saysTheSame(whole, again))) throw new Error(`${id} says something else when it is loaded again`)
  }
  if (!(await isKilled(rules, `?mutant=control&of=${++serial}`))) throw new Error("the control survives")
}

const work = async (job: MutantJob): Promise<void> => {
  text = readFileSync(fileURLToPath(job.url), "utf8")
  mutants = (job.details ? detailsOf : mutantsOf)(fileURLToPath(job.url), text)
  mutated = job.url
  reloaded = new Set([...job.reload, job.url])
  const rules = await Promise.all(job.rules.map(async (rule) => ({ ...rule, whole: await ruleOf(rule.url, rule.id) })))
  const wrong: Array<string> = []
  for (const { id, whole } of rules) {
    for (const { name, bench, expected } of await examplesOf(whole)) {
      const found = usualIn(bench, whole).places
      const [more, fewer] = [found, expected].map((set, index) =>
        [...set].filter((line) => ![expected, found][index]!.has(line)),
      )
      for (const line of more!) wrong.push(`${id}: ${name}: flags ${line}`)
      for (const line of fewer!) wrong.push(`${id}: ${name}: does not flag ${line}`)
    }
  }
  if (wrong.length > 0) throw new Error(`examples fail as they are:\n${wrong.join("\n")}`)
  await checkItself(rules)
  if (job.search !== undefined) {
    say({ type: "trying", index: job.indexes[0] ?? 0 })
    for (const { whole, url } of rules) await searchNear(whole, url, job)
    return say({ type: "done" })
  }
  for (const index of job.indexes) {
    say({ type: "trying", index })
    const query = `?mutant=${index}&of=${++serial}`
    if (job.hints === undefined) say({ type: "tried", index, killed: await isKilled(rules, query) })
    else say({ type: "hint", index, hint: await hintAmong(rules, query, job.hints) })
  }
  say({ type: "done" })
}

port.on("message", (job: MutantJob) => {
  work(job).catch((error: unknown) => say({ type: "failed", reason: String(error) }))
})
