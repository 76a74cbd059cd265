import type { Match } from "../../Rule.ts"
import { placeOf } from "../../rust/placeOf.ts"
import { type Event, siteIn } from "../../rust/terms/events.ts"
import type { Term, TermTable } from "../../rust/terms/terms.ts"
import { isIdle } from "../inputs/idleMessages.ts"
import { limitedInput } from "../inputs/limitedInputs.ts"
import { unusedInput } from "../inputs/unusedInputs.ts"
import type { CosmWasmCrate, CosmWasmProgram, EntryPoint, Handler, StorageContainer } from "../program/model.ts"
import { type CallerInput, callerInputs } from "../questions/callerInputs.ts"
import { wayTo } from "../questions/way.ts"
import { droppedRecords } from "./droppedRecords.ts"
import { idleCounters } from "./idleCounters.ts"
import { unrecorded } from "./unrecorded.ts"
import { unsavedCopies } from "./unsavedCopies.ts"
import { unsavedDebit } from "./unsavedDebits.ts"

/** What does a message change, take, pay or create without keeping a record of it? */
export const lostByMessages = (program: CosmWasmProgram, crate: CosmWasmCrate): ReadonlyArray<Match> => {
  const { containers } = crate
  const counters = idleCounters(crate)
  const keyed = byKeyOf(containers)
  return crate.entryPoints.flatMap((entry) => {
    if (entry.kind === "query") return []
    const inputs = inputsOf(program, crate, entry)
    return entry.handlers.flatMap((handler): ReadonlyArray<Match> => {
      const losses = lossesOf(handler, inputs, containers, keyed, program.terms)
      const counted = counters.get(handler)
      return [
        ...(losses.length > 0 ? losses : untakenIn(crate, handler)),
        ...(counted === undefined ? [] : [replacedBy(handler, counted)]),
      ]
    })
  })
}

/** The old shape of an item lies at the same key. */
const byKeyOf = (containers: ReadonlyArray<StorageContainer>): ((container: Term) => Term) => {
  const byKey = new Map(containers.map(({ key, term }) => [key, term]))
  return (container) => {
    const key = container.kind === "call" ? container.args[0] : undefined
    return (key?.kind === "literal" ? byKey.get(key.value) : undefined) ?? container
  }
}

/** What the sender of a message says, by its term. */
const inputsOf = (program: CosmWasmProgram, crate: CosmWasmCrate, entry: EntryPoint): ReadonlyMap<Term, CallerInput> =>
  new Map(
    entry.kind === "execute" || entry.kind === "sudo"
      ? callerInputs(crate, entry, program.terms).map((one) => [one.term, one])
      : [],
  )

const replacedBy = (handler: Handler, counted: Event): Match => ({
  ...placeOf(counted),
  message: "The key comes from a stored counter that no message advances: each entry replaces the previous one.",
  trace: wayTo(handler, counted),
  confidence: "medium",
})

/** Where a message changes a copy of what is stored and does not keep it. */
const unsavedIn = (handler: Handler, keyed: (container: Term) => Term, terms: TermTable): ReadonlyArray<Match> =>
  unsavedCopies(handler, keyed, terms).map(({ event, read, message }) => {
    const note = { file: event.file, span: event.node, note: "The copy is changed here." }
    return {
      // A helper that changes its argument is right; whoever loaded the copy has to save it.
      ...siteIn(event, (read ?? event).scope.frame),
      trace: [...wayTo(handler, event), note],
      ...(message === undefined ? {} : { message }),
      ...(isWorkedOn(event) ? { severity: "low" as const } : {}),
    }
  })

/** A part of what was loaded, or a list in it, is often taken out to compute with it. */
const isWorkedOn = (event: Event): boolean =>
  event.kind !== "assign" || (event.target.term.kind === "field" && event.target.term.base.kind === "field")

const untakenIn = (crate: CosmWasmCrate, handler: Handler): ReadonlyArray<Match> => {
  const event = unsavedDebit(crate, handler)
  const message = "What is paid out is subtracted from a copy of the stored sum, and the stored sum stays as it was."
  return event === undefined ? [] : [{ ...placeOf(event), message, trace: wayTo(handler, event), confidence: "medium" }]
}

/** All that a message loses. */
const lossesOf = (
  handler: Handler,
  inputs: ReadonlyMap<Term, CallerInput>,
  containers: ReadonlyArray<StorageContainer>,
  keyed: (container: Term) => Term,
  terms: TermTable,
): ReadonlyArray<Match> => {
  const found = [
    ...unsavedIn(handler, keyed, terms),
    ...lostBy(handler, inputs, containers, terms).map(({ event, message, severity }): Match => ({
      ...placeOf(event),
      message,
      trace: wayTo(handler, event),
      confidence: "medium",
      ...(severity === undefined ? {} : { severity }),
    })),
  ]
  if (found.length > 0 || !isIdle(handler)) return found
  const message = "The message checks its input but changes and sends nothing."
  return [
    {
      ...handler.place,
      scope: handler.function.qualifiedName,
      message,
      trace: wayTo(handler),
      severity: "medium",
      confidence: "medium",
    },
  ]
}

/** What a message takes, pays or creates without keeping a record of it. */
const lostBy = (
  handler: Handler,
  inputs: ReadonlyMap<Term, CallerInput>,
  containers: ReadonlyArray<StorageContainer>,
  terms: TermTable,
): ReadonlyArray<{ readonly event: Event; readonly message: string; readonly severity?: "medium" }> => {
  const unused = unusedInput(handler, inputs) ?? limitedInput(handler, inputs, terms)
  return [
    ...(unused === undefined
      ? []
      : [
          {
            event: unused.event,
            message: `\`${unused.input.name}\` is taken from the message, but never saved or used.`,
            severity: "medium" as const,
          },
        ]),
    ...unrecorded(handler),
    ...droppedRecords(containers, handler, terms).map(({ event, container }) => ({
      event,
      message: `The value created here for \`${container.name}\` is neither saved, sent nor returned.`,
    })),
  ]
}
