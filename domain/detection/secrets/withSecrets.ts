import type { FrontEnd, Project } from "../FrontEnd.ts"
import { isRelevant } from "../ProjectFiles.ts"
import { sourceRoles } from "../SourceRole.ts"
import { type WithFacts, withFacts } from "../withFacts.ts"
import { secretsIn } from "./findSecrets.ts"
import { type Leak, type Leaks, secretRulesOf } from "./rules.ts"

const leaksIn = (project: Project): ReadonlyArray<Leak> => {
  const paths = [...project.paths].toSorted()
  const roleOf = sourceRoles(paths)
  return paths
    .filter((path) => isRelevant(path) && roleOf(path) !== "dependency")
    .flatMap((path) => project.read(path, (file) => secretsIn(file).map((secret) => ({ ...secret, file }))) ?? [])
}

/**
 * A front end that also reports the secrets in a repository: in all of its own files, including tests and scripts,
 * since whoever can read the repository can read those, too.
 */
export const withSecrets = <Unit, Program>(inner: FrontEnd<Unit, Program>): FrontEnd<Unit, WithFacts<Program, Leaks>> =>
  withFacts(
    inner,
    (_units, project) => {
      let found: ReadonlyArray<Leak> | undefined
      return { leaks: () => (found ??= project.leading === inner.ecosystem ? leaksIn(project) : []) }
    },
    { leaks: () => [] },
    secretRulesOf(inner.ecosystem),
  )
