import type { Confidence, Severity } from "../../../finding/Severity.ts"
import { affectedModules } from "./affectedModules.ts"
import { type AffectedPackage, firstFixed, isAffected } from "./Advisory.ts"
import { type AdvisorySet, type Concern, sameProblem } from "./AdvisorySet.ts"
import { exactVersion, lowestVersion, parseRequirement, type Requirement, satisfies } from "./Requirement.ts"
import { parseSemVer, type SemVer, showSemVer } from "./SemVer.ts"
import type { Use } from "./Use.ts"

/** A package of a project that an advisory is about. */
export interface Vulnerability {
  readonly use: Use
  /** `1.2.3`, a commit, or a requirement as written. */
  readonly version: string
  /** The advisory that identifies the problem, then others about the same problem. */
  readonly concerns: readonly [Concern, ...Array<Concern>]
  readonly severity: Severity
  readonly confidence: Confidence
  /** The first version without the problem, if there is one. */
  readonly fixed: string | undefined
  /** Whether the affected version is certain, or only one of those that may be installed. */
  readonly certain: boolean
  /** Modules of the package that contain the problem and that no source imports; empty if that is not known. */
  readonly unused: ReadonlyArray<string>
}

const lower: Record<Confidence, Confidence> = { high: "medium", medium: "low", low: "low" }

/** Between a range and a version: an affected version is allowed, but nothing is certain about what is installed. */
interface Version {
  readonly shown: string
  readonly at: SemVer | undefined
  readonly commit: string | undefined
  readonly requirement: Requirement | undefined
}

const versionOf = ({ version, commit, requirement }: Use): Version | undefined => {
  if (requirement !== undefined) {
    const read = parseRequirement(requirement.text, requirement.dialect)
    const exact = read === undefined ? undefined : exactVersion(read)
    const at = exact ?? (read === undefined ? undefined : lowestVersion(read))
    if (at === undefined) return undefined
    return {
      shown: exact === undefined ? requirement.text : showSemVer(exact),
      at,
      commit: undefined,
      requirement: exact === undefined ? read : undefined,
    }
  }
  const at = version === undefined ? undefined : parseSemVer(version)
  const shown = at === undefined ? commit : showSemVer(at)
  return shown === undefined ? undefined : { shown, at, commit, requirement: undefined }
}

const concernsVersion = ({ affected }: Concern, { at, commit }: Version): boolean =>
  affected.some(
    (one) => (at !== undefined && isAffected(one, at)) || (commit !== undefined && one.commits.includes(commit)),
  )

/** Modules that contain the problem, if the sources import none of them. */
const unusedModules = ({ modules }: Use, concerns: ReadonlyArray<Concern>): ReadonlyArray<string> => {
  if (modules === undefined) return []
  const affected = affectedModules(concerns.flatMap(({ advisory: { id, aliases } }) => [id, ...aliases])) ?? []
  return affected.some((module) => modules.has(module)) ? [] : affected
}

const describe = (use: Use, version: Version, concerns: readonly [Concern, ...Array<Concern>]): Vulnerability => {
  const all: ReadonlyArray<AffectedPackage> = concerns.flatMap(({ affected }) => affected)
  const fixed = version.at === undefined ? undefined : firstFixed(all, version.at)
  // A package manager takes the newest version that fits, so a fixed version if the requirement allows one.
  const escapes = version.requirement !== undefined && fixed !== undefined && satisfies(version.requirement, fixed)
  const unused = unusedModules(use, concerns)
  return {
    use,
    unused,
    version: version.shown,
    concerns,
    severity: escapes ? "informational" : concerns[0].advisory.severity,
    // A package that no contract imports is most likely not deployed; it is affected all the same.
    confidence: unused.length > 0 ? "low" : escapes ? lower[use.confidence] : use.confidence,
    fixed: fixed === undefined ? undefined : showSemVer(fixed),
    certain: version.requirement === undefined,
  }
}

/** What the advisories say about the packages of a project: one entry for each place, package version and problem. */
export const vulnerabilitiesIn = (uses: ReadonlyArray<Use>, advisories: AdvisorySet): ReadonlyArray<Vulnerability> =>
  uses.flatMap((use) => {
    const known = advisories.about(use.registry, use.name)
    const version = known.length === 0 ? undefined : versionOf(use)
    if (version === undefined) return []
    return sameProblem(known.filter((concern) => concernsVersion(concern, version))).map((concerns) =>
      describe(use, version, concerns),
    )
  })
