import { examine } from "../../domain/detection/examine.ts"
import { type SomeFrontEnd, someFrontEnd } from "../../domain/detection/FrontEnd.ts"
import type { Rule } from "../../domain/detection/Rule.ts"
import { lineAt } from "../../domain/detection/SourceFile.ts"
import type { Sources } from "../../domain/detection/Sources.ts"

/** Gives the places that a rule flags in one project, as `file:line`. */
export type Bench = (rule: Rule<unknown>) => ReadonlySet<string>

/** What rules of the ecosystem ask, without what front ends put around it for rules about the whole project. */
const innermost = (program: unknown): unknown =>
  typeof program === "object" && program !== null && "program" in program && "facts" in program
    ? innermost(program.program)
    : program

/** Parses and resolves a project once, so that one text of a rule after the other can be tried on it. */
export const benchOf = (some: SomeFrontEnd, sources: Sources): Bench => {
  const programs: Array<unknown> = []
  const listening = some((whole) => {
    const [rule] = whole.rules
    return someFrontEnd({ ...whole, rules: [{ ...rule!, check: (program) => void programs.push(innermost(program)) }] })
  })
  examine({ sources, frontEnds: [listening], engine: { name: "assay", version: "0" } })
  return (rule) => {
    const places = new Set<string>()
    for (const program of programs) {
      rule.check(program, ({ file, span }) => void places.add(`${file.path}:${lineAt(file, span.start)}`))
    }
    return places
  }
}
