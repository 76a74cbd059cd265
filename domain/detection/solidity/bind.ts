import { builtinFunction, encodingResult, lowLevelCalls, lowLevelResult, magicType, memberType } from "./builtins.ts"
import { YulBinder } from "./bindYul.ts"
import { local } from "./declare.ts"
import { functionType, getterType, inOrder, inOrderTypes, resultType, tuple } from "./functionTypes.ts"
import type {
  BuiltinModel,
  Call,
  Callable,
  CallKind,
  ContractModel,
  Declaration,
  FunctionModel,
  LocalVariable,
  SourceModel,
} from "./model.ts"
import { declaredType, type Scopes } from "./scope.ts"
import type * as S from "./syntax.ts"
import {
  addressType,
  boolType,
  convertibility,
  elementaryType,
  isReferenceType,
  literalType,
  stringMemory,
  type Type,
  uint256,
  unknownType,
  withLocation,
} from "./types.ts"

/** What names, calls and expressions mean; filled in once for all bodies. */
export interface Bindings {
  /** Identifiers, members (`msg.sender`, `Lib.CONST`, struct members have none) and Yul names. */
  readonly references: Map<S.Expression | S.YulIdentifier | S.YulFunctionCall, Declaration>
  readonly types: Map<S.Expression, Type>
  readonly calls: Map<S.FunctionCall, Call>
  readonly locals: Map<S.VariableDeclaration, LocalVariable>
  /** Calls in the text of each function or modifier (arguments of modifiers count for the function). */
  readonly callsIn: Map<Callable, Array<Call>>
  /** Functions that are mentioned without being called: they may run through a pointer. */
  readonly functionValues: Set<FunctionModel>
}

interface Attached {
  /** Absent for `using L for *`. */
  readonly type?: Type
  readonly library?: ContractModel
  readonly functions: ReadonlyArray<FunctionModel>
  /** The library is not among the sources. */
  readonly missing: boolean
}

const builtins = new Map<string, BuiltinModel>()
const builtin = (name: string): BuiltinModel => {
  let model = builtins.get(name)
  if (model === undefined) builtins.set(name, (model = { kind: "Builtin", name }))
  return model
}

const nothing: Type = { kind: "tuple", components: [] }

/** Binds bodies: scopes of locals, overloads, `using`, the taking apart of calls. */
export class Binder {
  readonly bindings: Bindings = {
    references: new Map(),
    types: new Map(),
    calls: new Map(),
    locals: new Map(),
    callsIn: new Map(),
    functionValues: new Set(),
  }
  private readonly scopes: Scopes
  private source!: SourceModel
  private contract: ContractModel | undefined
  private callsHere: Array<Call> | undefined
  private blocks: Array<Map<string, LocalVariable>> = []
  private readonly yul: YulBinder
  private readonly attachedMemo = new Map<ContractModel | SourceModel, ReadonlyArray<Attached>>()
  private readonly globalUsings: ReadonlyArray<{ readonly using: S.UsingDirective; readonly source: SourceModel }>

  constructor(scopes: Scopes, sources: ReadonlyArray<SourceModel>) {
    this.scopes = scopes
    this.yul = new YulBinder(this.bindings.references, (name) => this.lookup(name))
    this.globalUsings = sources.flatMap((source) =>
      source.usings.filter((u) => u.global).map((using) => ({ using, source })),
    )
  }

  bindSource(source: SourceModel): void {
    this.enter(source, undefined)
    for (const constant of source.constants)
      if (constant.node?.value !== undefined) this.expression(constant.node.value)
    for (const fn of source.functions) this.bindFunction(fn)
    for (const contract of source.contracts) this.bindContract(contract)
  }

  private enter(source: SourceModel, contract: ContractModel | undefined): void {
    this.source = source
    this.contract = contract
    this.callsHere = undefined
    this.blocks = []
  }

  private bindContract(contract: ContractModel): void {
    this.enter(contract.source, contract)
    for (const base of contract.node.bases) for (const arg of base.args ?? []) this.expression(arg)
    if (contract.node.layout !== undefined) this.expression(contract.node.layout)
    for (const variable of contract.stateVariables)
      if (variable.node?.value !== undefined) this.expression(variable.node.value)
    for (const fn of contract.functions) this.bindFunction(fn)
    for (const modifier of contract.modifiers) this.bindBody(modifier, modifier.parameters, modifier.node.body)
  }

  private bindFunction(fn: FunctionModel): void {
    this.bindBody(fn, [...fn.parameters, ...fn.returns], fn.node.body)
  }

  private bindBody(callable: Callable, variables: ReadonlyArray<LocalVariable>, body: S.Block | undefined): void {
    this.enter(callable.source, callable.contract)
    this.callsHere = []
    this.bindings.callsIn.set(callable, this.callsHere)
    this.blocks.push(new Map())
    for (const variable of variables) this.introduce(variable)
    if (callable.kind === "Function") {
      for (const modifier of callable.node.modifiers) for (const arg of modifier.args ?? []) this.expression(arg)
    }
    if (body !== undefined) this.statement(body)
  }

  private introduce(variable: LocalVariable): void {
    this.bindings.locals.set(variable.node, variable)
    if (variable.name === "") return
    // before 0.5 a local lived from the start of the function to its end
    const block = this.source.version.before05 ? this.blocks[0]! : this.blocks[this.blocks.length - 1]!
    block.set(variable.name, variable)
  }

  private scoped(run: () => void): void {
    this.blocks.push(new Map())
    run()
    this.blocks.pop()
  }

  private statement(s: S.Statement): void {
    switch (s.kind) {
      case "Block":
        return this.scoped(() => {
          for (const inner of s.statements) this.statement(inner)
        })
      case "IfStatement":
        this.expression(s.condition)
        this.statement(s.then)
        if (s.else !== undefined) this.statement(s.else)
        return
      case "ForStatement":
        return this.scoped(() => {
          if (s.init !== undefined) this.statement(s.init)
          if (s.condition !== undefined) this.expression(s.condition)
          if (s.update !== undefined) this.expression(s.update)
          this.statement(s.body)
        })
      case "WhileStatement":
      case "DoWhileStatement":
        this.expression(s.condition)
        return this.statement(s.body)
      case "TryStatement":
        this.expression(s.call)
        this.scoped(() => {
          for (const v of s.returns) this.introduce(this.local(v))
          this.statement(s.body)
        })
        for (const clause of s.catches) {
          this.scoped(() => {
            for (const v of clause.parameters) this.introduce(this.local(v))
            this.statement(clause.body)
          })
        }
        return
      case "ReturnStatement":
        if (s.value !== undefined) this.expression(s.value)
        return
      case "EmitStatement":
      case "RevertStatement":
        this.construction(s.call, s.kind === "EmitStatement" ? "event" : "error")
        return
      case "VariableDeclarationStatement":
        return this.declaration(s)
      case "ExpressionStatement":
        this.expression(s.expression)
        return
      case "InlineAssembly":
        return this.yul.block(s.body)
    }
  }

  private local(node: S.VariableDeclaration): LocalVariable {
    return local(node, this.source, this.contract, this.scopes)
  }

  private declaration(s: S.VariableDeclarationStatement): void {
    const type = s.value === undefined ? unknownType : this.expression(s.value)
    s.declarations.forEach((node, i) => {
      if (node === undefined) return
      const declared = this.local(node)
      // `var`: the type of what is assigned
      const inferred = s.tuple ? (type.kind === "tuple" ? (type.components[i] ?? unknownType) : unknownType) : type
      const old = this.source.version.before05
      const settled =
        node.typeName === undefined
          ? inferred.kind === "literal"
            ? uint256
            : inferred
          : old && node.location === undefined && isReferenceType(declared.type)
            ? // before 0.5 structs and arrays without a location were pointers into storage
              withLocation(
                declared.type,
                declared.type.kind === "bytes" || declared.type.kind === "string" ? "memory" : "storage",
              )
            : declared.type
      this.introduce({ ...declared, type: settled })
    })
  }

  /** `emit E(…)`, `revert E(…)`. */
  private construction(node: S.FunctionCall, kind: "event" | "error"): void {
    for (const arg of node.args) this.expression(arg)
    const path = pathOf(node.callee)
    const found = path === undefined ? undefined : this.scopes.path(path, this.source, this.contract)
    const declaration = found?.kind === "Event" || found?.kind === "Error" ? found : undefined
    this.bindings.calls.set(node, {
      node,
      kind,
      name: path?.at(-1) ?? "",
      fixed: true,
      isSuper: false,
      args: node.args,
      ...(declaration === undefined ? {} : { declaration }),
    })
    this.bindings.types.set(node, nothing)
  }

  // Names

  private lookup(name: string): ReadonlyArray<Declaration> {
    for (let i = this.blocks.length - 1; i >= 0; i--) {
      const found = this.blocks[i]!.get(name)
      if (found !== undefined) return [found]
    }
    if (this.contract !== undefined) {
      const found = this.scopes.member(this.contract, name)
      if (found.length > 0) return found
    }
    return this.scopes.global(this.source, name)
  }

  private typeOfDeclarations(declarations: ReadonlyArray<Declaration>): Type {
    const first = declarations[0]
    if (first === undefined) return unknownType
    switch (first.kind) {
      case "StateVariable":
      case "LocalVariable":
        return first.type
      case "Function":
        return functionType(
          declarations.filter((d) => d.kind === "Function"),
          false,
        )
      case "Source":
        return { kind: "module", file: first }
      case "Contract":
      case "Struct":
      case "Enum":
      case "UserType":
        return { kind: "typeName", type: declaredType(first) }
      default:
        return unknownType
    }
  }

  // Expressions

  expression(e: S.Expression): Type {
    const type = this.infer(e)
    if (type.kind === "function" && e.kind === "Identifier")
      for (const fn of type.declared ?? none) this.bindings.functionValues.add(fn)
    if (e.kind !== "Literal" && e.kind !== "UnknownExpression") this.bindings.types.set(e, type)
    return type
  }

  private infer(e: S.Expression): Type {
    switch (e.kind) {
      case "Identifier":
        return this.identifier(e)
      case "Literal":
        return literalTypeOf(e)
      case "MemberAccess":
        return this.member(e, this.expression(e.object))
      case "IndexAccess":
        return this.index(e)
      case "IndexRangeAccess":
        if (e.from !== undefined) this.expression(e.from)
        if (e.to !== undefined) this.expression(e.to)
        return this.expression(e.base)
      case "FunctionCall":
        return this.call(e)
      case "FunctionCallOptions":
        for (const option of e.options) this.expression(option.value)
        return this.expression(e.callee)
      case "NewExpression":
      case "TypeExpression": {
        const type = this.scopes.type(
          e.typeName,
          this.source,
          this.contract,
          e.kind === "NewExpression" ? "memory" : undefined,
        )
        return e.kind === "NewExpression" ? { kind: "typeName", type } : { kind: "meta", type }
      }
      case "TypeNameExpression":
        return { kind: "typeName", type: elementaryType(e.typeName.name, "memory") }
      case "UnaryOperation": {
        const operand = this.expression(e.operand)
        return e.operator === "delete" ? nothing : e.operator === "!" ? boolType : operand
      }
      case "BinaryOperation":
        return this.binary(e)
      case "Assignment": {
        this.expression(e.right)
        return this.expression(e.left)
      }
      case "Conditional": {
        this.expression(e.condition)
        const then = this.expression(e.then)
        const otherwise = this.expression(e.else)
        return then.kind === "literal" || then.kind === "unknown" ? otherwise : then
      }
      case "TupleExpression":
        return {
          kind: "tuple",
          components: e.components.map((c) => (c === undefined ? unknownType : this.expression(c))),
        }
      case "InlineArray": {
        const types = e.components.map((c) => this.expression(c))
        return { kind: "array", base: types[0] ?? unknownType, fixed: true, length: types.length, location: "memory" }
      }
      case "UnknownExpression":
        return unknownType
    }
  }

  private identifier(e: S.Identifier): Type {
    const found = this.lookup(e.name)
    if (found.length > 0) {
      this.bindings.references.set(e, found[0]!)
      return this.typeOfDeclarations(found)
    }
    return this.builtinIdentifier(e)
  }

  private builtinIdentifier(e: S.Identifier): Type {
    const { name } = e
    if (name === "this" || name === "super") {
      this.bindings.references.set(e, builtin(name))
      if (this.contract === undefined) return unknownType
      return { kind: "contract", contract: this.contract, ...(name === "super" ? { isSuper: true } : {}) }
    }
    if (name === "msg" || name === "block" || name === "tx" || name === "abi") {
      this.bindings.references.set(e, builtin(name))
      return { kind: "magic", name }
    }
    if (name === "now") {
      this.bindings.references.set(e, builtin("block.timestamp"))
      return uint256
    }
    if (builtinFunction(name) !== undefined) this.bindings.references.set(e, builtin(name))
    return unknownType
  }

  private member(e: S.MemberAccess, object: Type): Type {
    const { member } = e
    switch (object.kind) {
      case "magic": {
        const name = `${object.name}.${member}`
        this.bindings.references.set(e, builtin(name))
        return magicType(name) ?? unknownType
      }
      case "struct": {
        const found = object.struct.members.find((m) => m.name === member)
        if (found !== undefined) return withLocation(found.type, object.location ?? "storage")
        break
      }
      case "module": {
        const found = this.scopes.global(object.file, member)
        if (found.length > 0) this.bindings.references.set(e, found[0]!)
        return this.typeOfDeclarations(found)
      }
      case "typeName":
        return this.staticMember(e, object.type)
      case "contract":
        return this.contractMember(e, object)
      case "enum":
        return unknownType
    }
    return memberType(object, member) ?? unknownType
  }

  /** `Contract.x`, `Enum.Value`, `Lib.f`. */
  private staticMember(e: S.MemberAccess, type: Type): Type {
    if (type.kind === "enum") return type
    if (type.kind !== "contract") return unknownType
    const found = this.scopes.member(type.contract, e.member)
    if (found.length > 0) this.bindings.references.set(e, found[0]!)
    return this.typeOfDeclarations(found)
  }

  private contractMember(e: S.MemberAccess, object: Type & { kind: "contract" }): Type {
    const order = object.contract.linearization
    let found: ReadonlyArray<Declaration> = none
    if (object.isSuper === true) {
      for (let i = 1; i < order.length && found.length === 0; i++) {
        found = (order[i]!.names.get(e.member) ?? none).filter((d) => d.kind === "Function" && d.implemented)
      }
    } else found = this.scopes.member(object.contract, e.member)
    const first = found[0]
    if (first === undefined) {
      // before 0.5 contracts had the members of addresses
      return this.source.version.before05 ? (memberType(addressType, e.member) ?? unknownType) : unknownType
    }
    this.bindings.references.set(e, first)
    if (first.kind === "StateVariable") return getterType(first)
    if (first.kind === "Function")
      return functionType(
        found.filter((d) => d.kind === "Function"),
        object.isSuper !== true,
      )
    return this.typeOfDeclarations(found)
  }

  private index(e: S.IndexAccess): Type {
    const base = this.expression(e.base)
    if (e.index !== undefined) this.expression(e.index)
    switch (base.kind) {
      case "mapping":
        return base.value
      case "array":
        return withLocation(base.base, base.location ?? "storage")
      case "bytes":
      case "fixedBytes":
        return elementaryType("bytes1")
      case "typeName":
        return {
          kind: "typeName",
          type: { kind: "array", base: base.type, fixed: e.index !== undefined, location: "memory" },
        }
      default:
        return unknownType
    }
  }

  private binary(e: S.BinaryOperation): Type {
    const left = this.expression(e.left)
    const right = this.expression(e.right)
    switch (e.operator) {
      case "&&":
      case "||":
      case "==":
      case "!=":
      case "<":
      case ">":
      case "<=":
      case ">=":
        return boolType
      case "<<":
      case ">>":
      case ">>>":
      case "**":
        return left.kind === "literal" && right.kind === "integer" ? uint256 : left
    }
    if (left.kind === "literal" || left.kind === "unknown") return right
    if (left.kind === "integer" && right.kind === "integer" && right.bits > left.bits) return right
    return left
  }

  // Calls

  private call(e: S.FunctionCall): Type {
    const args = e.args.map((a) => this.expression(a))
    const { callee, options } = this.takeOptions(e.callee)
    const finish = (kind: CallKind, name: string, type: Type, more: Partial<Call> = {}): Type => {
      const call: Call = { node: e, kind, name, fixed: false, isSuper: false, args: e.args, ...options, ...more }
      this.bindings.calls.set(e, call)
      this.callsHere?.push(call)
      return type
    }
    if (callee.kind === "NewExpression") {
      const type = this.scopes.type(callee.typeName, this.source, this.contract, "memory")
      this.bindings.types.set(callee, { kind: "typeName", type })
      const kind = type.kind === "contract" || type.kind === "unknown" ? "create" : "allocation"
      return finish(kind, type.kind === "contract" ? type.contract.name : "", type, { type })
    }
    if (callee.kind === "MemberAccess") return this.memberCall(e, callee, args, finish)
    const calleeType = callee.kind === "Identifier" ? this.identifier(callee) : this.expression(callee)
    this.bindings.types.set(callee, calleeType)
    const name = callee.kind === "Identifier" ? callee.name : ""
    if (calleeType.kind === "typeName") return this.conversion(name, calleeType.type, finish)
    if (calleeType.kind === "function") {
      const target = this.overload(calleeType.declared, args, e, undefined)
      if (target === undefined) return finish("pointer", name, tuple(calleeType.returns))
      return finish("internal", name, resultType(target), { target, args: inOrder(e, target, undefined) })
    }
    const reference = this.bindings.references.get(callee)
    if (reference?.kind === "Builtin") return finish("builtin", name, builtinFunction(reference.name) ?? unknownType)
    if (reference?.kind === "Event" || reference?.kind === "Error") {
      return finish(reference.kind === "Event" ? "event" : "error", name, nothing, { declaration: reference })
    }
    // `IERC20(x)` of a missing import: a name in capitals with one argument is taken for a conversion
    if (callee.kind === "Identifier" && /^[A-Z]/.test(name) && e.args.length === 1 && e.names === undefined) {
      const type: Type = { kind: "unknown", name }
      return finish("conversion", name, type, { type })
    }
    return finish("unknown", name, unknownType)
  }

  private conversion(
    name: string,
    type: Type,
    finish: (kind: CallKind, name: string, type: Type, more?: Partial<Call>) => Type,
  ): Type {
    if (type.kind === "struct") return finish("struct", name, withLocation(type, "memory"), { type })
    return finish("conversion", name, type, { type })
  }

  /** Takes `{value: v}` and the chain `.value(v).gas(g)` off a callee. */
  private takeOptions(e: S.Expression): { callee: S.Expression; options: Partial<Call> } {
    let callee = e
    const found: { -readonly [K in "value" | "gas" | "salt"]?: S.Expression } = {}
    for (;;) {
      if (callee.kind === "FunctionCallOptions") {
        for (const { name, value } of callee.options) {
          this.expression(value)
          if (name === "value" || name === "gas" || name === "salt") found[name] = value
        }
        callee = callee.callee
      } else if (
        callee.kind === "FunctionCall" &&
        callee.callee.kind === "MemberAccess" &&
        callee.args.length === 1 &&
        (callee.callee.member === "value" || callee.callee.member === "gas")
      ) {
        this.expression(callee.args[0]!)
        found[callee.callee.member] ??= callee.args[0]!
        callee = callee.callee.object
      } else return { callee, options: found }
    }
  }

  private memberCall(
    e: S.FunctionCall,
    callee: S.MemberAccess,
    args: ReadonlyArray<Type>,
    finish: (kind: CallKind, name: string, type: Type, more?: Partial<Call>) => Type,
  ): Type {
    const name = callee.member
    const inner = callee.object
    if ((name === "value" || name === "gas") && inner.kind === "MemberAccess" && lowLevelCalls.has(inner.member)) {
      // `x.call.value(v);` builds the call and never makes it
      this.expression(inner.object)
      const option = e.args[0] === undefined ? {} : { [name]: e.args[0] }
      return finish(inner.member as CallKind & ("call" | "send"), inner.member, boolType, {
        receiver: inner.object,
        args: [],
        incomplete: true,
        ...option,
      })
    }
    const object = this.expression(inner)
    const receiver = inner
    const old = this.source.version.before05
    if (object.kind === "magic") {
      if (object.name === "abi" && name === "decode") {
        const types = args[1]
        const decoded = types?.kind === "tuple" ? types.components : types === undefined ? [] : [types]
        return finish(
          "builtin",
          "abi.decode",
          tuple(decoded.map((t) => (t.kind === "typeName" ? t.type : unknownType))),
        )
      }
      return finish(
        "builtin",
        `${object.name}.${name}`,
        object.name === "abi" ? encodingResult("abi", name) : unknownType,
      )
    }
    const memberOf = this.member(callee, object)
    this.bindings.types.set(callee, memberOf)
    if (object.kind === "typeName") {
      if (memberOf.kind === "function" && memberOf.declared !== undefined && object.type.kind === "contract") {
        const target = this.overload(memberOf.declared, args, e, undefined)
        const library = object.type.contract.node.contractKind === "library"
        if (target !== undefined) {
          return finish(library ? "library" : "internal", name, resultType(target), {
            target,
            fixed: true,
            args: inOrder(e, target, undefined),
          })
        }
      }
      if (memberOf.kind === "typeName") return this.conversion(name, memberOf.type, finish)
      const reference = this.bindings.references.get(callee)
      if (reference?.kind === "Event" || reference?.kind === "Error") {
        return finish(reference.kind === "Event" ? "event" : "error", name, nothing, { declaration: reference })
      }
      if (object.type.kind === "userType") {
        const wrapped = name === "unwrap" ? object.type.definition.underlying : object.type
        return finish("builtin", name, wrapped)
      }
      const owner = object.type.kind
      return finish(
        owner === "bytes" || owner === "string" ? "builtin" : "unknown",
        owner === "bytes" || owner === "string" ? `${owner}.${name}` : name,
        encodingResult(owner, name),
      )
    }
    if (object.kind === "module") {
      if (memberOf.kind === "typeName") return this.conversion(name, memberOf.type, finish)
      if (memberOf.kind === "function") {
        const target = this.overload(memberOf.declared, args, e, undefined)
        if (target !== undefined)
          return finish("internal", name, resultType(target), { target, args: inOrder(e, target, undefined) })
      }
      return finish("unknown", name, unknownType)
    }
    if (object.kind === "contract" && memberOf.kind === "function" && memberOf.declared !== undefined) {
      const target = this.overload(memberOf.declared, args, e, undefined)
      if (target !== undefined) {
        const isSuper = object.isSuper === true
        return finish(isSuper ? "internal" : "external", name, resultType(target), {
          target,
          isSuper,
          fixed: isSuper,
          args: inOrder(e, target, undefined),
          ...(isSuper ? {} : { receiver }),
        })
      }
    }
    const reference = this.bindings.references.get(callee)
    if (object.kind === "contract" && reference?.kind === "StateVariable") {
      return finish("external", name, memberOf.kind === "function" ? tuple(memberOf.returns) : unknownType, {
        declaration: reference,
        receiver,
      })
    }
    // A member function of a struct's or mapping's value, or one that `using` attaches
    if (memberOf.kind === "function" && object.kind !== "contract")
      return finish("pointer", name, tuple(memberOf.returns), { receiver })
    const attached = this.attachedTarget(object, name, args, e)
    if (attached !== undefined) {
      if (attached === "missing") return finish("library", name, unknownType, { receiver })
      return finish("library", name, resultType(attached), {
        target: attached,
        fixed: true,
        receiver,
        args: inOrder(e, attached, receiver),
      })
    }
    const addressLike = object.kind === "address" || (object.kind === "contract" && old)
    if (
      lowLevelCalls.has(name) &&
      (addressLike ||
        (object.kind === "unknown" &&
          object.name === undefined &&
          (e.args.length === 1 || (name !== "transfer" && name !== "send"))))
    ) {
      return finish(name as CallKind & ("call" | "send" | "transfer"), name, lowLevelResult(name, old), { receiver })
    }
    if ((object.kind === "array" || object.kind === "bytes") && (name === "push" || name === "pop")) {
      return finish(
        "builtin",
        name,
        name === "push" && args.length === 0 && object.kind === "array"
          ? withLocation(object.base, "storage")
          : nothing,
        { receiver },
      )
    }
    if (object.kind === "contract") return finish("external", name, unknownType, { receiver })
    if (object.kind === "unknown") {
      // a library of a missing import is a bare name in capitals, a contract of one is a value
      const bare =
        receiver.kind === "Identifier" &&
        this.bindings.references.get(receiver) === undefined &&
        /^[A-Z]/.test(receiver.name)
      if (bare) return finish("library", name, unknownType)
      if (object.name !== undefined) return finish("external", name, unknownType, { receiver })
      return finish("unknown", name, unknownType, { receiver })
    }
    return finish("unknown", name, unknownType, { receiver })
  }

  /** The function that best takes the arguments. */
  private overload(
    candidates: ReadonlyArray<FunctionModel> | undefined,
    args: ReadonlyArray<Type>,
    e: S.FunctionCall,
    receiver: Type | undefined,
  ): FunctionModel | undefined {
    if (candidates === undefined) return undefined
    const types = receiver === undefined ? args : [receiver, ...args]
    const fitting = candidates.filter((f) => f.parameters.length === types.length)
    if (fitting.length <= 1)
      return fitting[0] ?? (candidates.length === 1 && receiver === undefined ? candidates[0] : undefined)
    let best: FunctionModel | undefined
    let bestScore = -1
    for (const candidate of fitting) {
      const parameters = inOrderTypes(e, candidate, receiver !== undefined)
      let score = 0
      for (let i = 0; i < types.length && score >= 0; i++) {
        const fit = convertibility(types[i]!, parameters[i] ?? unknownType)
        score = fit === 0 ? -1 : score + fit
      }
      if (score > bestScore) {
        best = candidate
        bestScore = score
      }
    }
    return best ?? fitting[0]
  }

  private attachedTarget(
    object: Type,
    name: string,
    args: ReadonlyArray<Type>,
    e: S.FunctionCall,
  ): FunctionModel | "missing" | undefined {
    let missing = false
    const candidates: Array<FunctionModel> = []
    for (const attached of this.attached()) {
      if (attached.type !== undefined && object.kind !== "unknown" && convertibility(object, attached.type) === 0)
        continue
      if (attached.missing) missing = true
      const named = attached.library === undefined ? attached.functions : (attached.library.names.get(name) ?? none)
      for (const d of named) {
        if (d.kind !== "Function" || d.name !== name || candidates.includes(d)) continue
        const first = d.parameters[0]
        if (first !== undefined && convertibility(object, first.type) > 0) candidates.push(d)
      }
    }
    const target = this.overload(candidates, args, e, object)
    if (target !== undefined) return target
    // of a contract that is not there either, only what such libraries are for is taken for theirs
    if (missing && object.kind === "unknown") return /^(safe|force|try)[A-Z]/.test(name) ? "missing" : undefined
    // safeTransfer of a library that is not there, but not a plain member of a contract or address
    if (!missing || (object.kind === "address" && lowLevelCalls.has(name))) return undefined
    if ((object.kind === "array" || object.kind === "bytes") && (name === "push" || name === "pop")) return undefined
    return object.kind === "contract" && this.scopes.member(object.contract, name).length > 0 ? undefined : "missing"
  }

  private attached(): ReadonlyArray<Attached> {
    const key = this.contract ?? this.source
    const memo = this.attachedMemo.get(key)
    if (memo !== undefined) return memo
    const result: Array<Attached> = []
    const add = (using: S.UsingDirective, source: SourceModel, contract: ContractModel | undefined): void => {
      const type = using.typeName === undefined ? undefined : this.scopes.type(using.typeName, source, contract)
      const of = type === undefined || type.kind === "unknown" ? {} : { type }
      if (using.braces) {
        const functions = using.functions.flatMap(({ path }) => {
          const owner = path.length > 1 ? this.scopes.path(path.slice(0, -1), source, contract) : undefined
          const name = path[path.length - 1]!
          const found = owner?.kind === "Contract" ? (owner.names.get(name) ?? none) : this.scopes.global(source, name)
          return found.filter((d) => d.kind === "Function")
        })
        result.push({ ...of, functions, missing: functions.length < using.functions.length })
      } else {
        const library = this.scopes.path(using.functions[0]?.path ?? [], source, contract)
        result.push(
          library?.kind === "Contract"
            ? { ...of, library, functions: [], missing: false }
            : { ...of, functions: [], missing: true },
        )
      }
    }
    // since 0.7 `using` is not inherited; to follow it anyway only finds what old code needs
    for (const c of this.contract?.linearization ?? []) {
      for (const member of c.node.members) if (member.kind === "UsingDirective") add(member, c.source, c)
    }
    for (const using of this.source.usings) add(using, this.source, undefined)
    for (const { using, source } of this.globalUsings) if (source !== this.source) add(using, source, undefined)
    this.attachedMemo.set(key, result)
    return result
  }
}

const none: ReadonlyArray<never> = []

/** `a.b.c` as a list of names. */
export const pathOf = (e: S.Expression): Array<string> | undefined => {
  const path: Array<string> = []
  let at = e
  while (at.kind === "MemberAccess") {
    path.unshift(at.member)
    at = at.object
  }
  if (at.kind !== "Identifier") return undefined
  path.unshift(at.name)
  return path
}

const literalTypeOf = (e: S.Literal): Type => {
  switch (e.literalKind) {
    case "bool":
      return boolType
    case "number":
      return literalType
    case "hexNumber":
      // a checksummed address
      return e.value.length === 42 ? { kind: "address", payable: true } : literalType
    default:
      return stringMemory
  }
}
