import { oncePer } from "../../oncePer.ts"
import type { Event } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, Handler } from "../program/model.ts"
import { storedPlace } from "../program/semantics.ts"
import { paymentOf } from "../questions/payments.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { placeKey, storageWrites } from "../questions/storageWrites.ts"
import { gatheredIn, paidIn } from "./keptDues.ts"
import { isOpaqueWrite } from "./unrecorded.ts"
import { isLowered, isRaised } from "./unreadMarks.ts"

// What is paid out of a stored sum, and is taken off in memory only.

/** Places that some message adds to or subtracts from: a limit, from which something is subtracted too, is not one. */
const sumsOf = oncePer(({ entryPoints }: CosmWasmCrate): ReadonlySet<string> => {
  const sums = new Set<string>()
  for (const { handlers } of entryPoints)
    for (const { events } of handlers)
      for (const { container, path, value } of storageWrites(events))
        if (
          (isRaised(value) || isLowered(value)) &&
          mentions(value, (one) => storedPlace(one)?.container === container)
        )
          sums.add(`${container.id}:${path}`)
  return sums
})

/** What an event subtracts, and from what. */
const subtraction = (event: Event): readonly [from: Term, amount: Term] | undefined => {
  if (event.kind === "operation")
    return event.operator === "-" && event.right !== undefined ? [event.left.term, event.right.term] : undefined
  if (event.kind !== "call" || event.target !== undefined || !/^(checked_|saturating_)?sub$/.test(event.name))
    return undefined
  const [from, amount] = event.args
  return from === undefined || amount === undefined ? undefined : [from.term, amount.term]
}

/** The subtraction of an amount that a message pays out, from a stored sum that it does not save. */
export const unsavedDebit = (crate: CosmWasmCrate, { entry, events }: Handler): Event | undefined => {
  if (entry.kind === "query") return undefined
  const paid = outgoingMessages(events).flatMap((one) => paymentOf(one)?.amount ?? [])
  if (paid.length === 0 || events.some((event) => event.kind === "call" && isOpaqueWrite(event))) return undefined
  const sums = sumsOf(crate)
  const written = new Set(storageWrites(events).map(({ container }) => container))
  const parts = paidIn(paid, gatheredIn(events))
  return events.find((event) => {
    const [from, amount] = subtraction(event) ?? []
    if (from === undefined || amount === undefined || amount.kind === "literal") return false
    const place = placeKey(from)
    return place !== undefined && sums.has(place) && !written.has(storedPlace(from)!.container) && parts.has(amount)
  })
}
