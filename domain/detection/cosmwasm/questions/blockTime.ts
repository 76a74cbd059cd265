import type { Resolver } from "../../rust/crate/resolve.ts"
import { definitionOf, elementType, pointee, resolveType, type RustType, successType } from "../../rust/crate/types.ts"
import type { TypeNode } from "../../rust/syntax/syntax.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, EntryPoint, Handler } from "../program/model.ts"
import { storedPlace } from "../program/semantics.ts"
import { fieldPath } from "./storageWrites.ts"
import { touches } from "./touches.ts"

// What messages know about time: `env.block`, and whether a record's own time has come.

/** Whether a term is, or is derived from, a value in `env.block`. */
export const asksClock = ({ env }: EntryPoint, term: Term): boolean =>
  env !== undefined && mentions(term, (one) => one.kind === "field" && one.base === env && one.name === "block")

/** Whether a time from the message is compared with the clock: that concerns the value, not whether it is time. */
export const checksOwnTime = (entry: EntryPoint, fact: Term): boolean => {
  if (fact.kind !== "binary" || mentions(fact, (one) => storedPlace(one) !== undefined)) return false
  const isOwn = (term: Term): boolean => mentions(term, (one) => one === entry.message)
  const { left, right } = fact
  return (isOwn(left) && asksClock(entry, right)) || (isOwn(right) && asksClock(entry, left))
}

const isOf = (term: Term, container: Term): boolean =>
  mentions(term, (one) => storedPlace(one)?.container === container)

/**
 * Whether the time stored in the record has come: an expired subscription, or an ended auction. Any caller then brings
 * about what was agreed.
 */
export const isDue = (entry: EntryPoint, container: Term, facts: Iterable<Term>): boolean =>
  [...facts].some(
    (fact) =>
      fact.kind === "binary" &&
      (fact.operator === "<" || fact.operator === "<=") &&
      isOf(fact.left, container) &&
      asksClock(entry, fact.right),
  )

/**
 * The place in a record that a condition requires to be in the future: `now < stored(AUCTIONS, id).ends`,
 * `!expires.is_expired(now)`.
 */
export const aheadIn = (entry: EntryPoint, fact: Term): Term | undefined => {
  if (fact.kind === "binary" && (fact.operator === "<" || fact.operator === "<="))
    return asksClock(entry, fact.left) && fact.right.kind === "field" ? fact.right : undefined
  const call = fact.kind === "not" && fact.operand.kind === "call" ? fact.operand : undefined
  return call?.name === "is_expired" && call.args.some((one) => asksClock(entry, one)) ? call.args[0] : undefined
}

/** For each kind of record, the times that some message waits for, as paths below the container. */
export type AgreedTimes = ReadonlyMap<Term, ReadonlySet<string>>

export const agreedTimes = ({ entryPoints }: CosmWasmCrate): AgreedTimes => {
  const found = new Map<Term, Set<string>>()
  for (const entry of entryPoints)
    if (entry.kind === "execute")
      for (const { facts } of entry.handlers)
        for (const fact of facts) {
          const ahead = aheadIn(entry, fact)
          const place = ahead === undefined ? undefined : storedPlace(ahead)
          if (ahead === undefined || place?.key === undefined || fieldPath(ahead) === "") continue
          const known = found.get(place.container)
          if (known === undefined) found.set(place.container, new Set([fieldPath(ahead)]))
          else known.add(fieldPath(ahead))
        }
  return found
}

/** Whether a message checks one of the times that others check in such a record. */
export const looksAtTime = (handler: Handler, container: Term, times: AgreedTimes): boolean => {
  const paths = times.get(container)
  return (
    paths !== undefined &&
    touches(
      handler,
      (one) => one.kind === "field" && storedPlace(one)?.container === container && paths.has(fieldPath(one)),
    )
  )
}

/** `T` of `Option<T>`, `Vec<T>` and pointers to it. */
const heldBy = (type: RustType): RustType => {
  let one = pointee(successType(type))
  for (let depth = 0; depth < 4; depth++) {
    const inner = elementType(one)
    if (inner.kind === "unknown") break
    one = pointee(inner)
  }
  return one
}

/** The field of type `Expiration` beside a field of a stored record: `expires` for `approval.spender`. */
export const expiryBeside = (resolver: Resolver, type: RustType, field: Term): string | undefined => {
  let definition = definitionOf(heldBy(type))
  for (const name of fieldPath(field).split(".").slice(0, -1)) {
    if (definition?.kind !== "struct") return undefined
    const declared = definition.item.fields.find((one) => one.name === name)?.type
    definition = definitionOf(heldBy(resolveType({ resolver, module: definition.module }, declared)))
  }
  if (definition?.kind !== "struct") return undefined
  const isExpiration = (of: TypeNode | undefined): boolean =>
    of?.kind === "path" && of.path.segments.at(-1)?.name === "Expiration"
  return definition.item.fields.find((one) => isExpiration(one.type))?.name
}
