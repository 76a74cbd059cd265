import { answerLimits, type Answer, type ProgramAnswers } from "../../ask/ProgramQueries.ts"
import type { RustEntry, RustModel, StateItem, StateWrite } from "../../rust/ask/RustModel.ts"
import { rustQueries, shownTerm } from "../../rust/ask/rustQueries.ts"
import type { Event } from "../../rust/terms/events.ts"
import { show } from "../../rust/terms/show.ts"
import type { Term } from "../../rust/terms/terms.ts"
import { lineAt } from "../../SourceFile.ts"
import { cosmwasmAccess } from "../access.ts"
import type { CosmWasmCrate, CosmWasmProgram } from "../program/model.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { storageWrites } from "../questions/storageWrites.ts"

const entriesOf = ({ entryPoints }: CosmWasmCrate): ReadonlyArray<RustEntry> =>
  entryPoints.flatMap(({ kind, function: root, handlers }) =>
    handlers.map((handler) => ({
      name: handler.message === "" ? kind : handler.message,
      file: handler.place.file.path,
      line: lineAt(handler.place.file, handler.place.span.start),
      function: handler.function,
      root,
      events: handler.events,
      success: handler.facts,
    })),
  )

const nameOf = (container: Term): string =>
  container.kind === "constant" || container.kind === "field" ? container.name : show(container)

const writesOf = (events: ReadonlyArray<Event>): ReadonlyArray<StateWrite> =>
  storageWrites(events).map(({ container, path, event }) => {
    const name = nameOf(container)
    // Contracts in one repository may use the same names for their state.
    const whole = container.kind === "constant" ? container.path : name
    return path === ""
      ? { variable: whole, names: [name], event }
      : { variable: `${whole}.${path}`, names: [name, path, path.split(".").at(-1)!, `${name}.${path}`], event }
  })

/** Messages that are constructed, and queries to other contracts and modules. */
const outgoing = (event: Event): Answer | undefined => {
  const [message] = outgoingMessages([event])
  if (message !== undefined) {
    const fields = [...message.fields].filter(([name]) => /^(amount|contract_addr|funds|msg|to_address)$/.test(name))
    return {
      kind: "message",
      message: message.path,
      ...Object.fromEntries(fields.map(([name, term]) => [name, shownTerm(term)])),
    }
  }
  if (event.kind !== "call" || !event.method || event.target !== undefined) return undefined
  return /^query(_|$)/.test(event.name) ? { kind: "query", message: event.name } : undefined
}

const stateOf =
  (program: CosmWasmProgram): RustModel["stateOf"] =>
  (crate) =>
    (program.crates.find((one) => one.crate === crate)?.containers ?? []).map(
      ({ name, kind, key, place: { file, span } }): StateItem => {
        const stop = file.text.indexOf(";", span.start)
        const end = stop === -1 ? span.end : Math.min(stop, span.start + answerLimits.text)
        return { name, file, span: { start: span.start, end }, shown: { kind, ...(key === undefined ? {} : { key }) } }
      },
    )

/** Answers about CosmWasm contracts. */
export const cosmwasmQueries = (program: CosmWasmProgram, isReported: (path: string) => boolean): ProgramAnswers => {
  const events = [...program.events()]
  return rustQueries({
    ecosystem: "cosmwasm",
    crates: program.crates.map(({ crate }) => crate),
    rows: cosmwasmAccess(program, isReported),
    entries: program.crates.flatMap(entriesOf),
    events,
    writes: writesOf(events),
    outgoing,
    stateOf: stateOf(program),
  })
}
