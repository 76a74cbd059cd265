import type { Callable, LocalVariable, YulVariable } from "../../model.ts"
import type * as S from "../../syntax.ts"
import type { Event } from "./events.ts"

export type Expr = S.Expression | S.YulExpression

/** `variable` takes `value` here; `index` is its position if a tuple is taken apart. */
export interface Definition {
  readonly variable: LocalVariable | YulVariable
  /** Absent if declared without a value (zero), or bound by `catch`. */
  readonly value?: Expr
  readonly index?: number
  /** Whether the old value is included: `x += 1`, `x++`; members of a memory struct. */
  readonly keepsOld: boolean
  /** `p.slot := …` in assembly. */
  readonly slot?: boolean
  readonly at: FlowNode
}

export interface Loop {
  readonly node: S.ForStatement | S.WhileStatement | S.DoWhileStatement | S.YulFor
  /** Absent in `for (;;)`. */
  condition?: FlowNode
  readonly outer?: Loop
}

/**
 * A step of a function. A `condition` is followed by two `branch` nodes; require and assert are conditions, too, whose
 * false branch leads to `revert`. `exit` is the normal end, `revert` the other.
 */
export interface FlowNode {
  readonly id: number
  readonly kind: "entry" | "exit" | "revert" | "step" | "condition" | "branch"
  readonly node?: S.Statement | S.Expression | S.YulNode | S.ModifierInvocation
  /** What is evaluated here. */
  readonly expression?: Expr
  /** The function or modifier that the code belongs to. */
  readonly callable: Callable
  readonly preds: ReadonlyArray<FlowNode>
  readonly succs: ReadonlyArray<FlowNode>
  readonly loop?: Loop
  /** In an `unchecked` block, or in assembly. */
  readonly unchecked: boolean
  readonly assembly?: S.InlineAssembly
  /** For a `branch`: the condition and its outcome. */
  readonly condition?: FlowNode
  readonly truth?: boolean
  /** The operations that `expression` contains, as bits of `Shape`; none for a branch, since its condition has them. */
  readonly shape: number
  readonly definitions: ReadonlyArray<Definition>
  /** Calls, reads and writes in the order of evaluation. */
  readonly events: ReadonlyArray<Event>
}

export interface Graph {
  readonly nodes: ReadonlyArray<FlowNode>
  readonly entry: FlowNode
  readonly exit: FlowNode
  readonly revert: FlowNode
  readonly loops: ReadonlyArray<Loop>
  readonly returns: ReadonlyArray<FlowNode>
}

/** Most nodes define nothing and have no events: they share one empty list. */
export const none: ReadonlyArray<never> = []

export const addEvent = (node: { events: ReadonlyArray<Event> }, event: Event): void => {
  // A list other than the shared one belongs to this node alone.
  if (node.events === none) node.events = [event]
  else (node.events as Array<Event>).push(event)
}

export const addDefinition = (node: { definitions: ReadonlyArray<Definition> }, definition: Definition): void => {
  if (node.definitions === none) node.definitions = [definition]
  else (node.definitions as Array<Definition>).push(definition)
}
