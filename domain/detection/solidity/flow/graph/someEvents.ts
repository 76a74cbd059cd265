import type { Dominators } from "./dominators.ts"
import type { FlowNode } from "./graph.ts"

/** Up to this many are asked one by one. */
const few = 8

/** A flow, as far as its order goes. */
interface Order {
  readonly nodes: ReadonlyArray<FlowNode>
  readonly dominators: Dominators
  readonly reaches: (a: FlowNode, b: FlowNode) => boolean
}

/** Where an event is. */
interface Placed {
  readonly at: FlowNode
  readonly order: number
}

/**
 * Whether some of many events come before or after others: the graph is searched once for all of them, rather than for
 * each pair.
 */
export class SomeEvents {
  private readonly flow: Order
  /** Where the first one in each step is. */
  private readonly first = new Map<FlowNode, number>()
  private readonly steps: ReadonlyArray<FlowNode>
  private dominated: ((node: number) => boolean) | undefined
  private after: Uint8Array | undefined
  private before: Uint8Array | undefined

  constructor(flow: Order, events: Iterable<Placed>) {
    this.flow = flow
    for (const { at, order } of events) this.first.set(at, Math.min(order, this.first.get(at) ?? order))
    this.steps = [...this.first.keys()]
  }

  /** Whether every path to a step passes through one of them in another step. */
  precede(at: FlowNode): boolean {
    if (this.steps.length <= few)
      return this.steps.some((one) => one !== at && this.flow.dominators.dominates(one.id, at.id))
    this.dominated ??= this.flow.dominators.strictlyBelow(this.steps.map(({ id }) => id))
    return this.dominated(at.id)
  }

  /** Whether every path to an event passes through one of them. */
  mustPrecede({ at, order }: Placed): boolean {
    return (this.first.get(at) ?? order) < order || this.precede(at)
  }

  /** Whether an event can come after one of them. */
  mayPrecede({ at, order }: Placed): boolean {
    return (this.first.get(at) ?? order) < order || this.reach(at)
  }

  /** Whether some path leads from the end of a step to one of them. */
  follow(at: FlowNode): boolean {
    if (this.steps.length <= few) return this.steps.some((one) => this.flow.reaches(at, one))
    this.before ??= this.search("preds")
    return this.before[at.id] === 1
  }

  /** Whether some path leads from the end of the step of one of them to a step. */
  reach(at: FlowNode): boolean {
    if (this.steps.length <= few) return this.steps.some((one) => this.flow.reaches(one, at))
    this.after ??= this.search("succs")
    return this.after[at.id] === 1
  }

  private search(direction: "succs" | "preds"): Uint8Array {
    const found = new Uint8Array(this.flow.nodes.length)
    const work = [...this.steps]
    for (let node = work.pop(); node !== undefined; node = work.pop())
      for (const next of node[direction]) {
        if (found[next.id] === 1) continue
        found[next.id] = 1
        work.push(next)
      }
    return found
  }
}
