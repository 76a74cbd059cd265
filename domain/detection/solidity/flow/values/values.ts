import type { Call, LocalVariable, StateVariable, YulVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { AssemblyValues } from "./assemblyValues.ts"
import { blockSources } from "./blockSources.ts"
import type { Definition, Expr, FlowNode } from "../graph/graph.ts"
import {
  from,
  fromParameter,
  fromState,
  keyed,
  either,
  merge,
  only,
  noOrigins,
  type Origins,
  Source,
  substitute,
  targeted,
} from "../graph/origins.ts"
import { isSomewhere, type StoragePlace, withMembers } from "../graph/storagePlace.ts"
import { ReachingDefinitions, type Reaching } from "./reachingDefinitions.ts"
import { StoragePlaces } from "./storagePlaces.ts"

/** How many definitions are followed in a row; a longer chain ends in `unknown`. */
const depthLimit = 120

/** Tells where values in one flow come from, by following definitions backwards along the graph. */
export class Values {
  private readonly program: Program
  private readonly flow: Flow
  private readonly definitions: ReachingDefinitions
  private definitionMemo: Map<Definition, Origins> | undefined
  private unlimitedMemo: Map<Reaching, Origins> | undefined
  /** Definitions being followed: whatever leads back to one of them adds nothing. */
  private open: Set<Definition> | undefined
  private depth = 0
  private places: StoragePlaces | undefined
  private assemblyValues: AssemblyValues | undefined

  constructor(program: Program, flow: Flow) {
    this.program = program
    this.flow = flow
    this.definitions = new ReachingDefinitions(flow.nodes)
  }

  get storage(): StoragePlaces {
    this.places ??= new StoragePlaces(this.program, this.flow, this)
    return this.places
  }

  get assembly(): AssemblyValues {
    this.assemblyValues ??= new AssemblyValues(this.program, this.flow, this)
    return this.assemblyValues
  }

  definitionsOf(variable: LocalVariable | YulVariable): ReadonlyArray<Definition> {
    return this.definitions.definitionsOf(variable)
  }

  /** Definitions of a local that can hold at the start of `at`; `initial`: also its value on entry. */
  reaching(variable: LocalVariable | YulVariable, at: FlowNode): Reaching {
    return this.definitions.reaching(variable, at)
  }

  origins(e: Expr, at: FlowNode): Origins {
    if (this.depth > depthLimit) return from(Source.unknown)
    this.depth++
    const result = this.infer(e, at)
    this.depth--
    return result
  }

  private infer(e: Expr, at: FlowNode): Origins {
    switch (e.kind) {
      case "Literal":
      case "YulLiteral":
      case "TypeExpression":
      case "TypeNameExpression":
      case "NewExpression":
        return from(Source.literal)
      case "Identifier":
        return this.identifier(e, at)
      case "MemberAccess":
        return this.member(e, at)
      case "IndexAccess":
        return (
          this.placed(e, at) ??
          keyed(this.origins(e.base, at), e.index === undefined ? noOrigins : this.origins(e.index, at))
        )
      case "IndexRangeAccess":
        return this.origins(e.base, at)
      case "FunctionCall":
        return this.callOrigins(e, at)
      case "FunctionCallOptions":
        return this.origins(e.callee, at)
      case "UnaryOperation":
        return this.origins(e.operand, at)
      case "BinaryOperation":
        return merge(this.origins(e.left, at), this.origins(e.right, at))
      case "Assignment":
        return e.operator === "="
          ? this.origins(e.right, at)
          : merge(this.origins(e.left, at), this.origins(e.right, at))
      case "Conditional":
        return keyed(either(this.origins(e.then, at), this.origins(e.else, at)), this.origins(e.condition, at))
      case "TupleExpression":
      case "InlineArray":
        return e.components.reduce<Origins>(
          (sum, c) => (c === undefined ? sum : merge(sum, this.origins(c, at))),
          noOrigins,
        )
      case "YulIdentifier":
        return this.assembly.identifier(e, at)
      case "YulFunctionCall":
        return this.assembly.call(e, at)
      default:
        return from(Source.unknown)
    }
  }

  private identifier(e: S.Identifier, at: FlowNode): Origins {
    const found = this.program.referenceOf(e)
    switch (found?.kind) {
      case "LocalVariable":
        return this.local(found, at)
      case "StateVariable":
        return this.state(found)
      case "Builtin":
        return from(blockSources.get(found.name) ?? Source.literal)
      case undefined:
        return from(Source.unknown)
      default:
        return from(Source.literal)
    }
  }

  state(variable: StateVariable): Origins {
    if (variable.constant) return { ...from(Source.constant), state: [variable] }
    if (variable.immutable) return { ...from(Source.immutable), state: [variable] }
    // Through a copy in memory, or a pointer handed on, any member of a struct may be meant.
    return fromState(variable.type.kind === "struct" ? withMembers(variable) : [variable])
  }

  /** The origins of a local at a node: those of all definitions that reach it. */
  local(variable: LocalVariable | YulVariable, at: FlowNode): Origins {
    if (variable.kind === "LocalVariable" && "location" in variable.type && variable.type.location === "storage") {
      const place = this.storage.localPlace(variable, at)
      if (isSomewhere(place)) return this.ofPlace(place)
    }
    const reaching = this.reaching(variable, at)
    if (reaching.unlimited !== true) return this.ofReaching(variable, reaching)
    this.unlimitedMemo ??= new Map()
    const memo = this.unlimitedMemo.get(reaching)
    if (memo !== undefined) return memo
    // What the definitions get from the variable itself is what they get from one another.
    this.unlimitedMemo.set(reaching, noOrigins)
    const result = this.ofReaching(variable, reaching)
    this.unlimitedMemo.set(reaching, result)
    return result
  }

  private ofReaching(variable: LocalVariable | YulVariable, { definitions, initial }: Reaching): Origins {
    let result = noOrigins
    if (initial) {
      result =
        variable.kind === "LocalVariable" && variable.role === "parameter" && this.flow.fn.parameters.includes(variable)
          ? fromParameter(variable)
          : from(Source.literal)
    }
    for (const definition of definitions) result = either(result, this.definition(definition))
    return result
  }

  private definition(d: Definition): Origins {
    this.definitionMemo ??= new Map()
    const memo = this.definitionMemo.get(d)
    if (memo !== undefined) return memo
    this.open ??= new Set()
    if (this.open.has(d) || this.depth > depthLimit) return noOrigins
    this.open.add(d)
    let result = d.value === undefined ? from(Source.literal) : this.component(d.value, d.index, d.at)
    if (d.keepsOld) {
      const before = this.reaching(d.variable, d.at)
      // One of the definitions that all count: the use of all of them includes the others.
      if (before.unlimited !== true)
        for (const other of before.definitions) result = merge(result, this.definition(other))
      if (before.initial && d.variable.kind === "LocalVariable" && this.flow.fn.parameters.includes(d.variable))
        result = merge(result, fromParameter(d.variable))
    }
    this.open.delete(d)
    this.definitionMemo.set(d, result)
    return result
  }

  /** The origins of the `index`-th value of a call that returns several. */
  private component(e: Expr, index: number | undefined, at: FlowNode): Origins {
    if (index === undefined || e.kind !== "FunctionCall") return this.origins(e, at)
    const call = this.program.callOf(e)
    if (call === undefined || (call.kind !== "internal" && call.kind !== "library")) return this.origins(e, at)
    return this.internalResult(call, at, index)
  }

  private member(e: S.MemberAccess, at: FlowNode): Origins {
    const found = this.program.referenceOf(e)
    if (found?.kind === "Builtin") return from(blockSources.get(found.name) ?? Source.literal)
    if (found?.kind === "StateVariable") {
      const object = this.program.typeOf(e.object)
      if (object.kind === "typeName" || object.kind === "module") return this.state(found)
    }
    if (found !== undefined && found.kind !== "StateVariable") return from(Source.literal)
    const object = this.program.typeOf(e.object)
    if (object.kind === "typeName" || object.kind === "meta") return from(Source.literal)
    // `token.transfer.selector` is determined by the type, which may be missing from the sources.
    const isFunction = object.kind === "function" || (object.kind === "unknown" && e.object.kind === "MemberAccess")
    if (e.member === "selector" && isFunction) return from(Source.literal)
    if (e.member === "balance" && (object.kind === "address" || object.kind === "contract")) {
      const of = this.origins(e.object, at)
      return (of.sources & Source.self) !== 0 ? from(Source.balance) : keyed(from(Source.otherBalance), of)
    }
    if ((e.member === "code" || e.member === "codehash") && object.kind === "address")
      return keyed(from(Source.code), this.origins(e.object, at))
    return this.placed(e, at) ?? this.origins(e.object, at)
  }

  /** A read of storage through members and indices. */
  private placed(e: S.Expression, at: FlowNode): Origins | undefined {
    const place = this.storage.place(e, at)
    return isSomewhere(place) ? this.ofPlace(place) : undefined
  }

  /** The origins of the value at a place. */
  ofPlace(place: StoragePlace): Origins {
    let result = noOrigins
    for (const variable of place.variables) result = merge(result, this.state(variable))
    for (const parameter of place.parameters) result = merge(result, fromParameter(parameter))
    if (place.uninitialized) result = merge(result, from(Source.unknown))
    return keyed(result, place.keys)
  }

  /** The origins of several expressions together. */
  all(es: ReadonlyArray<Expr>, at: FlowNode): Origins {
    return es.reduce<Origins>((sum, e) => merge(sum, this.origins(e, at)), noOrigins)
  }

  private callOrigins(e: S.FunctionCall, at: FlowNode): Origins {
    const call = this.program.callOf(e)
    if (call === undefined) return from(Source.unknown)
    switch (call.kind) {
      case "conversion":
      case "struct":
        return this.all(call.args, at)
      case "allocation":
        return from(Source.literal)
      case "create":
        return { ...from(Source.created), calls: [e] }
      case "internal":
      case "library":
        return this.internalResult(call, at, undefined)
      case "external":
        return this.externalResult(call, at)
      case "call":
      case "delegatecall":
      case "staticcall":
      case "callcode":
      case "send": {
        const target = this.origins(call.receiver!, at)
        const result = keyed(from(Source.lowLevel), merge(target, this.all(call.args, at)))
        return { ...targeted(result, target), calls: [e] }
      }
      case "builtin":
        return this.builtinResult(call, at)
      default:
        // For a base that is missing from the sources, _msgSender() is the sender, as in OpenZeppelin's and its copies.
        if (call.name === "_msgSender" && call.args.length === 0) return from(Source.sender)
        return keyed(from(Source.unknown), this.all(call.args, at))
    }
  }

  private builtinResult(call: Call, at: FlowNode): Origins {
    const { name } = call
    if (name === "abi.decode" && call.args[0] !== undefined) return this.origins(call.args[0], at)
    const args = this.all(call.args, at)
    if (name === "keccak256" || name === "sha3" || name === "sha256" || name === "ripemd160")
      return merge(from(Source.hash), args)
    if (name === "ecrecover") return keyed(from(Source.recovered), args)
    const source = blockSources.get(name)
    if (source !== undefined) return merge(from(source), args)
    if (call.receiver !== undefined && name !== "push") return merge(this.origins(call.receiver, at), args)
    return args
  }

  private externalResult(call: Call, at: FlowNode): Origins {
    const target = call.receiver === undefined ? noOrigins : this.origins(call.receiver, at)
    const keys = merge(target, this.all(call.args, at))
    const own =
      call.name === "balanceOf" && call.args.length > 0 && (this.origins(call.args[0]!, at).sources & Source.self) !== 0
    const result = keyed(from(Source.external | (own ? Source.tokenBalance : 0)), keys)
    return { ...targeted(result, target), calls: [call.node] }
  }

  /** What an internal function returns, in terms of its arguments. */
  private internalResult(call: Call, at: FlowNode, index: number | undefined): Origins {
    const target = this.program.dispatch(call, at.callable, this.flow.context)
    const args = (): Origins => this.all(call.args, at)
    if (target === undefined) {
      if (isConversion(call)) return this.origins(call.receiver!, at)
      const signature = /recover|verify|isValidSignature/i.test(call.name)
      return keyed(from(signature ? Source.recovered : Source.unknown), merge(this.attached(call, at), args()))
    }
    const summary = this.program.flowIfBuilt(target)?.summary
    if (summary === undefined) return keyed(from(Source.unknown), args())
    const value = index === undefined ? summary.results.reduce(merge, noOrigins) : (summary.results[index] ?? noOrigins)
    return substitute(value, (p) => this.argument(call, target.parameters, p, at))
  }

  /** What the caller names as the first argument of a library without source: `amount.mul(rate)`. */
  private attached({ receiver }: Call, at: FlowNode): Origins {
    const value = receiver === undefined ? noOrigins : this.origins(receiver, at)
    return only(value, Source.parameter | Source.calldata) ? value : noOrigins
  }

  argument(
    call: Call,
    parameters: ReadonlyArray<LocalVariable>,
    parameter: LocalVariable,
    at: FlowNode,
  ): Origins | undefined {
    const arg = call.args[parameters.indexOf(parameter)]
    return arg === undefined ? undefined : this.origins(arg, at)
  }
}

/** `amount.toUint64()`, by a library without source: the number stays the same. */
const isConversion = ({ receiver, args, name }: Call): boolean =>
  receiver !== undefined && args.length === 0 && /^toU?[iI]nt\d+$/.test(name)
