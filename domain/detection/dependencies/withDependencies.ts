import type { FrontEnd } from "../FrontEnd.ts"
import { type WithFacts, withFacts } from "../withFacts.ts"
import { findVulnerabilities } from "./findVulnerabilities.ts"
import { type Dependencies, dependencyRulesOf } from "./rules.ts"
import type { Vulnerability } from "./advisories/vulnerabilities.ts"

/**
 * A front end that also reports known vulnerabilities in what its programs are built from. `importsOf` gives the import
 * paths of a source, if imports show which packages are used.
 */
export const withDependencies = <Unit, Program>(
  inner: FrontEnd<Unit, Program>,
  importsOf: (unit: Unit) => ReadonlyArray<string> = () => [],
): FrontEnd<Unit, WithFacts<Program, Dependencies>> =>
  withFacts(
    inner,
    (units, project) => {
      const imports = units.flatMap(importsOf)
      // Computed when the first rule asks, so that a harmful manifest costs these rules rather than the program.
      let found: ReadonlyArray<Vulnerability> | undefined
      return { vulnerabilities: () => (found ??= findVulnerabilities(inner.ecosystem, project, imports)) }
    },
    { vulnerabilities: () => [] },
    dependencyRulesOf(inner.ecosystem),
  )
