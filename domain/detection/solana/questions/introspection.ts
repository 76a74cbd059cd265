import { oncePer } from "../../oncePer.ts"
import type { CallEvent } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { Instruction } from "../program/model.ts"
import { isOwnProgramId, keyOf } from "../program/semantics.ts"

/** One instruction of the transaction that the program inspects. */
export interface Look {
  readonly event: CallEvent
  /** Its position: a number from the start, or from the current one for `get_instruction_relative`. */
  readonly index: Term | undefined
  readonly isCurrent: boolean
  /** The program that it is for. */
  readonly program: Term
}

const isCurrentIndex = (term: Term): boolean =>
  term.kind === "cast"
    ? isCurrentIndex(term.value)
    : term.kind === "call" &&
      (/^load_current_index(_checked)?$/.test(term.name) ||
        (/^(from|into|try_from|try_into)$/.test(term.name) &&
          term.args[0] !== undefined &&
          isCurrentIndex(term.args[0])))

const isZero = (term: Term | undefined): boolean => term?.kind === "literal" && /^0(_?i64)?$/.test(term.value)

/** Every inspection of the transaction's instructions, in order; found once, as it is asked for each account. */
export const looksIn = oncePer(({ events, walk }: Instruction): ReadonlyArray<Look> =>
  events.flatMap((event): ReadonlyArray<Look> => {
    if (event.kind !== "call") return []
    const relative = event.name === "get_instruction_relative"
    if (!relative && !/^load_instruction_at(_checked)?$/.test(event.name)) return []
    const index = event.args[0]?.term
    return [
      {
        event,
        index,
        isCurrent: relative ? isZero(index) : index !== undefined && isCurrentIndex(index),
        program: walk.terms.field(event.result.term, "program_id"),
      },
    ]
  }),
)

/** Whether the path that an instruction takes, or its success, depends on something. */
export const isWeighed = ({ events, walk }: Instruction, asks: (fact: Term) => boolean): boolean => {
  const met = new Set<Facts>()
  return (
    [...walk.success].some(asks) ||
    events.some(
      (event) => factsNotMet(event.facts, met).some(asks) || (event.kind === "check" && event.conditions.some(asks)),
    )
  )
}

/** Whether a stored address is compared with an inspected instruction: its owner signed a message instead. */
export const signsMessage = (instruction: Instruction, stored: Term): boolean => {
  const looked = new Set(looksIn(instruction).map(({ event }) => event.result.term))
  return (
    looked.size > 0 &&
    isWeighed(
      instruction,
      (fact) => mentions(fact, (one) => one === stored) && mentions(fact, (one) => looked.has(one)),
    )
  )
}

/** Whether an instruction of the transaction is tested for being one of this program. */
export const isHeldAgainstOwn = (instruction: Instruction, { program }: Look): boolean =>
  isWeighed(instruction, (fact) =>
    mentions(
      fact,
      (one) =>
        one.kind === "binary" &&
        /^[=!]=$/.test(one.operator) &&
        ((one.left === program && isOwnProgramId(one.right)) || (one.right === program && isOwnProgramId(one.left))),
    ),
  )

/** Whether the program checks if it was called by a transaction or by another program. */
export const asksForCaller = (instruction: Instruction): boolean =>
  instruction.events.some(
    (event) => event.kind === "call" && /^get_(stack_height|processed_sibling_instruction)$/.test(event.name),
  ) || looksIn(instruction).some((look) => look.isCurrent && isHeldAgainstOwn(instruction, look))

/**
 * Whether only one other program can have called: the instruction of the transaction that is executing must be one of
 * that program, which decides what it passes on.
 */
export const isCalledByOther = (instruction: Instruction): boolean =>
  looksIn(instruction).some(
    ({ isCurrent, program }) =>
      isCurrent &&
      [...instruction.walk.success].some(
        (fact) =>
          fact.kind === "binary" &&
          fact.operator === "==" &&
          [fact.left, fact.right].includes(program) &&
          [fact.left, fact.right].some((one) => one.kind === "constant" && !isOwnProgramId(one)),
      ),
  )

/** Whether it only completes what another instruction of this program did in the same transaction. */
export const followsOwn = (instruction: Instruction): boolean =>
  looksIn(instruction).some((look) => !look.isCurrent && isHeldAgainstOwn(instruction, look))

/**
 * Whether an instruction of this program elsewhere in the transaction is taken for the other half by what it asks for,
 * although nobody looks whose accounts it is about.
 */
export const isAboutAnyone = (instruction: Instruction, { event, program, isCurrent }: Look): boolean => {
  const { terms, success } = instruction.walk
  const found = event.result.term
  const [data, accounts] = [terms.field(found, "data"), terms.field(found, "accounts")]
  const equalities = [...success].filter((fact) => fact.kind === "binary" && fact.operator === "==")
  const keys = new Set(instruction.accounts.map(({ term }) => keyOf(terms, term)))
  const isOn = (fact: Term, part: Term): boolean => mentions(fact, (one) => one === part)
  return (
    !isCurrent &&
    equalities.some((fact) => isOn(fact, program) && mentions(fact, isOwnProgramId)) &&
    equalities.some((fact) => isOn(fact, data)) &&
    // The address may stand among what was asked for.
    !equalities.some((fact) => isOn(fact, data) && mentions(fact, (one) => keys.has(one))) &&
    !isWeighed(instruction, (fact) => isOn(fact, accounts)) &&
    !instruction.events.some(
      (one) => one.kind === "call" && one.args.some(({ term }) => term === found || term === accounts),
    )
  )
}
