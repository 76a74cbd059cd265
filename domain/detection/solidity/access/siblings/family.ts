import { oncePer, oncePerPair } from "../../../oncePer.ts"
import { Source } from "../../flow/graph/origins.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import { isOwn } from "../entries/deeds.ts"
import { type Access, type Entry, isNamed, runsOnce } from "../entries/entries.ts"
import { isSetting } from "../entries/intent.ts"
import { type Alike, alikeIn, compared, noneAlike, standsFor } from "./alike.ts"

// The other entry points of the same contract, with or without its bases and derived contracts.

const membersIn = oncePer((access: Access) =>
  oncePerPair((contract: ContractModel, context: ContractModel): ReadonlyArray<Entry> => {
    const contracts = new Set([
      ...contract.linearization,
      ...context.linearization,
      ...contract.derived.slice(0, compared),
    ])
    const found: Array<Entry> = []
    for (const each of contracts) {
      if (found.length >= compared) break
      found.push(...(access.own.get(each) ?? []).slice(0, compared))
    }
    return found.slice(0, compared)
  }),
)

/** The other entry points of the contract as deployed, of its bases and of its derived contracts. */
export interface Family extends Alike {
  readonly setters: Alike
  /** Whether all of them keep strangers out, also from what concerns only the caller. */
  readonly closed: boolean
}

export const familyOf = oncePerPair((access: Access, entry: Entry): Family => {
  const { contract, fn, flow } = entry
  const members = membersIn(access)(contract, flow.context ?? contract).filter(
    (other) =>
      other !== entry && other.fn.signature !== fn.signature && standsFor(other, entry) && !runsOnce(access, other),
  )
  const family = alikeIn(members)
  const guarded = family.guarded.filter(isForSome)
  return {
    guarded,
    open: family.open,
    closed: members.every((other) => other.guarded),
    setters: { guarded: guarded.filter(isSetter), open: members.filter(isOpenSetter).length },
  }
})

/** Whether it admits certain callers: whoever knows the text behind a stored hash may be anyone. */
const isForSome = oncePer(({ deeds }: Entry): boolean =>
  deeds.some(({ demands }) => demands.standing === "guarded" && demands.kinds.some((kind) => kind !== "proof")),
)

const isSetter = oncePer(({ deeds }: Entry): boolean => deeds.some(isSetting))

const isOpenSetter = oncePer(({ open }: Entry): boolean => open.some(isSetting))

/** Those functions of a contract that others are compared with. */
const comparable = oncePerPair((access: Access, contract: ContractModel): ReadonlyArray<Entry> =>
  (access.own.get(contract) ?? [])
    .slice(0, compared)
    .filter((entry) => entry.fn.role === "function" && !runsOnce(access, entry)),
)

/** The other functions of the same contract. */
export const otherEntriesOf = (access: Access, entry: Entry): ReadonlyArray<Entry> =>
  comparable(access, entry.contract).filter((other) => other !== entry)

/** The functions of a contract that write one variable. */
interface Writers {
  readonly all: Set<Entry>
  /** Those that write the sender's own part of it. */
  readonly own: Set<Entry>
}

const writersIn = oncePerPair((access: Access, contract: ContractModel): ReadonlyMap<StateVariable, Writers> => {
  const found = new Map<StateVariable, Writers>()
  for (const entry of comparable(access, contract)) {
    for (const deed of entry.deeds) {
      if (deed.variable === undefined) continue
      let each = found.get(deed.variable)
      if (each === undefined) found.set(deed.variable, (each = { all: new Set(), own: new Set() }))
      each.all.add(entry)
      if (isOwn(deed)) each.own.add(entry)
    }
  }
  return found
})

/**
 * Those among the other functions of the contract that write a variable; with `own`, those that write the sender's part
 * of it.
 */
export const besidesWriting = (
  access: Access,
  entry: Entry,
  variable: StateVariable,
  own = false,
): ReadonlyArray<Entry> => {
  const writers = writersIn(access, entry.contract).get(variable)
  return [...((own ? writers?.own : writers?.all) ?? [])].filter((other) => other !== entry)
}

/** The other setters of the same contract. */
export const settersBeside = (access: Access, entry: Entry): Alike => {
  const { guarded, open } = alikeIn(otherEntriesOf(access, entry).filter(isSetter))
  return { guarded: guarded.filter(isForSome), open }
}

/** The account to which a function only forwards its arguments. */
const passesTo = oncePer(({ deeds }: Entry): StateVariable | undefined => {
  const to = deeds.map(({ variable, keys, value }) =>
    variable === undefined &&
    keys.sources !== 0 &&
    (keys.sources & ~(Source.state | Source.immutable)) === 0 &&
    isNamed(value)
      ? keys.state[0]
      : undefined,
  )
  return to.every((each) => each === to[0]) ? to[0] : undefined
})

/** The other functions of the same contract that forward their arguments to the same account. */
export const passedOn = (access: Access, entry: Entry): Alike => {
  const to = passesTo(entry)
  return to === undefined ? noneAlike : alikeIn(otherEntriesOf(access, entry).filter((other) => passesTo(other) === to))
}
