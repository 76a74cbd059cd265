import type { Bindings } from "./bindings.ts"
import type { Declaration, YulFunction, YulVariable } from "../model.ts"
import type * as S from "../syntax.ts"

/** Binds the names in assembly: its own variables and functions first, then what `lookup` finds around it. */
export class YulBinder {
  private blocks: Array<Map<string, YulVariable | YulFunction>> = []
  private readonly references: Bindings["references"]
  private readonly lookup: (name: string) => ReadonlyArray<Declaration>

  constructor(references: Bindings["references"], lookup: (name: string) => ReadonlyArray<Declaration>) {
    this.references = references
    this.lookup = lookup
  }

  /** A node that is an assembly statement, or inside one. */
  block(block: S.YulBlock): void {
    const names = new Map<string, YulVariable | YulFunction>()
    this.blocks.push(names)
    for (const s of block.statements) {
      if (s.kind === "YulFunctionDefinition") names.set(s.name, { kind: "YulFunction", name: s.name, node: s })
    }
    for (const s of block.statements) this.yulStatement(s)
    this.blocks.pop()
  }

  private yulDeclare(node: S.YulIdentifier, role: YulVariable["role"]): void {
    const variable: YulVariable = { kind: "YulVariable", name: node.name, node, role }
    this.blocks[this.blocks.length - 1]!.set(node.name, variable)
    this.references.set(node, variable)
  }

  private yulStatement(s: S.YulStatement): void {
    switch (s.kind) {
      case "YulBlock":
        return this.block(s)
      case "YulVariableDeclaration":
        if (s.value !== undefined) this.yulExpression(s.value)
        for (const name of s.names) this.yulDeclare(name, "local")
        return
      case "YulAssignment":
        this.yulExpression(s.value)
        for (const target of s.targets) this.yulName(target)
        return
      case "YulExpressionStatement":
        return this.yulExpression(s.expression)
      case "YulIf":
        this.yulExpression(s.condition)
        return this.block(s.body)
      case "YulFor": {
        // What `init` declares is visible in the whole loop.
        const names = new Map<string, YulVariable | YulFunction>()
        this.blocks.push(names)
        for (const inner of s.init.statements) this.yulStatement(inner)
        this.yulExpression(s.condition)
        this.block(s.update)
        this.block(s.body)
        this.blocks.pop()
        return
      }
      case "YulSwitch":
        this.yulExpression(s.subject)
        for (const c of s.cases) this.block(c.body)
        return
      case "YulFunctionDefinition":
        this.blocks.push(new Map())
        for (const p of s.parameters) this.yulDeclare(p, "parameter")
        for (const r of s.returns) this.yulDeclare(r, "return")
        this.block(s.body)
        this.blocks.pop()
        return
    }
  }

  private yulExpression(e: S.YulExpression): void {
    if (e.kind === "YulIdentifier") return this.yulName(e)
    if (e.kind !== "YulFunctionCall") return
    for (const arg of e.args) this.yulExpression(arg)
    for (let i = this.blocks.length - 1; i >= 0; i--) {
      const found = this.blocks[i]!.get(e.name)
      if (found?.kind !== "YulFunction") continue
      this.references.set(e, found)
      return
    }
  }

  private yulName(e: S.YulIdentifier): void {
    for (let i = this.blocks.length - 1; i >= 0; i--) {
      const found = this.blocks[i]!.get(e.name)
      if (found === undefined) continue
      this.references.set(e, found)
      return
    }
    const base = e.name.replace(/\.(slot|offset|length|address|selector)$|_(slot|offset)$/, "")
    const found = this.lookup(e.name)[0] ?? this.lookup(base)[0]
    if (found !== undefined) this.references.set(e, found)
  }
}
