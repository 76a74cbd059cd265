import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import { sourceRoles } from "../../SourceRole.ts"
import type { FunctionModel } from "../model.ts"
import type { Program } from "../program.ts"
import { type Item, itemsOf } from "./items.ts"

/** Functions of one name that read the same, up to the names of locals and the text of messages. */
export interface Version {
  readonly functions: ReadonlyArray<FunctionModel>
  readonly items: ReadonlyMap<string, Item>
}

/** Another version of a function, which checks and does mostly the same. */
export interface Copy {
  readonly version: Version
  readonly shared: ReadonlyArray<Item>
  /** What only the copy checks and does. */
  readonly more: ReadonlyArray<Item>
  /** What the copy neither checks nor does. */
  readonly less: ReadonlyArray<Item>
}

/** Limit: versions with an item in common that are compared. */
const compared = 24

/** `_withdraw` and `withdraw` are one name; with other arguments, it is another function. */
const nameOf = ({ name, role, parameters }: FunctionModel): string =>
  `${role === "function" || role === "free" ? name.replace(/^_+/, "") : role} ${parameters.length}`

const versionsOf = (program: Program): ReadonlyArray<Version> => {
  const roleOf = sourceRoles(program.everything.sources.map(({ file }) => file.path))
  const byText = Map.groupBy(
    program
      .allFlows()
      .flatMap(({ fn }) => (fn.role === "constructor" || roleOf(fn.source.file.path) === "test" ? [] : fn)),
    (fn) => [nameOf(fn), ...itemsOf(program, fn).map(({ words }) => words)].join("\n"),
  )
  return [...byText.values()].map((functions) => ({
    functions,
    items: new Map(itemsOf(program, functions[0]!).map((item) => [item.words, item])),
  }))
}

/** The versions of each function that differ in little. */
export const copiesOf = oncePer((program: Program): ReadonlyMap<Version, ReadonlyArray<Copy>> => {
  const versions = versionsOf(program)
  const keysOf = ({ functions, items }: Version): ReadonlyArray<string> =>
    [...items.keys()].map((words) => `${nameOf(functions[0]!)} ${words}`)
  const having = indexBy(versions, keysOf)
  const copies = new Map<Version, ReadonlyArray<Copy>>()
  for (const version of versions) {
    const times = new Map<Version, number>()
    for (const key of keysOf(version))
      for (const other of having.get(key)!.slice(0, compared)) times.set(other, (times.get(other) ?? 0) + 1)
    const found = [...times].flatMap(([other, shared]) =>
      other !== version && isAlike(shared, version, other) ? copyOf(version, other) : [],
    )
    if (found.length > 0) copies.set(version, found)
  }
  return copies
})

/** Most of what either checks and does, and too much to be a coincidence. */
const isAlike = (shared: number, one: Version, other: Version): boolean =>
  shared >= 3 && shared * 4 >= 3 * Math.max(one.items.size - 1, other.items.size - 1)

const copyOf = ({ items }: Version, version: Version): Copy => ({
  version,
  shared: [...items.values()].filter(({ words }) => version.items.has(words)),
  more: [...version.items.values()].filter(({ words }) => !items.has(words)),
  less: [...items.values()].filter(({ words }) => !version.items.has(words)),
})
