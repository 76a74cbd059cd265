import type { SourceFile, Span } from "../../SourceFile.ts"
import { type LockedPackage, type LockFile, maxPackages, type Unreadable } from "./LockFile.ts"

interface Entry {
  name: string | undefined
  version: string | undefined
  span: Span | undefined
  source: string | undefined
  readonly needs: Array<string>
}

const keyValue = /^\s*(name|version|source)\s*=\s*"([^"]{1,512})"\s*(?:#.*)?$/
const item = /^\s*"([^"]{1,512})",?\s*\r?$/

/**
 * Reads a Cargo.lock of any version, 1 to 4, line by line, since Cargo writes each key on its own line.
 * https://doc.rust-lang.org/cargo/reference/registries.html, crate `cargo-lock`
 */
export const readCargoLock = (file: SourceFile): LockFile | Unreadable => {
  const { text } = file
  const entries: Array<Entry> = []
  let current: Entry | undefined
  let inList = false
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf("\n", start)
    const end = lineBreak === -1 ? text.length : lineBreak
    const line = end - start > 2_000 ? "" : text.slice(start, end).trimEnd()
    const trimmed = line.trim()
    if (trimmed.startsWith("[") && !inList) {
      current = undefined
      // Version 1 lists the workspace's package separately, as `[root]`.
      if (trimmed === "[[package]]" || trimmed === "[root]") {
        if (entries.length >= maxPackages) return { reason: `has more than ${maxPackages} packages` }
        current = { name: undefined, version: undefined, span: undefined, source: undefined, needs: [] }
        entries.push(current)
      }
    } else if (current !== undefined && inList) {
      const need = item.exec(line)?.[1]
      if (need !== undefined) current.needs.push(need)
      if (trimmed.endsWith("]")) inList = false
    } else if (current !== undefined && /^dependencies\s*=\s*\[/.test(trimmed)) {
      inList = !trimmed.endsWith("]")
      if (!inList) current.needs.push(...[...trimmed.matchAll(/"([^"]{1,512})"/g)].map(([, one]) => one!))
    } else if (current !== undefined) {
      const [, key, value] = keyValue.exec(line) ?? []
      if (key === "name") current.name = value
      if (key === "source") current.source = value
      if (key === "version") {
        current.version = value
        current.span = { start: start + line.indexOf("version"), end: start + line.lastIndexOf('"') + 1 }
      }
    }
    start = end + 1
  }

  const complete = entries.flatMap(({ name, version, span, source, needs }) =>
    name === undefined || version === undefined || span === undefined ? [] : [{ name, version, span, source, needs }],
  )
  if (complete.length === 0 && !/^version\s*=\s*\d/m.test(text))
    return { reason: "is not a Cargo.lock: it names no package" }
  const byName = new Map<string, Array<number>>()
  for (const [index, { name }] of complete.entries()) {
    const same = byName.get(name)
    if (same === undefined) byName.set(name, [index])
    else same.push(index)
  }
  const byVersion = new Map(complete.map(({ name, version }, index) => [`${name} ${version}`, index]))
  /** `name`, `name version`, `name version (source)`: as much as is needed to tell the packages apart. */
  const resolve = (need: string): number | undefined => {
    const [name = "", version] = need.split(" ")
    return version === undefined ? byName.get(name)?.[0] : byVersion.get(`${name} ${version}`)
  }
  const packages: ReadonlyArray<LockedPackage> = complete.map(({ name, version, span, source, needs }) => ({
    name,
    version,
    span,
    published: source !== undefined && /^(?:registry|sparse)\+/.test(source),
    requires: needs.flatMap((need) => resolve(need) ?? []),
  }))
  return { file, packages, direct: (name) => byName.get(name)?.[0] }
}
