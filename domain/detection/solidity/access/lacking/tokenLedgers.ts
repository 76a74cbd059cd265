import { oncePer } from "../../../oncePer.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { isComputedSlot } from "../../flow/graph/storagePlace.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { type Deed, isPayout } from "../entries/deeds.ts"
import { accessOf } from "../entries/entries.ts"

/**
 * Tables in which `transfer(address,uint256)` moves amounts from the sender's entry to that of the first parameter, or
 * from which the sender is paid, with the member of the entry that holds the amount.
 */
export const tokenLedgers = oncePer((program: Program): ReadonlyMap<StateVariable, string> => {
  const found = new Map<StateVariable, string>()
  for (const flow of program.allFlows()) {
    if (flow.fn.signature !== "transfer(address,uint256)") continue
    for (const { place } of flow.writes) {
      if (place === undefined || (place.keys.sources & Source.sender) === 0) continue
      for (const variable of place.variables) {
        const credits = flow.writes.some(
          (other) =>
            other.place?.variables.includes(variable) === true &&
            other.place.path === place.path &&
            has(other.place.keys, Source.parameter),
        )
        if (credits && !isComputedSlot(variable)) found.set(variable, place.path)
      }
    }
  }
  // Entries of the sender that are lowered where they are paid.
  for (const { deeds } of accessOf(program).entries) {
    if (!deeds.some(paysOut)) continue
    for (const { variable, path, keys, reached } of deeds)
      if (variable?.type.kind === "mapping" && path !== undefined && isOfSender(keys))
        if (reached.event.kind === "write" && isLowered(program, reached.event)) found.set(variable, path)
  }
  // A token that cannot be transferred identifies its table by `balanceOf(address)`.
  for (const contract of program.contracts) {
    const fns = program.functionsOf(contract)
    if (!fns.some(({ signature }) => signature === "transfer(address,uint256)")) continue
    const shown = fns.find(({ signature }) => signature === "balanceOf(address)")
    if (shown === undefined) continue
    for (const { place } of program.flow(shown).reads) {
      const [variable] = place?.variables ?? []
      if (variable?.type.kind === "mapping" && only(place!.keys, Source.parameter)) found.set(variable, place!.path)
    }
  }
  return found
})

/** Selected by the sender, and by the place of the table. */
const isOfSender = (keys: Origins): boolean =>
  has(keys, Source.sender) && only(keys, Source.sender | Source.literal | Source.constant | Source.hash)

const paysOut = (deed: Deed): boolean =>
  isPayout(deed) || (deed.reached.event.kind === "call" && deed.reached.event.value !== undefined)
