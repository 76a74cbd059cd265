import type { Rule } from "../../domain/detection/Rule.ts"
import type { CallEvent } from "../../domain/detection/rust/terms/events.ts"
import type { Term } from "../../domain/detection/rust/terms/terms.ts"
import type { Instruction, SolanaCrate, SolanaProgram } from "../../domain/detection/solana/program/model.ts"
import { tableRule } from "./questionTable.ts"

/** What a question answers about the arguments of a call, as text. */
export type SolanaAsk = (
  instruction: Instruction,
  args: ReadonlyArray<Term>,
  at: CallEvent,
  crate: SolanaCrate,
) => unknown

/**
 * Each call `ask::name(…, "answer")` states in its last argument what the question of that name answers about the
 * preceding ones, or about what happened before it.
 */
export const solanaTable = (
  name: string,
  asks: Readonly<Record<string, SolanaAsk>>,
  programs: ReadonlyArray<string>,
): Rule<SolanaProgram> =>
  tableRule<SolanaProgram>(
    "solana",
    name,
    (program, report) => {
      for (const crate of program.crates)
        for (const instruction of crate.instructions)
          for (const event of instruction.events) {
            if (event.kind !== "call" || !event.path.startsWith("ask::")) continue
            const answer = asks[event.name]
            const args = event.args.map(({ term }) => term)
            const expected = args.at(-1)
            if (answer === undefined || expected?.kind !== "literal") continue
            // The answer stands in a text itself.
            const found = String(answer(instruction, args.slice(0, -1), event, crate)).replaceAll('"', "'")
            if (found !== expected.value)
              report({ file: event.file, span: event.node, scope: event.function.qualifiedName, message: found })
          }
    },
    programs,
  )
