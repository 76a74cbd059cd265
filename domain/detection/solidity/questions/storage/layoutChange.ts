import type { ContractModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { bareName, isSamePlace, isSameVariable, layoutOf, overlaps, type Placed } from "./layout.ts"

/** A variable of the former release, and what a later one keeps in its place. */
interface LayoutChange {
  readonly before: Placed
  readonly after: Placed
}

/** Variables of one layout that are compared. */
const placesLimit = 200

/** The later layout keeps what the former one has, most of it under the same names. */
export const isSuccessor = (program: Program, before: ContractModel, after: ContractModel): boolean => {
  const names = new Set(layoutOf(program, after).map(bareName))
  const former = layoutOf(program, before)
  const kept = former.filter((placed) => names.has(bareName(placed))).length
  return kept > 0 && kept * 2 >= former.length
}

/**
 * The first place that an upgrade from one contract to another gives a new meaning. A new name for the same kind of value is
 * none, nor is what follows the former layout or fills `reserved` slots.
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
    // a place that is given up is not read as anything else
    if (hit !== undefined && !reserved(hit)) return { before: placed, after: hit }
  }
  return undefined
}
