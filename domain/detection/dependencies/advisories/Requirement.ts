import { compareSemVer, type SemVer } from "./SemVer.ts"

/**
 * Whose rules a requirement follows. A bare `1.2.3` means `^1.2.3` to Cargo and is exact for the others; `1.2` means
 * `^1.2` to Soldeer.
 */
export type Dialect = "cargo" | "npm" | "soldeer"

interface Comparator {
  readonly operator: "<" | "<=" | ">" | ">=" | "="
  readonly version: SemVer
}

/** Alternatives, each a list of comparators that must all hold. */
export interface Requirement {
  readonly alternatives: ReadonlyArray<ReadonlyArray<Comparator>>
}

const version = (major: number, minor = 0, patch = 0, prerelease: ReadonlyArray<string> = []): SemVer => ({
  major,
  minor,
  patch,
  prerelease,
})

const between = (from: SemVer, below: SemVer): ReadonlyArray<Comparator> => [
  { operator: ">=", version: from },
  { operator: "<", version: below },
]

const anything: ReadonlyArray<Comparator> = []

const part =
  /^(\^|~>?|>=|<=|>|<|=)?\s*v?(\d{1,15}|[xX*])(?:\.(\d{1,15}|[xX*]))?(?:\.(\d{1,15}|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]*)?$/

const number = (text: string | undefined): number | undefined =>
  text === undefined || /^[xX*]$/.test(text) ? undefined : Number(text)

/** One comparator as written, expressed by plain ones. */
const readPart = (text: string, dialect: Dialect): ReadonlyArray<Comparator> | undefined => {
  const found = part.exec(text)
  if (found === null) return text === "" || text === "latest" ? anything : undefined
  const [, sign, first, second, third, pre] = found
  const [major, minor, patch] = [number(first), number(second), number(third)]
  if (major === undefined) return anything
  const partial = minor === undefined || patch === undefined
  const from = version(major, minor, patch, pre === undefined ? [] : pre.split("."))
  const nextMinor = minor === undefined ? version(major + 1) : version(major, minor + 1)
  const wild = second !== undefined && /[xX*]/.test(second + (third ?? ""))
  const caret = dialect === "cargo" || (dialect === "soldeer" && partial)
  const operator = sign ?? (caret && !wild ? "^" : "=")
  switch (operator) {
    case "^": {
      if (major > 0 || minor === undefined) return between(from, version(major + 1))
      if (minor > 0 || patch === undefined) return between(from, version(0, minor + 1))
      return between(from, version(0, 0, patch + 1))
    }
    case "~":
    case "~>":
      return between(from, nextMinor)
    case "=":
      return partial ? between(from, nextMinor) : [{ operator: "=", version: from }]
    case ">":
      return [partial ? { operator: ">=", version: nextMinor } : { operator: ">", version: from }]
    case "<=":
      return [partial ? { operator: "<", version: nextMinor } : { operator: "<=", version: from }]
    case ">=":
      return [{ operator: ">=", version: from }]
    default:
      return [{ operator: "<", version: from }]
  }
}

const readAll = (texts: ReadonlyArray<string>, dialect: Dialect): ReadonlyArray<Comparator> | undefined => {
  const all: Array<Comparator> = []
  for (const text of texts) {
    const read = readPart(text, dialect)
    if (read === undefined) return undefined
    all.push(...read)
  }
  return all
}

const npmAlternative = (text: string): ReadonlyArray<Comparator> | undefined => {
  const range = /^(\S+)\s+-\s+(\S+)$/.exec(text)
  const parts = range === null ? undefined : [`>=${range[1]}`, `<=${range[2]}`]
  return readAll(
    parts ??
      text
        .replaceAll(/(\^|~>?|>=|<=|>|<|=)\s+/g, "$1")
        .split(/\s+/)
        .filter((one, index) => one !== "" || index === 0),
    "npm",
  )
}

/**
 * Reads a version requirement as its package manager does. Undefined if it does not name a range of versions: a URL, a
 * path, or a tag other than `latest`. https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html,
 * https://github.com/npm/node-semver#ranges,
 * https://github.com/mario-eth/soldeer/blob/main/USAGE.md#version-requirement
 */
export const parseRequirement = (text: string, dialect: Dialect): Requirement | undefined => {
  const trimmed = text.trim()
  if (trimmed.length > 256) return undefined
  const alternatives: Array<ReadonlyArray<Comparator>> = []
  if (dialect !== "npm") {
    const all = readAll(
      trimmed.split(",").map((one) => one.trim()),
      dialect,
    )
    return all === undefined ? undefined : { alternatives: [all] }
  }
  for (const one of trimmed.split("||")) {
    const all = npmAlternative(one.trim())
    if (all === undefined) return undefined
    alternatives.push(all)
  }
  return { alternatives }
}

const holds = ({ operator, version: bound }: Comparator, candidate: SemVer): boolean => {
  const order = compareSemVer(candidate, bound)
  switch (operator) {
    case "<":
      return order < 0
    case "<=":
      return order <= 0
    case ">":
      return order > 0
    case ">=":
      return order >= 0
    case "=":
      return order === 0
  }
}

const sameCore = (a: SemVer, b: SemVer): boolean => a.major === b.major && a.minor === b.minor && a.patch === b.patch

/** A prerelease matches only if a comparator names one of the same version, as in both package managers. */
const satisfiesAll = (comparators: ReadonlyArray<Comparator>, candidate: SemVer): boolean =>
  comparators.every((one) => holds(one, candidate)) &&
  (candidate.prerelease.length === 0 ||
    comparators.some(({ version: bound }) => bound.prerelease.length > 0 && sameCore(bound, candidate)))

export const satisfies = (requirement: Requirement, candidate: SemVer): boolean =>
  requirement.alternatives.some((one) => satisfiesAll(one, candidate))

/** The only version that the requirement allows, if there is just one. */
export const exactVersion = ({ alternatives }: Requirement): SemVer | undefined => {
  const [only, ...others] = alternatives
  const [first] = only ?? []
  return others.length === 0 && only?.length === 1 && first?.operator === "=" ? first.version : undefined
}

/** The lowest version that the requirement accepts: the one it was written against. */
export const lowestVersion = ({ alternatives }: Requirement): SemVer | undefined => {
  const bounds = alternatives.map((all) =>
    all
      .filter(({ operator }) => operator === ">=" || operator === "=" || operator === ">")
      .map((one) => one.version)
      .reduce<SemVer | undefined>((a, b) => (a === undefined || compareSemVer(a, b) < 0 ? b : a), undefined),
  )
  if (bounds.includes(undefined)) return undefined
  return bounds.reduce((a, b) => (a === undefined || (b !== undefined && compareSemVer(b, a) < 0) ? b : a), undefined)
}
