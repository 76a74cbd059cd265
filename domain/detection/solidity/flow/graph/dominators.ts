/** A directed graph by node numbers. */
interface Numbered {
  readonly id: number
  readonly preds: ReadonlyArray<Numbered>
  readonly succs: ReadonlyArray<Numbered>
}

/** The dominator tree of the nodes reachable from `entry` without `skip`. */
export interface Dominators {
  /** The immediate dominator by node id; -1 for the entry and for unreachable nodes. */
  readonly idom: ReadonlyArray<number>
  /** Whether every path from the entry to `b` passes through `a`; each node dominates itself. */
  readonly dominates: (a: number, b: number) => boolean
  /** The same of any of several nodes, and of each node only by others. */
  readonly strictlyBelow: (several: ReadonlyArray<number>) => (b: number) => boolean
  readonly reachable: (node: number) => boolean
  /** Reachable nodes, each after its dominators. */
  readonly order: ReadonlyArray<number>
}

// plain lists: most functions have some ten nodes, and a typed array takes 200 bytes however short it is;
// `Array.from` takes five times as long
// oxlint-disable-next-line unicorn/no-new-array -- the type says that it is a length
const filled = (count: number, value: number): Array<number> => new Array<number>(count).fill(value)

interface Search {
  /** Nodes in the order in which the search found them; everything below refers to positions in it. */
  readonly order: ReadonlyArray<number>
  /** The position by node id; -1 for unreachable nodes. */
  readonly position: ReadonlyArray<number>
  /** Where the search came from. */
  readonly parent: ReadonlyArray<number>
}

const depthFirst = (count: number, entry: Numbered, skip: Numbered): Search => {
  const position = filled(count, -1)
  const order = [entry.id]
  const parent = [-1]
  position[entry.id] = 0
  const stack: Array<{ readonly node: Numbered; next: number }> = [{ node: entry, next: 0 }]
  while (stack.length > 0) {
    const frame = stack[stack.length - 1]!
    const succ = frame.node.succs[frame.next++]
    if (succ === undefined) stack.pop()
    else if (position[succ.id] === -1 && succ !== skip) {
      position[succ.id] = order.length
      parent.push(position[frame.node.id]!)
      order.push(succ.id)
      stack.push({ node: succ, next: 0 })
    }
  }
  return { order, position, parent }
}

/** Immediate dominators by position, after Lengauer and Tarjan (1979), with path compression: n log n steps. */
const immediateDominators = (nodes: ReadonlyArray<Numbered>, { order, position, parent }: Search): Array<number> => {
  const count = order.length
  const semi = order.map((_, i) => i)
  const label = order.map((_, i) => i)
  const ancestor = filled(count, -1)
  const idom = filled(count, -1)
  // Nodes by their semidominator, as linked lists.
  const first = filled(count, -1)
  const next = filled(count, -1)
  const path: Array<number> = []
  /** The node with the least semidominator on the way up through the forest. */
  const least = (v: number): number => {
    if (ancestor[v] === -1) return v
    for (let up = v; ancestor[ancestor[up]!] !== -1; up = ancestor[up]!) path.push(up)
    for (let node = path.pop(); node !== undefined; node = path.pop()) {
      const up = ancestor[node]!
      if (semi[label[up]!]! < semi[label[node]!]!) label[node] = label[up]!
      ancestor[node] = ancestor[up]!
    }
    return label[v]!
  }
  for (let w = count - 1; w > 0; w--) {
    for (const pred of nodes[order[w]!]!.preds) {
      const v = position[pred.id]!
      if (v !== -1) semi[w] = Math.min(semi[w]!, semi[least(v)]!)
    }
    next[w] = first[semi[w]!]!
    first[semi[w]!] = w
    const up = parent[w]!
    ancestor[w] = up
    for (let v = first[up]!; v !== -1; v = next[v]!) {
      const u = least(v)
      idom[v] = semi[u]! < semi[v]! ? u : up
    }
    first[up] = -1
  }
  for (let w = 1; w < count; w++) if (idom[w] !== semi[w]) idom[w] = idom[idom[w]!]!
  return idom
}

export const dominatorsOf = (nodes: ReadonlyArray<Numbered>, entry: Numbered, skip: Numbered): Dominators => {
  const search = depthFirst(nodes.length, entry, skip)
  const { order, position } = search
  const parents = immediateDominators(nodes, search)
  const idom = filled(nodes.length, -1)
  // Numbering the tree in depth-first order turns `dominates` into two comparisons: `size` is that of the subtree.
  const size = filled(order.length, 1)
  for (let w = order.length - 1; w > 0; w--) {
    idom[order[w]!] = order[parents[w]!]!
    size[parents[w]!]! += size[w]!
  }
  const start = filled(nodes.length, -1)
  const end = filled(nodes.length, -1)
  const free = filled(order.length, 0)
  order.forEach((id, w) => {
    // A node precedes all nodes that it dominates, which are consecutive.
    const at = w === 0 ? 0 : free[parents[w]!]!
    if (w > 0) free[parents[w]!] = at + size[w]!
    free[w] = at + 1
    start[id] = at
    end[id] = at + size[w]!
  })
  return {
    idom,
    order,
    reachable: (node) => position[node] !== -1,
    dominates: (a, b) => start[a] !== -1 && start[a]! <= start[b]! && start[b]! < end[a]!,
    strictlyBelow: (several) => {
      // Subtrees lie apart or inside one another: those inside others say nothing more.
      const outer: Array<number> = []
      for (const id of several.filter((one) => start[one] !== -1).toSorted((a, b) => start[a]! - start[b]!))
        if (outer.length === 0 || start[id]! >= end[outer.at(-1)!]!) outer.push(id)
      return (b) => {
        let [low, high] = [0, outer.length]
        while (low < high) {
          const middle = (low + high) >>> 1
          if (start[outer[middle]!]! <= start[b]!) low = middle + 1
          else high = middle
        }
        const above = outer[low - 1]
        return above !== undefined && above !== b && start[b]! < end[above]!
      }
    },
  }
}
