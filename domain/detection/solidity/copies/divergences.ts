import { oncePer, oncePerPair } from "../../oncePer.ts"
import { indexBy } from "../../indexBy.ts"
import type { FunctionModel } from "../model.ts"
import type { Program } from "../program.ts"
import type * as S from "../syntax.ts"
import { walk } from "../visit.ts"
import { copiesOf, type Copy, type Version } from "./copies.ts"
import { type Item, itemsOf } from "./items.ts"

/** Something that every copy of a function asks or does, and this one does not. */
export interface Divergence {
  readonly fn: FunctionModel
  readonly item: Item
  /** What this function asks or does in its place. */
  readonly instead?: Item
  /** The copies. */
  readonly of: ReadonlyArray<FunctionModel>
}

export const divergences = oncePer((program: Program): ReadonlyArray<Divergence> => {
  const found: Array<Divergence> = []
  for (const [version, copies] of copiesOf(program))
    for (const fn of version.functions) {
      if (fn.mutability === "view" || fn.mutability === "pure") continue
      const divergence = divergenceIn(program, fn, version, copies)
      if (divergence !== undefined) found.push(divergence)
    }
  return found
})

const divergenceIn = (
  program: Program,
  fn: FunctionModel,
  version: Version,
  copies: ReadonlyArray<Copy>,
): Divergence | undefined => {
  const others = copies.filter((copy) => !copy.version.functions.some((other) => isOverride(fn, other)))
  const having = indexBy(others, ({ more }) => more.filter(({ kind }) => kind !== "other").map(({ words }) => words))
  for (const [words, all] of having) {
    if (all.length < others.length) continue
    const of = all.flatMap(({ version: { functions } }) => functions)
    if (version.functions.length > 1 && version.functions.length >= of.length) continue
    const nearest = all.reduce((best, copy) => (differences(copy) < differences(best) ? copy : best))
    const item = nearest.version.items.get(words)!
    const alike = nearest.less.filter(({ kind }) => kind === item.kind)
    const instead = alike.find((each) => isVariant(item, each))
    // a different check has its reason
    if (instead === undefined && item.kind === "guard" && alike.length > 0) continue
    if (!isTelling(nearest, of.length, instead)) continue
    if (isAskedNearby(program, fn, words) || !isKnownTo(program, fn, item.node)) continue
    return { fn, item, of, ...(instead === undefined ? {} : { instead }) }
  }
  return undefined
}

const differences = ({ more, less }: Copy): number => more.length + less.length

/** One copy must be the same in everything else; several may differ a little, if they agree about this. */
const isTelling = (copy: Copy, times: number, instead: Item | undefined): boolean => {
  const core = copy.shared.filter(({ kind }) => kind !== "guard").length
  if (core < 2) return false
  return instead === undefined ? differences(copy) <= (times > 1 ? 3 : 1) : times > 1 && differences(copy) <= 3
}

/** What overrides a function differs from it on purpose. */
const isOverride = ({ contract }: FunctionModel, { contract: other }: FunctionModel): boolean =>
  contract !== other &&
  contract !== undefined &&
  other !== undefined &&
  (contract.linearization.includes(other) || other.linearization.includes(contract))

const wordsOf = oncePerPair(
  (program: Program, fn: FunctionModel): ReadonlySet<string> => new Set(itemsOf(program, fn).map(({ words }) => words)),
)

/** Limit: functions around one that may ask or do in its place what it does not. */
const nearby = 32

/** Whether a function that it calls, or that calls it, asks or does the same. */
const isAskedNearby = (program: Program, fn: FunctionModel, words: string): boolean =>
  [
    ...program.graph
      .callees(fn)
      .slice(0, nearby)
      .map(({ to }) => to),
    ...program.graph
      .callers(fn)
      .slice(0, nearby)
      .map(({ from }) => from),
  ].some((near) => wordsOf(program, near).has(words))

/** Whether the contract has the state and the functions that the copy uses. */
const isKnownTo = (program: Program, fn: FunctionModel, node: S.Node): boolean => {
  let isKnown = true
  walk(node, (each) => {
    if (each.kind !== "Identifier" || !isKnown) return isKnown
    const named = program.referenceOf(each)
    if ((named?.kind === "StateVariable" || named?.kind === "Function") && named.contract !== undefined)
      isKnown = fn.contract?.linearization.some(({ names }) => names.has(named.name)) === true
    return isKnown
  })
  return isKnown
}

/** The same names with another operator or literal; in another order, it may mean the same. */
const isVariant = (item: Item, instead: Item): boolean => {
  const [all, others] = [item, instead].map(({ words }) => words.split(" "))
  const known = new Set(all)
  return (
    others!.every((word) => known.has(word) || !/^\.?[A-Za-z_]/.test(word)) &&
    all!.toSorted().join(" ") !== others!.toSorted().join(" ")
  )
}
