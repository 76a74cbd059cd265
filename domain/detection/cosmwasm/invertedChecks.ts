import type { Event } from "../rust/terms/events.ts"
import { mentions, type Term } from "../rust/terms/terms.ts"
import type { CosmWasmCrate, Handler } from "./model.ts"
import { isOwnAffair } from "./openPowers.ts"
import { comparisonsOf } from "./questions.ts"
import { storedPlace } from "./semantics.ts"
import { placeKey } from "./storageWrites.ts"

// Checks of the sender that are the wrong way round.

/** Places of one account for all, that a message requires its sender to be. */
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

/** Where a message refuses whom others require, and lets everybody else through; `own`: those the contract sends itself. */
export const invertedChecks = (
  crate: CosmWasmCrate,
  own: ReadonlySet<Handler>,
): ((handler: Handler) => Event | undefined) => {
  const trusted = trustedPlaces(crate)
  return (handler) => {
    const { sender, env } = handler.entry
    if (sender === undefined) return undefined
    const isInCharge = (term: Term): boolean =>
      storedPlace(term) === undefined
        ? own.has(handler) && term.kind === "field" && term.name === "address" && mentions(term, (one) => one === env)
        : storedPlace(term)?.key === undefined && trusted.has(placeKey(term) ?? "")
    const refused = comparisonsOf(sender, handler.facts).find(
      ({ operator, against, fact }) =>
        operator === "!=" &&
        fact.kind === "binary" &&
        (fact.left === sender || fact.right === sender) &&
        isInCharge(against),
    )
    // Whoever is in charge may be kept out of what others do for themselves: of a vote, of an auction.
    if (refused === undefined || isOwnAffair(handler)) return undefined
    return handler.events.find((event) => event.kind === "check" && event.conditions.includes(refused.fact))
  }
}
