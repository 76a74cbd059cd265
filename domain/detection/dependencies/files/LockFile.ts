import type { SourceFile, Span } from "../../SourceFile.ts"

/** A package at one version, as pinned by a lock file. */
export interface LockedPackage {
  readonly name: string
  readonly version: string
  /** Where its version is written. */
  readonly span: Span
  /** Whether it comes from a registry; others are the workspace's own, or come from a path or a repository. */
  readonly published: boolean
  /** The pinned packages that it needs, as indices into `packages`. */
  readonly requires: ReadonlyArray<number>
}

export interface LockFile {
  readonly file: SourceFile
  readonly packages: ReadonlyArray<LockedPackage>
  /**
   * The pinned package that the project gets for a name and the requirement in its manifest. `folder` is the
   * manifest's, relative to the lock file's: a workspace may install another version there.
   */
  readonly direct: (name: string, requirement: string, folder: string) => number | undefined
}

/** What is wrong with a file, in words for its author. */
export interface Unreadable {
  readonly reason: string
}

/** More packages than any project has. The rest is left out, and the coverage says so. */
export const maxPackages = 50_000

/** All packages that `roots` reach, each with the one through which it is reached; -1 for the roots. */
export const reachable = (
  packages: ReadonlyArray<LockedPackage>,
  roots: Iterable<number>,
  follows: (from: LockedPackage, to: LockedPackage) => boolean,
): ReadonlyMap<number, number> => {
  const through = new Map<number, number>()
  const queue: Array<number> = []
  for (const root of roots) {
    if (through.has(root)) continue
    through.set(root, -1)
    queue.push(root)
  }
  for (const at of queue) {
    const from = packages[at]!
    for (const next of from.requires) {
      if (through.has(next) || !follows(from, packages[next]!)) continue
      through.set(next, at)
      queue.push(next)
    }
  }
  return through
}

/**
 * A lock file is hostile input: a chain through all of its packages, repeated for each of them, would fill any memory.
 */
const longestPath = 8
/** npm's limit for names; the limit of crates.io is 64. */
export const longestName = 214

/**
 * The names on the path to a package, starting with the root; a longer path is shortened to its end, after an ellipsis.
 */
export const pathTo = (
  packages: ReadonlyArray<LockedPackage>,
  through: ReadonlyMap<number, number>,
  target: number,
): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (let at = target; at !== -1; at = through.get(at) ?? -1) {
    if (names.length === longestPath) {
      names.push("…")
      break
    }
    const { name } = packages[at]!
    names.push(name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name)
  }
  return names.toReversed()
}
