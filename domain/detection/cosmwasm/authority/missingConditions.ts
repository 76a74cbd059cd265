import { mentions } from "../../rust/terms/terms.ts"
import {
  changeOf,
  type Deed,
  deedOf,
  type Effect,
  type Labels,
  pays,
  type MissingCondition,
  missingConditions,
} from "../../rust/siblingConditions.ts"
import type { CosmWasmCrate, Handler } from "../program/model.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { paymentOf } from "../questions/payments.ts"
import { storedPlace } from "../program/semantics.ts"
import { labelsIn } from "../questions/labels.ts"
import { storageWrites } from "../questions/storageWrites.ts"
import { isReceiveHook } from "./authority.ts"

const effectsOf = (handler: Handler, labels: Labels): ReadonlyArray<Effect> => {
  const { message, funds } = handler.entry
  const payments = outgoingMessages(handler.events).flatMap((one) => paymentOf(one) ?? [])
  return [
    ...storageWrites(handler.events).flatMap(({ container, path, value, event }): ReadonlyArray<Effect> => {
      const place = `${container.id}.${path}`
      const change = changeOf("=", value, (one) => labels(one) === place)
      if (change === undefined) return []
      const byCaller = mentions(change.by, (one) => one === message || one === funds)
      return [{ name: place + change.sign, event, by: change.by, byCaller }]
    }),
    ...payments.map(({ event }) => ({ name: pays, event, byCaller: false })),
  ]
}

/** Whether only somebody whom the contract stores may do it; a token that reports a payment is not such. */
const isPrivileged = (handler: Handler): boolean => {
  const { sender } = handler.entry
  return (
    sender !== undefined &&
    !isReceiveHook(handler) &&
    comparisonsOf(sender, handler.facts).some(
      ({ operator, against }) => operator === "==" && mentions(against, (one) => storedPlace(one) !== undefined),
    )
  )
}

const deedIn = (handler: Handler): Deed<Handler> => {
  const labels = labelsIn(handler)
  return deedOf(handler, {
    effects: effectsOf(handler, labels),
    facts: handler.facts,
    events: handler.events,
    labels,
    // Locks have a model of their own: `earlyReleases`.
    paysLess: true,
    kinds: new Set(
      handler.events.flatMap((event) => {
        const place = event.kind === "read" ? storedPlace(event.value.term) : undefined
        return place === undefined ? [] : [String(place.container.id)]
      }),
    ),
  })
}

/** Conditions that a message does not ask, although all others that do the same ask them. */
export const missingConditionsIn = (crate: CosmWasmCrate): ReadonlyArray<MissingCondition<Handler>> =>
  missingConditions(
    crate.entryPoints
      .filter(({ kind, walk }) => kind === "execute" && !walk.truncated)
      .flatMap(({ handlers }) => handlers.filter((one) => !isPrivileged(one)).map(deedIn)),
    new Set(
      crate.entryPoints
        .filter(({ kind }) => kind !== "instantiate")
        .flatMap(({ handlers }) => handlers)
        .flatMap(({ events }) => storageWrites(events).map(({ container, path }) => `${container.id}.${path}`)),
    ),
  )
