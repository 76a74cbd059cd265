import type { Rule } from "../../domain/detection/Rule.ts"
import type { CosmWasmCrate, CosmWasmProgram, Handler } from "../../domain/detection/cosmwasm/program/model.ts"
import type { CallEvent } from "../../domain/detection/rust/terms/events.ts"
import type { Term } from "../../domain/detection/rust/terms/terms.ts"
import { tableRule } from "./questionTable.ts"

/** Where a message asks: what it is, and the call that asks. */
export interface Asked {
  readonly crate: CosmWasmCrate
  readonly handler: Handler
  readonly at: CallEvent
}

/** What a question answers about the arguments of a call, as text. */
export type CosmWasmAsk = (asked: Asked, args: ReadonlyArray<Term>) => unknown

/**
 * Each call `ask::name(…, "answer")` states in its last argument what the question of that name answers about the
 * message and the preceding arguments.
 */
export const cosmwasmTable = (
  name: string,
  asks: Readonly<Record<string, CosmWasmAsk>>,
  programs: ReadonlyArray<string>,
): Rule<CosmWasmProgram> =>
  tableRule<CosmWasmProgram>(
    "cosmwasm",
    name,
    (program, report) => {
      for (const crate of program.crates)
        for (const { handlers } of crate.entryPoints)
          for (const handler of handlers)
            for (const event of handler.events) {
              if (event.kind !== "call" || !event.path.startsWith("ask::")) continue
              const answer = asks[event.name]
              const args = event.args.map(({ term }) => term)
              const expected = args.at(-1)
              if (answer === undefined || expected?.kind !== "literal") continue
              // The answer stands in a text itself.
              const found = String(answer({ crate, handler, at: event }, args.slice(0, -1))).replaceAll('"', "'")
              if (found !== expected.value)
                report({ file: event.file, span: event.node, scope: event.function.qualifiedName, message: found })
            }
    },
    programs,
  )
