import type { Declared } from "./declare.ts"
import type { SourceModel } from "./model.ts"

/**
 * Parts are filled up to this many lines: the time per line grows by a third between parts of 20,000 lines and one of
 * 300,000.
 */
const linesOfPart = 30_000

/** Disjoint sets of sources. */
class Sets {
  private readonly up = new Map<SourceModel, SourceModel>()

  of(source: SourceModel): SourceModel {
    let root = source
    for (let next = this.up.get(root); next !== undefined; next = this.up.get(root)) root = next
    for (let at = source; at !== root;) {
      const next = this.up.get(at)!
      this.up.set(at, root)
      at = next
    }
    return root
  }

  join(a: SourceModel, b: SourceModel): void {
    const [first, second] = [this.of(a), this.of(b)]
    if (first !== second) this.up.set(second, first)
  }
}

const word = /[A-Za-z_$][\w$]*/g

/** Files that can see each other's names: by imports or, if imports are missing, by the names they use. */
const linked = ({ sources, scopes }: Declared): Sets => {
  const sets = new Sets()
  for (const source of sources) {
    for (const { source: target } of source.imports) if (target !== undefined) sets.join(source, target)
  }
  const incomplete = new Set(sources.filter((s) => s.missingImports.length > 0).map((s) => sets.of(s)))
  for (const source of sources.filter((s) => incomplete.has(sets.of(s)))) {
    for (const name of new Set(source.file.text.match(word))) {
      if (!scopes.isDeclared(name)) continue
      for (const found of scopes.global(source, name)) {
        const target = found.kind === "Source" ? found : "source" in found ? found.source : undefined
        if (target !== undefined) sets.join(source, target)
      }
    }
  }
  return sets
}

/** The sources in parts that have nothing to do with each other; sources and parts are in the order of their paths. */
export const partsOf = (declared: Declared, lines: number = linesOfPart): ReadonlyArray<ReadonlyArray<SourceModel>> => {
  const { sources } = declared
  const total = sources.reduce((sum, { file }) => sum + file.lineStarts.length, 0)
  if (total <= lines) return [sources]
  const sets = linked(declared)
  const components = new Map<SourceModel, Array<SourceModel>>()
  for (const source of sources) {
    const root = sets.of(source)
    const known = components.get(root)
    if (known === undefined) components.set(root, [source])
    else known.push(source)
  }
  const parts: Array<Set<SourceModel>> = []
  let room = 0
  for (const component of components.values()) {
    const size = component.reduce((sum, { file }) => sum + file.lineStarts.length, 0)
    if (parts.length === 0 || size > room) {
      parts.push(new Set())
      room = lines
    }
    for (const source of component) parts.at(-1)!.add(source)
    room -= size
  }
  return parts.map((part) => sources.filter((source) => part.has(source)))
}
