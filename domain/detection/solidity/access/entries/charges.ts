import type { Fact } from "../../flow/facts/facts.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { type Deed, isCleared, isPayout } from "./deeds.ts"
import { outward } from "../../demands/outward.ts"
import type { Entry } from "./entries.ts"

// Whose record is charged for what is paid.

/** Limit: payments of one function that are examined. */
const payoutLimit = 16

/**
 * The entry of an account that the caller names is lowered for a payment to someone else, and nothing says that the
 * account agrees, or that its own state permits it.
 */
export const chargesOtherAccount = (entry: Entry): Deed | undefined => {
  const paid = entry.deeds.filter((deed) => isPayout(deed) || isTransfer(deed) || paysEther(deed))
  const payouts = (paid.length > 0 ? paid : entry.deeds.filter(isOrdered)).slice(0, payoutLimit)
  if (payouts.length === 0) return undefined
  return entry.deeds.find((deed) => {
    if (deed.demands.standing === "guarded") return false
    const account = chargedIn(deed)
    if (account === undefined || isCalled(entry, account)) return false
    const sum = deed.value.parameters.concat(deed.value.keyParameters).filter(({ type }) => type.kind === "integer")
    return payouts.every((payout) => {
      const isSum = isTakenBy(deed) && payout.value.parameters.some((p) => sum.includes(p))
      const owed = isSum ? [] : isOwed(payout, deed, account) ? payout.value.state : undefined
      const isPermitted = (fact: Fact): boolean => permits(fact, account, sum, owed!)
      return (
        owed !== undefined &&
        goesElsewhere(payout, account) &&
        ![...payout.demands.facts, ...deed.demands.facts].some(isPermitted)
      )
    })
  })
}

/** What is stored for an account that the caller names becomes the caller's, although nothing says that it agrees. */
export const takesOverRecord = ({ deeds }: Entry): Deed | undefined =>
  deeds.find((deed) => {
    const account = chargedIn(deed)
    if (account === undefined || deed.demands.standing !== "open" || !(isCleared(deed) || isTakenBy(deed))) return false
    const table = declaredWhole(deed.variable!)
    return deeds.some(
      ({ variable, keys, value }) =>
        variable !== undefined &&
        declaredWhole(variable) === table &&
        keys.sources === Source.sender &&
        value.keyParameters.includes(account) &&
        value.state.some((v) => declaredWhole(v) === table),
    )
  })

/** The entry of an account that the caller names is cleared, though only the sender's entry has been looked at. */
export const clearsOtherRecord = ({ deeds, flow, guarded }: Entry): Deed | undefined =>
  guarded
    ? undefined
    : deeds.find((deed) => {
        if (chargedIn(deed) === undefined || !isCleared(deed)) return false
        const read = flow.reads.flatMap(({ place }) => (place?.variables[0] === deed.variable ? place!.keys : []))
        return (
          read.some(({ sources }) => sources === Source.sender) &&
          read.every(({ sources }) => sources === Source.sender)
        )
      })

/** Whether all that is stored for the account is paid, or what is stored of it beyond what it has had. */
const isOwed = ({ value }: Deed, { variable }: Deed, account: LocalVariable): boolean =>
  value.keyParameters.includes(account) && value.state.some((v) => declaredWhole(v) === declaredWhole(variable!))

/** ERC-20's `transfer`, in a helper. */
const isTransfer = ({ reached: { event } }: Deed): boolean =>
  event.kind === "call" && event.name === "transfer" && event.args.length === 2

const paysEther = ({ reached: { event } }: Deed): boolean => event.kind === "call" && event.value !== undefined

/** `bank.pay(to, amount)`: another contract is instructed to pay someone. */
const isOrdered = ({ value, reached: { event } }: Deed): boolean =>
  event.kind === "call" &&
  event.callKind === "external" &&
  (has(value, Source.sender) || value.parameters.some(({ type }) => type.kind === "address")) &&
  value.parameters.some(({ type }) => type.kind === "integer")

const isTakenBy = ({ flow, reached: { event } }: Deed): boolean =>
  event.kind === "write" && isLowered(flow.program, event)

/** The only account that selects an entry which is changed. */
const chargedIn = ({ variable, keys }: Deed): LocalVariable | undefined => {
  const [account, ...others] = keys.parameters.filter(({ type }) => type.kind === "address")
  return variable !== undefined && others.length === 0 && ((keys.sources | keys.keys) & Source.sender) === 0
    ? account
    : undefined
}

/** Whether it is a contract that the function calls, such as a token: nobody owns its entry. */
const isCalled = ({ deeds }: Entry, account: LocalVariable): boolean =>
  deeds.some(
    ({ variable, keys, reached: { event } }) =>
      variable === undefined &&
      event.kind === "call" &&
      event.callKind !== "transfer" &&
      event.callKind !== "send" &&
      event.value === undefined &&
      keys.parameters.includes(account),
  )

/** Whether the account that is charged is not among those that receive. */
const goesElsewhere = ({ flow, reached, value }: Deed, account: LocalVariable): boolean => {
  const { event } = reached
  const to = event.kind === "call" && event.receiver !== undefined ? outward(flow, reached, event.receiver) : undefined
  return !value.parameters.includes(account) && to?.parameters.includes(account) !== true
}

/** Whether a condition is about the account, beyond its having enough, or being owed something. */
const permits = (
  fact: Fact,
  account: LocalVariable,
  sum: ReadonlyArray<LocalVariable>,
  owed: ReadonlyArray<StateVariable>,
): boolean => {
  if (fact.kind === "any")
    return fact.options.some((option) => option.some((each) => permits(each, account, sum, owed)))
  const sides = fact.right === undefined ? [fact.left] : [fact.left, fact.right]
  if (sides.some(({ sources }) => (sources & (Source.recovered | Source.hash)) !== 0)) return true
  const concerns = ({ parameters, keyParameters, targetParameters }: Origins): boolean =>
    [...parameters, ...keyParameters, ...targetParameters].includes(account)
  if (!sides.some(concerns) || (fact.withZero && sides.some(({ parameters }) => parameters.includes(account))))
    return false
  if (sides.every((side) => isAmount(side) && side.state.every((v) => owed.includes(v)))) return false
  return (
    sides.some(({ sources, keys }) => ((sources | keys) & Source.sender) !== 0) ||
    !sides.some(({ parameters }) => parameters.some((p) => sum.includes(p)))
  )
}

/** What is stored or held, or fixed. */
const isAmount = (value: Origins): boolean =>
  only(value, Source.state | Source.literal | Source.constant | Source.immutable | held) &&
  (has(value, Source.tokenBalance) || !has(value, held))

/** Of the contract's own balance, the call that asks for it. */
const held = Source.tokenBalance | Source.external
