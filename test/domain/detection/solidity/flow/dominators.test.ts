import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dominatorsOf } from "../../../../../domain/detection/solidity/flow/graph/dominators.ts"
import { cpuTime } from "../../../../support/cpuTime.ts"

interface Node {
  readonly id: number
  readonly preds: Array<Node>
  readonly succs: Array<Node>
}

/** Node 0 is the entry; the last one is left out. */
const graph = (count: number, edges: Iterable<readonly [number, number]>): ReadonlyArray<Node> => {
  const nodes: ReadonlyArray<Node> = Array.from({ length: count }, (_, id) => ({ id, preds: [], succs: [] }))
  for (const [a, b] of edges) {
    const [from, to] = [nodes[a % count]!, nodes[b % count]!]
    from.succs.push(to)
    to.preds.push(from)
  }
  return nodes
}

const reachedWithout = (nodes: ReadonlyArray<Node>, left: ReadonlySet<number>): ReadonlySet<number> => {
  const seen = new Set<number>(left.has(0) ? [] : [0])
  const stack = left.has(0) ? [] : [nodes[0]!]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const succ of node.succs) {
      if (seen.has(succ.id) || left.has(succ.id)) continue
      seen.add(succ.id)
      stack.push(succ)
    }
  }
  return seen
}

describe("dominatorsOf", () => {
  it("agrees with removing nodes, on any graph", () => {
    const edge = fc.tuple(fc.nat(99), fc.nat(99))
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.array(edge, { maxLength: 120 }), (count, edges) => {
        const nodes = graph(count, edges)
        const last = count - 1
        const { dominates, idom, order, reachable } = dominatorsOf(nodes, nodes[0]!, nodes[last]!)
        const reached = reachedWithout(nodes, new Set([last]))
        const before = new Set<number>()
        for (const id of order) {
          expect(id === 0 ? idom[id] === -1 : before.has(idom[id]!)).toBe(true)
          before.add(id)
        }
        expect(before).toEqual(reached)
        for (const a of nodes) {
          expect(reachable(a.id)).toBe(reached.has(a.id))
          const without = reachedWithout(nodes, new Set([last, a.id]))
          for (const b of nodes)
            expect(dominates(a.id, b.id)).toBe(reached.has(a.id) && reached.has(b.id) && !without.has(b.id))
        }
        for (const b of order) {
          const strict = order.filter((a) => a !== b && dominates(a, b))
          for (const a of strict) expect(dominates(a, idom[b]!)).toBe(true)
        }
      }),
    )
  })

  it("takes negligible time if 20,000 paths lead to one exit", () => {
    const count = 20_000
    // Condition i is followed by condition i + 1, or by the end.
    const nodes = graph(
      count + 2,
      Array.from({ length: count }, (_, i) => [[i, i + 1] as const, [i, count] as const]).flat(),
    )
    const before = cpuTime()
    const { idom } = dominatorsOf(nodes, nodes[0]!, nodes[count + 1]!)
    // Takes 30 ms; walking up from each path to the last one's dominator takes 7 s.
    expect(cpuTime() - before).toBeLessThan(1_500)
    expect([idom[count], idom[count - 1]]).toEqual([0, count - 2])
  })
})
