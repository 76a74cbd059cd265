import type { Event } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, Handler } from "../program/model.ts"
import { configured } from "./records.ts"
import { affectsOnlySender, ignoresCaller } from "./senderConcern.ts"
import { comparisonsOf } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { placeKey } from "../questions/storageWrites.ts"

// Inverted sender checks.

/** Storage places that hold a single account, with which a message requires its sender to be equal. */
const trustedPlaces = ({ entryPoints }: CosmWasmCrate): ReadonlySet<string> =>
  new Set(
    entryPoints.flatMap(({ sender, handlers }) =>
      sender === undefined
        ? []
        : handlers.flatMap(({ facts }) =>
            comparisonsOf(sender, facts).flatMap(({ operator, against }) => {
              const isOfAll = operator === "==" && storedPlace(against)?.key === undefined
              return (isOfAll ? placeKey(against) : undefined) ?? []
            }),
          ),
    ),
  )

/**
 * Where a message rejects the account that others require and accepts everyone else; `sent`: messages that the contract
 * sends to itself.
 */
export const invertedChecks = (
  crate: CosmWasmCrate,
  sent: ReadonlySet<Handler>,
): ((handler: Handler) => Event | undefined) => {
  const trusted = trustedPlaces(crate)
  const config = configured(crate)
  return (handler) => {
    const { sender, env } = handler.entry
    if (sender === undefined) return undefined
    const isInCharge = (term: Term): boolean => {
      const place = storedPlace(term)
      if (place === undefined) return sent.has(handler) && mentions(term, (one) => one === env)
      // To refuse an account of the configuration makes no sense where it does not matter who else the sender is.
      return trusted.has(placeKey(term) ?? "") || (config.has(place.container) && ignoresCaller(handler.entry, handler))
    }
    const refused = comparisonsOf(sender, handler.facts).find(
      ({ operator, against }) => operator === "!=" && isInCharge(against),
    )
    // An administrator may be excluded on purpose from what others do for themselves, such as voting or bidding.
    if (refused === undefined || affectsOnlySender(handler)) return undefined
    return handler.events.find((event) => event.kind === "check" && event.conditions.includes(refused.fact))
  }
}
