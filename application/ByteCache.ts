/**
 * Values by key, up to a total number of bytes, evicting the least recently used ones first. A value larger than a
 * quarter of the capacity is not stored.
 */
export class ByteCache<A> {
  /** In order of use. */
  private readonly kept = new Map<string, A>()
  private readonly limit: number
  private readonly sizeOf: (value: A) => number
  private bytes = 0

  constructor(limit: number, sizeOf: (value: A) => number) {
    this.limit = limit
    this.sizeOf = sizeOf
  }

  get(key: string): A | undefined {
    const value = this.kept.get(key)
    if (value !== undefined) {
      this.kept.delete(key)
      this.kept.set(key, value)
    }
    return value
  }

  put(key: string, value: A): void {
    this.remove(key)
    const size = this.sizeOf(value)
    if (size > this.limit / 4) return
    this.kept.set(key, value)
    this.bytes += size
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.limit) break
      this.remove(oldest)
    }
  }

  remove(key: string): void {
    const value = this.kept.get(key)
    if (value === undefined) return
    this.kept.delete(key)
    this.bytes -= this.sizeOf(value)
  }
}
