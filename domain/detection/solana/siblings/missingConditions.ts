import { mentions } from "../../rust/terms/terms.ts"
import {
  changeOf,
  type Deed,
  deedOf,
  type Effect,
  type Labels,
  pays,
  type MissingCondition,
  missingConditions,
} from "../../rust/siblingConditions.ts"
import { isPrivileged } from "../authority/authorization.ts"
import { structOf } from "../authority/relations.ts"
import type { Instruction, SolanaCrate } from "../program/model.ts"
import { accountOfState } from "../program/semantics.ts"
import { movesValue } from "../questions/cpi.ts"
import { amountOf } from "../questions/paidAmounts.ts"
import { argumentTerms } from "../questions/questions.ts"
import { signedCpisOf } from "../questions/signedCpi.ts"
import { isNew } from "../ties/freshness.ts"
import { isNewRecord, labelsIn } from "./labels.ts"
import { ofKind } from "../../rust/terms/events.ts"

const effectsOf = (instruction: Instruction, labels: Labels): ReadonlyArray<Effect> => {
  const given = argumentTerms(instruction)
  const found: Array<Effect> = []
  for (const event of ofKind(instruction.events, "assign")) {
    if (accountOfState(event.target.term) === undefined) continue
    const place = labels(event.target.term)
    if (place === undefined || isNewRecord(instruction, event)) continue
    const change = changeOf(event.operator, event.value.term, (one) => one === event.target.term)
    if (change !== undefined)
      found.push({
        name: place + change.sign,
        event,
        by: change.by,
        byCaller: mentions(change.by, (one) => given.has(one)),
      })
  }
  for (const cpi of signedCpisOf(instruction))
    if (movesValue(cpi)) found.push({ name: pays, event: cpi.event, byCaller: false })
  return found
}

/** Whether only a part is paid: who leaves early pays for it. */
const paysLess = (instruction: Instruction): boolean =>
  signedCpisOf(instruction).some((cpi) => {
    const amount = amountOf(cpi)
    return (
      movesValue(cpi) &&
      amount !== undefined &&
      mentions(
        amount,
        (one) => (one.kind === "binary" && one.operator === "/") || (one.kind === "call" && /div|sub$/.test(one.name)),
      )
    )
  })

const deedIn = (instruction: Instruction): Deed<Instruction> => {
  const labels = labelsIn(instruction)
  return deedOf(instruction, {
    effects: effectsOf(instruction, labels),
    facts: instruction.walk.success,
    events: instruction.events,
    labels,
    paysLess: paysLess(instruction),
    kinds: new Set(
      instruction.accounts.flatMap((one) => {
        const kind = isNew(instruction, one) ? undefined : structOf(instruction, one)?.name
        return kind ?? []
      }),
    ),
  })
}

/** Fields that some instruction changes in a record that exists. */
const switchesOf = ({ instructions }: SolanaCrate): ReadonlySet<string> =>
  new Set(
    instructions.flatMap((instruction) => {
      const labels = labelsIn(instruction)
      return ofKind(instruction.events, "assign").flatMap((event) =>
        !isNewRecord(instruction, event) ? (labels(event.target.term) ?? []) : [],
      )
    }),
  )

/** Conditions that an instruction does not ask, although all others that do the same ask them. */
export const missingConditionsIn = (crate: SolanaCrate): ReadonlyArray<MissingCondition<Instruction>> =>
  missingConditions(
    crate.instructions.filter((one) => !one.walk.truncated && !isPrivileged(crate, one)).map(deedIn),
    switchesOf(crate),
  )
