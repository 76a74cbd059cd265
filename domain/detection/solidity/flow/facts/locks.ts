import type { StateVariable } from "../../model.ts"
import type { Flow } from "../../program.ts"
import { type FlowNode, none } from "../graph/graph.ts"
import { type Origins, Source } from "../graph/origins.ts"

/** Reentrancy locks and initializer flags, recognized by how they are used. */
export class Locks {
  private readonly flow: Flow
  private readonly memo = new Map<number, StateVariable | undefined>()
  private comparedMemo: ReadonlyArray<{ readonly node: FlowNode; readonly variable: StateVariable }> | undefined

  constructor(flow: Flow) {
    this.flow = flow
  }

  /** A state variable that was checked and set before; `reset`: and is changed again afterwards, or never. */
  flagAt(at: FlowNode, reset: boolean): StateVariable | undefined {
    const key = at.id * 2 + Number(reset)
    if (this.memo.has(key)) return this.memo.get(key)
    const found = this.findFlag(at, reset)
    if (this.flow.isSummarized) this.memo.set(key, found)
    return found
  }

  private findFlag(at: FlowNode, reset: boolean): StateVariable | undefined {
    for (const variable of this.flow.knownFacts.upTo(at)?.flags ?? none) {
      const writes = this.flow.changes.placesOf(variable)
      if (writes?.precede(at) === true && writes.follow(at) === reset) return variable
    }
    return reset ? this.counterLock(at) : undefined
  }

  /** The older form: a counter that is incremented before, and compared with its copy afterwards. */
  private counterLock(at: FlowNode): StateVariable | undefined {
    const compared = this.selfCompared()
    if (compared.length === 0) return undefined
    for (const write of this.flow.writes) {
      const variable = write.place?.variables[0]
      if (
        variable === undefined ||
        write.event.operation === "delete" ||
        !this.flow.dominates(write.at, at) ||
        write.at === at
      )
        continue
      if (variable.type.kind !== "integer" || write.place?.path !== "") continue
      for (const { node, variable: own } of compared) {
        if (own === variable && this.flow.reaches(at, node) && !this.flow.reaches(node, at)) return variable
      }
    }
    return undefined
  }

  /** Conditions that compare a state variable with its own earlier value, kept in a local. */
  private selfCompared(): ReadonlyArray<{ readonly node: FlowNode; readonly variable: StateVariable }> {
    this.comparedMemo ??= this.flow.conditionNodes().flatMap((node) => {
      const e = node.expression
      if (e?.kind !== "BinaryOperation" || e.operator !== "==") return []
      const [left, right] = [this.flow.origins(e.left, node), this.flow.origins(e.right, node)]
      const [variable] = left.state
      const isPlain = (o: Origins): boolean =>
        o.state.length === 1 && o.state[0] === variable && o.sources === Source.state
      return variable !== undefined && isPlain(left) && isPlain(right) ? [{ node, variable }] : []
    })
    return this.comparedMemo
  }
}
