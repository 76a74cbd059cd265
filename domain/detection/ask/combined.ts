import type { Ecosystem } from "../../analysis/Framework.ts"
import type { SourceFile } from "../SourceFile.ts"
import { type Answer, type Enclosing, type ProgramAnswers, type ProgramQueries, searchIn } from "./ProgramQueries.ts"

const asList = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** What any of several programs knows; if none knows it, the first one says so. */
const together = (answers: ReadonlyArray<Answer>): Answer => {
  const known = answers.filter((answer) => !("error" in answer))
  const [first, ...others] = known
  if (first === undefined) return answers[0] ?? { error: "There is no program to query." }
  const merged: Record<string, unknown> = { ...first }
  for (const other of others)
    for (const [key, value] of Object.entries(other)) {
      const own = merged[key]
      if (Array.isArray(value)) merged[key] = [...asList(own), ...value.map((one: unknown) => one)]
      else if (typeof value === "number") merged[key] = (typeof own === "number" ? own : 0) + value
    }
  return merged
}

/** Queries about everything in a repository, in whatever language. */
export interface CombinedAnswers extends ProgramQueries {
  readonly functionAt: (file: string, line: number) => Enclosing | undefined
  /** The ecosystem that a file is written for; undefined if it belongs to no program. */
  readonly ecosystemOf: (file: string) => Ecosystem | undefined
}

/** Asks each program of a repository; `files` are the ones that can be searched. */
export const combined = (
  programs: ReadonlyArray<ProgramAnswers>,
  files: ReadonlyArray<SourceFile>,
): CombinedAnswers => {
  const each = (ask: (program: ProgramAnswers) => Answer): Answer => together(programs.map(ask))
  const ecosystems = new Map<string, Ecosystem>()
  for (const { ecosystem, files: own } of programs)
    for (const { path } of own) if (!ecosystems.has(path)) ecosystems.set(path, ecosystem)
  return {
    list_entry_points: (contract) => each((one) => one.list_entry_points(contract)),
    read_function: (name) => each((one) => one.read_function(name)),
    callers_of: (name) => each((one) => one.callers_of(name)),
    writers_of: (name) => each((one) => one.writers_of(name)),
    checks_before: (name) => each((one) => one.checks_before(name)),
    external_calls_of: (name) => each((one) => one.external_calls_of(name)),
    state_of: (name) => each((one) => one.state_of(name)),
    search: searchIn(files),
    functionAt: (file, line) => {
      for (const program of programs) {
        const found = program.functionAt(file, line)
        if (found !== undefined) return found
      }
      return undefined
    },
    ecosystemOf: (file) => ecosystems.get(file),
  }
}
