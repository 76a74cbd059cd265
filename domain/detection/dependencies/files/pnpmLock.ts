import type { SourceFile, Span } from "../../SourceFile.ts"
import { type LockedPackage, type LockFile, maxPackages, type Unreadable } from "./LockFile.ts"

interface Entry {
  readonly name: string
  readonly version: string
  readonly span: Span
  readonly needs: Set<string>
}

/** `/name/1.2.3` (5), `/name@1.2.3` (6), `name@1.2.3` (9); the resolved peers follow in parentheses or after `_`. */
const key = /^\/?((?:@[^/@\s]+\/)?[^/@\s]+)[/@](\d[^(_\s]*)/

const unquoted = (text: string): string => text.replace(/^(['"])(.*)\1$/, "$2")

/** The key and value of a line, separated by the first colon that is followed by white space or the end of the line. */
const keyValue = (line: string): { readonly key: string; readonly value: string | undefined } | undefined => {
  for (let at = line.indexOf(":", 1); at !== -1; at = line.indexOf(":", at + 1)) {
    if (at === line.length - 1) return { key: line.slice(0, at), value: undefined }
    if (/\s/.test(line[at + 1]!)) return { key: line.slice(0, at), value: line.slice(at + 1).trimStart() }
  }
  return undefined
}

/** A value names a version or, in lock files up to version 6, another package's key. */
const needOf = (name: string, value: string): string => {
  const other = key.exec(unquoted(value))
  return other !== null && value.includes("/")
    ? `${other[1]}@${other[2]}`
    : `${name}@${/^[^(_\s]*/.exec(unquoted(value))![0]}`
}

/** Reads a pnpm-lock.yaml, lockfile versions 5 to 9, in the block style that pnpm writes. */
export const readPnpmLock = (file: SourceFile): LockFile | Unreadable => {
  const { text } = file
  if (!/^lockfileVersion:/m.test(text)) return { reason: "is not a pnpm-lock.yaml: lockfileVersion is missing" }
  const entries = new Map<string, Entry>()
  const direct = new Map<string, string>()
  let part = ""
  let current: Entry | undefined
  let table = ""
  let named: string | undefined
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf("\n", start)
    const end = lineBreak === -1 ? text.length : lineBreak
    const line = end - start > 4_000 ? "" : text.slice(start, end).trimEnd()
    const trimmed = line.trimStart()
    const found = keyValue(trimmed)
    if (found !== undefined) {
      const indent = line.length - trimmed.length
      const name = unquoted(found.key)
      const { value } = found
      if (indent === 0) {
        part = name
        current = undefined
        table = name
      } else if (part === "packages" || part === "snapshots") {
        const pinned = indent === 2 ? key.exec(name) : null
        if (pinned !== null) {
          const id = `${pinned[1]}@${pinned[2]}`
          if (entries.size >= maxPackages) return { reason: `has more than ${maxPackages} packages` }
          current = entries.get(id) ?? {
            name: pinned[1]!,
            version: pinned[2]!,
            span: { start: start + indent, end: start + line.length },
            needs: new Set(),
          }
          entries.set(id, current)
        } else if (indent === 4) table = name
        else if (indent === 6 && value !== undefined && /^(?:optionalD|d)ependencies$/.test(table)) {
          current?.needs.add(needOf(name, value))
        }
      } else {
        // `dependencies:` of the root or of each importer; the version is on the same line or in a table below it.
        if (/^(?:dev|optional)?[dD]ependencies$/.test(name) && value === undefined) table = name
        else if (value === undefined) named = name
        else if (name === "version" && named !== undefined) direct.set(named, needOf(named, value))
        else if (name !== "specifier") direct.set(name, needOf(name, value))
      }
    }
    start = end + 1
  }
  const ids = new Map([...entries.keys()].map((id, index) => [id, index]))
  const packages: ReadonlyArray<LockedPackage> = [...entries.values()].map(({ name, version, span, needs }) => ({
    name,
    version,
    span,
    published: true,
    requires: [...needs].flatMap((need) => ids.get(need) ?? []),
  }))
  return { file, packages, direct: (name) => ids.get(direct.get(name) ?? "") }
}
