import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import { type CallEvent, ofKind, callsNamed, knownAt, passedAt } from "../../rust/terms/events.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import type { Instruction } from "../program/model.ts"
import { isOwnProgramId } from "../program/semantics.ts"
import { accountsByKey } from "./questions.ts"

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
  callsNamed(events, /^(get_instruction_relative|load_instruction_at(_checked)?)$/).flatMap(
    (event): ReadonlyArray<Look> => {
      const relative = event.name === "get_instruction_relative"
      const index = event.args[0]?.term
      return [
        {
          event,
          index,
          isCurrent: relative ? isZero(index) : index !== undefined && isCurrentIndex(index),
          program: walk.terms.field(event.result.term, "program_id"),
        },
      ]
    },
  ),
)

/** What is asked on some path of an instruction, or for its success. */
const weighed = oncePer(({ events, walk }: Instruction): ReadonlyArray<Term> => [
  ...new Set([...walk.success, ...knownAt(events), ...ofKind(events, "check").flatMap(({ conditions }) => conditions)]),
])

/** Whether the path that an instruction takes, or its success, depends on something. */
export const isWeighed = (instruction: Instruction, asks: (fact: Term) => boolean): boolean =>
  weighed(instruction).some(asks)

/** What the path that an instruction takes, or its success, depends on. */
export const weighedParts = oncePer((instruction: Instruction): ReadonlySet<Term> => everySubterm(weighed(instruction)))

/** What is compared with instructions that the program inspects. */
const heldAgainstLooks = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const looked = new Set(looksIn(instruction).map(({ event }) => event.result.term))
  return everySubterm(
    looked.size === 0 ? [] : weighed(instruction).filter((fact) => mentions(fact, (one) => looked.has(one))),
  )
})

/** Whether a stored address is compared with an inspected instruction: its owner signed a message instead. */
export const signsMessage = (instruction: Instruction, stored: Term): boolean =>
  heldAgainstLooks(instruction).has(stored)

/** What is compared with the id of this program. */
const heldAgainstOwn = oncePer(
  (instruction: Instruction): ReadonlySet<Term> =>
    new Set(
      [...weighedParts(instruction)].flatMap((one) =>
        one.kind === "binary" && /^[=!]=$/.test(one.operator)
          ? [...(isOwnProgramId(one.right) ? [one.left] : []), ...(isOwnProgramId(one.left) ? [one.right] : [])]
          : [],
      ),
    ),
)

/** Whether an instruction of the transaction is tested for being one of this program. */
export const isComparedWithOwnProgram = (instruction: Instruction, { program }: Look): boolean =>
  heldAgainstOwn(instruction).has(program)

/** Whether the program checks if it was called by a transaction or by another program. */
export const asksForCaller = (instruction: Instruction): boolean =>
  ofKind(instruction.events, "call").some((event) =>
    /^get_(stack_height|processed_sibling_instruction)$/.test(event.name),
  ) || looksIn(instruction).some((look) => look.isCurrent && isComparedWithOwnProgram(instruction, look))

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
  looksIn(instruction).some((look) => !look.isCurrent && isComparedWithOwnProgram(instruction, look))

/** The equalities that must hold, by what they are about. */
const equalitiesBy = oncePer(({ walk: { success } }: Instruction) =>
  indexBy(
    [...success].filter((fact) => fact.kind === "binary" && fact.operator === "=="),
    (fact) => everySubterm([fact]),
  ),
)

/**
 * Whether an instruction of this program elsewhere in the transaction is taken for the other half by what it asks for,
 * although nobody looks whose accounts it is about.
 */
export const isAboutAnyone = (instruction: Instruction, { event, program, isCurrent }: Look): boolean => {
  const { terms } = instruction.walk
  const found = event.result.term
  const [data, accounts] = [terms.field(found, "data"), terms.field(found, "accounts")]
  const equalities = equalitiesBy(instruction)
  const onData = equalities.get(data) ?? []
  return (
    !isCurrent &&
    (equalities.get(program) ?? []).some((fact) => mentions(fact, isOwnProgramId)) &&
    onData.length > 0 &&
    // The address may stand among what was asked for.
    !onData.some((fact) => mentions(fact, (one) => accountsByKey(instruction).has(one))) &&
    !weighedParts(instruction).has(accounts) &&
    !passedAt(instruction.events).has(found) &&
    !passedAt(instruction.events).has(accounts)
  )
}
