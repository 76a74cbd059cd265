import { oncePer, oncePerPair } from "../../oncePer.ts"
import { indexBy } from "../../indexBy.ts"
import type { FunctionModel } from "../model.ts"
import type { Program } from "../program.ts"
import type * as S from "../syntax.ts"
import { walk } from "../visit.ts"
import { copiesOf, type Copy, type Version } from "./copies.ts"
import { type Item, itemsOf } from "./items.ts"

/** Something that every copy of a function checks or does, except this one. */
export interface Divergence {
  readonly fn: FunctionModel
  readonly item: Item
  /** What this function checks or does in its place. */
  readonly instead?: Item
  /** The copies. */
  readonly of: ReadonlyArray<FunctionModel>
}

export const divergences = oncePer((program: Program): ReadonlyArray<Divergence> => {
  const found: Array<Divergence> = []
  for (const [version, copies] of copiesOf(program)) {
    if (version.functions.length > exceptions) continue
    for (const fn of version.functions) {
      if (fn.mutability === "view" || fn.mutability === "pure") continue
      const divergence = divergenceIn(program, fn, version, copies)
      if (divergence !== undefined) found.push(divergence)
    }
  }
  return found
})

/** Limit: contracts in which one version stands that is still an exception. */
const exceptions = 4

/** Limit: functions of one version that are listed or compared, and functions around one. */
const nearby = 32

const divergenceIn = (
  program: Program,
  fn: FunctionModel,
  version: Version,
  copies: ReadonlyArray<Copy>,
): Divergence | undefined => {
  const others = copies.filter(
    (copy) => !copy.version.functions.slice(0, nearby).some((other) => isOverride(fn, other)),
  )
  const having = indexBy(others, ({ more }) =>
    more.filter(({ kind }) => kind === "guard" || kind === "effect").map(({ words }) => words),
  )
  for (const [words, all] of having) {
    if (all.length < others.length) continue
    const of = all.flatMap(({ version: { functions } }) => functions.slice(0, nearby))
    if (version.functions.length > 1 && version.functions.length >= of.length) continue
    const nearest = all.reduce((best, copy) => (differences(copy) < differences(best) ? copy : best))
    const item = nearest.version.items.get(words)!
    const alike = nearest.less.filter(({ kind }) => kind === item.kind)
    const instead = alike.find((each) => isVariant(item, each))
    // a different check has its reason, and so does the same call to someone else
    if (instead === undefined && alike.some((each) => item.kind === "guard" || headOf(each) === headOf(item))) continue
    if (!isTelling(nearest, of.length, instead)) continue
    if (isAskedNearby(program, fn, words) || !isKnownTo(program, fn, item.node)) continue
    return { fn, item, of, ...(instead === undefined ? {} : { instead }) }
  }
  return undefined
}

const differences = ({ more, less }: Copy): number => more.length + less.length

/** One copy must be the same in everything else; several may differ a little, if they agree about this. */
const isTelling = (copy: Copy, times: number, instead: Item | undefined): boolean => {
  const core = copy.shared.filter(({ kind }) => kind === "effect" || kind === "other").length
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

/** Whether a function that it calls, or that calls it, checks or does the same. */
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

/** `call2 .transfer`, `+= total`: what is done, and to what. */
const headOf = ({ words }: Item): string => words.split(" ", 2).join(" ")

/** The same names, or one less, with another operator or literal; in another order, it may mean the same. */
const isVariant = (item: Item, instead: Item): boolean => {
  const [names, others] = [namesIn(item), namesIn(instead)]
  return (
    names.size - others.size <= 1 &&
    [...others].every((name) => names.has(name)) &&
    sortedIn(item) !== sortedIn(instead)
  )
}

const namesIn = ({ words }: Item): ReadonlySet<string> =>
  new Set(words.split(" ").filter((word) => /^\.?[A-Za-z_]/.test(word)))

const sortedIn = ({ words }: Item): string => words.split(" ").toSorted().join(" ")
