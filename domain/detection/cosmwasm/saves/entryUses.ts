import type { CheckEvent } from "../../rust/terms/events.ts"
import { subterms, type Term } from "../../rust/terms/terms.ts"
import type { EntryPoint, OutgoingMessage } from "../program/model.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { type StorageWrite, storageWrites } from "../questions/storageWrites.ts"

/** Message fields that name a recipient or a callee. */
export const recipients = ["to_address", "contract_addr", "recipient", "admin"]

const maxDepth = 12

/** What a term is derived from unchanged; not from the result of `addr_validate`. */
export const rawParts = (term: Term): ReadonlySet<Term> => {
  const found = new Set([term])
  let level: ReadonlyArray<Term> = [term]
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const next: Array<Term> = []
    for (const one of level) {
      if (one.kind === "call" && /^addr_|^validAddress$|unchecked$/.test(one.name)) continue
      for (const part of subterms(one)) {
        if (found.has(part)) continue
        found.add(part)
        next.push(part)
      }
    }
    level = next
  }
  return found
}

/** A comparison of a term with another, somewhere in a check. */
export interface ComparedIn {
  readonly event: CheckEvent
  readonly comparison: Term & { readonly kind: "binary" }
  readonly other: Term
}

/**
 * The uses of an entry point's values, by value: an entry point with a thousand inputs has as many thousand events and
 * is read only once.
 */
export interface EntryUses {
  /** Checks with a comparison that has the term on one side. */
  readonly comparisons: ReadonlyMap<Term, ReadonlyArray<ComparedIn>>
  /** Writes whose key or value is derived from the unchanged term, in order. */
  readonly writes: ReadonlyMap<Term, ReadonlyArray<StorageWrite>>
  /** Messages with a recipient derived from the unchanged term, in order. */
  readonly messages: ReadonlyMap<Term, ReadonlyArray<OutgoingMessage>>
  /** Terms that are themselves recipients. */
  readonly paid: ReadonlySet<Term>
  /** Terms that are validated as addresses on some path, such as where an optional part is given. */
  readonly validated: ReadonlySet<Term>
}

const listed = <A>(map: Map<Term, Array<A>>, term: Term, one: A): void => {
  const known = map.get(term)
  if (known === undefined) map.set(term, [one])
  else known.push(one)
}

const comparisonsIn = ({ events }: EntryPoint): EntryUses["comparisons"] => {
  const found = new Map<Term, Array<ComparedIn>>()
  for (const event of events) {
    if (event.kind !== "check") continue
    const seen = new Set<Term>(event.conditions)
    // A set also iterates over what is added in the meantime.
    for (const one of seen) {
      for (const part of subterms(one)) seen.add(part)
      if (one.kind !== "binary") continue
      listed(found, one.left, { event, comparison: one, other: one.right })
      listed(found, one.right, { event, comparison: one, other: one.left })
    }
  }
  return found
}

export const usesOf = (entry: EntryPoint): EntryUses => {
  const writes = new Map<Term, Array<StorageWrite>>()
  for (const write of storageWrites(entry.events)) {
    const parts = new Set(rawParts(write.value))
    if (write.key !== undefined) for (const one of rawParts(write.key)) parts.add(one)
    for (const one of parts) listed(writes, one, write)
  }
  const messages = new Map<Term, Array<OutgoingMessage>>()
  const paid = new Set<Term>()
  for (const message of outgoingMessages(entry.events)) {
    const parts = new Set<Term>()
    for (const name of recipients) {
      const to = message.fields.get(name)
      if (to === undefined) continue
      paid.add(to)
      for (const one of rawParts(to)) parts.add(one)
    }
    for (const one of parts) listed(messages, one, message)
  }
  const validated = new Set(
    entry.events.flatMap((event) =>
      event.kind === "call" && event.name === "addr_validate" ? event.args.slice(1).map(({ term }) => term) : [],
    ),
  )
  return { comparisons: comparisonsIn(entry), writes, messages, paid, validated }
}
