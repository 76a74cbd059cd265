import type { Ecosystem } from "../../analysis/Framework.ts"
import type { Project } from "../FrontEnd.ts"
import { sourceRoles } from "../SourceRole.ts"
import { AdvisorySet } from "./advisories/AdvisorySet.ts"
import { bundledAdvisories } from "./advisories/bundled.ts"
import { cratesOf } from "./crates.ts"
import { packagesOf } from "./packages.ts"
import { type Vulnerability, vulnerabilitiesIn } from "./advisories/vulnerabilities.ts"

/**
 * The known vulnerabilities in the packages that contracts of one ecosystem are built from; `imports` are those of
 * Solidity sources.
 */
export const findVulnerabilities = (
  ecosystem: Ecosystem,
  project: Project,
  imports: ReadonlyArray<string>,
): ReadonlyArray<Vulnerability> => {
  const roleOf = sourceRoles([...project.paths])
  const paths = [...project.paths].filter((path) => roleOf(path) !== "dependency").toSorted()
  const uses = ecosystem === "evm" ? packagesOf(project, paths, imports) : cratesOf(project, paths, ecosystem)
  return vulnerabilitiesIn(uses, new AdvisorySet([...bundledAdvisories, ...(project.advisories ?? [])]))
}
