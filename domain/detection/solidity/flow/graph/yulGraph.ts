import type * as S from "../../syntax.ts"
import { addDefinition, type FlowNode } from "./graph.ts"
import type { GraphBuilder, Jumps } from "./graphBuilder.ts"

const ends = new Set(["revert", "return", "stop", "invalid", "selfdestruct"])

/** Adds the statements of assembly to a graph. */
export class YulGraph {
  private readonly graph: GraphBuilder
  private readonly jumps: Array<Jumps> = []

  constructor(graph: GraphBuilder) {
    this.graph = graph
  }

  block(block: S.YulBlock): void {
    for (const s of block.statements) this.statement(s)
  }

  private statement(s: S.YulStatement): void {
    switch (s.kind) {
      case "YulBlock":
        return this.block(s)
      case "YulVariableDeclaration":
      case "YulAssignment": {
        const node = this.graph.step(s, s.value)
        const targets = s.kind === "YulAssignment" ? s.targets : s.names
        targets.forEach((target, i) => {
          const variable = this.graph.program.referenceOf(target)
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
        this.graph.step(s, s.expression)
        if (s.expression.kind === "YulFunctionCall" && ends.has(s.expression.name)) {
          const { name } = s.expression
          this.graph.connect(name === "revert" || name === "invalid" ? this.graph.revert : this.graph.exit)
        }
        return
      }
      case "YulIf": {
        const { yes, no } = this.graph.condition(s.condition, s)
        this.graph.open = [yes]
        this.block(s.body)
        this.graph.open = [...this.graph.open, no]
        return
      }
      case "YulSwitch":
        return this.switch(s)
      case "YulFor":
        return this.for(s)
      case "YulFunctionDefinition":
        // It runs where it is called, and its effects count there.
        return
      case "YulBreak":
      case "YulContinue": {
        this.graph.step(s, undefined)
        const target = this.jumps[this.jumps.length - 1]
        ;(s.kind === "YulBreak" ? target?.breaks : target?.continues)?.push(...this.graph.open)
        this.graph.open = []
        return
      }
      case "YulLeave":
      case "YulUnknown":
        this.graph.step(s, undefined)
        return
    }
  }

  private switch(s: S.YulSwitch): void {
    const head = this.graph.step(s, s.subject)
    const after: Array<FlowNode> = []
    let hasDefault = false
    for (const c of s.cases) {
      if (c.value === undefined) hasDefault = true
      this.graph.open = [head]
      const entry = this.graph.step(undefined, undefined)
      this.graph.open = [entry]
      this.block(c.body)
      after.push(...this.graph.open)
    }
    this.graph.open = hasDefault ? after : [...after, head]
  }

  private for(s: S.YulFor): void {
    this.block(s.init)
    const loop = this.graph.enterLoop(s)
    const head = this.graph.step(s, undefined)
    const { made, yes, no } = this.graph.condition(s.condition, s)
    loop.condition = made
    const target: Jumps = { breaks: [], continues: [] }
    this.jumps.push(target)
    this.graph.open = [yes]
    this.block(s.body)
    this.jumps.pop()
    this.graph.open = [...this.graph.open, ...target.continues]
    this.block(s.update)
    this.graph.connect(head)
    this.graph.loop = loop.outer
    this.graph.open = [no, ...target.breaks]
  }
}
