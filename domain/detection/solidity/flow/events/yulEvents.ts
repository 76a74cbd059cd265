import type { CallKind, YulFunction } from "../../model.ts"
import type { Program, Values } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { FlowNode } from "../graph/graph.ts"
import type { EventRecord } from "./eventRecord.ts"

const opcodes = new Map<string, CallKind>([
  ["call", "call"],
  ["callcode", "callcode"],
  ["delegatecall", "delegatecall"],
  ["staticcall", "staticcall"],
  ["create", "create"],
  ["create2", "create"],
  ["selfdestruct", "builtin"],
  ["suicide", "builtin"],
  ["log0", "event"],
  ["log1", "event"],
  ["log2", "event"],
  ["log3", "event"],
  ["log4", "event"],
])

/** How many nested assembly functions are followed. */
const depthLimit = 16

/** Reads the events of assembly. */
export class YulEvents {
  private readonly program: Program
  private readonly values: Values
  private readonly record: EventRecord
  private depth = 0
  /** The functions followed from a step: their events happen there, however often and from wherever it calls them. */
  private followed: { readonly at: FlowNode; readonly functions: Set<YulFunction> } | undefined

  constructor(program: Program, values: Values, record: EventRecord) {
    this.program = program
    this.values = values
    this.record = record
  }

  /** Reads an expression, its parts first. */
  visit(e: S.YulExpression): void {
    if (e.kind === "YulIdentifier") {
      this.record.use(this.program.referenceOf(e))
      return
    }
    if (e.kind !== "YulFunctionCall") return
    const ignored = this.record.ignored === e
    for (const arg of e.args) this.visit(arg)
    switch (e.name) {
      case "sload":
      case "tload":
        return this.record.access(
          "read",
          "read",
          e,
          this.values.assembly.slot(e.args[0], this.record.at, e.name === "tload"),
        )
      case "sstore":
      case "tstore":
        return this.record.access(
          "write",
          "sstore",
          e,
          this.values.assembly.slot(e.args[0], this.record.at, e.name === "tstore"),
          e.args[1],
        )
    }
    const callKind = opcodes.get(e.name)
    if (callKind === undefined) {
      const found = this.program.referenceOf(e)
      if (found?.kind === "YulFunction" && this.depth < depthLimit && !this.isFollowed(found)) {
        this.depth++
        this.body(found.node.body)
        this.depth--
      }
      return
    }
    const [first, second, third] = e.args
    const withValue = e.name === "call" || e.name === "callcode"
    const receiver = callKind === "create" || callKind === "event" ? undefined : callKind === "builtin" ? first : second
    const value = withValue ? third : callKind === "create" ? first : undefined
    this.record.call({
      callKind,
      name: e.name,
      node: e,
      args: e.args,
      resultIgnored: ignored || this.isPopped(e),
      isStatic: callKind === "staticcall",
      ...(receiver === undefined ? {} : { receiver }),
      ...(value === undefined ? {} : { value }),
      ...(callKind !== "create" && callKind !== "event" && callKind !== "builtin" && first !== undefined
        ? { gas: first }
        : {}),
    })
  }

  private isFollowed(found: YulFunction): boolean {
    const { at } = this.record
    if (this.followed?.at !== at) this.followed = { at, functions: new Set() }
    if (this.followed.functions.has(found)) return true
    this.followed.functions.add(found)
    return false
  }

  /** `pop(call(…))` */
  private isPopped(e: S.YulFunctionCall): boolean {
    return (
      this.record.ignored?.kind === "YulFunctionCall" &&
      this.record.ignored.name === "pop" &&
      this.record.ignored.args[0] === e
    )
  }

  /** The effects of a function inside assembly count where it is called. */
  private body(block: S.YulBlock): void {
    for (const s of block.statements) {
      switch (s.kind) {
        case "YulBlock":
          this.body(s)
          break
        case "YulVariableDeclaration":
        case "YulAssignment":
          if (s.value !== undefined) this.visit(s.value)
          break
        case "YulExpressionStatement":
          this.visit(s.expression)
          break
        case "YulIf":
          this.visit(s.condition)
          this.body(s.body)
          break
        case "YulFor":
          this.body(s.init)
          this.visit(s.condition)
          this.body(s.body)
          this.body(s.update)
          break
        case "YulSwitch":
          this.visit(s.subject)
          for (const c of s.cases) this.body(c.body)
          break
      }
    }
  }
}
