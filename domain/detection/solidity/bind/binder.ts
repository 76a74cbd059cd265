import { local } from "../declare.ts"
import type { Call, Callable, ContractModel, FunctionModel, LocalVariable, SourceModel } from "../model.ts"
import type { Scopes } from "../scope.ts"
import type * as S from "../syntax.ts"
import { isReferenceType, uint256, unknownType, withLocation } from "../types.ts"
import { AttachedFunctions } from "./attachedFunctions.ts"
import type { Bindings } from "./bindings.ts"
import { BodyScope } from "./bodyScope.ts"
import { ExpressionBinder } from "./expressionBinder.ts"
import { nothing } from "./functionTypes.ts"
import { YulBinder } from "./yulBinder.ts"

/**
 * Binds the bodies of files: scopes of locals and statements, and through the other binders the expressions in them.
 */
export class Binder {
  readonly bindings: Bindings = {
    references: new Map(),
    types: new Map(),
    calls: new Map(),
    locals: new Map(),
    callsIn: new Map(),
    functionValues: new Set(),
  }
  private readonly scope: BodyScope
  private readonly expressions: ExpressionBinder
  private readonly yul: YulBinder

  constructor(scopes: Scopes, sources: ReadonlyArray<SourceModel>) {
    const scope = new BodyScope(scopes)
    this.scope = scope
    this.expressions = new ExpressionBinder(this.bindings, scope, new AttachedFunctions(scope, sources))
    this.yul = new YulBinder(this.bindings.references, (name) => scope.lookup(name))
  }

  bindSource(source: SourceModel): void {
    this.enter(source, undefined)
    for (const constant of source.constants)
      if (constant.node?.value !== undefined) this.expressions.expression(constant.node.value)
    for (const fn of source.functions) this.bindFunction(fn)
    for (const contract of source.contracts) this.bindContract(contract)
  }

  private enter(source: SourceModel, contract: ContractModel | undefined, calls?: Array<Call>): void {
    this.scope.enter(source, contract)
    this.expressions.callsHere = calls
  }

  private bindContract(contract: ContractModel): void {
    this.enter(contract.source, contract)
    for (const base of contract.node.bases) for (const arg of base.args ?? []) this.expressions.expression(arg)
    if (contract.node.layout !== undefined) this.expressions.expression(contract.node.layout)
    for (const variable of contract.stateVariables)
      if (variable.node?.value !== undefined) this.expressions.expression(variable.node.value)
    for (const fn of contract.functions) this.bindFunction(fn)
    for (const modifier of contract.modifiers) this.bindBody(modifier, modifier.parameters, modifier.node.body)
  }

  private bindFunction(fn: FunctionModel): void {
    this.bindBody(fn, [...fn.parameters, ...fn.returns], fn.node.body)
  }

  private bindBody(callable: Callable, variables: ReadonlyArray<LocalVariable>, body: S.Block | undefined): void {
    const calls: Array<Call> = []
    this.bindings.callsIn.set(callable, calls)
    this.enter(callable.source, callable.contract, calls)
    this.scope.inBlock(() => {
      for (const variable of variables) this.introduce(variable)
      if (callable.kind === "Function") {
        for (const modifier of callable.node.modifiers)
          for (const arg of modifier.args ?? []) this.expressions.expression(arg)
      }
      if (body !== undefined) this.statement(body)
    })
  }

  private introduce(variable: LocalVariable): void {
    this.bindings.locals.set(variable.node, variable)
    this.scope.introduce(variable)
  }

  private statement(s: S.Statement): void {
    switch (s.kind) {
      case "Block":
        return this.scope.inBlock(() => {
          for (const inner of s.statements) this.statement(inner)
        })
      case "IfStatement":
        this.expressions.expression(s.condition)
        this.statement(s.then)
        if (s.else !== undefined) this.statement(s.else)
        return
      case "ForStatement":
        return this.scope.inBlock(() => {
          if (s.init !== undefined) this.statement(s.init)
          if (s.condition !== undefined) this.expressions.expression(s.condition)
          if (s.update !== undefined) this.expressions.expression(s.update)
          this.statement(s.body)
        })
      case "WhileStatement":
      case "DoWhileStatement":
        this.expressions.expression(s.condition)
        return this.statement(s.body)
      case "TryStatement":
        this.expressions.expression(s.call)
        this.scope.inBlock(() => {
          for (const v of s.returns) this.introduce(this.local(v))
          this.statement(s.body)
        })
        for (const clause of s.catches) {
          this.scope.inBlock(() => {
            for (const v of clause.parameters) this.introduce(this.local(v))
            this.statement(clause.body)
          })
        }
        return
      case "ReturnStatement":
        if (s.value !== undefined) this.expressions.expression(s.value)
        return
      case "EmitStatement":
      case "RevertStatement":
        this.construction(s.call, s.kind === "EmitStatement" ? "event" : "error")
        return
      case "VariableDeclarationStatement":
        return this.declaration(s)
      case "ExpressionStatement":
        this.expressions.expression(s.expression)
        return
      case "InlineAssembly":
        return this.yul.block(s.body)
    }
  }

  private local(node: S.VariableDeclaration): LocalVariable {
    return local(node, this.scope.source, this.scope.contract, this.scope.scopes)
  }

  private declaration(s: S.VariableDeclarationStatement): void {
    const type = s.value === undefined ? unknownType : this.expressions.expression(s.value)
    s.declarations.forEach((node, i) => {
      if (node === undefined) return
      const declared = this.local(node)
      // `var` has the type of the assigned value.
      const inferred = s.tuple ? (type.kind === "tuple" ? (type.components[i] ?? unknownType) : unknownType) : type
      const old = this.scope.source.version.before05
      const settled =
        node.typeName === undefined
          ? inferred.kind === "literal"
            ? uint256
            : inferred
          : old && node.location === undefined && isReferenceType(declared.type)
            ? // Before 0.5, structs and arrays without a location were pointers into storage.
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
    for (const arg of node.args) this.expressions.expression(arg)
    const path = pathOf(node.callee)
    const found = path === undefined ? undefined : this.scope.path(path)
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
}

/** `a.b.c` as a list of names. */
const pathOf = (e: S.Expression): Array<string> | undefined => {
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
