import type { Call, FunctionModel } from "./model.ts"
import type { Program } from "./program.ts"

export interface Edge {
  readonly from: FunctionModel
  readonly to: FunctionModel
  readonly call: Call
}

/** Which function calls which inside a contract, with `virtual` resolved in each caller's context. */
export class CallGraph {
  private readonly out = new Map<FunctionModel, Array<Edge>>()
  private readonly into = new Map<FunctionModel, Array<Edge>>()
  /** Functions with a body in groups that call each other, callees before their callers. */
  readonly groups: ReadonlyArray<ReadonlyArray<FunctionModel>>
  private readonly reached: ReadonlySet<FunctionModel>
  private readonly entryMemo = new Map<FunctionModel, ReadonlyArray<FunctionModel>>()
  private readonly program: Program

  constructor(program: Program) {
    this.program = program
    for (const fn of program.functions) if (fn.implemented) this.out.set(fn, this.edges(program, fn))
    for (const edges of this.out.values()) {
      for (const edge of edges) {
        const known = this.into.get(edge.to)
        if (known === undefined) this.into.set(edge.to, [edge])
        else known.push(edge)
      }
    }
    this.groups = this.stronglyConnected([...this.out.keys()])
    this.reached = this.reachedFrom(() => true)
  }

  private edges(program: Program, fn: FunctionModel): Array<Edge> {
    const context = program.contextOf(fn)
    const edges: Array<Edge> = []
    const add = (calls: ReadonlyArray<Call>, from: Parameters<Program["dispatch"]>[1]): void => {
      for (const call of calls) {
        if (call.kind !== "internal" && call.kind !== "library") continue
        const to = program.dispatch(call, from, context)
        if (to !== undefined) edges.push({ from: fn, to, call })
      }
    }
    add(program.callsIn(fn), fn)
    for (const { modifier } of fn.modifiers) {
      if (modifier === undefined) continue
      const active = program.dispatchModifier(modifier, context)
      add(program.callsIn(active), active)
    }
    return edges
  }

  callees(fn: FunctionModel): ReadonlyArray<Edge> {
    return this.out.get(fn) ?? []
  }

  callers(fn: FunctionModel): ReadonlyArray<Edge> {
    return this.into.get(fn) ?? []
  }

  /** Whether a transaction or another contract can call it. */
  isEntryPoint(fn: FunctionModel): boolean {
    const kind = fn.contract?.node.contractKind
    return (
      kind === "contract" && fn.role !== "constructor" && (fn.visibility === "public" || fn.visibility === "external")
    )
  }

  /** What some entry points reach, and they themselves. */
  reachedFrom(isOne: (entryPoint: FunctionModel) => boolean): ReadonlySet<FunctionModel> {
    const reached = new Set(this.program.functions.filter((fn) => this.isEntryPoint(fn) && isOne(fn)))
    // A set also iterates over what is added in the meantime.
    for (const fn of reached) for (const { to } of this.callees(fn)) reached.add(to)
    return reached
  }

  /** Entry points that reach a function, including itself; at most 64. Constructors do not count. */
  entryPointsOf(fn: FunctionModel): ReadonlyArray<FunctionModel> {
    const memo = this.entryMemo.get(fn)
    if (memo !== undefined) return memo
    const seen = new Set<FunctionModel>([fn])
    const queue = [fn]
    const entries: Array<FunctionModel> = []
    for (let i = 0; i < queue.length && i < 2000 && entries.length < 64; i++) {
      const at = queue[i]!
      if (this.isEntryPoint(at)) entries.push(at)
      for (const { from } of this.callers(at)) {
        if (seen.has(from)) continue
        seen.add(from)
        queue.push(from)
      }
    }
    this.entryMemo.set(fn, entries)
    return entries
  }

  /** Reached from an entry point, or mentioned as a value. */
  isReachable(fn: FunctionModel): boolean {
    return this.program.functionValues.has(fn) || this.reached.has(fn)
  }

  /** Tarjan's algorithm with its own stack: call chains may be thousands deep. */
  private stronglyConnected(functions: ReadonlyArray<FunctionModel>): Array<Array<FunctionModel>> {
    const index = new Map<FunctionModel, number>()
    const low = new Map<FunctionModel, number>()
    const onStack = new Set<FunctionModel>()
    const stack: Array<FunctionModel> = []
    const groups: Array<Array<FunctionModel>> = []
    for (const root of functions) {
      if (index.has(root)) continue
      const work: Array<{ fn: FunctionModel; edge: number }> = [{ fn: root, edge: 0 }]
      while (work.length > 0) {
        const frame = work[work.length - 1]!
        const { fn } = frame
        if (frame.edge === 0 && !index.has(fn)) {
          index.set(fn, index.size)
          low.set(fn, index.get(fn)!)
          stack.push(fn)
          onStack.add(fn)
        }
        const edges = this.out.get(fn) ?? []
        let descended = false
        while (frame.edge < edges.length) {
          const to = edges[frame.edge++]!.to
          if (!this.out.has(to)) continue
          if (!index.has(to)) {
            work.push({ fn: to, edge: 0 })
            descended = true
            break
          }
          if (onStack.has(to)) low.set(fn, Math.min(low.get(fn)!, index.get(to)!))
        }
        if (descended) continue
        work.pop()
        const parent = work[work.length - 1]
        if (parent !== undefined) low.set(parent.fn, Math.min(low.get(parent.fn)!, low.get(fn)!))
        if (low.get(fn) !== index.get(fn)) continue
        const group: Array<FunctionModel> = []
        for (;;) {
          const member = stack.pop()!
          onStack.delete(member)
          group.push(member)
          if (member === fn) break
        }
        groups.push(group)
      }
    }
    return groups
  }
}
