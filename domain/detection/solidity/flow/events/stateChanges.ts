import { indexBy } from "../../../indexBy.ts"
import type { StateVariable } from "../../model.ts"
import type { CallSite, Event, StorageAccess } from "../graph/events.ts"
import type { Fact } from "../facts/facts.ts"
import type { Flow } from "../../program.ts"
import { type FlowNode, none } from "../graph/graph.ts"
import { SomeEvents } from "../graph/someEvents.ts"
import type { Reached } from "../functionSummary.ts"

/** The writes of one variable. */
interface Changes {
  readonly writes: ReadonlyArray<Reached<StorageAccess>>
  readonly placed: SomeEvents
}

/** Which state is changed before, and checked between, the steps of a flow. */
export class StateChanges {
  private readonly flow: Flow
  private index:
    | {
        readonly writes: ReadonlyArray<Reached<StorageAccess>>
        readonly byVariable: ReadonlyMap<StateVariable, Changes>
      }
    | undefined

  constructor(flow: Flow) {
    this.flow = flow
  }

  /** The writes that may change a variable. */
  of(variable: StateVariable): ReadonlyArray<Reached<StorageAccess>> {
    return this.changes(variable)?.writes ?? none
  }

  /** Where they are. */
  placesOf(variable: StateVariable): SomeEvents | undefined {
    return this.changes(variable)?.placed
  }

  private changes(variable: StateVariable): Changes | undefined {
    if (this.index?.writes !== this.flow.writes) {
      const byVariable = new Map<StateVariable, Changes>()
      const writes = indexBy(this.flow.writes, ({ place }) => place?.variables ?? none)
      for (const [one, its] of writes) byVariable.set(one, { writes: its, placed: new SomeEvents(this.flow, its) })
      this.index = { writes: this.flow.writes, byVariable }
    }
    return this.index.byVariable.get(variable)
  }

  /**
   * State that was checked and then changed, both before `at` on every path: `require(!done[id]); done[id] = true;`,
   * `require(balance[a] >= x); balance[a] -= x`. A second run sees the change.
   */
  consumedAt(at: FlowNode): ReadonlyArray<StateVariable> {
    const checked = new Set<StateVariable>()
    const collect = (fact: Fact): void => {
      if (fact.kind === "any") for (const option of fact.options) option.forEach(collect)
      else
        for (const v of [...fact.left.state, ...(fact.right?.state ?? [])])
          if (!v.constant && !v.immutable) checked.add(v)
    }
    this.flow.facts(at).forEach(collect)
    return [...checked].filter((v) => this.placesOf(v)?.precede(at))
  }

  /** Whether every path to a call has written the variable before, including in an argument of the call. */
  isBefore(event: { readonly at: FlowNode; readonly order: number }, variable: StateVariable): boolean {
    return this.placesOf(variable)?.mustPrecede(event) === true
  }

  /** Like `isBefore`, for a call in this function or in one that it calls: each of the calls on the way counts. */
  isBeforeCall(call: Reached<CallSite>, variable: StateVariable): boolean {
    if (this.isBefore(call, variable)) return true
    return [...call.via.slice(1), call.event].some((site) => {
      const { callable } = site.at
      const inner = callable.kind === "Function" ? this.flow.program.flowIfBuilt(callable) : undefined
      return inner !== undefined && inner !== this.flow && inner.changes.isBefore(site, variable)
    })
  }

  /** Whether the variable is checked again after `first` and before the write, which then sees what a callback left. */
  recheckedBefore(write: Reached<StorageAccess>, first: Reached<Event>, variable: StateVariable): boolean {
    const mentions = (fact: Fact): boolean =>
      fact.kind === "any"
        ? !(fact.expression.kind === "UnknownExpression" && this.flow.nodes[fact.at.id] === fact.at) &&
          fact.options.every((option) => option.some(mentions))
        : (fact.left.state.includes(variable) || fact.right?.state.includes(variable) === true) && isLater(fact)
    // Where branches join (there is no expression), either outcome of the condition may have led here, so it checked
    // nothing.
    const isLater = ({ at }: Fact): boolean => this.flow.nodes[at.id] !== at || this.flow.reaches(first.at, at)
    if (write.via.length > 0) {
      // Inside the function that writes, which is called after `first`.
      const { callable } = write.event.at
      const inner = callable.kind === "Function" ? this.flow.program.flowIfBuilt(callable) : undefined
      if (inner?.facts(write.event.at).some(mentions) === true) return true
    }
    const telling = this.flow.facts(write.at).filter(mentions)
    if (telling.length === 0) return false
    const before = new Set(this.flow.facts(first.at))
    return telling.some((fact) => !before.has(fact))
  }
}
