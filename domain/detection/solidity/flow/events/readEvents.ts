import { oncePer } from "../../../oncePer.ts"
import type { Call, FunctionModel, LocalVariable } from "../../model.ts"
import type { Flow, Program, Values } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { EventRecord } from "./eventRecord.ts"
import type { StorageAccess } from "../graph/events.ts"
import type { Expr } from "../graph/graph.ts"
import { isSomewhere } from "../graph/storagePlace.ts"
import { YulEvents } from "./yulEvents.ts"

/** Conventional getters, which count as view if the interface is missing from the sources. */
const viewName =
  /^(balanceOf|totalSupply|allowance|ownerOf|owner|decimals|symbol|name|nonces|token[01]|supportsInterface|latest\w*|(get|is|has|preview|convertTo|max|quote)[A-Z]\w*)$/

/** Sets the events of all nodes, in the order of evaluation. Returns the locals whose value is used somewhere. */
export const readEvents = (program: Program, flow: Flow, values: Values): ReadonlySet<LocalVariable> | undefined => {
  const reader = new EventReader(program, flow, values)
  const { localsRead } = reader.readAll()
  return localsRead.size === 0 ? undefined : localsRead
}

class EventReader {
  private readonly program: Program
  private readonly flow: Flow
  private readonly values: Values
  private readonly record = new EventRecord()
  private readonly yul: YulEvents

  constructor(program: Program, flow: Flow, values: Values) {
    this.program = program
    this.flow = flow
    this.values = values
    this.yul = new YulEvents(program, values, this.record)
  }

  readAll(): EventRecord {
    for (const node of this.flow.nodes) {
      if (node.kind === "branch" || (node.expression === undefined && node.node?.kind !== "ModifierInvocation"))
        continue
      this.record.at = node
      const { node: statement, expression } = node
      this.record.ignored =
        // The condition of require(…) is the statement's argument, so it is used.
        node.kind !== "condition" &&
        (statement?.kind === "ExpressionStatement" || statement?.kind === "YulExpressionStatement")
          ? expression
          : undefined
      if (statement?.kind === "ModifierInvocation") for (const arg of statement.args ?? []) this.visit(arg)
      else if (expression !== undefined) this.visitAny(expression)
    }
    return this.record
  }

  private visitAny(e: Expr): void {
    if (
      e.kind === "YulFunctionCall" ||
      e.kind === "YulIdentifier" ||
      e.kind === "YulLiteral" ||
      e.kind === "YulUnknown"
    )
      this.yul.visit(e)
    else this.visit(e)
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

  /** A chain of members and indices: one read of storage, or reads of its parts. */
  private chain(e: S.Expression): void {
    const place = this.values.storage.place(e, this.record.at)
    if (isSomewhere(place)) {
      this.indices(e)
      return this.record.access("read", "read", e, place)
    }
    if (e.kind === "Identifier") this.record.use(this.program.referenceOf(e))
    else if (e.kind === "MemberAccess") this.visit(e.object)
    else if (e.kind === "IndexAccess") {
      this.visit(e.base)
      if (e.index !== undefined) this.visit(e.index)
    }
  }

  /** Evaluates the indices and calls inside a chain that designates storage. */
  private indices(e: S.Expression): void {
    if (e.kind === "Identifier") this.record.use(this.program.referenceOf(e))
    else if (e.kind === "MemberAccess") this.indices(e.object)
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
    // Assigning a local, even a storage pointer, does not write to storage.
    if (variable?.kind === "LocalVariable") {
      if (operation === "compound" || operation === "increment") this.record.use(variable)
      return
    }
    const place = this.values.storage.place(target, this.record.at)
    if (target.kind !== "Identifier") {
      if (isSomewhere(place)) this.indices(target)
      else if (target.kind === "MemberAccess") this.visit(target.object)
      else if (target.kind === "IndexAccess") {
        this.visit(target.base)
        if (target.index !== undefined) this.visit(target.index)
      }
    }
    if (operation === "compound" || operation === "increment") this.record.access("read", "read", target, place)
    this.record.access("write", operation, target, place, value)
  }

  private call(e: S.FunctionCall): void {
    const call = this.program.callOf(e)
    const ignored = this.record.ignored === e
    if (call === undefined) {
      this.visit(e.callee)
      for (const arg of e.args) this.visit(arg)
      return
    }
    if (call.receiver !== undefined && !call.args.includes(call.receiver) && call.kind !== "builtin")
      this.visit(call.receiver)
    const target =
      call.kind === "internal" ? this.program.dispatch(call, this.record.at.callable, this.flow.context) : call.target
    call.args.forEach((arg, i) => {
      // A storage pointer is handed on, not read.
      const type = call.kind === "internal" || call.kind === "library" ? target?.parameters[i]?.type : undefined
      const pointer =
        type !== undefined && (type.kind === "mapping" || ("location" in type && type.location === "storage"))
      if (pointer) this.indices(arg)
      else this.visit(arg)
    })
    for (const option of [call.value, call.gas, call.salt]) if (option !== undefined) this.visit(option)
    if (call.kind === "builtin" && call.receiver !== undefined && (call.name === "push" || call.name === "pop")) {
      this.indices(call.receiver)
      this.record.access(
        "write",
        call.name,
        call.receiver,
        this.values.storage.place(call.receiver, this.record.at),
        call.args[0],
      )
    } else if (call.kind === "builtin" && call.receiver !== undefined) this.visit(call.receiver)
    const value = call.kind === "send" || call.kind === "transfer" ? call.args[0] : call.value
    this.record.call({
      callKind: call.kind,
      name: call.name,
      node: e,
      call,
      args: call.args,
      resultIgnored: ignored,
      isStatic: this.isStatic(call),
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
    return fn === undefined ? viewName.test(call.name) : onlyReads(fn)
  }
}

const isView = ({ mutability }: FunctionModel): boolean => mutability === "view" || mutability === "pure"

/** Whether nothing can change in it; what overrides an abstract function may promise more than it does. */
const onlyReads = oncePer((fn: FunctionModel): boolean => {
  if (isView(fn) || fn.implemented || fn.contract === undefined) return isView(fn)
  const overriding = fn.contract.derived
    .flatMap(({ functions }) => functions)
    .filter(({ signature, implemented }) => implemented && signature === fn.signature)
  return overriding.length > 0 && overriding.every(isView)
})
