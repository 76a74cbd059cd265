import type { Event } from "../../rust/terms/events.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, EntryPoint, Handler } from "../program/model.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"

// Messages about what another contract keeps, such as a token: whose it is, that contract is asked.

interface Unasked {
  readonly handler: Handler
  /** The message to that contract. */
  readonly event: Event
  readonly asking: ReadonlyArray<Handler>
}

/** What a term has to equal. */
const equalsOf = (term: Term, { facts }: Handler): ReadonlyArray<Term> =>
  comparisonsOf(term, facts).flatMap(({ operator, against }) => (operator === "==" ? [against] : []))

/** The parts of the message that terms consist of, by their names. */
const inputsIn = (terms: ReadonlyArray<Term>): ReadonlySet<string> =>
  new Set([...everySubterm(terms)].flatMap((one) => (one.kind === "payload" ? [one.name] : [])))

/** By which parts of the message a contract is asked who the owner is, who then has to be the sender. */
const askedBy = (sender: Term, handler: Handler): ReadonlyArray<string> => {
  const queries = [...everySubterm(equalsOf(sender, handler))].filter(
    (one) => one.kind === "call" && /^query(_wasm_smart)?$/.test(one.name),
  )
  return [...inputsIn(queries)].toSorted()
}

/** The messages to other contracts, and the inputs that they tell of. */
const toldIn = (handler: Handler): ReadonlyArray<{ readonly event: Event; readonly said: ReadonlySet<string> }> =>
  outgoingMessages(handler.events).flatMap(({ event, fields }) => {
    const to = fields.get("contract_addr")
    // What is stored is often compared with what the sender says it is.
    return to === undefined ? [] : [{ event, said: inputsIn([...equalsOf(to, handler), ...fields.values()]) }]
  })

/** Messages that leave out the question that at least two others ask. */
export const unaskedOwners = ({ entryPoints }: CosmWasmCrate): ReadonlyArray<Unasked> =>
  entryPoints.flatMap(({ sender, handlers }: EntryPoint) => {
    if (sender === undefined) return []
    const byInputs = Map.groupBy(handlers, (handler) => askedBy(sender, handler).join(" "))
    const asked = [...byInputs].filter(([, asking]) => asking.length > 1)
    return handlers.flatMap((handler) => {
      const told = equalsOf(sender, handler).length > 0 ? [] : toldIn(handler)
      return asked.flatMap(([inputs, asking]) => {
        const event = told.find(({ said }) => inputs.split(" ").every((name) => said.has(name)))?.event
        return event === undefined ? [] : [{ handler, event, asking }]
      })
    })
  })
