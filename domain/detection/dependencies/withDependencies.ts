import type { Activity, FrontEnd, Project } from "../FrontEnd.ts"
import type { Rule } from "../Rule.ts"
import { findVulnerabilities } from "./findVulnerabilities.ts"
import { type Dependencies, dependencyRulesOf } from "./rules.ts"
import type { Vulnerability } from "./vulnerabilities.ts"

interface WithDependencies<Program> extends Dependencies {
  readonly program: Program
}

const lifted = <Program>(rule: Rule<Program>): Rule<WithDependencies<Program>> => ({
  ...rule,
  check: ({ program }, report) => rule.check(program, report),
})

/**
 * A front end that also reports known vulnerabilities in what its programs are built from. `importsOf` gives the import
 * paths of a source, where these tell which packages are used.
 */
export const withDependencies = <Unit, Program>(
  inner: FrontEnd<Unit, Program>,
  importsOf: (unit: Unit) => ReadonlyArray<string> = () => [],
): FrontEnd<Unit, WithDependencies<Program>> => {
  const { parts, access, ...rest } = inner

  /** Found when the first rule asks: a manifest that does harm then costs these rules and not the program. */
  const dependencies = (units: ReadonlyArray<Unit>, project: Project): Dependencies => {
    const imports = units.flatMap(importsOf)
    let found: ReadonlyArray<Vulnerability> | undefined
    return { vulnerabilities: () => (found ??= findVulnerabilities(inner.ecosystem, project, imports)) }
  }

  return {
    ...rest,
    ...(access === undefined
      ? {}
      : {
          access: ({ program }: WithDependencies<Program>, isReported: (path: string) => boolean) =>
            access(program, isReported),
        }),
    build: (units, project, activity) => ({
      program: inner.build(units, project, activity),
      ...dependencies(units, project),
    }),
    ...(parts === undefined
      ? {}
      : {
          parts: (units: ReadonlyArray<Unit>, project: Project, activity: Activity) => {
            const all = dependencies(units, project)
            // They are the whole project's: one part tells them.
            const none: Dependencies = { vulnerabilities: () => [] }
            return parts(units, project, activity).map((part, index) => () => ({
              program: part(),
              ...(index === 0 ? all : none),
            }))
          },
        }),
    rules: [...inner.rules.map((rule) => lifted(rule)), ...dependencyRulesOf(inner.ecosystem)],
  }
}
