import type { Project } from "../FrontEnd.ts"
import { folderOf, nameOf } from "../ProjectFiles.ts"
import { readToml, tableAt, type TomlValue } from "../rust/toml.ts"
import type { SourceFile, Span } from "../Source.ts"
import { publishedName } from "./foundryLibraries.ts"
import { maxPackages, type Unreadable } from "./LockFile.ts"
import type { Use } from "./Use.ts"

/** A package that Soldeer installs: https://github.com/mario-eth/soldeer/blob/main/USAGE.md */
export interface SoldeerPackage {
  /** As the project calls it; its registry has no scopes, so that `@scope/name` is `@scope-name`. */
  readonly name: string
  /** Where it is cloned from, for one that the registry does not hold. */
  readonly git: string | undefined
  /** As pinned, or as asked for: the author's own choice where the package is no one of the registry's. */
  readonly version: string
  /** Whether the version is the only one that may be taken. */
  readonly pinned: boolean
  readonly commit: string | undefined
  readonly file: SourceFile
  readonly span: Span
}

/** Lines with their places; longer ones than any that a tool writes are empty. */
const linesOf = function* (text: string): Generator<Span & { readonly line: string }> {
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf("\n", start)
    const end = lineBreak === -1 ? text.length : lineBreak
    const raw = end - start > 4_000 ? "" : text.slice(start, end).trimEnd()
    const line = raw.trimStart()
    yield { line, start: start + raw.length - line.length, end: start + raw.length }
    start = end + 1
  }
}

const keyValue = /^(name|version|git|rev)\s*=\s*(["'])([^"']{1,512})\2\s*(?:#.*)?$/

/** Reads a soldeer.lock: a list of tables `[[dependencies]]` with each key on a line of its own. */
export const readSoldeerLock = (file: SourceFile): ReadonlyArray<SoldeerPackage> | Unreadable => {
  interface Entry {
    name?: string
    version?: string
    git?: string
    rev?: string
    span?: Span
  }
  const entries: Array<Entry> = []
  let current: Entry | undefined
  let other = false
  for (const { line, start, end } of linesOf(file.text)) {
    if (line.startsWith("[")) {
      current = undefined
      if (/^\[\[\s*dependencies\s*\]\]/.test(line)) {
        if (entries.length >= maxPackages) return { reason: `has more than ${maxPackages} packages` }
        current = {}
        entries.push(current)
      }
    } else if (current === undefined) other ||= line !== "" && !line.startsWith("#")
    else {
      const [, key, , value] = keyValue.exec(line) ?? []
      if (key === "name") current.name = value!
      if (key === "git") current.git = value!
      if (key === "rev") current.rev = value!
      if (key === "version") {
        current.version = value!
        current.span = { start, end }
      }
    }
  }
  if (entries.length === 0 && other) return { reason: "is no soldeer.lock: it names no package" }
  return entries.flatMap(({ name, version, git, rev, span }) =>
    name === undefined || version === undefined || span === undefined
      ? []
      : [{ name, version, git, commit: rev, pinned: true, file, span }],
  )
}

/** The lines of `[dependencies]`, and of tables below it, that decide on versions. */
const placesIn = (text: string): ReadonlyMap<string, Span> => {
  const places = new Map<string, Span>()
  let within = false
  let named: string | undefined
  for (const { line, start, end } of linesOf(text)) {
    if (line.startsWith("[")) {
      const found = /^\[\s*dependencies\s*(?:\.\s*(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*)?\]/.exec(line)
      within = found !== null
      named = found?.[1] ?? found?.[2] ?? found?.[3]
      if (named !== undefined) places.set(named, { start, end })
    } else if (within) {
      const [, quoted, single, bare] = /^(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*[.=]/.exec(line) ?? []
      const key = quoted ?? single ?? bare
      if (key !== undefined && named === undefined && !places.has(key)) places.set(key, { start, end })
      if (key === "version" && named !== undefined) places.set(named, { start, end })
    }
  }
  return places
}

const text = (value: TomlValue | undefined): string | undefined => (typeof value === "string" ? value : undefined)

/** Reads the `[dependencies]` of a foundry.toml or a soldeer.toml. */
export const readSoldeerConfig = (file: SourceFile): ReadonlyArray<SoldeerPackage> => {
  if (!/^\s*\[\s*dependencies\b/m.test(file.text)) return []
  const table = tableAt(readToml(file.text), "dependencies") ?? {}
  const places = placesIn(file.text)
  return Object.entries(table)
    .slice(0, maxPackages)
    .flatMap(([name, value]): ReadonlyArray<SoldeerPackage> => {
      const span = places.get(name)
      const details = tableAt(table, name) ?? {}
      const version = text(value) ?? text(details["version"])
      if (span === undefined || version === undefined) return []
      const [git, url] = [text(details["git"]), text(details["url"])]
      const pinned = git !== undefined || url !== undefined
      return [{ name, version: text(details["tag"]) ?? version, git, commit: text(details["rev"]), pinned, file, span }]
    })
}

/** The name under which a package's releases are known to advisories. */
const publishedAs = ({ name, git }: SoldeerPackage): string => {
  const given = git === undefined ? name : nameOf(git)
  return given.startsWith("@") ? given.replace("-", "/") : publishedName(given)
}

/** The packages that soldeer.lock pins in a folder, else those that its configuration asks for. */
export const soldeerPackagesOf = (project: Project, paths: ReadonlyArray<string>): ReadonlyArray<SoldeerPackage> => {
  const found: Array<SoldeerPackage> = []
  const locked = new Set<string>()
  for (const path of paths.filter((one) => nameOf(one) === "soldeer.lock")) {
    const file = project.file(path)
    const packages = file === undefined ? undefined : readSoldeerLock(file)
    if (packages === undefined) continue
    if ("reason" in packages) project.problem?.(path, packages.reason)
    else {
      locked.add(folderOf(path))
      found.push(...packages)
    }
  }
  for (const path of paths) {
    if (!/^(?:foundry|soldeer)\.toml$/.test(nameOf(path)) || locked.has(folderOf(path))) continue
    const file = project.file(path)
    if (file !== undefined) found.push(...readSoldeerConfig(file))
  }
  return found
}

/**
 * Tells from the first folder of an import which package it leads to: `name`, or `name-` with a version, as the
 * remappings are that Soldeer writes.
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
