import type { Callable, FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { defineIn } from "./definitions.ts"
import { type Expr, type FlowNode, type Graph, type Loop, none } from "./graph.ts"
import { shapeOf } from "./shape.ts"

/**
 * Most nodes have one neighbor on either side: a literal list takes a fifth of the room that the first `push`
 * allocates.
 */
const join = (
  from: { succs: ReadonlyArray<FlowNode> } & FlowNode,
  to: { preds: ReadonlyArray<FlowNode> } & FlowNode,
): void => {
  if (from.succs.length < 2) from.succs = from.succs.length === 0 ? [to] : [from.succs[0]!, to]
  // A list of two or more belongs to this node alone.
  else (from.succs as Array<FlowNode>).push(to)
  if (to.preds.length < 2) to.preds = to.preds.length === 0 ? [from] : [to.preds[0]!, from]
  else (to.preds as Array<FlowNode>).push(from)
}

/** Where a loop's `break` and `continue` come from. */
export interface Jumps {
  readonly breaks: Array<FlowNode>
  readonly continues: Array<FlowNode>
}

/** A graph that grows step by step: nodes without a successor are open, and lead to the next step. */
export class GraphBuilder {
  readonly program: Program
  readonly entry: FlowNode
  readonly exit: FlowNode
  readonly revert: FlowNode
  readonly returns: Array<FlowNode> = []
  /** Nodes whose successor is the next step. */
  open: Array<FlowNode> = []
  callable: Callable
  loop: Loop | undefined
  unchecked = false
  assembly: S.InlineAssembly | undefined
  private readonly nodes: Array<FlowNode> = []
  private readonly loops: Array<Loop> = []

  constructor(program: Program, fn: FunctionModel) {
    this.program = program
    this.callable = fn
    this.entry = this.make("entry", {})
    this.exit = this.make("exit", {})
    this.revert = this.make("revert", {})
    this.open = [this.entry]
  }

  /** Connects all open nodes to the normal end. */
  finish(): Graph {
    this.connect(this.exit)
    return {
      nodes: this.nodes,
      entry: this.entry,
      exit: this.exit,
      revert: this.revert,
      loops: this.loops,
      returns: this.returns,
    }
  }

  make(kind: FlowNode["kind"], more: Partial<Pick<FlowNode, "node" | "expression" | "condition" | "truth">>): FlowNode {
    const node: FlowNode = {
      id: this.nodes.length,
      kind,
      node: more.node,
      expression: more.expression,
      callable: this.callable,
      preds: none,
      succs: none,
      loop: this.loop,
      unchecked: this.unchecked,
      assembly: this.assembly,
      condition: more.condition,
      truth: more.truth,
      shape: more.expression === undefined || kind === "branch" ? 0 : shapeOf(more.expression),
      definitions: none,
      events: none,
      // One shape for all nodes: absent parts are undefined, which the optional fields let readers see.
    } as FlowNode
    this.nodes.push(node)
    return node
  }

  /** Makes `node` the successor of all open nodes. */
  connect(node: FlowNode): void {
    for (const from of this.open) join(from, node)
    this.open = []
  }

  step(node: FlowNode["node"], expression: Expr | undefined): FlowNode {
    const made = this.make("step", {
      ...(node === undefined ? {} : { node }),
      ...(expression === undefined ? {} : { expression }),
    })
    this.connect(made)
    this.open = [made]
    return made
  }

  /** A condition with its two branches; leaves nothing open. */
  condition(expression: Expr, node: FlowNode["node"]): { made: FlowNode; yes: FlowNode; no: FlowNode } {
    const made = this.make("condition", { expression, ...(node === undefined ? {} : { node }) })
    this.connect(made)
    defineIn(this.program, expression, made)
    const branch = (truth: boolean): FlowNode => {
      const b = this.make("branch", { condition: made, truth, expression, ...(node === undefined ? {} : { node }) })
      // `while (true)` and `assert(false)` have only one outcome.
      if (expression.kind === "Literal" && expression.value === String(!truth)) return b
      join(made, b)
      return b
    }
    return { made, yes: branch(true), no: branch(false) }
  }

  toRevert(): void {
    this.connect(this.revert)
  }

  /** Makes a loop the innermost one; its head is the next step. */
  enterLoop(node: Loop["node"]): Loop {
    const loop: Loop = { node, ...(this.loop === undefined ? {} : { outer: this.loop }) }
    this.loops.push(loop)
    this.loop = loop
    return loop
  }
}
