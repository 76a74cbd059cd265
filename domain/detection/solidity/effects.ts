import { addEvent, type Expr, type FlowNode } from "./cfg.ts"
import type { Flow } from "./flow.ts"
import type { Call, CallKind, FunctionModel, LocalVariable, YulFunction } from "./model.ts"
import type { Program } from "./program.ts"
import type * as S from "./syntax.ts"
import { isSomewhere, type Place, withAllMembers } from "./place.ts"
import { type Values } from "./values.ts"

/** A call where it runs: of Solidity, or one of the opcodes that call, create, destroy or log. */
export interface CallSite {
  readonly kind: "call"
  readonly callKind: CallKind
  /** Of the function, member or opcode (`selfdestruct`, `push`, `transfer`, `log1`). */
  readonly name: string
  readonly node: S.FunctionCall | S.YulFunctionCall
  /** Absent for opcodes. */
  readonly call?: Call
  /** The address or contract called. */
  readonly receiver?: Expr
  /** In the order of the target's parameters. For an opcode: its arguments. */
  readonly args: ReadonlyArray<Expr>
  readonly value?: Expr
  readonly gas?: Expr
  /** The function that runs, `virtual` resolved; for external calls the declared one. */
  readonly target?: FunctionModel
  /** A statement of its own: what it returns is dropped. */
  readonly resultIgnored: boolean
  /** Cannot change state: staticcall, and functions that are view or pure (enforced since 0.5). */
  readonly isStatic: boolean
  readonly at: FlowNode
  /** Position among the events of the flow's nodes: later in the same node is larger. */
  readonly order: number
}

export interface StorageAccess {
  readonly kind: "read" | "write"
  readonly place: Place
  readonly expression: Expr
  /** What is written; absent for delete, pop, `++`. */
  readonly value?: Expr
  readonly operation: "read" | "assign" | "compound" | "increment" | "delete" | "push" | "pop" | "sstore"
  readonly at: FlowNode
  readonly order: number
}

export type Event = CallSite | StorageAccess

const yulCalls = new Map<string, CallKind>([
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

/** Getters by custom: said to be view when the interface is not among the sources. */
const viewName =
  /^(balanceOf|totalSupply|allowance|ownerOf|owner|decimals|symbol|name|nonces|token[01]|supportsInterface|latest\w*|(get|is|has|preview|convertTo|max|quote)[A-Z]\w*)$/

/** Puts the events of all nodes in place, in the order of evaluation. Gives the locals whose value is used somewhere. */
export const readEvents = (program: Program, flow: Flow, values: Values): ReadonlySet<LocalVariable> | undefined => {
  const reader = new EventReader(program, flow, values)
  reader.readAll()
  return reader.localsRead.size === 0 ? undefined : reader.localsRead
}

class EventReader {
  private readonly program: Program
  private readonly flow: Flow
  private readonly values: Values
  private at!: FlowNode
  private order = 0
  private ignored: Expr | undefined
  private readonly openYul = new Set<YulFunction>()
  /** Locals and parameters whose value is used somewhere. */
  readonly localsRead = new Set<LocalVariable>()

  constructor(program: Program, flow: Flow, values: Values) {
    this.program = program
    this.flow = flow
    this.values = values
  }

  readAll(): void {
    for (const node of this.flow.nodes) {
      if (node.kind === "branch" || (node.expression === undefined && node.node?.kind !== "ModifierInvocation"))
        continue
      this.at = node
      const { node: statement, expression } = node
      this.ignored =
        // the condition of require(…) is the statement's argument: it is used
        node.kind !== "condition" &&
        (statement?.kind === "ExpressionStatement" || statement?.kind === "YulExpressionStatement")
          ? expression
          : undefined
      if (statement?.kind === "ModifierInvocation") for (const arg of statement.args ?? []) this.visit(arg)
      else if (expression !== undefined) this.visitAny(expression)
    }
  }

  private visitAny(e: Expr): void {
    if (
      e.kind === "YulFunctionCall" ||
      e.kind === "YulIdentifier" ||
      e.kind === "YulLiteral" ||
      e.kind === "YulUnknown"
    )
      this.yul(e)
    else this.visit(e)
  }

  private push(event: Event): void {
    addEvent(this.at, event)
  }

  private access(
    kind: StorageAccess["kind"],
    operation: StorageAccess["operation"],
    expression: Expr,
    place: Place,
    value?: Expr,
  ): void {
    if (!isSomewhere(place)) return
    const { node } = this.at
    const isPointer = node?.kind === "VariableDeclarationStatement" && node.declarations[0]?.location === "storage"
    this.push({
      kind,
      operation,
      expression,
      place: isPointer ? place : withAllMembers(place),
      at: this.at,
      order: this.order++,
      ...(value === undefined ? {} : { value }),
    })
  }

  private visit(e: S.Expression): void {
    switch (e.kind) {
      case "Identifier":
      case "MemberAccess":
      case "IndexAccess":
        return this.chain(e)
      case "IndexRangeAccess":
        this.visit(e.base)
        if (e.from !== undefined) this.visit(e.from)
        if (e.to !== undefined) this.visit(e.to)
        return
      case "Assignment":
        this.visit(e.right)
        return this.write(e.left, e.operator === "=" ? "assign" : "compound", e.right)
      case "UnaryOperation":
        if (e.operator === "++" || e.operator === "--") return this.write(e.operand, "increment", undefined)
        if (e.operator === "delete") return this.write(e.operand, "delete", undefined)
        return this.visit(e.operand)
      case "BinaryOperation":
        this.visit(e.left)
        return this.visit(e.right)
      case "Conditional":
        this.visit(e.condition)
        this.visit(e.then)
        return this.visit(e.else)
      case "TupleExpression":
      case "InlineArray":
        for (const c of e.components) if (c !== undefined) this.visit(c)
        return
      case "FunctionCall":
        return this.call(e)
      case "FunctionCallOptions":
        for (const option of e.options) this.visit(option.value)
        return this.visit(e.callee)
    }
  }

  /** A chain of members and indices: one read of storage, or reads of what it is made of. */
  private chain(e: S.Expression): void {
    const place = this.values.place(e, this.at)
    if (isSomewhere(place)) {
      this.indices(e)
      return this.access("read", "read", e, place)
    }
    if (e.kind === "Identifier") {
      const found = this.program.referenceOf(e)
      if (found?.kind === "LocalVariable") this.localsRead.add(found)
    } else if (e.kind === "MemberAccess") this.visit(e.object)
    else if (e.kind === "IndexAccess") {
      this.visit(e.base)
      if (e.index !== undefined) this.visit(e.index)
    }
  }

  /** Evaluates the indices and calls inside a chain that designates storage. */
  private indices(e: S.Expression): void {
    if (e.kind === "Identifier") {
      const found = this.program.referenceOf(e)
      if (found?.kind === "LocalVariable") this.localsRead.add(found)
    } else if (e.kind === "MemberAccess") this.indices(e.object)
    else if (e.kind === "IndexAccess") {
      this.indices(e.base)
      if (e.index !== undefined) this.visit(e.index)
    } else this.visit(e)
  }

  private write(target: S.Expression, operation: StorageAccess["operation"], value: S.Expression | undefined): void {
    if (target.kind === "TupleExpression") {
      target.components.forEach((c, i) => {
        if (c !== undefined) this.write(c, operation, value?.kind === "TupleExpression" ? value.components[i] : value)
      })
      return
    }
    const variable = target.kind === "Identifier" ? this.program.referenceOf(target) : undefined
    // assigning a local, a storage pointer among them, writes no storage
    if (variable?.kind === "LocalVariable") {
      if (operation === "compound" || operation === "increment") this.localsRead.add(variable)
      return
    }
    const place = this.values.place(target, this.at)
    if (target.kind !== "Identifier") {
      if (isSomewhere(place)) this.indices(target)
      else if (target.kind === "MemberAccess") this.visit(target.object)
      else if (target.kind === "IndexAccess") {
        this.visit(target.base)
        if (target.index !== undefined) this.visit(target.index)
      }
    }
    if (operation === "compound" || operation === "increment") this.access("read", "read", target, place)
    this.access("write", operation, target, place, value)
  }

  private call(e: S.FunctionCall): void {
    const call = this.program.callOf(e)
    const ignored = this.ignored === e
    if (call === undefined) {
      this.visit(e.callee)
      for (const arg of e.args) this.visit(arg)
      return
    }
    if (call.receiver !== undefined && !call.args.includes(call.receiver) && call.kind !== "builtin")
      this.visit(call.receiver)
    const target =
      call.kind === "internal" ? this.program.dispatch(call, this.at.callable, this.flow.context) : call.target
    call.args.forEach((arg, i) => {
      // a storage pointer is handed on, not read
      const type = call.kind === "internal" || call.kind === "library" ? target?.parameters[i]?.type : undefined
      const pointer =
        type !== undefined && (type.kind === "mapping" || ("location" in type && type.location === "storage"))
      if (pointer) this.indices(arg)
      else this.visit(arg)
    })
    for (const option of [call.value, call.gas, call.salt]) if (option !== undefined) this.visit(option)
    if (call.kind === "builtin" && call.receiver !== undefined && (call.name === "push" || call.name === "pop")) {
      this.indices(call.receiver)
      this.access("write", call.name, call.receiver, this.values.place(call.receiver, this.at), call.args[0])
    } else if (call.kind === "builtin" && call.receiver !== undefined) this.visit(call.receiver)
    const value = call.kind === "send" || call.kind === "transfer" ? call.args[0] : call.value
    this.push({
      kind: "call",
      callKind: call.kind,
      name: call.name,
      node: e,
      call,
      args: call.args,
      resultIgnored: ignored,
      isStatic: this.isStatic(call),
      at: this.at,
      order: this.order++,
      ...(call.receiver === undefined ? {} : { receiver: call.receiver }),
      ...(value === undefined ? {} : { value }),
      ...(call.gas === undefined ? {} : { gas: call.gas }),
      ...(target === undefined ? {} : { target }),
    })
  }

  private isStatic(call: Call): boolean {
    if (call.kind === "staticcall") return true
    if (call.kind !== "external") return false
    if (call.declaration?.kind === "StateVariable") return true
    const fn = call.target
    if (fn === undefined) return viewName.test(call.name)
    return fn.mutability === "view" || fn.mutability === "pure"
  }

  // Yul

  private yul(e: S.YulExpression): void {
    if (e.kind === "YulIdentifier") {
      const found = this.program.referenceOf(e)
      if (found?.kind === "LocalVariable") this.localsRead.add(found)
      return
    }
    if (e.kind !== "YulFunctionCall") return
    const ignored = this.ignored === e
    for (const arg of e.args) this.yul(arg)
    switch (e.name) {
      case "sload":
      case "tload":
        return this.access("read", "read", e, this.values.slot(e.args[0], this.at, e.name === "tload"))
      case "sstore":
      case "tstore":
        return this.access("write", "sstore", e, this.values.slot(e.args[0], this.at, e.name === "tstore"), e.args[1])
    }
    const callKind = yulCalls.get(e.name)
    if (callKind === undefined) {
      const found = this.program.referenceOf(e)
      if (found?.kind === "YulFunction" && !this.openYul.has(found) && this.openYul.size < 16) {
        this.openYul.add(found)
        this.yulBody(found.node.body)
        this.openYul.delete(found)
      }
      return
    }
    const [first, second, third] = e.args
    const withValue = e.name === "call" || e.name === "callcode"
    const receiver = callKind === "create" || callKind === "event" ? undefined : callKind === "builtin" ? first : second
    const value = withValue ? third : callKind === "create" ? first : undefined
    this.push({
      kind: "call",
      callKind,
      name: e.name,
      node: e,
      args: e.args,
      resultIgnored: ignored || this.isPopped(e),
      isStatic: callKind === "staticcall",
      at: this.at,
      order: this.order++,
      ...(receiver === undefined ? {} : { receiver }),
      ...(value === undefined ? {} : { value }),
      ...(callKind !== "create" && callKind !== "event" && callKind !== "builtin" && first !== undefined
        ? { gas: first }
        : {}),
    })
  }

  /** `pop(call(…))` */
  private isPopped(e: S.YulFunctionCall): boolean {
    return this.ignored?.kind === "YulFunctionCall" && this.ignored.name === "pop" && this.ignored.args[0] === e
  }

  /** The effects of a function inside assembly count where it is called. */
  private yulBody(block: S.YulBlock): void {
    for (const s of block.statements) {
      switch (s.kind) {
        case "YulBlock":
          this.yulBody(s)
          break
        case "YulVariableDeclaration":
        case "YulAssignment":
          if (s.value !== undefined) this.yul(s.value)
          break
        case "YulExpressionStatement":
          this.yul(s.expression)
          break
        case "YulIf":
          this.yul(s.condition)
          this.yulBody(s.body)
          break
        case "YulFor":
          this.yulBody(s.init)
          this.yul(s.condition)
          this.yulBody(s.body)
          this.yulBody(s.update)
          break
        case "YulSwitch":
          this.yul(s.subject)
          for (const c of s.cases) this.yulBody(c.body)
          break
      }
    }
  }
}
