import type { Value } from "./events.ts"
import type { Term } from "./terms.ts"

/** How many names set since the base was made are copied by a fork; beyond that, everything becomes a new base. */
const maxOwn = (base: number): number => Math.max(64, 2 * Math.sqrt(base))

/**
 * The values of the names in scope: a base that is never written to, and what was set since. Branches share both until
 * one of them writes, and then copy only the latter: a function with thousands of names that branches after each would
 * otherwise copy all of them each time.
 */
export class Locals {
  private base: ReadonlyMap<string, Value>
  private own: Map<string, Value>
  private shared: boolean

  constructor(base: ReadonlyMap<string, Value> = new Map(), own: Map<string, Value> = new Map(), shared = false) {
    this.base = base
    this.own = own
    this.shared = shared
  }

  get(name: string): Value | undefined {
    return this.own.get(name) ?? this.base.get(name)
  }

  set(name: string, value: Value): void {
    if (this.shared) this.own = new Map(this.own)
    this.shared = false
    this.own.set(name, value)
  }

  *[Symbol.iterator](): Iterator<[string, Value]> {
    // The reader may write in the meantime.
    const { base, own } = this
    for (const [name, value] of base) yield [name, own.get(name) ?? value]
    for (const [name, value] of own) if (!base.has(name)) yield [name, value]
  }

  /** The same values, to be modified separately. */
  fork(): Locals {
    if (this.own.size > maxOwn(this.base.size)) {
      this.base = new Map(this)
      this.own = new Map()
    }
    this.shared = true
    return new Locals(this.base, this.own, true)
  }

  isUnchanged(since: Locals): boolean {
    return this.base === since.base && this.own === since.own
  }

  /** What the names mean where branches join: those known to all; `choose` decides where they differ. */
  meet(others: ReadonlyArray<Locals>, choose: (name: string, terms: ReadonlyArray<Term>) => Term): Locals {
    if (others.every((other) => other.isUnchanged(this))) return this.fork()
    // What only the base knows is the same in all of them.
    const isCommon = others.every((other) => other.base === this.base)
    const names = new Set(
      isCommon ? [this, ...others].flatMap(({ own }) => [...own.keys()]) : [...this].map(([name]) => name),
    )
    const met = new Map<string, Value>()
    for (const name of names) {
      const values = [this, ...others].map((one) => one.get(name))
      const known = values.filter((value) => value !== undefined)
      if (known.length < values.length) continue
      const [first] = known as [Value, ...ReadonlyArray<Value>]
      const differs = known.some(({ term }) => term !== first.term)
      met.set(
        name,
        differs
          ? {
              term: choose(
                name,
                known.map(({ term }) => term),
              ),
              type: first.type,
            }
          : first,
      )
    }
    return isCommon ? new Locals(this.base, met) : new Locals(met)
  }
}
