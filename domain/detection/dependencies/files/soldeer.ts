import type { Project } from "../../FrontEnd.ts"
import { folderOf, nameOf } from "../../ProjectFiles.ts"
import { isTable, readTomlDocument, tableAt, textOf, type TomlValue } from "../../toml.ts"
import type { SourceFile, Span } from "../../SourceFile.ts"
import { publishedName } from "./foundryLibraries.ts"
import { maxPackages, type Unreadable } from "./LockFile.ts"
import type { Use } from "../advisories/Use.ts"

/** A package that Soldeer installs: https://github.com/mario-eth/soldeer/blob/main/USAGE.md */
export interface SoldeerPackage {
  /** The project's name for it. The registry has no scopes, so `@scope/name` becomes `@scope-name`. */
  readonly name: string
  /** Where it is cloned from, if it is not in the registry. */
  readonly git: string | undefined
  /** As pinned, or as requested; for a package outside the registry, the author may choose any version. */
  readonly version: string
  /** Whether no other version may be installed. */
  readonly pinned: boolean
  readonly commit: string | undefined
  readonly file: SourceFile
  readonly span: Span
}

/** The longest name and version accepted; the registry's have at most 64 characters. */
const longestWord = 512

const word = (value: TomlValue | undefined): string | undefined => {
  const written = textOf(value)
  return written === undefined || written.length > longestWord ? undefined : written
}

/** Reads a soldeer.lock: a list of tables `[[dependencies]]`. */
export const readSoldeerLock = (file: SourceFile): ReadonlyArray<SoldeerPackage> | Unreadable => {
  const { root, lineOf } = readTomlDocument(file.text)
  const list = root["dependencies"]
  const entries = Array.isArray(list) ? list.filter(isTable) : []
  if (entries.length > maxPackages) return { reason: `has more than ${maxPackages} packages` }
  if (entries.length === 0 && /^[ \t]*[^\s#]/m.test(file.text)) {
    return { reason: "is not a soldeer.lock: it names no package" }
  }
  return entries.flatMap((entry): ReadonlyArray<SoldeerPackage> => {
    const [name, version, git, commit] = ["name", "version", "git", "rev"].map((key) => word(entry[key]))
    const span = lineOf(entry, "version")
    return name === undefined || version === undefined || span === undefined
      ? []
      : [{ name, version, git, commit, pinned: true, file, span }]
  })
}

/** Reads the `[dependencies]` of a foundry.toml or a soldeer.toml. */
export const readSoldeerConfig = (file: SourceFile): ReadonlyArray<SoldeerPackage> => {
  const { root, lineOf } = readTomlDocument(file.text)
  const table = tableAt(root, "dependencies") ?? {}
  return Object.entries(table)
    .slice(0, maxPackages)
    .flatMap(([name, value]): ReadonlyArray<SoldeerPackage> => {
      const details = tableAt(table, name) ?? {}
      const version = textOf(value) ?? textOf(details["version"])
      const span = lineOf(details, "version") ?? lineOf(table, name)
      if (span === undefined || version === undefined) return []
      const [git, url] = [textOf(details["git"]), textOf(details["url"])]
      const pinned = git !== undefined || url !== undefined
      return [
        { name, version: textOf(details["tag"]) ?? version, git, commit: textOf(details["rev"]), pinned, file, span },
      ]
    })
}

/** The name under which advisories know the releases of a package. */
const publishedAs = ({ name, git }: SoldeerPackage): string => {
  const given = git === undefined ? name : nameOf(git)
  return given.startsWith("@") ? given.replace("-", "/") : publishedName(given)
}

/** The packages that soldeer.lock pins in a folder, or else those that its configuration requests. */
export const soldeerPackagesOf = (project: Project, paths: ReadonlyArray<string>): ReadonlyArray<SoldeerPackage> => {
  const found: Array<SoldeerPackage> = []
  const locked = new Set<string>()
  for (const path of paths.filter((one) => nameOf(one) === "soldeer.lock")) {
    const packages = project.read(path, readSoldeerLock)
    if (packages === undefined) continue
    if ("reason" in packages) project.problem?.(path, packages.reason)
    else {
      locked.add(folderOf(path))
      found.push(...packages)
    }
  }
  for (const path of paths) {
    if (!/^(?:foundry|soldeer)\.toml$/.test(nameOf(path)) || locked.has(folderOf(path))) continue
    found.push(...(project.read(path, readSoldeerConfig) ?? []))
  }
  return found
}

/**
 * Tells from the first folder of an import which package it leads to: `name`, or `name-` with a version, as in the
 * remappings that Soldeer writes.
 */
export const soldeerNames = (packages: ReadonlyArray<SoldeerPackage>): ((folder: string) => string | undefined) => {
  const names = new Map(packages.map((one) => [one.name, publishedAs(one)]))
  return (folder) => {
    const whole = names.get(folder)
    if (whole !== undefined || folder.length > 300) return whole
    for (const { index } of folder.matchAll(/-(?=v?\d)/g)) {
      const found = names.get(folder.slice(0, index))
      if (found !== undefined) return found
    }
    return undefined
  }
}

export const soldeerUse = (one: SoldeerPackage, imported: ReadonlySet<string>): Use => {
  const name = publishedAs(one)
  const { version, pinned, commit, file, span } = one
  return {
    registry: "npm",
    name,
    ...(pinned ? { version } : { requirement: { text: version, dialect: "soldeer" } }),
    ...(commit === undefined ? {} : { commit }),
    place: { file, span },
    route: [],
    confidence: imported.has(name) ? "high" : "medium",
  }
}
