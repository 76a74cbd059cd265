/** A version as defined by Semantic Versioning 2.0.0, without build metadata, which does not affect precedence. */
export interface SemVer {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** The identifiers after the hyphen; none for a release. */
  readonly prerelease: ReadonlyArray<string>
}

/** Numbers of 15 digits are exact; no registry has longer ones. */
const pattern =
  /^[v=\s]*(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]*)?$/

/** Longer texts are not versions; the limit bounds every comparison. */
const longest = 256

/**
 * Reads `1.2.3-rc.1+build`, tags such as `v1.2.3`, and short forms: `1.2` is `1.2.0`. Undefined if the text is not a
 * version.
 */
export const parseSemVer = (text: string): SemVer | undefined => {
  if (text.length > longest) return undefined
  const found = pattern.exec(text.trim())
  if (found === null) return undefined
  const [, major, minor = "0", patch = "0", prerelease] = found
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    prerelease: prerelease === undefined ? [] : prerelease.split("."),
  }
}

const numeric = /^\d+$/

const compareIdentifiers = (a: string, b: string): number => {
  const aNumber = numeric.test(a)
  if (aNumber !== numeric.test(b)) return aNumber ? -1 : 1
  if (aNumber) {
    const [x, y] = [a.replace(/^0+(?=\d)/, ""), b.replace(/^0+(?=\d)/, "")]
    if (x.length !== y.length) return x.length - y.length
    return x < y ? -1 : x > y ? 1 : 0
  }
  return a < b ? -1 : a > b ? 1 : 0
}

/** Precedence, section 11: negative if `a` comes first. A prerelease precedes its release. */
export const compareSemVer = (a: SemVer, b: SemVer): number => {
  const core = a.major - b.major || a.minor - b.minor || a.patch - b.patch
  if (core !== 0) return core
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length
  for (let i = 0; i < Math.min(a.prerelease.length, b.prerelease.length); i++) {
    const order = compareIdentifiers(a.prerelease[i]!, b.prerelease[i]!)
    if (order !== 0) return order
  }
  return a.prerelease.length - b.prerelease.length
}

export const showSemVer = ({ major, minor, patch, prerelease }: SemVer): string =>
  `${major}.${minor}.${patch}${prerelease.length === 0 ? "" : `-${prerelease.join(".")}`}`
