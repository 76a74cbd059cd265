import type { Fact } from "../../flow/facts/facts.ts"
import type { StateVariable } from "../../model.ts"
import type { Deed } from "../entries/deeds.ts"
import type { Access, Entry } from "../entries/entries.ts"
import { isVetted } from "../entries/intent.ts"
import { besidesWriting } from "../siblings/family.ts"

/**
 * Whether a global variable is set to an account that the caller names, and that account is only checked against entries
 * that anyone can make: `require(requested[next]); owner = next;`.
 */
export const isSelfAttested = (access: Access, entry: Entry, deed: Deed): boolean => {
  if (deed.variable === undefined || deed.keys.sources !== 0 || !namesAccount(deed)) return false
  const vouching = deed.demands.facts.filter((fact) =>
    isVetted({ ...deed, demands: { ...deed.demands, facts: [fact] } }),
  )
  return (
    vouching.length > 0 &&
    vouching.every((fact) => stateIn(fact).some((variable) => isOpenTable(access, entry, variable)))
  )
}

const stateIn = (fact: Fact): ReadonlyArray<StateVariable> =>
  fact.kind === "any" ? [] : [...fact.left.state, ...(fact.right?.state ?? [])]

const namesAccount = ({ value }: Deed): boolean => value.parameters.some(({ type }) => type.kind === "address")

/** Whether anyone can make entries. */
const isOpenTable = (access: Access, entry: Entry, variable: StateVariable): boolean => {
  const writers = besidesWriting(access, entry, variable)
  return (
    writers.length > 0 &&
    writers.every(({ deeds }) => deeds.every((d) => d.variable !== variable || d.demands.standing !== "guarded"))
  )
}
