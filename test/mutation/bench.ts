import { examine } from "../../domain/detection/examine.ts"
import { type SomeFrontEnd, someFrontEnd } from "../../domain/detection/FrontEnd.ts"
import type { Match, Rule } from "../../domain/detection/Rule.ts"
import { lineAt } from "../../domain/detection/SourceFile.ts"
import type { Sources } from "../../domain/detection/Sources.ts"

/** A rule's findings in one project: the places, as `file:line`, and everything that readers see of them. */
export interface Verdict {
  readonly places: ReadonlySet<string>
  readonly told: ReadonlySet<string>
}

export type Bench = (rule: Rule<unknown>) => Verdict

const tellingOf = ({ scope, message, severity, confidence, subject }: Match, place: string): string =>
  JSON.stringify([place, scope, message, severity, confidence, subject?.id])

/** The program that rules of the ecosystem query, without what front ends add for rules about the whole project. */
const innermost = (program: unknown): unknown =>
  typeof program === "object" && program !== null && "program" in program && "facts" in program
    ? innermost(program.program)
    : program

/** Parses and resolves a project once, so that one version of a rule after another can be tried on it. */
export const benchOf = (some: SomeFrontEnd, sources: Sources): Bench => readBenchOf(some, sources).bench

/** Undefined if the project is not read completely. */
export const cleanBenchOf = (some: SomeFrontEnd, sources: Sources): Bench | undefined => {
  const { bench, isRead } = readBenchOf(some, sources)
  return isRead ? bench : undefined
}

const readBenchOf = (some: SomeFrontEnd, sources: Sources): { readonly bench: Bench; readonly isRead: boolean } => {
  const programs: Array<unknown> = []
  const listening = some((whole) => {
    const [rule] = whole.rules
    return someFrontEnd({ ...whole, rules: [{ ...rule!, check: (program) => void programs.push(innermost(program)) }] })
  })
  const { coverage } = examine({ sources, frontEnds: [listening], engine: { name: "assay", version: "0" } })
  const isRead = coverage.filesSkipped.length === 0 && coverage.engines.every(({ note }) => note === undefined)
  const bench: Bench = (rule) => {
    const places = new Set<string>()
    const told = new Set<string>()
    for (const program of programs) {
      rule.check(program, (match) => {
        const place = `${match.file.path}:${lineAt(match.file, match.span.start)}`
        places.add(place)
        told.add(tellingOf(match, place))
      })
    }
    return { places, told }
  }
  return { bench, isRead }
}
