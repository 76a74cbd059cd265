import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { asksClock } from "../questions/blockTime.ts"
import { delegatesCallerCheck } from "../authority/callerIdentity.ts"
import type { CosmWasmCrate, Handler } from "../program/model.ts"
import { type OpenPower } from "../authority/openness.ts"
import { ignoresCaller, affectsOnlySender } from "../authority/senderConcern.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { fieldPath, placeKey, storageWrites } from "../questions/storageWrites.ts"
import { eventTerms } from "../questions/touches.ts"

// Accounts that are stored and never used: a message was probably meant to require one of them as its sender.

const storing = /^(save|update|remove|load|may_load|replace|has|key)$/

/** Places that are set to an address when the contract is instantiated, by place key. */
const accountsGiven = ({ entryPoints }: CosmWasmCrate): Map<string, Term> => {
  const given = new Map<string, Term>()
  for (const { kind, events } of entryPoints)
    if (kind === "instantiate")
      for (const { container, key, path, value } of storageWrites(events))
        if (key === undefined && value.kind === "call" && value.name === "addr_validate")
          given.set(`${container.id}:${path}`, container)
  return given
}

/** What messages other than queries work on, without the places that are only written. */
const termsUsed = (handlers: ReadonlyArray<Handler>): ReadonlySet<Term> => {
  const met = new Set<Facts>()
  return everySubterm(
    handlers.flatMap(({ events, facts }) => [
      ...facts,
      ...events.flatMap((event) => [
        ...factsNotMet(event.facts, met),
        ...(event.kind === "assign"
          ? [event.value.term]
          : event.kind === "call" && event.target === undefined && storing.test(event.name)
            ? []
            : eventTerms(event)),
      ]),
    ]),
  )
}

/**
 * The one message that acts without checking the sender, in a contract that stores the address of an account that no
 * message ever uses.
 */
export const openBesideUnusedAccount = (
  crate: CosmWasmCrate,
): (OpenPower & { readonly handler: Handler }) | undefined => {
  const given = accountsGiven(crate)
  if (given.size === 0 || crate.entryPoints.some(({ walk }) => walk.truncated)) return undefined
  const acting = crate.entryPoints.filter(
    ({ kind }) => kind !== "query" && kind !== "instantiate" && kind !== "migrate",
  )
  const handlers = acting.flatMap((entry) => entry.handlers)
  for (const term of termsUsed(handlers)) {
    const key = placeKey(term)
    if (key !== undefined && (fieldPath(term) !== "" || given.has(key))) given.delete(key)
  }
  const [unused] = given
  if (unused === undefined || given.size > 1) return undefined
  const open = handlers.filter(
    (handler) =>
      handler.entry.kind === "execute" &&
      ignoresCaller(handler.entry, handler) &&
      !affectsOnlySender(handler) &&
      !delegatesCallerCheck(handler) &&
      // Keepers bring about what is due: who they are does not matter.
      ![...handler.facts].some(
        (fact) =>
          fact.kind === "binary" &&
          asksClock(handler.entry, fact) &&
          mentions(fact, (one) => storedPlace(one) !== undefined),
      ) &&
      outgoingMessages(handler.events).length + storageWrites(handler.events).length > 0,
  )
  const [only] = open
  const event = only?.events.find((one) => one.kind === "read" && storedPlace(one.value.term)?.container === unused[1])
  if (only === undefined || open.length > 1 || event === undefined) return undefined
  const name = unused[0].slice(unused[0].indexOf(":") + 1)
  return {
    handler: only,
    event,
    message: `Anyone can send this message; ${name === "" ? "the account stored here" : `\`${name}\` is stored, but`} is never compared with the sender.`,
    severity: "medium",
    confidence: "low",
  }
}
