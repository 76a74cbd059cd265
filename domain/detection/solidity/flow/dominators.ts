/** A directed graph by node numbers. */
interface Numbered {
  readonly id: number
  readonly preds: ReadonlyArray<Numbered>
  readonly succs: ReadonlyArray<Numbered>
}

/** Steps of the search for common dominators before the rest falls back to the entry (fewer facts, never wrong ones). */
const stepLimit = 20_000_000

/** Dominator tree of the nodes reachable from `entry` without `skip`, after Cooper, Harvey and Kennedy (2001). */
export interface Dominators {
  /** Immediate dominator by node id; -1 for the entry and for what is not reachable. */
  readonly idom: ReadonlyArray<number>
  /** True when every path from the entry to `b` passes `a`; each node dominates itself. */
  readonly dominates: (a: number, b: number) => boolean
  readonly reachable: (node: number) => boolean
  /** Reachable nodes, each after its dominators. */
  readonly order: ReadonlyArray<number>
}

// `Array.from` takes five times as long
// oxlint-disable-next-line unicorn/no-new-array -- the type says that it is a length
const filled = (count: number, value: number): Array<number> => new Array<number>(count).fill(value)

export const dominatorsOf = (nodes: ReadonlyArray<Numbered>, entry: Numbered, skip: Numbered): Dominators => {
  const count = nodes.length
  // plain lists: most functions have some ten nodes, and a typed array takes 200 bytes however short it is
  const number: Array<number> = filled(count, -1)
  const postorder: Array<number> = []
  const seen: Array<number> = filled(count, 0)
  const stack: Array<{ node: Numbered; next: number }> = [{ node: entry, next: 0 }]
  seen[entry.id] = 1
  seen[skip.id] = 2
  while (stack.length > 0) {
    const frame = stack[stack.length - 1]!
    const succ = frame.node.succs[frame.next++]
    if (succ === undefined) {
      number[frame.node.id] = postorder.length
      postorder.push(frame.node.id)
      stack.pop()
    } else if (seen[succ.id] === 0) {
      seen[succ.id] = 1
      stack.push({ node: succ, next: 0 })
    }
  }
  const order = postorder.toReversed()
  const idom: Array<number> = filled(count, -1)
  idom[entry.id] = entry.id
  let steps = 0
  const intersect = (first: number, second: number): number => {
    let a = first
    let b = second
    while (a !== b) {
      if (++steps > stepLimit) return entry.id
      while (number[a]! < number[b]!) a = idom[a]!
      while (number[b]! < number[a]!) b = idom[b]!
    }
    return a
  }
  for (let changed = true; changed;) {
    changed = false
    for (const id of order) {
      if (id === entry.id) continue
      let dominator = -1
      for (const pred of nodes[id]!.preds) {
        if (seen[pred.id] !== 1 || idom[pred.id] === -1) continue
        dominator = dominator === -1 ? pred.id : intersect(pred.id, dominator)
      }
      if (idom[id] !== dominator) {
        idom[id] = dominator
        changed = true
      }
    }
  }
  // numbering the tree in depth-first order turns `dominates` into two comparisons
  const children: Array<Array<number> | undefined> = []
  for (const id of order) if (id !== entry.id) (children[idom[id]!] ??= []).push(id)
  const first: Array<number> = filled(count, 0)
  const last: Array<number> = filled(count, 0)
  let clock = 0
  const walk: Array<{ id: number; next: number }> = [{ id: entry.id, next: 0 }]
  first[entry.id] = clock++
  while (walk.length > 0) {
    const frame = walk[walk.length - 1]!
    const child = children[frame.id]?.[frame.next++]
    if (child === undefined) {
      last[frame.id] = clock
      walk.pop()
    } else {
      first[child] = clock++
      walk.push({ id: child, next: 0 })
    }
  }
  idom[entry.id] = -1
  return {
    idom,
    order,
    reachable: (node) => seen[node] === 1,
    dominates: (a, b) => seen[a] === 1 && seen[b] === 1 && first[a]! <= first[b]! && first[b]! < last[a]!,
  }
}
