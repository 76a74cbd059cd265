import type { ContractModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { bareName, isSamePlace, isSameVariable, layoutOf, overlaps, type Placed } from "./layout.ts"

/** A variable of the earlier release, and what a later one stores in its place. */
interface LayoutChange {
  readonly before: Placed
  readonly after: Placed
}

/** Limit: variables of one layout that are compared. */
const placesLimit = 200

/** Whether the later layout keeps the earlier one's variables, most of them under the same names. */
export const isSuccessor = (program: Program, before: ContractModel, after: ContractModel): boolean => {
  const names = new Set(layoutOf(program, after).map(bareName))
  const former = layoutOf(program, before)
  const kept = former.filter((placed) => names.has(bareName(placed))).length
  return kept > 0 && kept * 2 >= former.length
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
  const formerNames = new Set(former.map(bareName))
  const laterNames = new Set(later.map(bareName))
  const isRenamed = (a: Placed, b: Placed): boolean =>
    isSamePlace(a, b) && !laterNames.has(bareName(a)) && !formerNames.has(bareName(b))
  for (const placed of former) {
    if (reserved(placed)) continue
    const hit = later.find(
      (one) =>
        one.variable !== placed.variable &&
        overlaps(placed, one) &&
        !isSameVariable(placed, one) &&
        !isRenamed(placed, one),
    )
    // An abandoned place is not read as anything else.
    if (hit !== undefined && !reserved(hit)) return { before: placed, after: hit }
  }
  return undefined
}
