import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import { type Deed, isCleared, isOwn, isWrite } from "../entries/deeds.ts"
import { type Access, type Entry, isFixed } from "../entries/entries.ts"
import { isAnnounced, isDue, isVetted, told } from "../entries/intent.ts"

/**
 * Whether callers decide what is done: a value, an amount, who receives it, or that something is switched. Whoever only
 * names an item, whose state or price says the rest, or calls on someone else whom anyone may call, decides nothing
 * but when.
 */
export const decides = (access: Access, entry: Entry): boolean => {
  const open = entry.open.slice(0, examined)
  // What is emptied is filled again, or goes where the rest of the function sends it.
  const kept = new Set(
    open.flatMap((deed): ReadonlyArray<StateVariable | undefined> => {
      if (!isWrite(deed)) return deed.value.state
      return isFixed(deed.value) ? [] : [deed.variable]
    }),
  )
  const doesMore = open.some((deed) => !isWrite(deed) || !isFixed(deed.value))
  return open.some((deed) => {
    if (deed.demands.facts.some(isDue) || has(deed.keys, Source.created)) return false
    if (!isWrite(deed)) {
      const { event } = deed.reached
      if (event.kind === "call" && event.callKind === "unknown") return true
      return isTold(deed.value, itemsOf(deed)) && !isAnnounced(deed) && !isOpenToAll(access, entry, deed)
    }
    if (!isFixed(deed.value)) return isTold(deed.value) && !isAnnounced(deed)
    // A switch, unless the check of the item also permits what the function is for.
    const isSelected = deed.keys.sources === 0 || has(deed.keys, told) || deed.keys.keyParameters.length > 0
    return isSelected && !(isCleared(deed) && kept.has(deed.variable)) && !(doesMore && isVetted(deed))
  })
}

/** Whether the caller determines what is written, or what another contract is told besides the items that it looks up. */
export const isCallerDetermined = (deed: Deed): boolean => isTold(deed.value, isWrite(deed) ? undefined : itemsOf(deed))

/** Limit: deeds of one function that are examined. */
const examined = 64

/** Whether the caller's word is part of a value, other than as the name of one of these items. */
const isTold = (value: Origins, items: ReadonlySet<LocalVariable> = new Set()): boolean =>
  has(value, Source.calldata | Source.sender) ||
  value.parameters.some((p) => !items.has(p)) ||
  // what is not understood, or what a function without source computes from a number, unlike what it looks up for an account
  (has(value, Source.unknown) &&
    ((value.keys === 0 && value.keyParameters.length === 0) || value.keyParameters.some((p) => !isName(p))))

const isName = ({ type }: LocalVariable): boolean =>
  type.kind === "address" || type.kind === "contract" || (type.kind === "fixedBytes" && type.size === 32)

/** Parameters by which a call's other arguments, or the checks before it, are looked up. */
const itemsOf = ({ value, demands }: Deed): ReadonlySet<LocalVariable> =>
  new Set([
    ...value.keyParameters,
    ...demands.facts.flatMap((fact) =>
      fact.kind === "any"
        ? []
        : [fact.left, ...(fact.right === undefined ? [] : [fact.right])].flatMap((side) =>
            has(side, Source.state | Source.external) ? side.keyParameters : [],
          ),
    ),
  ])

/** Limit: functions of one signature that are examined. */
const alike = 40

/** Whether the called function does the same for every caller. */
const isOpenToAll = (access: Access, entry: Entry, { reached: { event } }: Deed): boolean => {
  const target = event.kind === "call" ? event.target : undefined
  if (target === undefined) return false
  const all = (access.bySignature.get(target.signature) ?? [])
    .slice(0, alike)
    .filter((other) => other !== entry && other.contract.linearization.includes(target.contract!))
  return (
    all.length > 0 &&
    all.every(
      ({ guarded, deeds }) =>
        !guarded &&
        deeds.every((deed) => !isOwn(deed) && !has(deed.value, Source.sender) && !has(deed.keys, Source.sender)),
    )
  )
}
