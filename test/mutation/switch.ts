/** Which guard is removed from a file that was loaded as a schema, and what its guards witness. Schemas call it `$mutation`. */
export class Switch {
  /** The index of the active mutant; -1 for none. */
  active = -1
  /** By mutant: whether its removal could make a difference to what ran. */
  witnessed = new Uint8Array(0)
  /** Guards evaluated, which ends what would hang. */
  steps = 0
  limit = Infinity
  /** What works out anew what files work out as they are loaded. */
  readonly again: Array<() => void> = []
  readonly Memo = memoOf(this)
  /** Counted up, it makes memos forget. */
  age = 0

  begin(active: number, limit: number): void {
    this.active = active
    this.age++
    this.steps = 0
    this.limit = limit
  }

  readonly value = <A>(value: A): A => {
    this.step()
    return value
  }

  readonly reached = <A>(index: number, value: A): A => this.note(true, index, value)

  readonly notTrue = <A>(index: number, value: A): A => this.note(value !== true, index, value)

  readonly notFalse = <A>(index: number, value: A): A => this.note(value !== false, index, value)

  readonly fails =
    (index: number, predicate: (...args: ReadonlyArray<unknown>) => unknown) =>
    (...args: ReadonlyArray<unknown>): unknown => {
      const passed = predicate(...args)
      return this.note(passed !== true, index, passed)
    }

  readonly equal = (index: number, left: number, operator: string, right: number): boolean => {
    this.note(left === right, index, left)
    if (operator === "<") return left < right
    if (operator === "<=") return left <= right
    return operator === ">" ? left > right : left >= right
  }

  private note<A>(isWitness: boolean, index: number, value: A): A {
    if (isWitness) this.witnessed[index] = 1
    this.step()
    return value
  }

  private step(): void {
    if (++this.steps > this.limit) throw new Error("this mutant hangs")
  }
}

/** Memos of a file that is mutated, or that depends on one: what they hold is forgotten from mutant to mutant. */
const memoOf = (its: Pick<Switch, "age">) =>
  class Memo<K extends WeakKey, V> {
    private known = new WeakMap<K, V>()
    private age = its.age

    get(key: K): V | undefined {
      return this.current().get(key)
    }
    has(key: K): boolean {
      return this.current().has(key)
    }
    set(key: K, value: V): this {
      this.current().set(key, value)
      return this
    }

    private current(): WeakMap<K, V> {
      if (this.age !== its.age) {
        this.known = new WeakMap()
        this.age = its.age
      }
      return this.known
    }
  }
