import { oncePer } from "../../oncePer.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { signersOf } from "../authority/authorization.ts"
import { handsOver, movesValue } from "../questions/cpi.ts"
import type { Cpi, Instruction } from "../program/model.ts"
import { accountAt, accountsByKey, cpisOf, isFromCaller, isHandedOver, usesOf } from "../questions/questions.ts"
import { accountOfState, isGetter, stateOf } from "../program/semantics.ts"
import { isSigned, roleOf, signedCpisOf } from "../questions/signedCpi.ts"
import { isAnchored } from "../ties/ties.ts"
import { ofKind, callsNamed } from "../../rust/terms/events.ts"

/** Whether value leaves the program's custody: tokens that it signs for, or lamports of its accounts. */
export const paysOut = (instruction: Instruction): boolean =>
  signedCpisOf(instruction).some(movesValue) ||
  instruction.accounts.some(
    (one) =>
      one.constraints?.close !== undefined ||
      (!signersOf(instruction).includes(one) &&
        usesOf(instruction, one).some(
          ({ kind, event }) => kind === "lamports-write" && event.kind === "assign" && event.operator !== "+",
        )),
  )

/** A state written in the code: `true`, `0`, `Status::Cancelled`. */
export const isMark = ({ kind }: Term): boolean => kind === "literal" || kind === "constant"

/** What is written into records, field by field or as bytes: `data[33..41].copy_from_slice(&rent.to_le_bytes())`. */
export const writesOf = oncePer((instruction: Instruction) =>
  [...ofKind(instruction.events, "assign"), ...callsNamed(instruction.events, /^(copy|clone)_from_slice$/)].flatMap(
    (event) => {
      const [place, value] = event.kind === "assign" ? [event.target, event.value] : event.args
      const account = place === undefined ? undefined : accountOfState(place.term)
      return account === undefined || value === undefined ? [] : [{ account, place: place!.term, value: value.term }]
    },
  ),
)

/** Whether a value from the caller, an address, or a mark is written into state. */
const isTold = (instruction: Instruction): boolean => {
  const keys = accountsByKey(instruction)
  const goesTo = new Map<Term, Set<Term>>()
  for (const event of ofKind(instruction.events, "assign"))
    for (const part of everySubterm([event.value.term])) {
      const known = goesTo.get(part)
      if (known === undefined) goesTo.set(part, new Set([event.target.term]))
      else known.add(event.target.term)
    }
  // The previous value was moved to another record: `total += daily; daily = 0`.
  const isMoved = (place: Term): boolean => {
    const places = goesTo.get(place)
    return places !== undefined && places.size > (places.has(place) ? 1 : 0)
  }
  return writesOf(instruction).some(
    ({ place, value }) =>
      (isMark(value) && !isMoved(place)) || isFromCaller(instruction, value) || mentions(value, (one) => keys.has(one)),
  )
}

/**
 * Whether nothing leaves and nobody determines what is written: the stored state already decides, whoever requests it.
 */
export const isUpkeep = oncePer(
  (instruction: Instruction): boolean =>
    !instruction.accounts.some(({ constraints }) => constraints?.realloc !== undefined) &&
    !paysOut(instruction) &&
    !isTold(instruction) &&
    !isHandedOver(instruction) &&
    !cpisOf(instruction).some((cpi) => movesValue(cpi) || handsOver(cpi) || isDirected(instruction, cpi)),
)

/** What the other program is requested to do, in an instruction that is assembled by hand. */
const dataIn = ({ event }: Cpi): ReadonlyArray<Term> =>
  event.args.flatMap(({ term }) =>
    term.kind === "struct" ? term.fields.flatMap(([name, value]) => (name === "data" ? [value] : [])) : [],
  )

/** Whether the program signs for something whose amount or kind the caller determines. */
export const isDirected = (instruction: Instruction, cpi: Cpi): boolean =>
  isSigned(cpi) && [...cpi.args, ...dataIn(cpi)].some((one) => isFromCaller(instruction, one))

/** Functions that only convert a value: whoever determines the input determines the output. */
const converts =
  /^(from|into|try_from|try_into|new|clone|cast|min|max|abs|some|ok|to_\w+|unwrap\w*|(checked|safe|saturating|wrapping)_\w+)$/

/**
 * Whether it is the caller's own value rather than something found by it: `fee`, `params.fee as u64`, but not
 * `markets[index].fee`.
 */
const isSaid = (instruction: Instruction, term: Term, depth = 0): boolean => {
  if (depth > 12) return false
  const any = (terms: ReadonlyArray<Term>): boolean => terms.some((one) => isSaid(instruction, one, depth + 1))
  if (instruction.arguments.some((one) => one.term === term)) return true
  switch (term.kind) {
    case "cast":
      return any([term.value])
    case "not":
      return any([term.operand])
    case "field":
    case "payload":
    case "element":
      return any([term.base])
    case "binary":
      return any([term.left, term.right])
    case "choice":
      return any(term.alternatives)
    case "list":
      return any(term.elements)
    case "struct":
      return any(term.fields.map(([, value]) => value))
    case "call":
      return converts.test(term.name) && any(term.args)
    default:
      return false
  }
}

/**
 * Whether what the program pays goes from one known account to another, as from an insurance fund to the vault that it
 * covers: whoever asks for it says neither how much it is nor what is written.
 */
export const movesWithin = (instruction: Instruction): boolean => {
  const moves = cpisOf(instruction).filter(movesValue)
  return (
    moves.length > 0 &&
    moves.every((cpi) => {
      const to = isSigned(cpi) ? roleOf(cpi, "to") : undefined
      const account = accountAt(instruction, to)
      return account !== undefined && isAnchored(instruction, account)
    }) &&
    instruction.accounts.every(
      ({ constraints, ...one }) =>
        constraints?.close === undefined &&
        !usesOf(instruction, one).some(({ kind, event }) => kind === "lamports-write" && event.kind === "assign"),
    ) &&
    !cpisOf(instruction).some((cpi) => handsOver(cpi) || cpi.args.some((one) => isSaid(instruction, one))) &&
    !ofKind(instruction.events, "assign").some((event) => isSaid(instruction, event.value.term))
  )
}

/** Fields that only say what kind of record it is. */
const tag = /^(kind|tag|type|disc|magic|key|version|discriminator|account_type|account_kind|(is_)?initialized)$/

const isTag = (term: Term): boolean =>
  ((term.kind === "field" && accountOfState(term) !== undefined) || (term.kind === "call" && isGetter(term))) &&
  tag.test(term.name)

/** Whether something other than its kind, and an address stored in an account, is tested on the way. */
const isAskedAbout = (instruction: Instruction, account: Term): boolean => {
  const { terms, success } = instruction.walk
  const state = stateOf(terms, account)
  const keys = accountsByKey(instruction)
  const asks = (fact: Term): boolean =>
    fact.kind !== "succeeded" &&
    !(fact.kind === "binary"
      ? isTag(fact.left) || isTag(fact.right)
      : isTag(fact.kind === "not" ? fact.operand : fact)) &&
    mentions(fact, (one) => one === state) &&
    !mentions(fact, (one) => keys.has(one))
  return [...success].some(asks) || ofKind(instruction.events, "check").some((event) => event.conditions.some(asks))
}

/**
 * Whether anyone may request it, as keepers do: nothing leaves, nobody's value or address is written, and a mark is set
 * only after the record's contents were tested.
 */
export const isDue = oncePer((instruction: Instruction): boolean => {
  const keys = accountsByKey(instruction)
  return (
    isUpkeep(instruction) ||
    (!instruction.accounts.some(({ constraints }) => constraints?.realloc !== undefined) &&
      !paysOut(instruction) &&
      signedCpisOf(instruction).length === 0 &&
      !cpisOf(instruction).some(movesValue) &&
      writesOf(instruction).every(({ account, value }) =>
        isMark(value)
          ? isAskedAbout(instruction, account)
          : !isSaid(instruction, value) && !mentions(value, (one) => keys.has(one)),
      ))
  )
})
