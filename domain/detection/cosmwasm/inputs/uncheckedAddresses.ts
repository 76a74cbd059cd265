import { oncePer } from "../../oncePer.ts"
import { placeOf } from "../../rust/placeOf.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { TypeNode } from "../../rust/syntax/syntax.ts"
import { type Event, guaranteed } from "../../rust/terms/events.ts"
import { everySubterm, mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import type { Match } from "../../Rule.ts"
import { isAuthorized } from "../authority/authority.ts"
import type { CosmWasmProgram, EntryPoint } from "../program/model.ts"
import { partsApart, storedPlace } from "../program/semantics.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { storageWrites } from "../questions/storageWrites.ts"

// `Addr::unchecked`, and on what it is used.

/** `Addr::unchecked` on what a message contains. */
export const uncheckedAddresses = (entry: EntryPoint, message: Term): ReadonlyArray<Match> => {
  let kept: ReadonlySet<Term> | undefined
  return entry.events.flatMap((event): ReadonlyArray<Match> => {
    const given = uncheckedIn(event)
    if (given === undefined || storedPlace(given) !== undefined) return []
    if (!mentions(given, (one) => one === message)) return []
    const isValid = [...guaranteed(event)].some(
      (fact) =>
        fact.kind === "call" &&
        fact.name === "validAddress" &&
        fact.args.some((one) => mentions(one, (part) => part === given)),
    )
    if (isValid) return []
    // The contents of a reply do not come from the caller, and a known token reports the sender truthfully.
    if (entry.kind === "reply" || isCallerControlled(entry, event, given))
      return [
        {
          ...placeOf(event),
          message: "`Addr::unchecked` takes an address reported by a known contract.",
          severity: "informational",
          confidence: "low",
        },
      ]
    if (given.kind === "call") return []
    // The key of an entry that has to be there is a valid one, and so is what has to equal a stored one.
    const isKept = event.kind !== "call" || (kept ??= keptIn(entry)).has(event.result.term)
    const isSought = !isKept || lookedUp(entry).has(given)
    // The answer to a query is not the caller's.
    const isTold = isSought || !isWritten(given, message)
    return [
      {
        ...placeOf(event),
        message: isTold
          ? "`Addr::unchecked` takes a value from storage or another contract."
          : "`Addr::unchecked` takes a caller-supplied value without validating it.",
        // A wrong address costs only whoever names it.
        severity: "low",
        ...(isTold ? { confidence: "low" as const } : {}),
        // Nothing is found for an address that nobody has.
        ...(isSought ? { severity: "informational" as const } : {}),
      },
    ]
  })
}

/** Trusted accounts, and whoever sets up the contract, lock up only their own funds. */
export const isTrusted = (entry: EntryPoint, event: Event): boolean =>
  entry.kind === "execute" ? isAuthorized(entry, guaranteed(event)) : entry.kind !== "reply"

/** Terms that are stored, sent, used as a key, or have to differ: an address that is only looked up has to exist. */
const keptIn = ({ events }: EntryPoint): ReadonlySet<Term> =>
  partsApart([
    ...storageWrites(events).flatMap(({ key, value }) => (key === undefined ? [value] : [key, value])),
    ...outgoingMessages(events).flatMap(({ fields }) => [...fields.values()]),
    ...events.flatMap((event) => (event.kind === "read" ? (storedPlace(event.value.term)?.key ?? []) : [])),
    ...events.flatMap((event) =>
      event.kind === "check" ? event.conditions.filter((one) => one.kind !== "binary" || one.operator !== "==") : [],
    ),
  ])

/** The argument of `Addr::unchecked`, called or passed to a method such as `map`. */
const uncheckedIn = (event: Event): Term | undefined => {
  if (event.kind !== "call") return undefined
  const [first, second] = event.args
  const isIt = (path: string): boolean => /(^|::)Addr::unchecked$/.test(path)
  if (!event.method) return isIt(event.path) ? first?.term : undefined
  const handed = second?.term
  return handed?.kind === "constant" && isIt(handed.path) ? first?.term : undefined
}

/** `Deps`, `DepsMut`, `&dyn Api`: what it takes to validate an address. */
const givesApi = (type: TypeNode | undefined): boolean => {
  if (type?.kind === "reference") return givesApi(type.type)
  if (type?.kind === "bounds") return type.bounds.some(givesApi)
  return type?.kind === "path" && /^(Deps|DepsMut|Api)$/.test(type.path.segments.at(-1)?.name ?? "")
}

/**
 * Functions that validate by their name and could, and that no message is known to call, such as methods of a trait:
 * what they are given may come from anyone.
 */
export const uncheckedInChecks = (program: CosmWasmProgram): ReadonlyArray<Event> => {
  const reached = new Set(
    program.crates.flatMap(({ entryPoints }) =>
      entryPoints.flatMap(({ events }) => events.map((event) => event.function)),
    ),
  )
  const isCheck = ({ name, parameters }: FunctionDefinition): boolean =>
    /(^|_)(validate|check)/.test(name) && parameters.some(({ type }) => givesApi(type))
  return [...program.events()].filter((event) => {
    if (reached.has(event.function) || !isCheck(event.function)) return false
    const given = uncheckedIn(event)
    return given !== undefined && rootOf(given).kind === "parameter"
  })
}

/** Whether the caller wrote it: the answer to a query that the caller chose comes from someone else. */
export const isWritten = (term: Term, message: Term): boolean => {
  for (let one = term; ; one = one.base) {
    if (one === message) return true
    if (one.kind === "choice") return one.alternatives.some((each) => isWritten(each, message))
    if (one.kind !== "field" && one.kind !== "element" && one.kind !== "payload") return false
  }
}

/** The keys of entries that must exist. */
const lookedUp = oncePer(({ events }: EntryPoint): ReadonlySet<Term> =>
  everySubterm(
    events.flatMap((event) =>
      event.kind === "call" && event.name === "load" && event.handled === true
        ? event.args.slice(1).map(({ term }) => term)
        : [],
    ),
  ),
)

/** `sender` of a receive hook that only a known token can call. */
const isCallerControlled = (entry: EntryPoint, event: Event, given: Term): boolean =>
  given.kind === "field" &&
  given.name === "sender" &&
  given.base.kind === "payload" &&
  isAuthorized(entry, guaranteed(event))
