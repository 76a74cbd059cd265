import type { Callable, FunctionModel, ModifierModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { defineIn, defineVariables } from "./definitions.ts"
import { addDefinition, type FlowNode, type Graph } from "./graph.ts"
import { GraphBuilder, type Jumps } from "./graphBuilder.ts"
import { shapeOf } from "./shape.ts"
import { YulGraph } from "./yulGraph.ts"

/** How often a body may replace `_`, over all modifiers of a function. */
const bodyCopies = 8

/** Builds the graph of a function, with its modifiers in place. */
export const buildGraph = (
  program: Program,
  fn: FunctionModel,
  modifiers: ReadonlyArray<ModifierModel | undefined>,
  neverReturns: (call: S.FunctionCall, from: Callable) => boolean,
): Graph => new StatementGraph(program, fn, modifiers, neverReturns).build()

/** Adds the statements of a function and of its modifiers to a graph. */
class StatementGraph {
  private readonly program: Program
  private readonly fn: FunctionModel
  private readonly modifiers: ReadonlyArray<ModifierModel | undefined>
  private readonly neverReturns: (call: S.FunctionCall, from: Callable) => boolean
  private readonly graph: GraphBuilder
  private readonly yul: YulGraph
  private jumps: Array<Jumps> = []
  /** Where `return` leads: the code after `_`, or the exit. */
  private readonly returnTo: Array<FlowNode> = []
  private placeholder: (() => void) | undefined
  private copies = 0

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
    this.graph = new GraphBuilder(program, fn)
    this.yul = new YulGraph(this.graph)
  }

  build(): Graph {
    this.inline(0)
    return this.graph.finish()
  }

  /** The modifiers from the `i`-th on, then the body. */
  private inline(i: number): void {
    if (i >= this.modifiers.length) {
      const body = this.fn.node.body
      if (body === undefined) return
      const after = this.graph.make("step", {})
      this.returnTo.push(after)
      this.inCallable(this.fn, () => this.statement(body))
      this.returnTo.pop()
      this.graph.connect(after)
      this.graph.open = after.preds.length > 0 ? [after] : []
      return
    }
    const modifier = this.modifiers[i]
    const invocation = this.fn.modifiers[i]?.node
    // A modifier that is missing from the sources keeps its step, so that guards can see that there was something.
    const bind = this.graph.step(invocation, undefined)
    for (const arg of invocation?.args ?? []) (bind as { shape: number }).shape |= shapeOf(arg)
    if (modifier === undefined || modifier.node.body === undefined) return this.inline(i + 1)
    modifier.parameters.forEach((variable, k) => {
      const value = invocation?.args?.[k]
      addDefinition(bind, { variable, keepsOld: false, at: bind, ...(value === undefined ? {} : { value }) })
    })
    const outerPlaceholder = this.placeholder
    const after = this.graph.make("step", {})
    this.returnTo.push(after)
    this.placeholder = () => {
      if (++this.copies > bodyCopies) return
      const mine = this.placeholder
      const jumps = this.jumps
      const loop = this.graph.loop
      this.jumps = []
      this.placeholder = outerPlaceholder
      this.inline(i + 1)
      this.placeholder = mine
      this.jumps = jumps
      this.graph.loop = loop
    }
    this.inCallable(modifier, () => this.statement(modifier.node.body!))
    this.placeholder = outerPlaceholder
    this.returnTo.pop()
    this.graph.connect(after)
    this.graph.open = after.preds.length > 0 ? [after] : []
  }

  private inCallable(callable: Callable, run: () => void): void {
    const before = this.graph.callable
    const unchecked = this.graph.unchecked
    this.graph.callable = callable
    this.graph.unchecked = false
    run()
    this.graph.callable = before
    this.graph.unchecked = unchecked
  }

  private statement(s: S.Statement): void {
    switch (s.kind) {
      case "Block": {
        const before = this.graph.unchecked
        if (s.unchecked) this.graph.unchecked = true
        for (const inner of s.statements) this.statement(inner)
        this.graph.unchecked = before
        return
      }
      case "IfStatement":
        return this.ifStatement(s)
      case "WhileStatement":
        return this.loopOver(s, s.condition, s.body, undefined)
      case "ForStatement":
        if (s.init !== undefined) this.statement(s.init)
        return this.loopOver(s, s.condition, s.body, s.update)
      case "DoWhileStatement":
        return this.doWhile(s)
      case "TryStatement":
        return this.tryStatement(s)
      case "ReturnStatement":
        return this.returnStatement(s)
      case "EmitStatement":
        this.graph.step(s, s.call)
        return
      case "RevertStatement":
        this.graph.step(s, s.call)
        return this.graph.toRevert()
      case "ThrowStatement":
        this.graph.step(s, undefined)
        return this.graph.toRevert()
      case "BreakStatement":
      case "ContinueStatement": {
        this.graph.step(s, undefined)
        const target = this.jumps[this.jumps.length - 1]
        ;(s.kind === "BreakStatement" ? target?.breaks : target?.continues)?.push(...this.graph.open)
        this.graph.open = []
        return
      }
      case "PlaceholderStatement":
        return this.placeholder?.()
      case "VariableDeclarationStatement":
        return this.declaration(s)
      case "ExpressionStatement":
        return this.expressionStatement(s, s.expression)
      case "InlineAssembly":
        return this.inlineAssembly(s)
      case "UnknownStatement":
        this.graph.step(s, undefined)
        return
    }
  }

  private ifStatement(s: S.IfStatement): void {
    const { yes, no } = this.graph.condition(s.condition, s)
    this.graph.open = [yes]
    this.statement(s.then)
    const afterThen = this.graph.open
    this.graph.open = [no]
    if (s.else !== undefined) this.statement(s.else)
    this.graph.open = [...afterThen, ...this.graph.open]
  }

  private returnStatement(s: S.ReturnStatement): void {
    const node = this.graph.step(s, s.value)
    if (s.value !== undefined) defineIn(this.program, s.value, node)
    // A returned value goes into the named results, so that code that reads them after `_` sees it.
    if (s.value !== undefined && this.graph.callable === this.fn) defineVariables(this.fn.returns, s.value, node)
    this.graph.returns.push(node)
    const to = this.returnTo[this.returnTo.length - 1]
    this.graph.connect(to ?? this.graph.exit)
  }

  private declaration(s: S.VariableDeclarationStatement): void {
    const node = this.graph.step(s, s.value)
    if (s.value !== undefined) defineIn(this.program, s.value, node)
    const variables = s.declarations.map((d) => (d === undefined ? undefined : this.program.localOf(d)))
    if (s.value === undefined) {
      for (const variable of variables)
        if (variable !== undefined) addDefinition(node, { variable, keepsOld: false, at: node })
    } else defineVariables(variables, s.value, node)
  }

  private inlineAssembly(s: S.InlineAssembly): void {
    this.graph.assembly = s
    const before = this.graph.unchecked
    this.graph.unchecked = true
    this.yul.block(s.body)
    this.graph.unchecked = before
    this.graph.assembly = undefined
  }

  private expressionStatement(s: S.Statement, e: S.Expression): void {
    const call = e.kind === "FunctionCall" ? this.program.callOf(e) : undefined
    if (call?.kind === "builtin") {
      if ((call.name === "require" || call.name === "assert") && e.kind === "FunctionCall" && e.args[0] !== undefined) {
        const { yes, no } = this.graph.condition(e.args[0], s)
        this.graph.open = [no]
        this.graph.toRevert()
        this.graph.open = [yes]
        return
      }
      if (call.name === "revert") {
        this.graph.step(s, e)
        return this.graph.toRevert()
      }
      if (call.name === "selfdestruct" || call.name === "suicide") {
        this.graph.step(s, e)
        this.graph.connect(this.graph.exit)
        return
      }
    }
    const node = this.graph.step(s, e)
    defineIn(this.program, e, node)
    if (call !== undefined && this.neverReturns(call.node, this.graph.callable)) this.graph.toRevert()
  }

  private loopOver(
    s: S.ForStatement | S.WhileStatement,
    test: S.Expression | undefined,
    body: S.Statement,
    update: S.Expression | undefined,
  ): void {
    const loop = this.graph.enterLoop(s)
    const head = this.graph.step(s, undefined)
    let out: Array<FlowNode> = []
    if (test !== undefined) {
      const { made, yes, no } = this.graph.condition(test, s)
      loop.condition = made
      this.graph.open = [yes]
      out = [no]
    }
    const target: Jumps = { breaks: [], continues: [] }
    this.jumps.push(target)
    this.statement(body)
    this.jumps.pop()
    this.graph.open = [...this.graph.open, ...target.continues]
    if (update !== undefined && this.graph.open.length > 0) {
      const node = this.graph.step(update, update)
      defineIn(this.program, update, node)
    }
    this.graph.connect(head)
    this.graph.loop = loop.outer
    this.graph.open = [...out, ...target.breaks]
  }

  private doWhile(s: S.DoWhileStatement): void {
    const loop = this.graph.enterLoop(s)
    const head = this.graph.step(s, undefined)
    const target: Jumps = { breaks: [], continues: [] }
    this.jumps.push(target)
    this.statement(s.body)
    this.jumps.pop()
    this.graph.open = [...this.graph.open, ...target.continues]
    const { made, yes, no } = this.graph.condition(s.condition, s)
    loop.condition = made
    this.graph.open = [yes]
    this.graph.connect(head)
    this.graph.loop = loop.outer
    this.graph.open = [no, ...target.breaks]
  }

  private tryStatement(s: S.TryStatement): void {
    const node = this.graph.step(s, s.call)
    defineIn(this.program, s.call, node)
    const after: Array<FlowNode> = []
    const bodyEntry = this.graph.make("step", {})
    this.graph.open = [node]
    this.graph.connect(bodyEntry)
    this.graph.open = [bodyEntry]
    defineVariables(
      s.returns.map((d) => this.program.localOf(d)),
      s.call,
      bodyEntry,
    )
    this.statement(s.body)
    after.push(...this.graph.open)
    for (const clause of s.catches) {
      this.graph.open = [node]
      const entry = this.graph.make("step", {})
      this.graph.connect(entry)
      this.graph.open = [entry]
      for (const d of clause.parameters) {
        const variable = this.program.localOf(d)
        if (variable !== undefined) addDefinition(entry, { variable, value: s.call, keepsOld: false, at: entry })
      }
      this.statement(clause.body)
      after.push(...this.graph.open)
    }
    this.graph.open = after
  }
}
