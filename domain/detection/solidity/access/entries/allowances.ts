import type { Fact, Relation } from "../../flow/facts/facts.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import { type Origins, Source } from "../../flow/graph/origins.ts"
import { keysOf } from "../../demands/selfGranted.ts"
import type { Flow } from "../../program.ts"
import type { StateVariable } from "../../model.ts"
import type { Type } from "../../types.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { type Deed, isOwn, isWrite } from "./deeds.ts"
import type { Entry } from "./entries.ts"

// Amounts that one account lets another take: `allowance[from][msg.sender] >= amount`.

export interface Unspent {
  readonly deed: Deed
  readonly check: StateVariable
}

/** An allowance of the sender over an account that they name is checked and used, but not reduced. */
export const unspentAllowance = ({ deeds, guarded }: Entry): Unspent | undefined => {
  if (guarded) return undefined
  const seen = new Set<ReadonlyArray<Fact>>()
  for (const { demands } of deeds) {
    if (seen.has(demands.facts)) continue
    seen.add(demands.facts)
    for (const { allowed, amount } of demands.facts.flatMap(allowancesIn)) {
      const [check] = allowed.state
      if (check === undefined || deeds.some(({ variable }) => variable === check)) continue
      const taken = deeds.find(
        (deed) =>
          isWrite(deed) &&
          deed.keys.parameters.some((p) => allowed.keyParameters.includes(p)) &&
          deed.value.parameters.some((p) => amount.parameters.includes(p)),
      )
      if (taken !== undefined) return { deed: taken, check }
    }
  }
  return undefined
}

/**
 * `require(allowance[msg.sender][from] >= amount); allowance[from][msg.sender] -= amount;`: what the sender has allowed
 * is compared, and what is used is what the other account has allowed.
 */
export const reversedAllowance = ({ flow, deeds }: Entry): Unspent | undefined => {
  for (const deed of deeds) {
    const { variable, reached, demands } = deed
    if (variable === undefined || reached.via.length > 0 || !isAmountFor(variable.type)) continue
    const used = keysOf(flow, (reached.event as StorageAccess).expression, variable, reached.at)
    if (used?.[1].sources !== Source.sender) continue
    if (demands.facts.some((fact) => comparesReverse(flow, fact, variable, used[0]))) return { deed, check: variable }
  }
  return undefined
}

const comparesReverse = (flow: Flow, fact: Fact, table: StateVariable, by: Origins): boolean => {
  if (fact.kind === "any") return fact.options.some((option) => option.some((f) => comparesReverse(flow, f, table, by)))
  if (fact.at.callable !== flow.fn || !/^[<>]/.test(fact.operator) || fact.expression.kind !== "BinaryOperation")
    return false
  return [fact.expression.left, fact.expression.right].some((side) => {
    const keys = keysOf(flow, side, table, fact.at)
    return keys?.[0].sources === Source.sender && keys[1].parameters.some((p) => by.parameters.includes(p))
  })
}

interface Allowed {
  readonly allowed: Origins
  readonly amount: Origins
}

const allowancesIn = (fact: Fact): ReadonlyArray<Allowed> =>
  fact.kind === "any" ? fact.options.flatMap((option) => option.flatMap(allowancesIn)) : allowanceIn(fact)

const allowanceIn = ({ operator, left, right }: Relation): ReadonlyArray<Allowed> => {
  if (right === undefined || !/^[<>]/.test(operator)) return []
  return [
    { allowed: left, amount: right },
    { allowed: right, amount: left },
  ].filter(
    ({ allowed, amount }) =>
      allowed.sources === Source.state &&
      (allowed.keys & Source.sender) !== 0 &&
      allowed.keyParameters.some(({ type }) => type.kind === "address") &&
      allowed.state.length === 1 &&
      isAmountFor(allowed.state[0]!.type) &&
      amount.sources === Source.parameter,
  )
}

/** A table of numbers for pairs of accounts. */
const isAmountFor = (type: Type): boolean =>
  type.kind === "mapping" &&
  type.key.kind === "address" &&
  (type.value.kind === "mapping"
    ? type.value.key.kind === "address" && leaf(type.value.value).kind === "integer"
    : false)

const leaf = (type: Type): Type => (type.kind === "mapping" ? leaf(type.value) : type)

/**
 * The table of what accounts let others take, if the sender's entry is reduced: a compiler that checks arithmetic
 * reverts if it is too small, which no condition in the code says.
 */
export const spentAllowance = ({ deeds, fn }: Entry): StateVariable | undefined =>
  fn.source.version.checkedArithmetic
    ? deeds.find(
        (deed) => deed.variable !== undefined && isAmountFor(deed.variable.type) && isOwn(deed) && isSpent(deed),
      )?.variable
    : undefined

const isSpent = ({ flow, variable, reached: { event, via } }: Deed): boolean => {
  if (event.kind === "call") return false
  if (!event.at.unchecked && isLowered(flow.program, event)) return true
  // `_approve(from, msg.sender, allowances[from][msg.sender] - amount)`
  return (
    via[0]?.at.unchecked === false &&
    via[0].args.some((arg) => {
      if (arg.kind !== "BinaryOperation" || arg.operator !== "-") return false
      const { state, keys } = flow.origins(arg.left, via[0]!.at)
      return (keys & Source.sender) !== 0 && state.some((one) => one === variable)
    })
  )
}
