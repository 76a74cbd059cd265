import { oncePer } from "../../oncePer.ts"

type Index<Key, One> = ReadonlyMap<Key, ReadonlyArray<One>>

/**
 * Elements by their keys, on top of those of another layer. What thousands of layers have for one key is found in a
 * number of steps that grows with the logarithm: `far` leaps over layers, and what they have is merged once.
 */
export class Layer<Key, One> {
  readonly own: Index<Key, One>
  readonly below: Layer<Key, One> | undefined
  readonly far: Layer<Key, One> | undefined
  private readonly depth: number

  constructor(own: Index<Key, One>, below: Layer<Key, One> | undefined) {
    this.own = own
    this.below = below
    this.depth = (below?.depth ?? 0) + 1
    // Two leaps of one length make one of twice the length: Myers, An applicative random-access stack (1983).
    const next = below?.far
    const leapsOn = next !== undefined && below!.depth - next.depth === next.depth - (next.far?.depth ?? 0)
    this.far = leapsOn ? next.far : below
  }
}

/** What a layer and those below it have for a key, oldest first. */
export const filedUnder = <Key, One>(layer: Layer<Key, One>, key: Key): ReadonlyArray<One> => {
  const found: Array<ReadonlyArray<One>> = []
  for (let one: Layer<Key, One> | undefined = layer; one !== undefined; one = one.far)
    for (const index of indexesOf(one).toReversed()) {
      const had = index.get(key)
      if (had !== undefined) found.push(had)
    }
  return found.length === 1 ? found[0]! : found.toReversed().flat()
}

/** What a layer has, and what the layers over which it leaps have, oldest first. */
const indexesOf = <Key, One>({ own, below, far }: Layer<Key, One>): ReadonlyArray<Index<Key, One>> =>
  far === below ? [own] : [mergedFrom(below!) as Index<Key, One>, own]

/** What a layer has, and the layers over which the next one above it leaps. It belongs to the lower one of them. */
const mergedFrom = oncePer(<Key, One>(layer: Layer<Key, One>): Index<Key, One> => {
  const merged = new Map<Key, Array<One>>()
  for (const index of [...indexesOf(layer.far!), ...indexesOf(layer)])
    for (const [key, some] of index) {
      const known = merged.get(key)
      if (known === undefined) merged.set(key, [...some])
      else for (const one of some) known.push(one)
    }
  return merged
})
