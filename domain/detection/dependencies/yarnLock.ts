import type { SourceFile, Span } from "../Source.ts"
import { type LockedPackage, type LockFile, maxPackages, type Unreadable } from "./LockFile.ts"

interface Entry {
  readonly name: string
  version: string | undefined
  span: Span | undefined
  published: boolean
  readonly needs: Array<string>
}

/** `@scope/name@^1.0.0` and, from Yarn 2 on, `@scope/name@npm:^1.0.0`. */
const descriptor = /^((?:@[^/@\s]+\/)?[^@\s]+)@(.*)$/

/** A descriptor without the protocol that Yarn 2 adds; an npm alias gives the package's own name. */
const plain = (text: string): { readonly key: string; readonly name: string } | undefined => {
  const found = descriptor.exec(text)
  if (found === null) return undefined
  const range = found[2]!.replace(/^(?:npm|virtual:[^#]*#npm):/, "")
  const aliased = descriptor.exec(range)
  return { key: `${found[1]}@${range}`, name: aliased === null ? found[1]! : aliased[1]! }
}

const unquoted = (text: string): string => text.replace(/^"(.*)"$/, "$1")

/** Reads the yarn.lock of Yarn 1 and of Yarn 2 and later ones, line by line. https://classic.yarnpkg.com/docs/yarn-lock */
export const readYarnLock = (file: SourceFile): LockFile | Unreadable => {
  const { text } = file
  const entries: Array<Entry> = []
  const byDescriptor = new Map<string, number>()
  const byName = new Map<string, Array<number>>()
  let current: Entry | undefined
  let section = ""
  let foreign = false
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf("\n", start)
    const end = lineBreak === -1 ? text.length : lineBreak
    const line =
      end - start > 20_000
        ? ""
        : text
            .slice(start, end)
            .replace(/\s#\s[^]*$/, "")
            .trimEnd()
    const trimmed = line.trimStart()
    const indent = line.length - trimmed.length
    if (trimmed === "" || trimmed.startsWith("#")) {
      // Neither ends an entry.
    } else if (indent === 0) {
      current = undefined
      section = ""
      const all = line.endsWith(":")
        ? unquoted(line.slice(0, -1))
            .split(/"?,\s*"?/)
            .flatMap((one) => plain(unquoted(one.trim())) ?? [])
        : []
      if (all.length === 0) foreign ||= line !== "__metadata:"
      else {
        if (entries.length >= maxPackages) return { reason: `has more than ${maxPackages} packages` }
        current = { name: all[0]!.name, version: undefined, span: undefined, published: true, needs: [] }
        for (const { key } of all) byDescriptor.set(key, entries.length)
        byName.set(current.name, [...(byName.get(current.name) ?? []).slice(0, 99), entries.length])
        entries.push(current)
      }
    } else if (current !== undefined && indent <= 2) {
      const [, version] = /^version:? "?([^"\s]{1,256})"?$/.exec(trimmed) ?? []
      if (version !== undefined) {
        current.version = version
        current.span = { start: start + indent, end: start + line.length }
      }
      if (/^resolution:.*@(?:workspace|link|portal|file):/.test(trimmed)) current.published = false
      section = trimmed
    } else if (current !== undefined && /^(?:dependencies|optionalDependencies|peerDependencies):$/.test(section)) {
      const [, name, range] = /^"?((?:@[^/"\s]+\/)?[^"\s:]+)"?:? "?([^"]*)"?$/.exec(trimmed) ?? []
      if (name !== undefined) current.needs.push(plain(`${name}@${range}`)?.key ?? name)
    }
    start = end + 1
  }
  if (entries.length === 0 && (foreign || !/yarn lockfile|^__metadata:/m.test(text))) {
    return { reason: "is not a yarn.lock: it names no package" }
  }
  const resolve = (key: string): number | undefined => {
    const exact = byDescriptor.get(key)
    if (exact !== undefined) return exact
    const same = byName.get(descriptor.exec(key)?.[1] ?? key) ?? []
    return same.length === 1 ? same[0] : undefined
  }
  const packages: ReadonlyArray<LockedPackage> = entries.map(({ name, version = "", span, published, needs }) => ({
    name,
    version,
    span: span ?? { start: 0, end: 0 },
    published: published && span !== undefined,
    requires: needs.flatMap((need) => resolve(need) ?? []),
  }))
  return {
    file,
    packages,
    direct: (name, requirement) => resolve(plain(`${name}@${requirement}`)?.key ?? name),
  }
}
