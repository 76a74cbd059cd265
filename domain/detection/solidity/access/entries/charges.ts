import type { Fact } from "../../flow/facts/facts.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable } from "../../model.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { type Deed, isPayout } from "./deeds.ts"
import { outward } from "../../demands/outward.ts"
import type { Entry } from "./entries.ts"

// Whose record is charged for what is paid.

/** Limit: payments of one function that are examined. */
const payoutLimit = 16

/**
 * The entry of an account that the caller names is lowered for a payment to someone else, and nothing says that the
 * account agrees, or that its own state permits it.
 */
export const chargedOther = (entry: Entry): Deed | undefined => {
  if (entry.guarded) return undefined
  const paid = entry.deeds.filter((deed) => isPayout(deed) || paysEther(deed))
  const payouts = (paid.length > 0 ? paid : entry.deeds.filter(isOrdered)).slice(0, payoutLimit)
  if (payouts.length === 0) return undefined
  return entry.deeds.find((deed) => {
    if (deed.demands.standing === "guarded") return false
    const account = chargedIn(deed)
    if (account === undefined) return false
    const sum = deed.value.parameters.concat(deed.value.keyParameters).filter(({ type }) => type.kind === "integer")
    return (
      sum.length > 0 &&
      payouts.every(
        (payout) =>
          goesElsewhere(payout, account) &&
          payout.value.parameters.some((p) => sum.includes(p)) &&
          !payout.demands.facts.some((fact) => permits(fact, account, sum)),
      ) &&
      !deed.demands.facts.some((fact) => permits(fact, account, sum))
    )
  })
}

const paysEther = ({ reached: { event } }: Deed): boolean => event.kind === "call" && event.value !== undefined

/** `bank.pay(to, amount)`: another contract is instructed to pay someone. */
const isOrdered = ({ variable, value, reached: { event } }: Deed): boolean =>
  variable === undefined &&
  event.kind === "call" &&
  event.callKind === "external" &&
  (has(value, Source.sender) || value.parameters.some(({ type }) => type.kind === "address")) &&
  value.parameters.some(({ type }) => type.kind === "integer")

/** The only account that selects an entry which is lowered. */
const chargedIn = ({ flow, variable, path, keys, reached: { event } }: Deed): LocalVariable | undefined => {
  const [account, ...others] = keys.parameters.filter(({ type }) => type.kind === "address")
  const isTaken =
    variable !== undefined && path?.includes("[]") === true && event.kind === "write" && isLowered(flow.program, event)
  return isTaken && others.length === 0 && ((keys.sources | keys.keys) & Source.sender) === 0 ? account : undefined
}

/** Whether the account that is charged is not among those that receive. */
const goesElsewhere = ({ flow, reached, value }: Deed, account: LocalVariable): boolean => {
  const { event } = reached
  const to = event.kind === "call" && event.receiver !== undefined ? outward(flow, reached, event.receiver) : undefined
  return !value.parameters.includes(account) && to?.parameters.includes(account) !== true
}

/** Whether a condition is about the account, beyond its having enough. */
const permits = (fact: Fact, account: LocalVariable, sum: ReadonlyArray<LocalVariable>): boolean => {
  if (fact.kind === "any") return fact.options.some((option) => option.some((each) => permits(each, account, sum)))
  const sides = fact.right === undefined ? [fact.left] : [fact.left, fact.right]
  if (sides.some(({ sources }) => (sources & (Source.recovered | Source.hash)) !== 0)) return true
  const concerns = ({ parameters, keyParameters, targetParameters }: Origins): boolean =>
    [...parameters, ...keyParameters, ...targetParameters].includes(account)
  if (!sides.some(concerns) || (fact.withZero && sides.some(({ parameters }) => parameters.includes(account))))
    return false
  return (
    sides.some(({ sources, keys }) => ((sources | keys) & Source.sender) !== 0) ||
    !sides.some(({ parameters }) => parameters.some((p) => sum.includes(p)))
  )
}
