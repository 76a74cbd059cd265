import { builtinFunction, encodingResult, lowLevelCalls, lowLevelResult } from "../builtins.ts"
import type { Call, CallKind } from "../model.ts"
import type * as S from "../syntax.ts"
import { boolType, type Type, unknownType, withLocation } from "../types.ts"
import type { AttachedFunctions } from "./attachedFunctions.ts"
import type { Bindings } from "./bindings.ts"
import type { BodyScope } from "./bodyScope.ts"
import type { ExpressionBinder } from "./expressionBinder.ts"
import { inOrder, nothing, resultType, tuple } from "./functionTypes.ts"
import { overload } from "./overload.ts"

/** A call that is being taken apart. */
interface Open {
  readonly node: S.FunctionCall
  readonly args: ReadonlyArray<Type>
  readonly options: Pick<Call, "value" | "gas" | "salt">
}

/** A call of a member: `receiver.name(…)`. */
interface OpenMember extends Open {
  readonly callee: S.MemberAccess
  readonly name: string
  readonly receiver: S.Expression
  /** What the member is, as far as its object's type tells. */
  readonly member: Type
}

type Low = CallKind & ("call" | "send" | "transfer")

/** Takes calls apart: their kind, target, options and arguments, in old and new syntax. */
export class CallBinder {
  private readonly bindings: Bindings
  private readonly scope: BodyScope
  private readonly expressions: ExpressionBinder
  private readonly attached: AttachedFunctions

  constructor(bindings: Bindings, scope: BodyScope, expressions: ExpressionBinder, attached: AttachedFunctions) {
    this.bindings = bindings
    this.scope = scope
    this.expressions = expressions
    this.attached = attached
  }

  /** The type of a call's result. */
  call(e: S.FunctionCall): Type {
    const args = e.args.map((a) => this.expressions.expression(a))
    const { callee, options } = this.takeOptions(e.callee)
    const open: Open = { node: e, args, options }
    if (callee.kind === "NewExpression") return this.creation(open, callee)
    if (callee.kind === "MemberAccess") return this.memberCall(open, callee)
    const type =
      callee.kind === "Identifier" ? this.expressions.identifier(callee) : this.expressions.expression(callee)
    this.bindings.types.set(callee, type)
    const name = callee.kind === "Identifier" ? callee.name : ""
    if (type.kind === "typeName") return this.conversion(open, name, type.type)
    if (type.kind === "function") {
      const target = overload(type.declared, args, e)
      if (target === undefined) return this.finish(open, "pointer", name, tuple(type.returns))
      return this.finish(open, "internal", name, resultType(target), { target, args: inOrder(e, target, undefined) })
    }
    const reference = this.bindings.references.get(callee)
    if (reference?.kind === "Builtin")
      return this.finish(open, "builtin", name, builtinFunction(reference.name) ?? unknownType)
    const construction = this.construction(open, callee, name)
    if (construction !== undefined) return construction
    // `IERC20(x)` with a missing import: a capitalized name with one argument is assumed to be a conversion.
    if (callee.kind === "Identifier" && /^[A-Z]/.test(name) && e.args.length === 1 && e.names === undefined) {
      const unknown: Type = { kind: "unknown", name }
      return this.finish(open, "conversion", name, unknown, { type: unknown })
    }
    return this.finish(open, "unknown", name, unknownType)
  }

  private finish(open: Open, kind: CallKind, name: string, type: Type, more: Partial<Call> = {}): Type {
    const { node, options } = open
    const call: Call = { node, kind, name, fixed: false, isSuper: false, args: node.args, ...options, ...more }
    this.bindings.calls.set(node, call)
    this.expressions.callsHere?.push(call)
    return type
  }

  private creation(open: Open, callee: S.NewExpression): Type {
    const type = this.scope.type(callee.typeName, "memory")
    this.bindings.types.set(callee, { kind: "typeName", type })
    const kind = type.kind === "contract" || type.kind === "unknown" ? "create" : "allocation"
    return this.finish(open, kind, type.kind === "contract" ? type.contract.name : "", type, { type })
  }

  private conversion(open: Open, name: string, type: Type): Type {
    if (type.kind === "struct") return this.finish(open, "struct", name, withLocation(type, "memory"), { type })
    return this.finish(open, "conversion", name, type, { type })
  }

  /** A use of an event or error without `emit` or `revert` before it. */
  private construction(open: Open, callee: S.Expression, name: string): Type | undefined {
    const reference = this.bindings.references.get(callee)
    if (reference?.kind !== "Event" && reference?.kind !== "Error") return undefined
    const kind = reference.kind === "Event" ? "event" : "error"
    return this.finish(open, kind, name, nothing, { declaration: reference })
  }

  /** Strips `{value: v}` and the chain `.value(v).gas(g)` off a callee. */
  private takeOptions(e: S.Expression): { callee: S.Expression; options: Open["options"] } {
    let callee = e
    const found: { -readonly [K in "value" | "gas" | "salt"]?: S.Expression } = {}
    for (;;) {
      if (callee.kind === "FunctionCallOptions") {
        for (const { name, value } of callee.options) {
          this.expressions.expression(value)
          if (name === "value" || name === "gas" || name === "salt") found[name] = value
        }
        callee = callee.callee
      } else if (
        callee.kind === "FunctionCall" &&
        callee.callee.kind === "MemberAccess" &&
        callee.args.length === 1 &&
        (callee.callee.member === "value" || callee.callee.member === "gas")
      ) {
        this.expressions.expression(callee.args[0]!)
        found[callee.callee.member] ??= callee.args[0]!
        callee = callee.callee.object
      } else return { callee, options: found }
    }
  }

  private memberCall(open: Open, callee: S.MemberAccess): Type {
    const { member: name, object: receiver } = callee
    if ((name === "value" || name === "gas") && receiver.kind === "MemberAccess" && lowLevelCalls.has(receiver.member))
      return this.neverMade(open, name, receiver)
    const object = this.expressions.expression(receiver)
    if (object.kind === "magic") return this.magicCall(open, object.name, name)
    const member = this.expressions.member(callee, object)
    this.bindings.types.set(callee, member)
    const openMember: OpenMember = { ...open, callee, name, receiver, member }
    if (object.kind === "typeName") return this.staticCall(openMember, object.type)
    if (object.kind === "module") return this.moduleCall(openMember)
    return (
      (object.kind === "contract" ? this.contractCall(openMember, object) : undefined) ??
      this.valueCall(openMember, object)
    )
  }

  /** `x.call.value(v);` builds the call and never makes it. */
  private neverMade(open: Open, name: "value" | "gas", callee: S.MemberAccess): Type {
    this.expressions.expression(callee.object)
    const { args } = open.node
    return this.finish(open, callee.member as Low, callee.member, boolType, {
      receiver: callee.object,
      args: [],
      incomplete: true,
      ...(args[0] === undefined ? {} : { [name]: args[0] }),
    })
  }

  /** `abi.encode(…)`, `block.blockhash(n)`. */
  private magicCall(open: Open, object: string, name: string): Type {
    if (object !== "abi") return this.finish(open, "builtin", `${object}.${name}`, unknownType)
    if (name !== "decode") return this.finish(open, "builtin", `abi.${name}`, encodingResult("abi", name))
    const types = open.args[1]
    const decoded = types?.kind === "tuple" ? types.components : types === undefined ? [] : [types]
    return this.finish(
      open,
      "builtin",
      "abi.decode",
      tuple(decoded.map((t) => (t.kind === "typeName" ? t.type : unknownType))),
    )
  }

  /** `Lib.f(…)`, `Base.f(…)`, `Contract.Struct(…)`, `Price.wrap(…)`, `bytes.concat(…)`. */
  private staticCall(open: OpenMember, type: Type): Type {
    const { node, args, callee, name, member } = open
    if (member.kind === "function" && member.declared !== undefined && type.kind === "contract") {
      const target = overload(member.declared, args, node)
      const kind = type.contract.node.contractKind === "library" ? "library" : "internal"
      if (target !== undefined)
        return this.finish(open, kind, name, resultType(target), {
          target,
          fixed: true,
          args: inOrder(node, target, undefined),
        })
    }
    if (member.kind === "typeName") return this.conversion(open, name, member.type)
    const construction = this.construction(open, callee, name)
    if (construction !== undefined) return construction
    if (type.kind === "userType")
      return this.finish(open, "builtin", name, name === "unwrap" ? type.definition.underlying : type)
    if (type.kind === "bytes" || type.kind === "string")
      return this.finish(open, "builtin", `${type.kind}.${name}`, encodingResult(type.kind, name))
    return this.finish(open, "unknown", name, encodingResult(type.kind, name))
  }

  /** `Module.f(…)`. */
  private moduleCall(open: OpenMember): Type {
    const { node, args, name, member } = open
    if (member.kind === "typeName") return this.conversion(open, name, member.type)
    const target = member.kind === "function" ? overload(member.declared, args, node) : undefined
    if (target === undefined) return this.finish(open, "unknown", name, unknownType)
    return this.finish(open, "internal", name, resultType(target), { target, args: inOrder(node, target, undefined) })
  }

  /** `other.f(…)`, `super.f(…)` and getters; undefined if the contract has no such member. */
  private contractCall(open: OpenMember, object: Type & { kind: "contract" }): Type | undefined {
    const { node, args, callee, name, receiver, member } = open
    const target = member.kind === "function" ? overload(member.declared, args, node) : undefined
    if (target !== undefined) {
      const isSuper = object.isSuper === true
      return this.finish(open, isSuper ? "internal" : "external", name, resultType(target), {
        target,
        isSuper,
        fixed: isSuper,
        args: inOrder(node, target, undefined),
        ...(isSuper ? {} : { receiver }),
      })
    }
    const reference = this.bindings.references.get(callee)
    if (reference?.kind !== "StateVariable") return undefined
    return this.finish(open, "external", name, member.kind === "function" ? tuple(member.returns) : unknownType, {
      declaration: reference,
      receiver,
    })
  }

  /**
   * A call of a member of a value: functions that `using` attaches, those of addresses and arrays, and unknown ones.
   */
  private valueCall(open: OpenMember, object: Type): Type {
    const { node, args, name, receiver, member } = open
    // A member function of a struct's or mapping's value.
    if (member.kind === "function" && object.kind !== "contract")
      return this.finish(open, "pointer", name, tuple(member.returns), { receiver })
    // Nothing is attached to `super`: what a missing base does counts as done by the contract itself.
    if (object.kind === "contract" && object.isSuper === true)
      return this.finish(open, "unknown", name, unknownType, {})
    const attached = this.attached.target(object, name, args, node)
    if (attached === "missing") return this.finish(open, "library", name, unknownType, { receiver })
    if (attached !== undefined)
      return this.finish(open, "library", name, resultType(attached), {
        target: attached,
        fixed: true,
        receiver,
        args: inOrder(node, attached, receiver),
      })
    if (this.isOfAddress(open, object))
      return this.finish(open, name as Low, name, lowLevelResult(name, this.scope.source.version.before05), {
        receiver,
      })
    if ((object.kind === "array" || object.kind === "bytes") && (name === "push" || name === "pop")) {
      const added = name === "push" && args.length === 0 && object.kind === "array"
      return this.finish(open, "builtin", name, added ? withLocation(object.base, "storage") : nothing, { receiver })
    }
    if (object.kind === "contract") return this.finish(open, "external", name, unknownType, { receiver })
    if (object.kind === "unknown") {
      // A library from a missing import is a bare capitalized name; a contract from one is a value.
      const bare =
        receiver.kind === "Identifier" &&
        this.bindings.references.get(receiver) === undefined &&
        /^[A-Z]/.test(receiver.name)
      if (bare) return this.finish(open, "library", name, unknownType)
      if (this.isReference(receiver)) return this.finish(open, "library", name, unknownType, { receiver })
      if (object.name !== undefined) return this.finish(open, "external", name, unknownType, { receiver })
    }
    return this.finish(open, "unknown", name, unknownType, { receiver })
  }

  /** Whether it is declared with a data location, as no contract is: functions of a library are attached to its type. */
  private isReference(receiver: S.Expression): boolean {
    const variable = receiver.kind === "Identifier" ? this.bindings.references.get(receiver) : undefined
    return variable?.kind === "LocalVariable" && variable.node.location !== undefined
  }

  /** `call`, `send`, `transfer` and the like of an address, or of what is likely to be an address. */
  private isOfAddress({ name, node }: OpenMember, object: Type): boolean {
    if (!lowLevelCalls.has(name)) return false
    if (object.kind === "address") return true
    // Before 0.5, contracts had the members of addresses.
    if (object.kind === "contract") return this.scope.source.version.before05
    if (object.kind !== "unknown" || object.name !== undefined) return false
    return node.args.length === 1 || (name !== "transfer" && name !== "send")
  }
}
