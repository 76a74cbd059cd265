import type { Term } from "../../rust/terms/terms.ts"
import { type Value, ofKind } from "../../rust/terms/events.ts"
import { comparedAs } from "../questions/comparisons.ts"
import { isCreated } from "../authority/creation.ts"
import type { Account, Instruction } from "../program/model.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { oncePerPair } from "../../oncePer.ts"
import { wholesIn } from "./ties.ts"

/** Whether it stores nothing yet, or only the caller's own choice. */
export const isNew = oncePerPair((instruction: Instruction, account: Account): boolean => {
  const { constraints } = account
  if (constraints?.init === true || constraints?.zero === true || constraints?.initIfNeeded === true) return true
  if (isCreated(instruction, account)) return true
  if (instruction.kind !== "native") return false
  const state = stateOf(instruction.walk.terms, account.term)
  return (
    /(^|_)(init|initialize|create|new)(_|$)/.test(instruction.name) ||
    ofKind(instruction.events, "call").some(
      (event) => /^init(ialize)?(_|$)/.test(event.name) && event.args[0]?.term === state,
    )
  )
})

export const placeIn = (instruction: Instruction, holder: Account, path: string): Term => {
  const { terms } = instruction.walk
  let place = stateOf(terms, holder.term)
  for (const part of path.split(".")) place = terms.field(place, part)
  return place
}

/** Whether its own address is written here: it is about to become the stored one. */
export const isWritten = (instruction: Instruction, holder: Account, path: string, account: Account): boolean => {
  const { terms } = instruction.walk
  const parts = path.split(".")
  /** The record, and what in it contains the address, with the rest of the path. */
  const places = new Map<Term, ReadonlyArray<string>>([[stateOf(terms, holder.term), parts]])
  let place = stateOf(terms, holder.term)
  for (const [index, part] of parts.entries()) places.set((place = terms.field(place, part)), parts.slice(index + 1))
  const isItself = ({ term }: Value): boolean => wholesIn(term).has(account.term)
  /** `validate(config.oracle, oracle)?; reserve.config = config`: what is put there names the account. */
  const names = ({ term }: Value, rest: ReadonlyArray<string>): boolean => {
    let stored = term
    for (const part of rest) stored = terms.field(stored, part)
    const key = keyOf(terms, account.term)
    return comparedAs(instruction, stored).some(({ left, right }) => left === key || right === key)
  }
  return instruction.events.some(
    (event) =>
      (event.kind === "assign" &&
        places.has(event.target.term) &&
        (isItself(event.value) || names(event.value, places.get(event.target.term)!))) ||
      (event.kind === "call" &&
        /^(init\w*|set_inner)$/.test(event.name) &&
        places.has(event.args[0]!.term) &&
        event.args.slice(1).some(isItself)),
  )
}

/** Whether the account that it names is set here. */
export const isNamedHere = (instruction: Instruction, account: Account, slot: string): boolean => {
  const { terms } = instruction.walk
  let place = stateOf(terms, account.term)
  for (const part of slot.slice("own ".length).split(".")) place = terms.field(place, part)
  return ofKind(instruction.events, "assign").some((event) => event.target.term === place)
}
