import type { Value } from "./events.ts"
import type { Term } from "./terms.ts"

/** The values of the names in scope. Branches share one map until one of them writes; most write nothing. */
export class Locals {
  private values: Map<string, Value>
  private shared: boolean

  constructor(values: Map<string, Value> = new Map(), shared = false) {
    this.values = values
    this.shared = shared
  }

  get(name: string): Value | undefined {
    return this.values.get(name)
  }

  set(name: string, value: Value): void {
    if (this.shared) {
      this.values = new Map(this.values)
      this.shared = false
    }
    this.values.set(name, value)
  }

  [Symbol.iterator](): Iterator<[string, Value]> {
    return this.values[Symbol.iterator]()
  }

  /** The same values, to be written to apart. */
  fork(): Locals {
    this.shared = true
    return new Locals(this.values, true)
  }

  isUnchanged(since: Locals): boolean {
    return this.values === since.values
  }

  /** What the names mean where branches meet: those that all know; `choose` says for what differs. */
  meet(others: ReadonlyArray<Locals>, choose: (name: string, terms: ReadonlyArray<Term>) => Term): Locals {
    if (others.every((other) => other.values === this.values)) return this.fork()
    const met = new Map<string, Value>()
    for (const [name, value] of this.values) {
      const terms = [value.term]
      let differs = false
      for (const { values } of others) {
        const other = values.get(name)
        if (other === undefined) break
        terms.push(other.term)
        differs ||= other.term !== value.term
      }
      if (terms.length <= others.length) continue
      met.set(name, differs ? { term: choose(name, terms), type: value.type } : value)
    }
    return new Locals(met)
  }
}
