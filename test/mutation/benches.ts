import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { frontEnd } from "../../apps/engine/frontEnds.ts"
import { type Ecosystem, ecosystems } from "../../domain/analysis/Framework.ts"
import type { Rule } from "../../domain/detection/Rule.ts"
import { examplesOf as allExamples } from "../support/exampleFindings.ts"
import { markedLines } from "../support/exampleMutations.ts"
import { exampleProject } from "../support/exampleRun.ts"
import { edited, readVariants } from "../support/exampleVariants.ts"
import { type Bench, benchOf } from "./bench.ts"

/** A program on which rules are tried. */
export interface Sample {
  readonly name: string
  readonly bench: Bench
  readonly lineOf: (place: string) => string
  /** The places that its rule must report in it; for a program near an example, whatever it reports. */
  readonly expected?: ReadonlySet<string>
}

/** Worked out once for each key: samples stay parsed from one mutated file to the next. */
const kept = <Key, A>(work: (key: Key) => Promise<A>): ((key: Key) => Promise<A>) => {
  const known = new Map<Key, Promise<A>>()
  return (key) => {
    const found = known.get(key) ?? work(key)
    known.set(key, found)
    return found
  }
}

export const ecosystemOf = (id: string): Ecosystem => {
  const found = ecosystems.find((ecosystem) => id.startsWith(`${ecosystem}/`))
  if (found === undefined) throw new Error(`${id} is of no ecosystem`)
  return found
}

const lineIn =
  (text: string) =>
  (place: string): string =>
    text.split("\n")[Number(place.split(":")[1]) - 1] ?? ""

const ownOf = new Map<string, Promise<ReadonlyArray<Sample>>>()

/** A rule's own examples, the most telling ones first. Tables of questions have examples, too. */
export const samplesOf = ({ meta: { id }, examples }: Rule<unknown>): Promise<ReadonlyArray<Sample>> => {
  const read = async () => {
    const some = await frontEnd(ecosystemOf(id))
    return [...examples.vulnerable, ...examples.safe].map((text, index): Sample => {
      const { sources, path } = exampleProject(some, text, examples.file)
      const { length } = examples.vulnerable
      return {
        name: index < length ? `vulnerable ${index + 1}` : `safe ${index - length + 1}`,
        expected: new Set(markedLines(text).map((line) => `${path}:${line}`)),
        bench: benchOf(some, sources),
        lineOf: lineIn(text),
      }
    })
  }
  const found = ownOf.get(id) ?? read()
  ownOf.set(id, found)
  return found
}

/** Programs near examples that pin the guards of a rule. */
export const samplesNear = kept(async (id: string): Promise<ReadonlyArray<Sample>> => {
  const some = await frontEnd(ecosystemOf(id))
  const named = new Map(allExamples(ecosystemOf(id)).map((example) => [example.name, example]))
  return readVariants()
    .filter((variant) => variant.rule === id)
    .flatMap(({ of: name, edits }) => {
      const example = named.get(name)
      if (example === undefined) return []
      const text = edited(example.text, edits)
      return [{ name, bench: benchOf(some, exampleProject(some, text, example.file).sources), lineOf: lineIn(text) }]
    })
})

/** The examples of all rules; the findings of every rule in them are recorded in `test/pinned/exampleFindings.txt`. */
export const samplesIn = kept(async (ecosystem: Ecosystem): Promise<ReadonlyArray<Sample>> => {
  const some = await frontEnd(ecosystem)
  return allExamples(ecosystem).map(({ name, text, file }) => ({
    name,
    bench: benchOf(some, exampleProject(some, text, file).sources),
    lineOf: lineIn(text),
  }))
})

/** Real projects, which are the folders of a folder. */
export const projectsIn = async (ecosystem: Ecosystem, folder: string): Promise<ReadonlyArray<Sample>> => {
  const some = await frontEnd(ecosystem)
  return readdirSync(folder, { withFileTypes: true }).map(({ name }): Sample => {
    const project = join(folder, name)
    const paths = readdirSync(project, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
    const read = (path: string) => ({ text: readFileSync(join(project, path), "utf8") })
    return {
      name: basename(project),
      bench: benchOf(some, { paths, read }),
      lineOf: (place) => lineIn(read(place.split(":")[0]!).text)(place),
    }
  })
}
