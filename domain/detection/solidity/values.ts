import type { Definition, Expr, FlowNode } from "./cfg.ts"
import type { Call, LocalVariable, StateVariable, YulVariable } from "./model.ts"
import {
  from,
  fromParameter,
  fromState,
  keyed,
  merge,
  noOrigins,
  type Origins,
  Source,
  substitute,
  targeted,
} from "./origins.ts"
import type { Program } from "./program.ts"
import { blockSources } from "./blockSources.ts"
import type { Flow } from "./flow.ts"
import { assemblyVariable, isSomewhere, joined, nowhere, type Place, within, withMembers } from "./place.ts"
import type * as S from "./syntax.ts"

/** Nodes looked at in the search for the definitions that reach a use; beyond it all definitions count. */
const searchLimit = 3000
/** Definitions that reach one use, each keeping part of the value before it (`x += 1`); beyond it all definitions count. */
const reachingLimit = 100
/** Definitions followed in a row; a longer chain ends in `unknown`. */
const depthLimit = 120

/** Definitions being followed: what leads back to one of them adds nothing. */
const open = new Set<Definition>()
const openPlaces = new Set<Definition>()

/** Answers where values come from inside one flow, following definitions backwards along the graph. */
export class Values {
  private readonly program: Program
  private readonly flow: Flow
  private definitions: Map<LocalVariable | YulVariable, Array<Definition>> | undefined
  private byNode: Map<LocalVariable | YulVariable, Map<FlowNode, Definition>> | undefined
  private definitionMemo: Map<Definition, Origins> | undefined
  private placeMemo: Map<Definition, Place> | undefined
  private reachMemo: Map<LocalVariable | YulVariable, Map<FlowNode, Reaching>> | undefined
  /** Of variables for which all definitions count somewhere. */
  private everyMemo: Map<LocalVariable | YulVariable, { readonly reaching: Reaching; origins?: Origins }> | undefined
  private stores: Map<S.InlineAssembly, Origins> | undefined
  private byAssembly: Map<S.InlineAssembly, Array<FlowNode>> | undefined
  private depth = 0

  constructor(program: Program, flow: Flow) {
    this.program = program
    this.flow = flow
    for (const node of flow.nodes) {
      for (const definition of node.definitions) {
        this.definitions ??= new Map()
        const all = this.definitions.get(definition.variable)
        if (all === undefined) this.definitions.set(definition.variable, [definition])
        else all.push(definition)
      }
    }
  }

  definitionsOf(variable: LocalVariable | YulVariable): ReadonlyArray<Definition> {
    return this.definitions?.get(variable) ?? []
  }

  /** Definitions of a local that can hold at the start of `at`; `initial`: also what it had on entry. */
  reaching(variable: LocalVariable | YulVariable, at: FlowNode): Reaching {
    const all = this.definitions?.get(variable)
    if (all === undefined) return { definitions: [], initial: true }
    const entry = variable.role === "parameter" || variable.role === "return"
    // a local declared once and never assigned again has one definition wherever it is used
    if (all.length === 1 && !entry && !all[0]!.keepsOld) return { definitions: all, initial: false }
    this.reachMemo ??= new Map()
    let memo = this.reachMemo.get(variable)
    if (memo === undefined) this.reachMemo.set(variable, (memo = new Map()))
    this.byNode ??= new Map()
    let byNode = this.byNode.get(variable)
    if (byNode === undefined) this.byNode.set(variable, (byNode = new Map(all.map((d) => [d.at, d]))))
    // steps in a row without a definition have the same ones
    let first = at
    let found = memo.get(first)
    while (found === undefined && first.preds.length === 1 && !byNode.has(first.preds[0]!)) {
      first = first.preds[0]!
      found = memo.get(first)
    }
    if (found === undefined) memo.set(first, (found = search(byNode, first) ?? this.every(variable).reaching))
    if (first !== at) memo.set(at, found)
    return found
  }

  /** All definitions of a variable, where too many of them reach a use to be told apart. */
  private every(variable: LocalVariable | YulVariable): { readonly reaching: Reaching; origins?: Origins } {
    this.everyMemo ??= new Map()
    let every = this.everyMemo.get(variable)
    if (every === undefined)
      this.everyMemo.set(variable, (every = { reaching: { definitions: this.definitionsOf(variable), initial: true } }))
    return every
  }

  // Origins

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
        return keyed(merge(this.origins(e.then, at), this.origins(e.else, at)), this.origins(e.condition, at))
      case "TupleExpression":
      case "InlineArray":
        return e.components.reduce<Origins>(
          (sum, c) => (c === undefined ? sum : merge(sum, this.origins(c, at))),
          noOrigins,
        )
      case "YulIdentifier":
        return this.yulIdentifier(e, at)
      case "YulFunctionCall":
        return this.yulCall(e, at)
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

  private state(variable: StateVariable): Origins {
    if (variable.constant) return { ...from(Source.constant), state: [variable] }
    if (variable.immutable) return { ...from(Source.immutable), state: [variable] }
    // through a copy in memory, or a pointer handed on, any member of a struct may be meant
    return fromState(variable.type.kind === "struct" ? withMembers(variable) : [variable])
  }

  /** Origins of a local at a node: of all definitions that reach it. */
  local(variable: LocalVariable | YulVariable, at: FlowNode): Origins {
    if (variable.kind === "LocalVariable" && "location" in variable.type && variable.type.location === "storage") {
      const place = this.localPlace(variable, at)
      if (isSomewhere(place)) return this.fromPlace(place)
    }
    const reaching = this.reaching(variable, at)
    const every = this.everyMemo?.get(variable)
    if (every === undefined || every.reaching !== reaching) return this.ofReaching(variable, reaching)
    if (every.origins === undefined) {
      // what the definitions get from the variable itself is what they get from one another
      every.origins = noOrigins
      every.origins = this.ofReaching(variable, reaching)
    }
    return every.origins
  }

  private ofReaching(variable: LocalVariable | YulVariable, { definitions, initial }: Reaching): Origins {
    let result = noOrigins
    if (initial) {
      result =
        variable.kind === "LocalVariable" && variable.role === "parameter" && this.flow.fn.parameters.includes(variable)
          ? fromParameter(variable)
          : from(Source.literal)
    }
    for (const definition of definitions) result = merge(result, this.definition(definition))
    return result
  }

  private definition(d: Definition): Origins {
    this.definitionMemo ??= new Map()
    const memo = this.definitionMemo.get(d)
    if (memo !== undefined) return memo
    if (open.has(d) || this.depth > depthLimit) return noOrigins
    open.add(d)
    let result = d.value === undefined ? from(Source.literal) : this.component(d.value, d.index, d.at)
    if (d.keepsOld) {
      const before = this.reaching(d.variable, d.at)
      // one among all that count: the use of all of them has the others
      const all = before === this.everyMemo?.get(d.variable)?.reaching
      if (!all) for (const other of before.definitions) result = merge(result, this.definition(other))
      if (before.initial && d.variable.kind === "LocalVariable" && this.flow.fn.parameters.includes(d.variable))
        result = merge(result, fromParameter(d.variable))
    }
    open.delete(d)
    this.definitionMemo.set(d, result)
    return result
  }

  /** Of the `index`-th value of a call that returns several. */
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
    const place = this.place(e, at)
    return isSomewhere(place) ? this.fromPlace(place) : undefined
  }

  private fromPlace(place: Place): Origins {
    let result = noOrigins
    for (const variable of place.variables) result = merge(result, this.state(variable))
    for (const parameter of place.parameters) result = merge(result, fromParameter(parameter))
    if (place.uninitialised) result = merge(result, from(Source.unknown))
    return keyed(result, place.keys)
  }

  private all(es: ReadonlyArray<Expr>, at: FlowNode): Origins {
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
        // a base that is not among the sources: its _msgSender() is the sender, as OpenZeppelin's and its copies' is
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

  /** What an internal function returns, in terms of what was passed. */
  private internalResult(call: Call, at: FlowNode, index: number | undefined): Origins {
    const target = this.program.dispatch(call, at.callable, this.flow.context)
    const args = (): Origins => this.all(call.args, at)
    if (target === undefined) {
      const signature = /recover|verify|isValidSignature/i.test(call.name)
      return keyed(from(signature ? Source.recovered : Source.unknown), args())
    }
    const summary = this.program.flowIfBuilt(target)?.summary
    if (summary === undefined) return keyed(from(Source.unknown), args())
    const value = index === undefined ? summary.results.reduce(merge, noOrigins) : (summary.results[index] ?? noOrigins)
    return substitute(value, (p) => this.argument(call, target.parameters, p, at))
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

  // Yul

  private yulIdentifier(e: S.YulIdentifier, at: FlowNode): Origins {
    const found = this.program.referenceOf(e)
    switch (found?.kind) {
      case "LocalVariable":
      case "YulVariable":
        return this.local(found, at)
      case "StateVariable":
        return found.constant ? this.state(found) : from(Source.literal)
      default:
        return from(Source.unknown)
    }
  }

  private yulCall(e: S.YulFunctionCall, at: FlowNode): Origins {
    const source = blockSources.get(e.name)
    switch (e.name) {
      case "sload":
      case "tload":
        return this.fromPlace(this.slot(e.args[0], at, e.name === "tload"))
      case "mload":
      case "keccak256":
      case "sha3": {
        const memory = this.memory(at)
        return e.name === "mload" ? memory : merge(from(Source.hash), memory)
      }
      case "balance": {
        const of = this.all(e.args, at)
        return (of.sources & Source.self) !== 0 ? from(Source.balance) : keyed(from(Source.otherBalance), of)
      }
      case "call":
      case "staticcall":
      case "delegatecall":
      case "callcode": {
        const target = e.args[1] === undefined ? noOrigins : this.origins(e.args[1], at)
        return { ...targeted(keyed(from(Source.lowLevel), this.all(e.args, at)), target), calls: [e] }
      }
      case "create":
      case "create2":
        return { ...from(Source.created), calls: [e] }
    }
    if (source !== undefined)
      return e.args.length === 0
        ? from(source)
        : merge(from(source), e.name === "calldataload" ? noOrigins : this.all(e.args, at))
    return this.all(e.args, at)
  }

  /** What the same assembly block puts into memory: enough to see the sender in a hashed slot. */
  private memory(at: FlowNode): Origins {
    if (at.assembly === undefined) return from(Source.unknown)
    this.stores ??= new Map()
    const memo = this.stores.get(at.assembly)
    if (memo !== undefined) return memo
    // what stores what it loads finds nothing yet the second time round
    this.stores.set(at.assembly, noOrigins)
    let result = noOrigins
    let count = 0
    for (const node of this.assemblyNodes(at.assembly)) {
      const e = node.expression
      if (e?.kind !== "YulFunctionCall" || (e.name !== "mstore" && e.name !== "mstore8") || e.args[1] === undefined)
        continue
      if (++count > 32) break
      result = merge(result, this.origins(e.args[1], node))
    }
    if (count === 0) result = from(Source.unknown)
    this.stores.set(at.assembly, result)
    return result
  }

  private assemblyNodes(assembly: S.InlineAssembly): ReadonlyArray<FlowNode> {
    if (this.byAssembly === undefined) {
      this.byAssembly = new Map()
      for (const node of this.flow.nodes) {
        if (node.assembly === undefined) continue
        const all = this.byAssembly.get(node.assembly)
        if (all === undefined) this.byAssembly.set(node.assembly, [node])
        else all.push(node)
      }
    }
    return this.byAssembly.get(assembly) ?? []
  }

  // Places

  /** The storage that an expression designates; empty for memory and values. */
  place(e: S.Expression, at: FlowNode): Place {
    switch (e.kind) {
      case "Identifier": {
        const found = this.program.referenceOf(e)
        if (found?.kind === "StateVariable") return found.constant ? nowhere : { ...nowhere, variables: [found] }
        if (found?.kind === "LocalVariable" && isStorage(found)) return this.localPlace(found, at)
        return nowhere
      }
      case "MemberAccess": {
        const found = this.program.referenceOf(e)
        if (found?.kind === "StateVariable") {
          const object = this.program.typeOf(e.object)
          return object.kind === "typeName" && !found.constant ? { ...nowhere, variables: [found] } : nowhere
        }
        if (found !== undefined) return nowhere
        const object = this.program.typeOf(e.object)
        if (
          object.kind !== "struct" &&
          object.kind !== "unknown" &&
          !(e.member === "length" && (object.kind === "array" || object.kind === "bytes"))
        )
          return nowhere
        const base = this.place(e.object, at)
        return isSomewhere(base) ? within(base, `.${e.member}`) : nowhere
      }
      case "IndexAccess": {
        const base = this.place(e.base, at)
        if (!isSomewhere(base)) return nowhere
        const key = e.index === undefined ? noOrigins : this.origins(e.index, at)
        return { ...base, path: `${base.path}[]`, keys: merge(base.keys, key) }
      }
      case "Conditional":
        return joined(this.place(e.then, at), this.place(e.else, at))
      case "FunctionCall":
        return this.callPlace(e, at)
      case "Assignment":
        return e.operator === "=" ? this.place(e.left, at) : nowhere
      default:
        return nowhere
    }
  }

  private callPlace(e: S.FunctionCall, at: FlowNode): Place {
    const call = this.program.callOf(e)
    if (call === undefined) return nowhere
    if (call.kind === "builtin" && call.name === "push" && call.receiver !== undefined)
      return this.place(call.receiver, at)
    if (call.kind !== "internal" && call.kind !== "library") return nowhere
    const target = this.program.dispatch(call, at.callable, this.flow.context)
    const place = target === undefined ? undefined : this.program.flowIfBuilt(target)?.summary.place
    if (place === undefined || target === undefined || !isSomewhere(place)) return nowhere
    return this.placeForCaller(place, call, target.parameters, at)
  }

  /** A place of the callee as its caller sees it. */
  placeForCaller(place: Place, call: Call, parameters: ReadonlyArray<LocalVariable>, at: FlowNode): Place {
    const keys = substitute(place.keys, (p) => this.argument(call, parameters, p, at))
    let result: Place = { ...place, parameters: [], keys }
    for (const parameter of place.parameters) {
      const arg = call.args[parameters.indexOf(parameter)]
      if (arg === undefined) continue
      const passed = this.place(arg, at)
      result = joined(result, { ...within(passed, place.path), keys: merge(passed.keys, keys) })
    }
    return result
  }

  /** Where a storage pointer points. */
  localPlace(variable: LocalVariable, at: FlowNode): Place {
    const { definitions, initial } = this.reaching(variable, at)
    let result = nowhere
    if (initial && variable.role === "parameter" && this.flow.fn.parameters.includes(variable))
      result = { ...nowhere, parameters: [variable] }
    for (const d of definitions) result = joined(result, this.definedPlace(d, variable))
    return result
  }

  private definedPlace(d: Definition, variable: LocalVariable): Place {
    this.placeMemo ??= new Map()
    const memo = this.placeMemo.get(d)
    if (memo !== undefined) return memo
    if (openPlaces.has(d) || openPlaces.size > depthLimit) return nowhere
    openPlaces.add(d)
    let result: Place
    if (d.slot === true) {
      const struct = variable.type.kind === "struct" ? variable.type.struct : undefined
      const named =
        d.value === undefined || d.value.kind === "Literal"
          ? nowhere
          : this.slot(d.value as S.YulExpression, d.at, false)
      const declared = named.variables.find((v) => v.node !== undefined)
      result =
        declared !== undefined && named.parameters.length === 0 && struct === undefined
          ? named
          : {
              ...nowhere,
              variables: [
                assemblyVariable(
                  this.program,
                  struct?.name ?? named.variables[0]?.name ?? "assembly slot",
                  false,
                  struct,
                ),
              ],
              keys: named.keys,
            }
    } else if (d.value === undefined) {
      // `T storage p;` that assembly sets afterwards has a further definition
      const later = this.definitionsOf(variable).some((other) => other.slot === true)
      result = later ? nowhere : { ...nowhere, uninitialised: true }
    } else result = d.value.kind.startsWith("Yul") ? nowhere : this.place(d.value as S.Expression, d.at)
    openPlaces.delete(d)
    this.placeMemo.set(d, result)
    return result
  }

  /** The storage at a slot that assembly computes. */
  slot(e: S.YulExpression | undefined, at: FlowNode, transient: boolean): Place {
    if (e === undefined) return nowhere
    const unnamed = (keys: Origins): Place => ({
      ...nowhere,
      keys,
      variables: [assemblyVariable(this.program, transient ? "transient slot" : "assembly slot", transient, undefined)],
      path: "[]",
    })
    if (e.kind === "YulLiteral")
      return { ...nowhere, variables: [assemblyVariable(this.program, e.value, transient, undefined)] }
    if (e.kind === "YulIdentifier") {
      const found = this.program.referenceOf(e)
      if (found?.kind === "StateVariable") {
        return {
          ...nowhere,
          variables: [found.constant ? assemblyVariable(this.program, found.name, transient, found) : found],
        }
      }
      if (found?.kind === "LocalVariable" && isStorage(found) && /[._]slot$/.test(e.name)) {
        const place = this.localPlace(found, at)
        if (isSomewhere(place)) return place
      }
      if (found?.kind === "LocalVariable" || found?.kind === "YulVariable") {
        const { definitions, initial } = this.reaching(found, at)
        const value = definitions[0]?.value
        if (
          !initial &&
          definitions.length === 1 &&
          value !== undefined &&
          value.kind.startsWith("Yul") &&
          this.depth < 16
        ) {
          this.depth++
          const place = this.slot(value as S.YulExpression, definitions[0]!.at, transient)
          this.depth--
          return place
        }
        const origins = this.local(found, at)
        const constant = origins.state.find((v) => v.constant)
        if (constant !== undefined && (origins.sources & ~(Source.constant | Source.literal)) === 0) {
          return { ...nowhere, variables: [assemblyVariable(this.program, constant.name, transient, constant)] }
        }
        return unnamed(origins)
      }
    }
    return unnamed(this.origins(e, at))
  }
}

export interface Reaching {
  readonly definitions: ReadonlyArray<Definition>
  readonly initial: boolean
}

/** Looks backwards from a node for definitions; undefined beyond the limits. */
const search = (byNode: ReadonlyMap<FlowNode, Definition>, at: FlowNode): Reaching | undefined => {
  const definitions: Array<Definition> = []
  const seen = new Set<FlowNode>()
  const queue: Array<FlowNode> = [...at.preds]
  let initial = at.preds.length === 0
  for (let i = 0; i < queue.length; i++) {
    if (i > searchLimit || definitions.length > reachingLimit) return undefined
    const node = queue[i]!
    if (seen.has(node)) continue
    seen.add(node)
    const found = byNode.get(node)
    if (found !== undefined) {
      definitions.push(found)
      if (!found.keepsOld) continue
    }
    if (node.preds.length === 0) initial = true
    queue.push(...node.preds)
  }
  return { definitions, initial }
}

const isStorage = (variable: LocalVariable): boolean =>
  variable.type.kind === "mapping" ||
  ("location" in variable.type && variable.type.location === "storage") ||
  // of a type that is not among the sources
  (variable.type.kind === "unknown" && variable.node.location === "storage")
