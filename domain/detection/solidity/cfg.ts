import type { Callable, FunctionModel, LocalVariable, ModifierModel, YulVariable } from "./model.ts"
import type { Program } from "./program.ts"
import type { Event } from "./effects.ts"
import { shapeOf } from "./shape.ts"
import type * as S from "./syntax.ts"

export type Expr = S.Expression | S.YulExpression

/** `variable` takes `value` here; `index` is its position when a tuple is taken apart. */
export interface Definition {
  readonly variable: LocalVariable | YulVariable
  /** Absent: declared without a value (zero), or bound by `catch`. */
  readonly value?: Expr
  readonly index?: number
  /** The old value goes in too: `x += 1`, `x++`; members of a memory struct. */
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
 * A step of a function. `condition` is followed by two `branch` nodes; require and assert are conditions too, whose
 * false branch leads to `revert`. `exit` is the normal end, `revert` the other.
 */
export interface FlowNode {
  readonly id: number
  readonly kind: "entry" | "exit" | "revert" | "step" | "condition" | "branch"
  readonly node?: S.Statement | S.Expression | S.YulNode | S.ModifierInvocation
  /** What is evaluated here. */
  readonly expression?: Expr
  /** The function, or the modifier whose text this is. */
  readonly callable: Callable
  readonly preds: ReadonlyArray<FlowNode>
  readonly succs: ReadonlyArray<FlowNode>
  readonly loop?: Loop
  /** In an `unchecked` block, or in assembly. */
  readonly unchecked: boolean
  readonly assembly?: S.InlineAssembly
  /** Of a `branch`: the condition and how it came out. */
  readonly condition?: FlowNode
  readonly truth?: boolean
  /** The operations that `expression` contains, as bits of `Shape`; of a branch none: its condition has them. */
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

/** How often the body may be put in place of `_`, over all modifiers of a function. */
const bodyCopies = 8

interface Target {
  readonly breaks: Array<FlowNode>
  readonly continues: Array<FlowNode>
}

const yulEnds = new Set(["revert", "return", "stop", "invalid", "selfdestruct"])

/** Builds the graph of a function with its modifiers where they stand. */
export const buildGraph = (
  program: Program,
  fn: FunctionModel,
  modifiers: ReadonlyArray<ModifierModel | undefined>,
  neverReturns: (call: S.FunctionCall, from: Callable) => boolean,
): Graph => new Builder(program, fn, modifiers, neverReturns).build()

/** Most nodes define nothing and have no events: they share one empty list. */
const none: ReadonlyArray<never> = []

const addDefinition = (node: { definitions: ReadonlyArray<Definition> }, definition: Definition): void => {
  // a list that is not the shared one is this node's own
  if (node.definitions === none) node.definitions = [definition]
  else (node.definitions as Array<Definition>).push(definition)
}

/** Most nodes have one neighbour on either side: a literal list takes a fifth of the room that the first `push` makes. */
const join = (
  from: { succs: ReadonlyArray<FlowNode> } & FlowNode,
  to: { preds: ReadonlyArray<FlowNode> } & FlowNode,
): void => {
  if (from.succs.length < 2) from.succs = from.succs.length === 0 ? [to] : [from.succs[0]!, to]
  // a list of two or more is this node's own
  else (from.succs as Array<FlowNode>).push(to)
  if (to.preds.length < 2) to.preds = to.preds.length === 0 ? [from] : [to.preds[0]!, from]
  else (to.preds as Array<FlowNode>).push(from)
}

export const addEvent = (node: { events: ReadonlyArray<Event> }, event: Event): void => {
  if (node.events === none) node.events = [event]
  else (node.events as Array<Event>).push(event)
}

class Builder {
  private readonly nodes: Array<FlowNode> = []
  private readonly loops: Array<Loop> = []
  private readonly returns: Array<FlowNode> = []
  /** Nodes whose successor is what comes next. */
  private open: Array<FlowNode> = []
  private callable: Callable
  private loop: Loop | undefined
  private unchecked = false
  private assembly: S.InlineAssembly | undefined
  private targets: Array<Target> = []
  private yulTargets: Array<Target> = []
  /** Where `return` leads: the code after `_`, or the exit. */
  private returnTo: Array<FlowNode> = []
  private placeholder: (() => void) | undefined
  private copies = 0
  private readonly exit: FlowNode
  private readonly revert: FlowNode
  private readonly entry: FlowNode

  private readonly program: Program
  private readonly fn: FunctionModel
  private readonly modifiers: ReadonlyArray<ModifierModel | undefined>
  private readonly neverReturns: (call: S.FunctionCall, from: Callable) => boolean

  constructor(
    program: Program,
    fn: FunctionModel,
    modifiers: ReadonlyArray<ModifierModel | undefined>,
    neverReturns: (call: S.FunctionCall, from: Callable) => boolean,
  ) {
    this.program = program
    this.fn = fn
    this.modifiers = modifiers
    this.neverReturns = neverReturns
    this.callable = fn
    this.entry = this.make("entry", {})
    this.exit = this.make("exit", {})
    this.revert = this.make("revert", {})
  }

  build(): Graph {
    this.open = [this.entry]
    this.inline(0)
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

  private make(
    kind: FlowNode["kind"],
    more: Partial<Pick<FlowNode, "node" | "expression" | "condition" | "truth">>,
  ): FlowNode {
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
      // one shape for all nodes: absent parts are undefined, which the optional fields allow readers to see
    } as FlowNode
    this.nodes.push(node)
    return node
  }

  /** Makes `node` the successor of all open ends. */
  private connect(node: FlowNode): void {
    for (const from of this.open) join(from, node)
    this.open = []
  }

  private step(node: FlowNode["node"], expression: Expr | undefined): FlowNode {
    const made = this.make("step", {
      ...(node === undefined ? {} : { node }),
      ...(expression === undefined ? {} : { expression }),
    })
    this.connect(made)
    this.open = [made]
    return made
  }

  /** A condition with its two branches; leaves nothing open. */
  private condition(expression: Expr, node: FlowNode["node"]): { made: FlowNode; yes: FlowNode; no: FlowNode } {
    const made = this.make("condition", { expression, ...(node === undefined ? {} : { node }) })
    this.connect(made)
    this.define(expression, made)
    const branch = (truth: boolean): FlowNode => {
      const b = this.make("branch", { condition: made, truth, expression, ...(node === undefined ? {} : { node }) })
      // `while (true)` and `assert(false)` come out one way only
      if (expression.kind === "Literal" && expression.value === String(!truth)) return b
      join(made, b)
      return b
    }
    return { made, yes: branch(true), no: branch(false) }
  }

  private toRevert(): void {
    this.connect(this.revert)
  }

  /** The modifiers from the `i`-th on, then the body. */
  private inline(i: number): void {
    if (i >= this.modifiers.length) {
      const body = this.fn.node.body
      if (body === undefined) return
      const after = this.make("step", {})
      this.returnTo.push(after)
      this.inCallable(this.fn, () => this.statement(body))
      this.returnTo.pop()
      this.connect(after)
      this.open = after.preds.length > 0 ? [after] : []
      return
    }
    const modifier = this.modifiers[i]
    const invocation = this.fn.modifiers[i]?.node
    // a modifier that is not among the sources: its step stays, so that guards can see that something stood there
    const bind = this.step(invocation, undefined)
    for (const arg of invocation?.args ?? []) (bind as { shape: number }).shape |= shapeOf(arg)
    if (modifier === undefined || modifier.node.body === undefined) return this.inline(i + 1)
    modifier.parameters.forEach((variable, k) => {
      const value = invocation?.args?.[k]
      addDefinition(bind, { variable, keepsOld: false, at: bind, ...(value === undefined ? {} : { value }) })
    })
    const outerPlaceholder = this.placeholder
    const after = this.make("step", {})
    this.returnTo.push(after)
    this.placeholder = () => {
      if (++this.copies > bodyCopies) return
      const mine = this.placeholder
      const targets = this.targets
      const loop = this.loop
      this.targets = []
      this.placeholder = outerPlaceholder
      this.inline(i + 1)
      this.placeholder = mine
      this.targets = targets
      this.loop = loop
    }
    this.inCallable(modifier, () => this.statement(modifier.node.body!))
    this.placeholder = outerPlaceholder
    this.returnTo.pop()
    this.connect(after)
    this.open = after.preds.length > 0 ? [after] : []
  }

  private inCallable(callable: Callable, run: () => void): void {
    const before = this.callable
    const unchecked = this.unchecked
    this.callable = callable
    this.unchecked = false
    run()
    this.callable = before
    this.unchecked = unchecked
  }

  private statement(s: S.Statement): void {
    switch (s.kind) {
      case "Block": {
        const before = this.unchecked
        if (s.unchecked) this.unchecked = true
        for (const inner of s.statements) this.statement(inner)
        this.unchecked = before
        return
      }
      case "IfStatement": {
        const { yes, no } = this.condition(s.condition, s)
        this.open = [yes]
        this.statement(s.then)
        const afterThen = this.open
        this.open = [no]
        if (s.else !== undefined) this.statement(s.else)
        this.open = [...afterThen, ...this.open]
        return
      }
      case "WhileStatement":
        return this.loopOver(s, s.condition, s.body, undefined)
      case "ForStatement":
        if (s.init !== undefined) this.statement(s.init)
        return this.loopOver(s, s.condition, s.body, s.update)
      case "DoWhileStatement":
        return this.doWhile(s)
      case "TryStatement":
        return this.tryStatement(s)
      case "ReturnStatement": {
        const node = this.step(s, s.value)
        if (s.value !== undefined) this.define(s.value, node)
        // a value returned goes into the named results, so that what reads them after `_` sees it
        if (s.value !== undefined && this.callable === this.fn) this.defineTuple(this.fn.returns, s.value, node)
        this.returns.push(node)
        const to = this.returnTo[this.returnTo.length - 1]
        this.connect(to ?? this.exit)
        return
      }
      case "EmitStatement":
        this.step(s, s.call)
        return
      case "RevertStatement":
        this.step(s, s.call)
        return this.toRevert()
      case "ThrowStatement":
        this.step(s, undefined)
        return this.toRevert()
      case "BreakStatement":
      case "ContinueStatement": {
        this.step(s, undefined)
        const target = this.targets[this.targets.length - 1]
        ;(s.kind === "BreakStatement" ? target?.breaks : target?.continues)?.push(...this.open)
        this.open = []
        return
      }
      case "PlaceholderStatement":
        return this.placeholder?.()
      case "VariableDeclarationStatement": {
        const node = this.step(s, s.value)
        if (s.value !== undefined) this.define(s.value, node)
        const variables = s.declarations.map((d) => (d === undefined ? undefined : this.program.localOf(d)))
        if (s.value === undefined) {
          for (const variable of variables)
            if (variable !== undefined) addDefinition(node, { variable, keepsOld: false, at: node })
        } else this.defineTuple(variables, s.value, node)
        return
      }
      case "ExpressionStatement":
        return this.expressionStatement(s, s.expression)
      case "InlineAssembly": {
        this.assembly = s
        const before = this.unchecked
        this.unchecked = true
        this.yulBlock(s.body)
        this.unchecked = before
        this.assembly = undefined
        return
      }
      case "UnknownStatement":
        this.step(s, undefined)
        return
    }
  }

  private expressionStatement(s: S.Statement, e: S.Expression): void {
    const call = e.kind === "FunctionCall" ? this.program.callOf(e) : undefined
    if (call?.kind === "builtin") {
      if ((call.name === "require" || call.name === "assert") && e.kind === "FunctionCall" && e.args[0] !== undefined) {
        const { yes, no } = this.condition(e.args[0], s)
        this.open = [no]
        this.toRevert()
        this.open = [yes]
        return
      }
      if (call.name === "revert") {
        this.step(s, e)
        return this.toRevert()
      }
      if (call.name === "selfdestruct" || call.name === "suicide") {
        this.step(s, e)
        this.connect(this.exit)
        return
      }
    }
    const node = this.step(s, e)
    this.define(e, node)
    if (call !== undefined && this.neverReturns(call.node, this.callable)) this.toRevert()
  }

  private loopOver(
    s: S.ForStatement | S.WhileStatement,
    test: S.Expression | undefined,
    body: S.Statement,
    update: S.Expression | undefined,
  ): void {
    const loop: Loop = { node: s, ...(this.loop === undefined ? {} : { outer: this.loop }) }
    this.loops.push(loop)
    this.loop = loop
    const head = this.step(s, undefined)
    let out: Array<FlowNode> = []
    if (test !== undefined) {
      const { made, yes, no } = this.condition(test, s)
      loop.condition = made
      this.open = [yes]
      out = [no]
    }
    const target: Target = { breaks: [], continues: [] }
    this.targets.push(target)
    this.statement(body)
    this.targets.pop()
    this.open = [...this.open, ...target.continues]
    if (update !== undefined && this.open.length > 0) {
      const node = this.step(update, update)
      this.define(update, node)
    }
    this.connect(head)
    this.loop = loop.outer
    this.open = [...out, ...target.breaks]
  }

  private doWhile(s: S.DoWhileStatement): void {
    const loop: Loop = { node: s, ...(this.loop === undefined ? {} : { outer: this.loop }) }
    this.loops.push(loop)
    this.loop = loop
    const head = this.step(s, undefined)
    const target: Target = { breaks: [], continues: [] }
    this.targets.push(target)
    this.statement(s.body)
    this.targets.pop()
    this.open = [...this.open, ...target.continues]
    const { made, yes, no } = this.condition(s.condition, s)
    loop.condition = made
    this.open = [yes]
    this.connect(head)
    this.loop = loop.outer
    this.open = [no, ...target.breaks]
  }

  private tryStatement(s: S.TryStatement): void {
    const node = this.step(s, s.call)
    this.define(s.call, node)
    const after: Array<FlowNode> = []
    const bodyEntry = this.make("step", {})
    this.open = [node]
    this.connect(bodyEntry)
    this.open = [bodyEntry]
    this.defineTuple(
      s.returns.map((d) => this.program.localOf(d)),
      s.call,
      bodyEntry,
    )
    this.statement(s.body)
    after.push(...this.open)
    for (const clause of s.catches) {
      this.open = [node]
      const entry = this.make("step", {})
      this.connect(entry)
      this.open = [entry]
      for (const d of clause.parameters) {
        const variable = this.program.localOf(d)
        if (variable !== undefined) addDefinition(entry, { variable, value: s.call, keepsOld: false, at: entry })
      }
      this.statement(clause.body)
      after.push(...this.open)
    }
    this.open = after
  }

  // Definitions inside expressions

  private define(e: Expr, at: FlowNode): void {
    switch (e.kind) {
      case "Assignment":
        this.define(e.right, at)
        this.define(e.left, at)
        return this.defineTarget(e.left, e.operator === "=" ? e.right : e, e.operator !== "=", at)
      case "UnaryOperation":
        this.define(e.operand, at)
        if (e.operator === "++" || e.operator === "--") this.defineTarget(e.operand, e.operand, true, at)
        else if (e.operator === "delete" && e.operand.kind === "Identifier")
          this.defineTarget(e.operand, undefined, false, at)
        return
      case "BinaryOperation":
        this.define(e.left, at)
        return this.define(e.right, at)
      case "FunctionCall":
        this.define(e.callee, at)
        for (const arg of e.args) this.define(arg, at)
        return
      case "FunctionCallOptions":
        this.define(e.callee, at)
        for (const option of e.options) this.define(option.value, at)
        return
      case "MemberAccess":
        return this.define(e.object, at)
      case "IndexAccess":
        this.define(e.base, at)
        if (e.index !== undefined) this.define(e.index, at)
        return
      case "Conditional":
        this.define(e.condition, at)
        this.define(e.then, at)
        return this.define(e.else, at)
      case "TupleExpression":
      case "InlineArray":
        for (const c of e.components) if (c !== undefined) this.define(c, at)
        return
    }
  }

  private defineTarget(
    target: S.Expression,
    value: Expr | undefined,
    keepsOld: boolean,
    at: FlowNode,
    index?: number,
  ): void {
    if (target.kind === "TupleExpression") {
      target.components.forEach((c, i) => {
        if (c === undefined) return
        if (value?.kind === "TupleExpression") this.defineTarget(c, value.components[i], keepsOld, at)
        else this.defineTarget(c, value, keepsOld, at, i)
      })
      return
    }
    // a write to part of a memory struct or array changes the whole; one through a storage pointer does not move it
    let root: S.Expression = target
    while (root.kind === "MemberAccess" || root.kind === "IndexAccess")
      root = root.kind === "MemberAccess" ? root.object : root.base
    if (root.kind !== "Identifier") return
    const variable = this.program.referenceOf(root)
    if (variable?.kind !== "LocalVariable") return
    const part = root !== target
    if (part && "location" in variable.type && variable.type.location === "storage") return
    addDefinition(at, {
      variable,
      keepsOld: keepsOld || part,
      at,
      ...(value === undefined ? {} : { value }),
      ...(index === undefined ? {} : { index }),
    })
  }

  private defineTuple(variables: ReadonlyArray<LocalVariable | undefined>, value: S.Expression, at: FlowNode): void {
    variables.forEach((variable, i) => {
      if (variable === undefined) return
      const component = value.kind === "TupleExpression" ? value.components[i] : value
      if (component === undefined) return
      addDefinition(at, {
        variable,
        value: component,
        keepsOld: false,
        at,
        ...(variables.length > 1 && value.kind !== "TupleExpression" ? { index: i } : {}),
      })
    })
  }

  // Yul

  private yulBlock(block: S.YulBlock): void {
    for (const s of block.statements) this.yulStatement(s)
  }

  private yulStatement(s: S.YulStatement): void {
    switch (s.kind) {
      case "YulBlock":
        return this.yulBlock(s)
      case "YulVariableDeclaration":
      case "YulAssignment": {
        const node = this.step(s, s.value)
        const targets = s.kind === "YulAssignment" ? s.targets : s.names
        targets.forEach((target, i) => {
          const variable = this.program.referenceOf(target)
          if (variable?.kind !== "LocalVariable" && variable?.kind !== "YulVariable") return
          addDefinition(node, {
            variable,
            keepsOld: false,
            at: node,
            ...(s.value === undefined ? {} : { value: s.value }),
            ...(targets.length > 1 ? { index: i } : {}),
            ...(/[._]slot$/.test(target.name) ? { slot: true } : {}),
          })
        })
        return
      }
      case "YulExpressionStatement": {
        this.step(s, s.expression)
        if (s.expression.kind === "YulFunctionCall" && yulEnds.has(s.expression.name)) {
          const { name } = s.expression
          this.connect(name === "revert" || name === "invalid" ? this.revert : this.exit)
        }
        return
      }
      case "YulIf": {
        const { yes, no } = this.condition(s.condition, s)
        this.open = [yes]
        this.yulBlock(s.body)
        this.open = [...this.open, no]
        return
      }
      case "YulSwitch":
        return this.yulSwitch(s)
      case "YulFor":
        return this.yulFor(s)
      case "YulFunctionDefinition":
        // runs where it is called; its effects are counted there
        return
      case "YulBreak":
      case "YulContinue": {
        this.step(s, undefined)
        const target = this.yulTargets[this.yulTargets.length - 1]
        ;(s.kind === "YulBreak" ? target?.breaks : target?.continues)?.push(...this.open)
        this.open = []
        return
      }
      case "YulLeave":
      case "YulUnknown":
        this.step(s, undefined)
        return
    }
  }

  private yulSwitch(s: S.YulSwitch): void {
    const head = this.step(s, s.subject)
    const after: Array<FlowNode> = []
    let hasDefault = false
    for (const c of s.cases) {
      if (c.value === undefined) hasDefault = true
      this.open = [head]
      const entry = this.step(undefined, undefined)
      this.open = [entry]
      this.yulBlock(c.body)
      after.push(...this.open)
    }
    this.open = hasDefault ? after : [...after, head]
  }

  private yulFor(s: S.YulFor): void {
    this.yulBlock(s.init)
    const loop: Loop = { node: s, ...(this.loop === undefined ? {} : { outer: this.loop }) }
    this.loops.push(loop)
    this.loop = loop
    const head = this.step(s, undefined)
    const { made, yes, no } = this.condition(s.condition, s)
    loop.condition = made
    const target: Target = { breaks: [], continues: [] }
    this.yulTargets.push(target)
    this.open = [yes]
    this.yulBlock(s.body)
    this.yulTargets.pop()
    this.open = [...this.open, ...target.continues]
    this.yulBlock(s.update)
    this.connect(head)
    this.loop = loop.outer
    this.open = [no, ...target.breaks]
  }
}
