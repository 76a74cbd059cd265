import type { Severity } from "../../../finding/Severity.ts"
import { compareSemVer, parseSemVer, type SemVer } from "./SemVer.ts"

/** Registries whose advisories concern contracts, by their OSV names. */
export const registries = ["crates.io", "npm"] as const
export type Registry = (typeof registries)[number]

/** What happens from `version` on; `"0"` precedes all versions. */
export interface RangeEvent {
  readonly kind: "introduced" | "fixed" | "last_affected"
  readonly version: string
}

/** What an advisory says about one package. */
export interface AffectedPackage {
  readonly registry: Registry
  readonly name: string
  readonly ranges: ReadonlyArray<ReadonlyArray<RangeEvent>>
  /** Versions that are affected regardless of the ranges. */
  readonly versions: ReadonlyArray<string>
  /** Commits that are known to be affected. */
  readonly commits: ReadonlyArray<string>
}

/** A published vulnerability, reduced to what is needed to report it. */
export interface Advisory {
  readonly id: string
  /** Other names of the same vulnerability. */
  readonly aliases: ReadonlyArray<string>
  readonly summary: string
  readonly severity: Severity
  /** Whether the severity is the advisory's own; if not, it is the middle one. */
  readonly rated: boolean
  /** Empty for a withdrawn advisory. */
  readonly affected: ReadonlyArray<AffectedPackage>
  readonly references: ReadonlyArray<string>
}

const lowest: SemVer = { major: 0, minor: 0, patch: 0, prerelease: ["0"] }

const boundOf = ({ version }: RangeEvent): SemVer | undefined => (version === "0" ? lowest : parseSemVer(version))

interface Bound {
  readonly kind: RangeEvent["kind"]
  readonly at: SemVer
}

/** Events in order; at the same version, a range ends before another begins. */
const inOrder = (range: ReadonlyArray<RangeEvent>): ReadonlyArray<Bound> =>
  range
    .flatMap((event) => {
      const at = boundOf(event)
      return at === undefined ? [] : [{ kind: event.kind, at }]
    })
    .toSorted((a, b) => compareSemVer(a.at, b.at) || Number(a.kind === "introduced") - Number(b.kind === "introduced"))

const isInRange = (range: ReadonlyArray<RangeEvent>, version: SemVer): boolean => {
  let affected = false
  for (const { kind, at } of inOrder(range)) {
    const order = compareSemVer(version, at)
    if (kind === "introduced" && order >= 0) affected = true
    if (kind === "fixed" && order >= 0) affected = false
    if (kind === "last_affected" && order > 0) affected = false
  }
  return affected
}

/** Whether a version is affected, by the algorithm of the OSV schema: https://ossf.github.io/osv-schema/#evaluation */
export const isAffected = ({ ranges, versions }: AffectedPackage, version: SemVer): boolean =>
  ranges.some((range) => isInRange(range, version)) ||
  versions.some((one) => {
    const listed = parseSemVer(one)
    return listed !== undefined && compareSemVer(listed, version) === 0
  })

/** The lowest version above the given one that ends a range and lies in no other range. */
export const firstFixed = (affected: ReadonlyArray<AffectedPackage>, version: SemVer): SemVer | undefined =>
  affected
    .flatMap(({ ranges }) => ranges.flat())
    .flatMap((event) => (event.kind === "fixed" ? (boundOf(event) ?? []) : []))
    .filter((at) => compareSemVer(at, version) > 0)
    .toSorted(compareSemVer)
    .find((at) => !affected.some((one) => isAffected(one, at)))
