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

/** The parts of the message that terms consist of, by their names. */
const inputsIn = (terms: ReadonlyArray<Term>): ReadonlySet<string> =>
  new Set([...everySubterm(terms)].flatMap((one) => (one.kind === "payload" ? [one.name] : [])))

const isCompared = ({ sender }: EntryPoint, { facts }: Handler): boolean =>
  sender !== undefined && comparisonsOf(sender, facts).some(({ operator }) => operator === "==")

/** By which parts of the message a contract is asked who the owner is, who then has to be the sender. */
const askedBy = (entry: EntryPoint, { facts }: Handler): ReadonlySet<string> | undefined => {
  if (entry.sender === undefined) return undefined
  for (const { operator, against } of comparisonsOf(entry.sender, facts)) {
    if (operator !== "==") continue
    const query = [...everySubterm([against])].find(
      (one) => one.kind === "call" && /^query(_wasm_smart)?$/.test(one.name),
    )
    const inputs = query === undefined ? undefined : inputsIn([query])
    if (inputs !== undefined && inputs.size > 1) return inputs
  }
  return undefined
}

/** The message that tells a contract, which the sender names, about all of these inputs. */
const messageAbout = ({ events, facts }: Handler, inputs: ReadonlySet<string>): Event | undefined => {
  /** What is stored is often compared with what the sender says it is. */
  const same = (term: Term): ReadonlyArray<Term> => [
    term,
    ...[...facts].flatMap((fact) =>
      fact.kind === "binary" && fact.operator === "=="
        ? fact.left === term
          ? [fact.right]
          : fact.right === term
            ? [fact.left]
            : []
        : [],
    ),
  ]
  return outgoingMessages(events).find(({ path, fields }) => {
    const to = fields.get("contract_addr")
    if (!path.endsWith("WasmMsg::Execute") || to === undefined || inputsIn(same(to)).size === 0) return false
    const said = inputsIn([...same(to), ...fields.values()])
    return [...inputs].every((name) => said.has(name))
  })?.event
}

/** Messages that leave out the question that at least two others ask. */
export const unaskedOwners = ({ entryPoints }: CosmWasmCrate): ReadonlyArray<Unasked> =>
  entryPoints.flatMap((entry) => {
    if (entry.kind !== "execute") return []
    const askers = entry.handlers.flatMap((handler) => {
      const inputs = askedBy(entry, handler)
      return inputs === undefined ? [] : [{ handler, inputs }]
    })
    const byInputs = Map.groupBy(askers, ({ inputs }) => [...inputs].toSorted().join(" "))
    return [...byInputs.values()].flatMap((group) => {
      const asking = group.map(({ handler }) => handler)
      return asking.length < 2
        ? []
        : entry.handlers.flatMap((handler) => {
            if (asking.includes(handler) || isCompared(entry, handler)) return []
            const event = messageAbout(handler, group[0]!.inputs)
            return event === undefined ? [] : [{ handler, event, asking }]
          })
    })
  })
