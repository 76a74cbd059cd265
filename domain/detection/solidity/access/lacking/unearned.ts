import { oncePer } from "../../../oncePer.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import type { Type } from "../../types.ts"
import { calledOperators } from "../../questions/value/calledOperators.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { type Deed, isCleared, isNotification } from "../entries/deeds.ts"
import { type Access, type Entry, runsOnce } from "../entries/entries.ts"

// What is credited to an account although nothing has come in for it.

/** The entry that goes up by what the caller names, if nothing is taken, given up or shown for it. */
export const unearnedCredit = (access: Access, entry: Entry): Deed | undefined => {
  const { deeds, fn, flow, test } = entry
  // the tokens of tests are for everyone
  if (test || fn.mutability === "payable") return undefined
  const credit = deeds.find((deed) => isCredit(deed) && holdingsOf(access).get(deed.variable!) === deed.path)
  if (credit === undefined || runsOnce(access, entry)) return undefined
  const amount = amountIn(credit)
  const isAmount = ({ parameters }: Origins): boolean => parameters.some((p) => amount.includes(p))
  const isEarned = deeds.some((deed) => {
    if (deed === credit) return false
    // another contract that receives the amount may be instructed to take it
    if (deed.variable === undefined) return isAmount(deed.value) && !isNotification(deed)
    return isCleared(deed) || isTaken(deed)
  })
  const facts = [...new Set(deeds.flatMap(({ demands }) => demands.facts))]
  const isShown = facts.some((fact) => shows(fact, credit.variable!, isAmount)) // a write
  const isUnseen = flow.calls().some(({ callKind }) => callKind === "unknown" || callKind === "pointer")
  return isEarned || isShown || isUnseen ? undefined : credit
}

const amountIn = ({ value }: Deed): Origins["parameters"] =>
  value.parameters.filter(({ type }) => type.kind === "integer")

const named = Source.parameter | Source.literal | Source.constant | Source.state

/** `held[who] += amount`, where the caller chooses the amount and nothing is checked about the account. */
const isCredit = (deed: Deed): boolean => {
  const { variable, keys, value, reached } = deed
  if (variable === undefined || !isOfAccounts(variable.type) || !isForAll(deed)) return false
  if (reached.event.kind !== "write" || !(has(keys, Source.sender) || keys.parameters.some(isAccount))) return false
  return (value.sources & ~named) === 0 && amountIn(deed).length > 0 && isRaised(deed)
}

/** Whether nobody is excluded: at most the entry that increases is compared with something, as for an overflow. */
const isForAll = ({ variable, demands }: Deed): boolean =>
  demands.standing === "open" ||
  (demands.standing === "tied" &&
    demands.facts.every(
      (fact) =>
        fact.kind === "relation" &&
        [fact.left, fact.right].every(
          (side) =>
            side === undefined ||
            (side.keys & Source.sender) === 0 ||
            (side.state.length === 1 && side.state[0] === variable),
        ),
    ))

/** `x += …`, `x = x + …`, `x = x.add(…)`. */
const isRaised = ({ flow: { program }, reached: { event } }: Deed): boolean => {
  const statement = event.at.node
  if (event.kind !== "write" || statement?.kind !== "ExpressionStatement") return false
  const { expression } = statement
  if (expression.kind !== "Assignment" || expression.left !== event.expression) return false
  if (expression.operator === "+=") return true
  const { right } = expression
  if (right.kind === "BinaryOperation") return right.operator === "+"
  const operators = calledOperators(program, right.kind === "FunctionCall" ? right : undefined)
  return operators.has("+") && !operators.has("-")
}

const isAccount = ({ type }: LocalVariable): boolean => type.kind === "address"

/** Whether its entries belong to accounts, and not to contracts that keep their books here. */
const isOfAccounts = (type: Type): boolean =>
  type.kind === "mapping" && (type.key.kind === "address" || isOfAccounts(type.value))

const isTaken = ({ flow: { program }, reached: { event } }: Deed): boolean =>
  event.kind === "write" && isLowered(program, event)

/** Whether something else that the contract knows of the account, or that others sign or prove, permits the amount. */
const shows = (fact: Fact, credited: StateVariable, isAmount: (value: Origins) => boolean): boolean => {
  if (fact.kind === "any") return fact.options.some((option) => option.some((each) => shows(each, credited, isAmount)))
  const sides = fact.right === undefined ? [fact.left] : [fact.left, fact.right]
  return (
    sides.some((side) => has(side, proving) || (has(side, answering) && isAboutSomebody(side))) ||
    (sides.some(isAmount) && sides.some(({ keys, state }) => keys !== 0 && state.some((one) => one !== credited)))
  )
}

const proving = Source.hash | Source.recovered | Source.balance | Source.tokenBalance

const answering = Source.external | Source.lowLevel | Source.unknown

const isAboutSomebody = ({ keys }: Origins): boolean => (keys & (Source.sender | Source.parameter)) !== 0

/** Tables whose entries are worth something: they are lowered, and nothing else is, for what is paid or moved. */
const holdingsOf = oncePer((access: Access): ReadonlyMap<StateVariable, string> => {
  const found = new Map<StateVariable, string>()
  for (const { deeds } of access.entries) {
    const lowered = deeds.filter((deed) => deed.path?.includes("[]") === true && isTaken(deed))
    const [first] = lowered
    // an allowance is lowered along with what it is for
    if (first === undefined || lowered.some(({ variable }) => variable !== first.variable)) continue
    const isPaid = deeds.some(
      ({ variable, value }) =>
        variable === undefined && value.parameters.some((p) => first.value.parameters.includes(p)),
    )
    if (isPaid || deeds.some((deed) => deed.variable === first.variable && isRaised(deed)))
      found.set(first.variable!, first.path!)
  }
  return found
})
