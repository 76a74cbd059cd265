import { readToml, tableAt, type TomlTable } from "../toml.ts"

/** A file beside the sources that says how imports resolve: `foundry.toml`, `remappings.txt`. */
export interface ConfigFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface Remapping {
  /** The remapping applies to files below this folder. */
  readonly context: string
  readonly prefix: string
  readonly target: string
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
const directory = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** Resolves `.` and `..`; paths cannot climb above the root. */
const normalize = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "." && part !== "") parts.push(part)
  }
  return parts.join("/")
}

const readRemapping = (line: string, base: string): Remapping | undefined => {
  const found = /^\s*(?:([^:=\s]+):)?([^=\s]+)=(\S*)\s*$/.exec(line)
  if (found === null) return undefined
  return {
    context: found[1] === undefined ? base : normalize(base + found[1]),
    prefix: found[2]!,
    target: normalize(base + found[3]!),
  }
}

/** `remappings = [ "a=b", … ]` of foundry.toml: in its first profile that has them, or outside of all profiles. */
const foundryRemappings = (toml: TomlTable): ReadonlyArray<string> => {
  const profiles = Object.keys(tableAt(toml, "profile") ?? {}).map((name) => tableAt(toml, "profile", name))
  const list = [toml, ...profiles].map((table) => table?.["remappings"]).find(Array.isArray) ?? []
  return list.filter((one) => typeof one === "string")
}

/** The remappings of a configuration file, in the order in which they are written. */
export const readRemappings = (config: ConfigFile): ReadonlyArray<Remapping> => {
  const base = directory(config.path)
  const lines = config.path.endsWith(".toml")
    ? foundryRemappings(readToml(config.text))
    : config.text.split("\n").filter((line) => !line.trimStart().startsWith("#"))
  return lines.flatMap((line) => readRemapping(line, base) ?? [])
}

/** More than the configurations of any project contain together; a file may consist entirely of remappings. */
const maxRemappings = 5_000
/** How many of them are looked at for one file: those of the folders around it. */
const maxHolding = 500
/** How many remappings with the same prefix are tried for an import. */
const maxTries = 16
/** File systems have no longer paths. */
const longestPath = 4_096

/** How many directories above the importing file are searched for packages, besides the root. */
const maxClimb = 32

/** Where packages are looked for below each directory above the importing file. */
const roots = ["", "src/", "contracts/", "lib/", "node_modules/"]

/** With more files of one name than this, none is chosen: keeps a thousand `IERC20.sol` linear. */
const sameNameLimit = 64

/** How many folders two paths share, counted from the root. */
const sharedFolders = (a: string, b: string): number => {
  let shared = 0
  for (let at = 0; at < a.length && a[at] === b[at]; at++) if (a[at] === "/") shared++
  return shared
}

/** The one file that is nearest to `from`; undefined if two are equally near. */
const nearest = (paths: ReadonlyArray<string>, from: string): string | undefined => {
  let best: string | undefined
  let most = -1
  for (const path of paths) {
    const shared = sharedFolders(path, from)
    if (shared === most) best = undefined
    else if (shared > most) [best, most] = [path, shared]
  }
  return best
}

/** How many names two paths share, counted from the end. */
const sharedEnd = (path: string, wanted: string): number => {
  let [a, b, shared] = [path.length, wanted.length, 0]
  for (; a > 0 && b > 0 && path[a - 1] === wanted[b - 1]; a--, b--) if (path[a - 1] === "/") shared++
  const isWhole = (a === 0 || path[a - 1] === "/") && (b === 0 || wanted[b - 1] === "/")
  return isWhole ? shared + 1 : shared
}

/**
 * Maps an importing file and an import path to the path of the imported file, or undefined if it is not among `paths`.
 * Tries relative paths, remappings (longest prefix first) and package folders. Repositories are often read without
 * their dependencies installed: in that case, takes the file whose path's ending is most similar to the import, and the
 * nearest of several; a file that shares no more than the name counts only if no other file has that name.
 */
export const importResolver = (
  paths: ReadonlyArray<string>,
  remappings: ReadonlyArray<Remapping>,
): ((from: string, imported: string) => string | undefined) => {
  const known = new Set(paths)
  const byName = Map.groupBy(paths, nameOf)
  const inOrder = remappings
    .slice(0, maxRemappings)
    .toSorted((a, b) => b.context.length - a.context.length || b.prefix.length - a.prefix.length)
  /** The remappings for a file, and what its imports were resolved to, since a file repeats them. */
  let last: { from: string; holding: ReadonlyArray<Remapping>; known: Map<string, string | undefined> } | undefined

  const bySuffix = (from: string, imported: string): string | undefined => {
    const wanted = normalize(imported)
    const named = byName.get(nameOf(imported)) ?? []
    if (named.length > sameNameLimit) return undefined
    const alike = Map.groupBy(named, (path) => sharedEnd(path, wanted))
    const most = Math.max(0, ...alike.keys())
    const best = alike.get(most) ?? []
    // Of several files that share no more than their name, none is more likely than another.
    return best.length > 1 && most === 1 ? undefined : nearest(best, from)
  }

  const find = (from: string, imported: string, holding: ReadonlyArray<Remapping>): string | undefined => {
    const at = directory(from)
    if (imported.startsWith("./") || imported.startsWith("../")) {
      const path = normalize(at + imported)
      return known.has(path) ? path : bySuffix(from, imported)
    }
    let remapped = imported
    let tried = 0
    for (const { prefix, target } of holding) {
      if (!imported.startsWith(prefix)) continue
      const path = normalize(`${target}/${imported.slice(prefix.length)}`)
      if (known.has(path)) return path
      if (remapped === imported) remapped = path
      if (++tried === maxTries) break
    }
    const wanted = normalize(imported)
    const named = byName.get(nameOf(imported)) ?? []
    // Without a file whose path ends like this, no folder has one.
    const mayExist = named.length > sameNameLimit || named.some((path) => path.endsWith(wanted))
    let base = at
    for (let climbed = 0; mayExist; climbed++) {
      for (const root of roots) if (known.has(base + root + wanted)) return base + root + wanted
      if (base === "") break
      base = climbed === maxClimb ? "" : directory(base.slice(0, -1))
    }
    return bySuffix(from, remapped)
  }

  return (from, imported) => {
    if (imported.length > longestPath) return undefined
    if (last?.from !== from) {
      const holding = inOrder.filter(({ context }) => from.startsWith(context)).slice(0, maxHolding)
      last = { from, holding, known: new Map() }
    }
    if (!last.known.has(imported)) last.known.set(imported, find(from, imported, last.holding))
    return last.known.get(imported)
  }
}
