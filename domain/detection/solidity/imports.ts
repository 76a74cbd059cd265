/** A file beside the sources that says how imports resolve: `foundry.toml`, `remappings.txt`. */
export interface ConfigFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string
  readonly text: string
}

interface Remapping {
  /** The remapping holds for files below this. */
  readonly context: string
  readonly prefix: string
  readonly target: string
}

const directory = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** Resolves `.` and `..`; what climbs above the root stays there. */
export const normalise = (path: string): string => {
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
    context: found[1] === undefined ? base : normalise(base + found[1]),
    prefix: found[2]!,
    target: normalise(base + found[3]!),
  }
}

const readConfig = (config: ConfigFile): Array<Remapping> => {
  const base = directory(config.path)
  // the list of foundry.toml's `remappings = [ "a=b", … ]`
  const lines = config.path.endsWith(".toml")
    ? [...(/^\s*remappings\s*=\s*\[([^\]]*)\]/m.exec(config.text)?.[1] ?? "").matchAll(/["']([^"'\n]*)["']/g)].map(
        (m) => m[1]!,
      )
    : config.text.split("\n").filter((line) => !line.trimStart().startsWith("#"))
  return lines.flatMap((line) => readRemapping(line, base) ?? [])
}

/** Where packages are looked for below each directory above the importing file. */
const roots = ["", "src/", "contracts/", "lib/", "node_modules/"]

/**
 * A function from importing file and import path to the path of the file meant, or undefined when it is not among
 * `paths`. Relative paths, remappings (longest prefix first), package folders; then the file whose path ends most like
 * the import, because repositories are often read without their dependencies installed.
 */
export const importResolver = (
  paths: ReadonlyArray<string>,
  configs: ReadonlyArray<ConfigFile>,
): ((from: string, imported: string) => string | undefined) => {
  const known = new Set(paths)
  const byName = new Map<string, Array<string>>()
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf("/") + 1)
    const same = byName.get(name)
    if (same === undefined) byName.set(name, [path])
    else same.push(path)
  }
  const remappings = configs
    .flatMap(readConfig)
    .toSorted((a, b) => b.context.length - a.context.length || b.prefix.length - a.prefix.length)

  const bySuffix = (imported: string): string | undefined => {
    const wanted = normalise(imported).split("/")
    let best: string | undefined
    let bestLength = 0
    // the cap keeps a repository of a thousand `IERC20.sol` linear
    for (const path of (byName.get(wanted[wanted.length - 1]!) ?? []).slice(0, 64)) {
      const parts = path.split("/")
      let length = 0
      while (
        length < parts.length &&
        length < wanted.length &&
        parts[parts.length - 1 - length] === wanted[wanted.length - 1 - length]
      )
        length++
      if (length > bestLength) {
        best = path
        bestLength = length
      }
    }
    return best
  }

  return (from, imported) => {
    const at = directory(from)
    if (imported.startsWith("./") || imported.startsWith("../")) {
      const path = normalise(at + imported)
      return known.has(path) ? path : bySuffix(imported)
    }
    for (const { context, prefix, target } of remappings) {
      if (!from.startsWith(context) || !imported.startsWith(prefix)) continue
      const path = normalise(`${target}/${imported.slice(prefix.length)}`)
      if (known.has(path)) return path
    }
    for (let base = at; ; base = directory(base.slice(0, -1))) {
      for (const root of roots) {
        const path = normalise(base + root + imported)
        if (known.has(path)) return path
      }
      if (base === "") break
    }
    return bySuffix(imported)
  }
}
