import { type Event, ofKind } from "./terms/events.ts"
import type { Term } from "./terms/terms.ts"
import type { Labels } from "./siblingConditions.ts"

// In which unit is a time: slots or blocks, seconds, nanoseconds? Of what the platform answers, of names that say so,
// and of the stored places that such times are written to.

export type Unit = "blocks" | "epochs" | "seconds" | "milliseconds" | "nanoseconds"

export interface Timed {
  readonly events: ReadonlyArray<Event>
  readonly labels: Labels
  /** The unit of what the platform answers. */
  readonly platform: (term: Term) => Unit | undefined
}

const named: ReadonlyArray<readonly [RegExp, Unit]> = [
  [/^(seconds|secs)_(per|in)_(minute|hour|day|week|month|year)$|(^|_)(seconds|secs)$/, "seconds"],
  [/(^|_)(millis|milliseconds|ms)$/, "milliseconds"],
  [/(^|_)(nanos|nanoseconds)$/, "nanoseconds"],
  [/(^|_)slots$/, "blocks"],
]

const unitOfName = (name: string): Unit | undefined => named.find(([says]) => says.test(name.toLowerCase()))?.[1]

const sums = /^(checked_|saturating_|wrapping_)?(add|sub)$/
const products = /^(checked_|saturating_|wrapping_)?mul$/

const operation = (term: Term): readonly [operator: string, left: Term, right: Term] | undefined => {
  if (term.kind === "binary") return [term.operator, term.left, term.right]
  if (term.kind !== "call" || term.args.length !== 2) return undefined
  const operator = sums.test(term.name) ? "+" : products.test(term.name) ? "*" : undefined
  return operator === undefined ? undefined : [operator, term.args[0]!, term.args[1]!]
}

const unitsIn = ({ labels, platform }: Timed, places: ReadonlyMap<string, Unit | undefined>) => {
  const known = new Map<Term, Unit | undefined>()
  const unitOf = (term: Term): Unit | undefined => {
    if (known.has(term)) return known.get(term)
    known.set(term, undefined)
    const found = computed(term)
    known.set(term, found)
    return found
  }
  const computed = (term: Term): Unit | undefined => {
    const direct = platform(term)
    if (direct !== undefined) return direct
    if (term.kind === "cast") return unitOf(term.value)
    const [operator, left, right] = operation(term) ?? []
    if (left === undefined || right === undefined) {
      if (term.kind === "call" && term.args.length === 1 && /^(from|into|try_from|try_into)$/.test(term.name))
        return unitOf(term.args[0]!)
      const place = labels(term)
      const learned = place === undefined ? undefined : places.get(place)
      return learned ?? (term.kind === "field" || term.kind === "constant" ? unitOfName(term.name) : undefined)
    }
    const [one, other] = [unitOf(left), unitOf(right)]
    if (operator === "+" || operator === "-")
      return one === undefined || other === undefined || one === other ? (one ?? other) : undefined
    // `days * SECONDS_PER_DAY`; a product with a number converts.
    if (operator !== "*" || (one !== undefined && other !== undefined)) return undefined
    const [unit, by] = one === undefined ? [right, left] : [left, right]
    return unit.kind === "constant" && by.kind !== "literal" && by.kind !== "constant" ? (one ?? other) : undefined
  }
  return unitOf
}

export interface Mixed {
  readonly event: Event
  readonly units: readonly [Unit, Unit]
}

/** Times of different units that are added, subtracted or compared. */
export const mixedUnits = (all: ReadonlyArray<Timed>): ReadonlyArray<Mixed> => {
  const places = new Map<string, Unit | undefined>()
  for (const timed of all) {
    const unitOf = unitsIn(timed, new Map())
    for (const event of ofKind(timed.events, "assign")) {
      const place = event.operator === "=" ? timed.labels(event.target.term) : undefined
      if (place === undefined) continue
      const { term } = event.value
      // A record is saved as a whole.
      const written =
        term.kind === "struct"
          ? term.fields.map(([name, one]) => [place + name, one] as const)
          : [[place, term] as const]
      for (const [field, value] of written) {
        const unit = unitOf(value)
        if (unit !== undefined) places.set(field, places.has(field) && places.get(field) !== unit ? undefined : unit)
      }
    }
  }
  return all.flatMap((timed) => {
    const unitOf = unitsIn(timed, places)
    const mixed = (left: Term, right: Term, event: Event): ReadonlyArray<Mixed> => {
      const units = [unitOf(left), unitOf(right)]
      const [one, other] = units
      return one === undefined || other === undefined || one === other ? [] : [{ event, units: [one, other] }]
    }
    return timed.events.flatMap((event): ReadonlyArray<Mixed> => {
      if (event.kind === "operation")
        return /^[-+]$/.test(event.operator) && event.right !== undefined
          ? mixed(event.left.term, event.right.term, event)
          : []
      if (event.kind === "call")
        return event.method && sums.test(event.name) && event.args.length === 2
          ? mixed(event.args[0]!.term, event.args[1]!.term, event)
          : []
      if (event.kind !== "check") return []
      return event.conditions.flatMap((one) =>
        one.kind === "binary" && /^<=?$/.test(one.operator) ? mixed(one.left, one.right, event) : [],
      )
    })
  })
}
