import type { SourceFile, Span } from "../../SourceFile.ts"
import { type LockedPackage, type LockFile, maxPackages, type Unreadable } from "./LockFile.ts"

interface Entry {
  readonly name: string
  version: string | undefined
  span: Span | undefined
  published: boolean
  readonly needs: Array<string>
}

/** `@scope/name@^1.0.0` and, since Yarn 2, `@scope/name@npm:^1.0.0`. */
const descriptor = /^((?:@[^/@\s]+\/)?[^@\s]+)@(.*)$/

/** A descriptor without the protocol that Yarn 2 adds; for an npm alias, the package's own name. */
const plain = (text: string): { readonly key: string; readonly name: string } | undefined => {
  const found = descriptor.exec(text)
  if (found === null) return undefined
  const range = found[2]!.replace(/^(?:npm|virtual:[^#]*#npm):/, "")
  const aliased = descriptor.exec(range)
  return { key: `${found[1]}@${range}`, name: aliased === null ? found[1]! : aliased[1]! }
}

const unquoted = (text: string): string => text.replace(/^"(.*)"$/, "$1")

/** Takes the lines of a file one by one; no entry is longer than its lines. */
class YarnLock {
  readonly entries: Array<Entry> = []
  /** Whether a line starts at the margin in a way that no yarn.lock does. */
  foreign = false
  private readonly byDescriptor = new Map<string, number>()
  private readonly byName = new Map<string, Array<number>>()
  private current: Entry | undefined
  private section = ""

  /** `start` is the offset of the line in the file. */
  line(line: string, start: number): void {
    const trimmed = line.trimStart()
    const indent = line.length - trimmed.length
    // Neither ends an entry.
    if (trimmed === "" || trimmed.startsWith("#")) return
    if (indent === 0) this.begin(line)
    else if (this.current !== undefined && indent <= 2) {
      this.property(this.current, trimmed, { start: start + indent, end: start + line.length })
    } else if (this.current !== undefined) this.need(this.current, trimmed)
  }

  /** The index of the package that a descriptor was resolved to. */
  resolve(key: string): number | undefined {
    const exact = this.byDescriptor.get(key)
    if (exact !== undefined) return exact
    const same = this.byName.get(descriptor.exec(key)?.[1] ?? key) ?? []
    return same.length === 1 ? same[0] : undefined
  }

  private begin(line: string): void {
    this.current = undefined
    this.section = ""
    const all = line.endsWith(":")
      ? unquoted(line.slice(0, -1))
          .split(/"?,\s*"?/)
          .flatMap((one) => plain(unquoted(one.trim())) ?? [])
      : []
    if (all.length === 0) {
      this.foreign ||= line !== "__metadata:"
      return
    }
    const { name } = all[0]!
    this.current = { name, version: undefined, span: undefined, published: true, needs: [] }
    for (const { key } of all) this.byDescriptor.set(key, this.entries.length)
    this.byName.set(name, [...(this.byName.get(name) ?? []).slice(0, 99), this.entries.length])
    this.entries.push(this.current)
  }

  private property(entry: Entry, text: string, span: Span): void {
    const [, version] = /^version:? "?([^"\s]{1,256})"?$/.exec(text) ?? []
    if (version !== undefined) {
      entry.version = version
      entry.span = span
    }
    if (/^resolution:.*@(?:workspace|link|portal|file):/.test(text)) entry.published = false
    this.section = text
  }

  private need(entry: Entry, text: string): void {
    if (!/^(?:dependencies|optionalDependencies|peerDependencies):$/.test(this.section)) return
    const [, name, range] = /^"?((?:@[^/"\s]+\/)?[^"\s:]+)"?:? "?([^"]*)"?$/.exec(text) ?? []
    if (name !== undefined) entry.needs.push(plain(`${name}@${range}`)?.key ?? name)
  }
}

/** Longer files were not written by a package manager. */
const maxLine = 20_000

/** Reads a yarn.lock of Yarn 1, or of Yarn 2 or newer, line by line. https://classic.yarnpkg.com/docs/yarn-lock */
export const readYarnLock = (file: SourceFile): LockFile | Unreadable => {
  const { text } = file
  const lock = new YarnLock()
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf("\n", start)
    const end = lineBreak === -1 ? text.length : lineBreak
    if (end - start <= maxLine) {
      const line = text.slice(start, end).replace(/\s#\s[^]*$/, "")
      lock.line(line.trimEnd(), start)
      if (lock.entries.length > maxPackages) return { reason: `has more than ${maxPackages} packages` }
    }
    start = end + 1
  }
  if (lock.entries.length === 0 && (lock.foreign || !/yarn lockfile|^__metadata:/m.test(text))) {
    return { reason: "is not a yarn.lock: it names no package" }
  }
  const packages: ReadonlyArray<LockedPackage> = lock.entries.map(({ name, version = "", span, published, needs }) => ({
    name,
    version,
    span: span ?? { start: 0, end: 0 },
    published: published && span !== undefined,
    requires: needs.flatMap((need) => lock.resolve(need) ?? []),
  }))
  return {
    file,
    packages,
    direct: (name, requirement) => lock.resolve(plain(`${name}@${requirement}`)?.key ?? name),
  }
}
