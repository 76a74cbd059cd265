/** Mixes two numbers well enough to spread consecutive ones. */
const hashOf = (from: number, step: number): number => {
  let hash = Math.imul(from, 0x9e3779b1) ^ Math.imul(step + 0x7f4a7c15, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  return hash ^ (hash >>> 13)
}

/**
 * Assigns a number to each distinct sequence of numbers: a term consists of such a sequence, and looking it up
 * allocates no string. A sequence begins with one of `roots` numbers below all that are assigned.
 */
export class Chains {
  private readonly roots: number
  private size = 0
  private from = new Int32Array(1 << 12)
  private step = new Int32Array(1 << 12)
  /** What the two lead to; 0 if a slot is free. */
  private end = new Int32Array(1 << 12)

  constructor(roots: number) {
    this.roots = roots
  }

  /** The number of a sequence that extends another by one. */
  next(from: number, step: number): number {
    const slot = this.slotOf(from, step)
    const known = this.end[slot]!
    if (known !== 0) return known
    const made = this.roots + ++this.size
    this.from[slot] = from
    this.step[slot] = step
    this.end[slot] = made
    if (2 * this.size > this.end.length) this.grow()
    return made
  }

  private slotOf(from: number, step: number): number {
    const mask = this.end.length - 1
    let slot = hashOf(from, step) & mask
    while (this.end[slot] !== 0 && (this.from[slot] !== from || this.step[slot] !== step)) slot = (slot + 1) & mask
    return slot
  }

  private grow(): void {
    const { from, step, end } = this
    this.from = new Int32Array(2 * end.length)
    this.step = new Int32Array(2 * end.length)
    this.end = new Int32Array(2 * end.length)
    for (let index = 0; index < end.length; index++) {
      if (end[index] === 0) continue
      const slot = this.slotOf(from[index]!, step[index]!)
      this.from[slot] = from[index]!
      this.step[slot] = step[index]!
      this.end[slot] = end[index]!
    }
  }
}
