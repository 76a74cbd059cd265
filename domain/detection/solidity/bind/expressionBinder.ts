import { builtinFunction, magicType, memberType } from "../builtins.ts"
import type { Call, Declaration } from "../model.ts"
import { declaredType } from "../scope.ts"
import type * as S from "../syntax.ts"
import {
  addressType,
  boolType,
  elementaryType,
  literalType,
  stringMemory,
  type Type,
  uint256,
  unknownType,
  withLocation,
  memberNamed,
} from "../types.ts"
import type { AttachedFunctions } from "./attachedFunctions.ts"
import { builtin, type Bindings } from "./bindings.ts"
import type { BodyScope } from "./bodyScope.ts"
import { CallBinder } from "./callBinder.ts"
import { functionType, getterType, nothing } from "./functionTypes.ts"

const none: ReadonlyArray<never> = []

/** Binds the names and members in expressions, and gives each expression its type. */
export class ExpressionBinder {
  /** Where calls are listed inside a function or modifier. */
  callsHere: Array<Call> | undefined
  private readonly bindings: Bindings
  private readonly scope: BodyScope
  private readonly attached: AttachedFunctions
  private callBinder: CallBinder | undefined
  /**
   * Keyed by everything that a name stands for: with 15,000 overloads, each call would otherwise have a list of its
   * own.
   */
  private readonly internalTypes = new Map<ReadonlyArray<Declaration>, Type>()
  private readonly externalTypes = new Map<ReadonlyArray<Declaration>, Type>()
  private readonly implemented = new Map<ReadonlyArray<Declaration>, ReadonlyArray<Declaration>>()
  private readonly mentioned = new Set<Type>()

  constructor(bindings: Bindings, scope: BodyScope, attached: AttachedFunctions) {
    this.bindings = bindings
    this.scope = scope
    this.attached = attached
  }

  private get calls(): CallBinder {
    this.callBinder ??= new CallBinder(this.bindings, this.scope, this, this.attached)
    return this.callBinder
  }

  private functions(declarations: ReadonlyArray<Declaration>, external: boolean): Type {
    const known = external ? this.externalTypes : this.internalTypes
    let type = known.get(declarations)
    if (type === undefined) {
      type = functionType(
        declarations.filter((d) => d.kind === "Function"),
        external,
      )
      known.set(declarations, type)
    }
    return type
  }

  private implementedAmong(declarations: ReadonlyArray<Declaration>): ReadonlyArray<Declaration> {
    let found = this.implemented.get(declarations)
    if (found === undefined) {
      found = declarations.filter((d) => d.kind === "Function" && d.implemented)
      this.implemented.set(declarations, found)
    }
    return found
  }

  private typeOfDeclarations(declarations: ReadonlyArray<Declaration>): Type {
    const first = declarations[0]
    if (first === undefined) return unknownType
    switch (first.kind) {
      case "StateVariable":
      case "LocalVariable":
        return first.type
      case "Function":
        return this.functions(declarations, false)
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

  expression(e: S.Expression): Type {
    const type = this.infer(e)
    if (type.kind === "function" && e.kind === "Identifier" && !this.mentioned.has(type)) {
      this.mentioned.add(type)
      for (const fn of type.declared ?? none) this.bindings.functionValues.add(fn)
    }
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
        return this.calls.call(e)
      case "FunctionCallOptions":
        for (const option of e.options) this.expression(option.value)
        return this.expression(e.callee)
      case "NewExpression":
      case "TypeExpression": {
        const type = this.scope.type(e.typeName, e.kind === "NewExpression" ? "memory" : undefined)
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

  identifier(e: S.Identifier): Type {
    const found = this.scope.lookup(e.name)
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
      if (this.scope.contract === undefined) return unknownType
      return { kind: "contract", contract: this.scope.contract, ...(name === "super" ? { isSuper: true } : {}) }
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

  member(e: S.MemberAccess, object: Type): Type {
    const { member } = e
    switch (object.kind) {
      case "magic": {
        const name = `${object.name}.${member}`
        this.bindings.references.set(e, builtin(name))
        return magicType(name) ?? unknownType
      }
      case "struct": {
        const found = memberNamed(object.struct, member)
        if (found !== undefined) return withLocation(found.type, object.location ?? "storage")
        break
      }
      case "module": {
        const found = this.scope.scopes.global(object.file, member)
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
    const found = this.scope.scopes.member(type.contract, e.member)
    if (found.length > 0) this.bindings.references.set(e, found[0]!)
    return this.typeOfDeclarations(found)
  }

  private contractMember(e: S.MemberAccess, object: Type & { kind: "contract" }): Type {
    const order = object.contract.linearization
    let found: ReadonlyArray<Declaration> = none
    if (object.isSuper === true) {
      for (let i = 1; i < order.length && found.length === 0; i++) {
        found = this.implementedAmong(order[i]!.names.get(e.member) ?? none)
      }
    } else found = this.scope.scopes.member(object.contract, e.member)
    const first = found[0]
    if (first === undefined) {
      // Before 0.5, contracts had the members of addresses.
      return this.scope.source.version.before05 ? (memberType(addressType, e.member) ?? unknownType) : unknownType
    }
    this.bindings.references.set(e, first)
    if (first.kind === "StateVariable") return getterType(first)
    if (first.kind === "Function") return this.functions(found, object.isSuper !== true)
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
}

const literalTypeOf = (e: S.Literal): Type => {
  switch (e.literalKind) {
    case "bool":
      return boolType
    case "number":
      return literalType
    case "hexNumber":
      // A checksummed address.
      return e.value.length === 42 ? { kind: "address", payable: true } : literalType
    default:
      return stringMemory
  }
}
