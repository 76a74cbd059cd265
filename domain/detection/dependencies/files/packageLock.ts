import type { SourceFile, Span } from "../../SourceFile.ts"
import { entriesAt, isTrue, type JsonEntry, type JsonNode, readJson, textOf } from "./json.ts"
import { type LockedPackage, type LockFile, longestName, maxPackages, type Unreadable } from "./LockFile.ts"

interface Entry {
  readonly name: string
  readonly version: string
  readonly span: Span
  readonly needs: ReadonlyArray<string>
  readonly published: boolean
}

const versionOf = (entries: ReadonlyMap<string, JsonEntry>): { version: string; span: Span } | undefined => {
  const entry = entries.get("version")
  const version = textOf(entry)
  return entry === undefined || version === undefined ? undefined : { version, span: entry.span }
}

const needsOf = (node: JsonNode, ...tables: ReadonlyArray<string>): ReadonlyArray<string> =>
  tables.flatMap((table) => [...entriesAt(node, table).keys()])

const folder = "node_modules/"

/** Versions 2 and 3: `packages`, by installation path. */
const byPath = (root: JsonNode): Map<string, Entry> => {
  const entries = new Map<string, Entry>()
  for (const [path, { value }] of entriesAt(root, "packages")) {
    const own = entriesAt(value)
    const found = versionOf(own)
    const last = path.lastIndexOf(folder)
    if (found === undefined || last === -1 || isTrue(own.get("link"))) continue
    entries.set(path, {
      // An alias (`npm:name@version`) is installed under another name.
      name: textOf(own.get("name")) ?? path.slice(last + folder.length),
      ...found,
      needs: needsOf(value, "dependencies", "peerDependencies", "optionalDependencies"),
      published: true,
    })
  }
  return entries
}

const alias = /^npm:((?:@[^/@]+\/)?[^/@]+)@(.+)$/

/** Version 1: `dependencies`, each nested in the package that it is installed for. */
const byNesting = (root: JsonNode): Map<string, Entry> => {
  const entries = new Map<string, Entry>()
  const stack: Array<{ node: JsonNode; path: string }> = [{ node: root, path: "" }]
  for (let next = stack.pop(); next !== undefined && entries.size <= maxPackages; next = stack.pop()) {
    for (const [name, { value }] of entriesAt(next.node, "dependencies")) {
      const own = entriesAt(value)
      const found = versionOf(own)
      if (found === undefined || name.length > longestName) continue
      const path = `${next.path}${next.path === "" ? "" : "/"}${folder}${name}`
      const [, real = name, version = found.version] = alias.exec(found.version) ?? []
      entries.set(path, { name: real, version, span: found.span, needs: needsOf(value, "requires"), published: true })
      stack.push({ node: value, path })
    }
  }
  return entries
}

/** Where a package installed at `from` finds `name`: beside it, or in a folder further up. */
const installed = (places: ReadonlyMap<string, number>, from: string, name: string): number | undefined => {
  for (let at = from; ;) {
    const found = places.get(`${at}${at === "" ? "" : "/"}${folder}${name}`)
    if (found !== undefined || at === "") return found
    const up = at.lastIndexOf(`/${folder}`)
    at = up === -1 ? "" : at.slice(0, up)
  }
}

/** What a workspace's package finds: in its own folder, or else at the root. */
const beside = (places: ReadonlyMap<string, number>, from: string, name: string): number | undefined =>
  (from === "" ? undefined : places.get(`${from}/${folder}${name}`)) ?? places.get(`${folder}${name}`)

/** Reads package-lock.json and npm-shrinkwrap.json. https://docs.npmjs.com/cli/configuring-npm/package-lock-json */
export const readPackageLock = (file: SourceFile): LockFile | Unreadable => {
  const root = readJson(file.text)
  if ("reason" in root) return root
  const modern = entriesAt(root, "packages").size > 0
  if (!modern && entriesAt(root, "dependencies").size === 0 && entriesAt(root).get("lockfileVersion") === undefined) {
    return { reason: "is not a package-lock.json: it has neither packages nor dependencies" }
  }
  const entries = modern ? byPath(root) : byNesting(root)
  if (entries.size > maxPackages) return { reason: `has more than ${maxPackages} packages` }
  const places = new Map([...entries.keys()].map((path, index) => [path, index]))
  const packages: ReadonlyArray<LockedPackage> = [...entries].map(
    ([path, { name, version, span, needs, published }]) => ({
      name,
      version,
      span,
      published,
      requires: needs.flatMap((need) => installed(places, path, need) ?? []),
    }),
  )
  return { file, packages, direct: (name, _requirement, from) => beside(places, from, name) }
}
