/** A directed graph by node numbers. */
export interface Numbered {
  readonly id: number
  readonly succs: ReadonlyArray<Numbered>
}

/** The table has a bit for each pair of nodes: 50 MB at this size. For larger graphs, answers err towards yes. */
const nodeLimit = 20_000

/** Strongly connected components in Tarjan's order, successors first; without recursion. */
const components = (nodes: ReadonlyArray<Numbered>): { readonly of: Int32Array; readonly count: number } => {
  const of = new Int32Array(nodes.length).fill(-1)
  const index = new Int32Array(nodes.length).fill(-1)
  const low = new Int32Array(nodes.length)
  const next = new Int32Array(nodes.length)
  const stack: Array<number> = []
  let clock = 0
  let count = 0
  for (const root of nodes) {
    if (index[root.id] !== -1) continue
    const work = [root.id]
    while (work.length > 0) {
      const id = work[work.length - 1]!
      if (index[id] === -1) {
        index[id] = low[id] = clock++
        stack.push(id)
      }
      const succ = nodes[id]!.succs[next[id]!++]
      if (succ !== undefined) {
        if (index[succ.id] === -1) work.push(succ.id)
        else if (of[succ.id] === -1) low[id] = Math.min(low[id]!, index[succ.id]!)
        continue
      }
      work.pop()
      const parent = work[work.length - 1]
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[id]!)
      if (low[id] !== index[id]) continue
      for (let member = -1; member !== id;) {
        member = stack.pop()!
        of[member] = count
      }
      count++
    }
  }
  return { of, count }
}

/** Up to this size, the table of all pairs costs less than a search. */
const smallSize = 1_000
/** Nodes from which paths are searched for one by one in a larger graph, before the table is made after all. */
const searchLimit = 32

/**
 * Whether some path leads from the end of one node to another; a node reaches itself only in a loop. What few nodes
 * of a large graph reach is searched for; for rules that ask about many pairs of steps, a table has all of them.
 */
export const reachabilityOf = (nodes: ReadonlyArray<Numbered>): ((from: number, to: number) => boolean) => {
  const { of, count } = components(nodes)
  // Components are numbered from the end: whatever is reached has a smaller number, or the same one in a loop.
  if (nodes.length > nodeLimit) {
    const sizes = new Int32Array(count)
    for (const { id } of nodes) sizes[of[id]!]!++
    const isLooped = (id: number): boolean => sizes[of[id]!]! > 1 || nodes[id]!.succs.some((succ) => succ.id === id)
    return (from, to) => (from === to ? isLooped(from) : of[to]! <= of[from]!)
  }
  if (nodes.length <= smallSize) return tableOf(nodes, of, count)
  const searched = new Map<number, Uint8Array>()
  let all: ((from: number, to: number) => boolean) | undefined
  return (from, to) => {
    if (of[to]! > of[from]!) return false
    if (all !== undefined) return all(from, to)
    let reached = searched.get(from)
    if (reached === undefined) {
      if (searched.size === searchLimit) {
        searched.clear()
        return (all = tableOf(nodes, of, count))(from, to)
      }
      searched.set(from, (reached = reachedFrom(nodes, from)))
    }
    return reached[to] === 1
  }
}

const reachedFrom = (nodes: ReadonlyArray<Numbered>, from: number): Uint8Array => {
  const reached = new Uint8Array(nodes.length)
  const work = [nodes[from]!]
  for (let node = work.pop(); node !== undefined; node = work.pop())
    for (const succ of node.succs) {
      if (reached[succ.id] === 1) continue
      reached[succ.id] = 1
      work.push(succ)
    }
  return reached
}

/** All pairs at once, 32 at a time. */
const tableOf = (
  nodes: ReadonlyArray<Numbered>,
  of: Int32Array,
  count: number,
): ((from: number, to: number) => boolean) => {
  const width = Math.ceil(count / 32)
  const table = new Uint32Array(count * width)
  const members: Array<Array<Numbered>> = Array.from({ length: count }, () => [])
  for (const node of nodes) members[of[node.id]!]!.push(node)
  for (let component = 0; component < count; component++) {
    const row = component * width
    for (const { succs } of members[component]!) {
      for (const { id } of succs) {
        const target = of[id]!
        table[row + (target >>> 5)]! |= 1 << (target & 31)
        if (target === component) continue
        const other = target * width
        // A row contains nothing beyond its own component.
        for (let i = 0; i <= target >>> 5; i++) table[row + i]! |= table[other + i]!
      }
    }
  }
  return (from, to) => {
    const target = of[to]!
    return ((table[of[from]! * width + (target >>> 5)]! >>> (target & 31)) & 1) === 1
  }
}
