import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { reachabilityOf } from "../../../../../domain/detection/solidity/flow/graph/reachability.ts"

interface Node {
  readonly id: number
  readonly succs: Array<Node>
}

const graph = (count: number, edges: ReadonlyArray<readonly [number, number]>): ReadonlyArray<Node> => {
  const nodes: ReadonlyArray<Node> = Array.from({ length: count }, (_, id) => ({ id, succs: [] }))
  for (const [from, to] of edges) nodes[from % count]!.succs.push(nodes[to % count]!)
  return nodes
}

const search = (from: Node): ReadonlySet<number> => {
  const seen = new Set<number>()
  const stack = [...from.succs]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node.id)) continue
    seen.add(node.id)
    stack.push(...node.succs)
  }
  return seen
}

describe("reachabilityOf", () => {
  it("returns the same on a large graph, whether few or many nodes are queried", () => {
    const count = 1_100
    const edge = fc.tuple(fc.nat(count - 1), fc.nat(count - 1))
    fc.assert(
      fc.property(fc.array(edge, { minLength: 900, maxLength: 1_600 }), (edges) => {
        const nodes = graph(count, edges)
        const reaches = reachabilityOf(nodes)
        for (const from of nodes.slice(0, 40)) {
          const seen = search(from)
          expect(nodes.filter((to) => reaches(from.id, to.id)).length).toBe(seen.size)
          for (const to of seen) expect(reaches(from.id, to)).toBe(true)
        }
      }),
      { numRuns: 20 },
    )
  })

  it("agrees with a search from each node, on any graph", () => {
    const edge = fc.tuple(fc.nat(99), fc.nat(99))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.array(edge, { maxLength: 160 }), (count, edges) => {
        const nodes = graph(count, edges)
        const reaches = reachabilityOf(nodes)
        for (const from of nodes) {
          const seen = search(from)
          for (const to of nodes) expect(reaches(from.id, to.id)).toBe(seen.has(to.id))
        }
      }),
    )
  })

  it("knows the nodes of a loop on graphs that are too large for a table", () => {
    const count = 25_000
    const line = Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const)
    const reaches = reachabilityOf(graph(count, [...line, [9, 5], [20, 20]]))
    expect([4, 5, 9, 10, 20].map((id) => reaches(id, id))).toEqual([false, true, true, false, true])
  })

  it("errs toward yes on graphs that are too large for a table, and respects the order of a line", () => {
    const count = 25_000
    const reaches = reachabilityOf(
      graph(
        count,
        Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const),
      ),
    )
    expect([reaches(0, count - 1), reaches(count - 1, 0), reaches(7, 7)]).toEqual([true, false, false])
  })
})
