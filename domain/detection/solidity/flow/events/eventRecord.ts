import type { Declaration, LocalVariable } from "../../model.ts"
import type { CallSite, StorageAccess } from "../graph/events.ts"
import { addEvent, type Expr, type FlowNode } from "../graph/graph.ts"
import { isSomewhere, type StoragePlace, withAllMembers } from "../graph/storagePlace.ts"

/** Records the events of one step after another, in the order in which they are reported. */
export class EventRecord {
  /** The step whose events come next. */
  at!: FlowNode
  /** The expression of that step that is a statement of its own, so that its result is dropped. */
  ignored: Expr | undefined
  /** Locals and parameters whose value is used somewhere. */
  readonly localsRead = new Set<LocalVariable>()
  private order = 0

  use(declaration: Declaration | undefined): void {
    if (declaration?.kind === "LocalVariable") this.localsRead.add(declaration)
  }

  call(site: Omit<CallSite, "kind" | "at" | "order">): void {
    addEvent(this.at, { kind: "call", ...site, at: this.at, order: this.order++ })
  }

  access(
    kind: StorageAccess["kind"],
    operation: StorageAccess["operation"],
    expression: Expr,
    place: StoragePlace,
    value?: Expr,
  ): void {
    if (!isSomewhere(place)) return
    const { node } = this.at
    const isPointer = node?.kind === "VariableDeclarationStatement" && node.declarations[0]?.location === "storage"
    addEvent(this.at, {
      kind,
      operation,
      expression,
      place: isPointer ? place : withAllMembers(place),
      at: this.at,
      order: this.order++,
      ...(value === undefined ? {} : { value }),
    })
  }
}
