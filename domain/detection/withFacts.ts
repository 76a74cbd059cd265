import type { Activity, FrontEnd, Project } from "./FrontEnd.ts"
import type { Rule } from "./Rule.ts"

/** A program, and facts about the whole project around it. */
export interface WithFacts<Program, Facts> {
  readonly program: Program
  readonly facts: Facts
}

/**
 * A front end that also runs rules over facts about the whole project. If its programs come in parts, the first one
 * reports the facts, and the others `none`.
 */
export const withFacts = <Unit, Program, Facts>(
  inner: FrontEnd<Unit, Program>,
  factsOf: (units: ReadonlyArray<Unit>, project: Project) => Facts,
  none: Facts,
  rules: ReadonlyArray<Rule<Facts>>,
): FrontEnd<Unit, WithFacts<Program, Facts>> => {
  const { parts, access, ...rest } = inner
  return {
    ...rest,
    ...(access === undefined
      ? {}
      : {
          access: ({ program }: WithFacts<Program, Facts>, isReported: (path: string) => boolean) =>
            access(program, isReported),
        }),
    build: (units, project, activity) => ({
      program: inner.build(units, project, activity),
      facts: factsOf(units, project),
    }),
    ...(parts === undefined
      ? {}
      : {
          parts: (units: ReadonlyArray<Unit>, project: Project, activity: Activity) => {
            const all = factsOf(units, project)
            return parts(units, project, activity).map((part, index) => () => ({
              program: part(),
              facts: index === 0 ? all : none,
            }))
          },
        }),
    rules: [
      ...inner.rules.map((rule): Rule<WithFacts<Program, Facts>> => ({
        ...rule,
        check: ({ program }, report) => rule.check(program, report),
      })),
      ...rules.map((rule): Rule<WithFacts<Program, Facts>> => ({
        ...rule,
        check: ({ facts }, report) => rule.check(facts, report),
      })),
    ],
  }
}
