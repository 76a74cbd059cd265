import type { ContractModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { bareName, isSameStart, layoutOf, overlaps, type Placed } from "./layout.ts"
import { keepsMeaning } from "./typeChange.ts"

/** A variable of the earlier release, and what a later one stores in its place, or where it looks for it instead. */
interface LayoutChange {
  readonly before: Placed
  readonly after: Placed
  readonly isMoved: boolean
}

/** Limit: variables of one layout that are compared. */
const placesLimit = 200

const nameOf = ({ variable }: Placed): string => bareName(variable)

/** Whether the later layout keeps the earlier one's variables, most of them under the same names. */
export const isSuccessor = (program: Program, before: ContractModel, after: ContractModel): boolean => {
  const names = new Set(layoutOf(program, after).map(nameOf))
  const former = layoutOf(program, before)
  const kept = former.filter((placed) => names.has(nameOf(placed))).length
  return kept * 2 >= former.length
}

/**
 * The first place that an upgrade from one contract to another gives a new meaning. A new name for the same kind of
 * value does not count, nor do variables appended to the earlier layout or placed in `reserved` slots.
 */
export const changedPlace = (
  program: Program,
  before: ContractModel,
  after: ContractModel,
  reserved: (placed: Placed) => boolean,
): LayoutChange | undefined => {
  const former = layoutOf(program, before).slice(0, placesLimit)
  const later = layoutOf(program, after).slice(0, placesLimit)
  const formerNames = new Set(former.map(nameOf))
  const namesakes = Map.groupBy(later, nameOf)
  for (const placed of former) {
    if (reserved(placed)) continue
    const same = namesakes.get(nameOf(placed)) ?? []
    if (same.some((one) => isKept(placed, one))) continue
    const isRenamed = (one: Placed): boolean =>
      same.length === 0 && !formerNames.has(nameOf(one)) && isKept(placed, one)
    const hit = later.find((one) => overlaps(placed, one) && !isRenamed(one))
    if (hit !== undefined && !reserved(hit))
      return { before: placed, after: hit, isMoved: same.includes(hit) && !isSameStart(placed, hit) }
    // an abandoned place is not read as anything else, unless its variable is expected elsewhere
    const moved = same.find((one) => one.after === placed.after)
    if (moved !== undefined) return { before: placed, after: moved, isMoved: true }
  }
  return undefined
}

/** Whether what was stored there is still read as intended. */
const isKept = (before: Placed, after: Placed): boolean =>
  isSameStart(before, after) &&
  before.bytes <= after.bytes &&
  keepsMeaning(before.variable.type, after.variable.type, true)
