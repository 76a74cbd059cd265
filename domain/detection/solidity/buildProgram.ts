import type { Activity } from "../FrontEnd.ts"
import { Binder } from "./bind/binder.ts"
import type { Bindings } from "./bind/bindings.ts"
import { CallGraph } from "./callGraph.ts"
import { type Declared, declareAll } from "./declare.ts"
import { FunctionFlow } from "./flow/functionFlow.ts"
import { summarizeGroup } from "./flow/summarize.ts"
import type { Remapping } from "./imports.ts"
import type {
  Call,
  Callable,
  ContractModel,
  Declaration,
  FunctionModel,
  LocalVariable,
  ModifierModel,
  SourceModel,
  StateVariable,
} from "./model.ts"
import { partsOf } from "./parts.ts"
import type { Program } from "./program.ts"
import type { Scopes } from "./scope.ts"
import type * as S from "./syntax.ts"
import { literalType, type Type, unknownType } from "./types.ts"

const restrictedTo = (everything: Declared, sources: ReadonlyArray<SourceModel>): Declared => {
  const own = new Set(sources)
  const among = <A extends { readonly source: SourceModel }>(models: ReadonlyArray<A>): ReadonlyArray<A> =>
    models.filter(({ source }) => own.has(source))
  return {
    sources,
    contracts: among(everything.contracts),
    functions: among(everything.functions),
    modifiers: among(everything.modifiers),
    unplaced: everything.unplaced,
    scopes: everything.scopes,
  }
}

/** A part of a program, resolved by its bindings; flows are built on demand. */
class ResolvedProgram implements Program {
  readonly everything: Declared
  readonly sources: ReadonlyArray<SourceModel>
  readonly contracts: ReadonlyArray<ContractModel>
  readonly functions: ReadonlyArray<FunctionModel>
  readonly modifiers: ReadonlyArray<ModifierModel>
  readonly scopes: Scopes
  private readonly bindings: Bindings
  private readonly flows = new Map<FunctionModel, FunctionFlow>()
  private flowList: ReadonlyArray<FunctionFlow> | undefined
  private callGraph: CallGraph | undefined
  private readonly contexts = new Map<FunctionModel, ContractModel | undefined>()
  private readonly activeFunctions = new Map<ContractModel, ReadonlyArray<FunctionModel>>()
  private readonly implementations = new Map<ContractModel, Map<string, FunctionModel>>()

  constructor(everything: Declared, own: Declared, bindings: Bindings) {
    this.everything = everything
    this.sources = own.sources
    this.contracts = own.contracts
    this.functions = own.functions
    this.modifiers = own.modifiers
    this.scopes = everything.scopes
    this.bindings = bindings
  }

  get graph(): CallGraph {
    this.callGraph ??= new CallGraph(this)
    return this.callGraph
  }

  typeOf(e: S.Expression): Type {
    return this.bindings.types.get(e) ?? (e.kind === "Literal" ? literalType : unknownType)
  }

  referenceOf(e: S.Expression | S.YulIdentifier | S.YulFunctionCall): Declaration | undefined {
    return this.bindings.references.get(e)
  }

  isBuiltin(e: S.Expression, name: string): boolean {
    const found = this.bindings.references.get(e)
    return found?.kind === "Builtin" && found.name === name
  }

  callOf(e: S.FunctionCall): Call | undefined {
    return this.bindings.calls.get(e)
  }

  callsIn(callable: Callable): ReadonlyArray<Call> {
    return this.bindings.callsIn.get(callable) ?? []
  }

  get functionValues(): ReadonlySet<FunctionModel> {
    return this.bindings.functionValues
  }

  localOf(node: S.VariableDeclaration): LocalVariable | undefined {
    return this.bindings.locals.get(node)
  }

  typeNamed(typeName: S.TypeName, source: SourceModel, contract?: ContractModel): Type {
    return this.scopes.type(typeName, source, contract)
  }

  contextOf(callable: Callable): ContractModel | undefined {
    const own = callable.contract
    if (own === undefined || callable.kind === "Modifier") return own
    if (this.contexts.has(callable)) return this.contexts.get(callable)
    let context: ContractModel = own
    if (!own.deployable) context = own.derived.find((d) => d.deployable && d.linearization.includes(own)) ?? own
    this.contexts.set(callable, context)
    return context
  }

  dispatch(call: Call, from: Callable, context: ContractModel | undefined): FunctionModel | undefined {
    const { target } = call
    if (target === undefined || context === undefined || target.contract === undefined || call.kind !== "internal")
      return target
    if (call.isSuper && from.contract !== undefined) {
      const order = context.linearization
      for (let i = order.indexOf(from.contract) + 1; i > 0 && i < order.length; i++) {
        const found = order[i]!.functions.find((f) => f.signature === target.signature && f.implemented)
        if (found !== undefined) return found
      }
      return target
    }
    if (call.fixed || target.visibility === "private" || !context.linearization.includes(target.contract)) return target
    return this.implementation(context, target.signature) ?? target
  }

  implementation(contract: ContractModel, signature: string): FunctionModel | undefined {
    let table = this.implementations.get(contract)
    if (table === undefined) {
      table = new Map()
      for (const c of contract.linearization) {
        for (const fn of c.functions) {
          const known = table.get(fn.signature)
          if (known === undefined || (!known.implemented && fn.implemented)) table.set(fn.signature, fn)
        }
      }
      this.implementations.set(contract, table)
    }
    return table.get(signature)
  }

  dispatchModifier(modifier: ModifierModel, context: ContractModel | undefined): ModifierModel {
    if (context === undefined || !modifier.node.virtual) return modifier
    for (const c of context.linearization) {
      const found = c.modifiers.find((m) => m.name === modifier.name && m.node.body !== undefined)
      if (found !== undefined) return found
    }
    return modifier
  }

  functionsOf(contract: ContractModel): ReadonlyArray<FunctionModel> {
    let active = this.activeFunctions.get(contract)
    if (active === undefined) {
      this.implementation(contract, "")
      active = [...this.implementations.get(contract)!.values()].filter(
        (f) => f.role !== "constructor" || f.contract === contract,
      )
      this.activeFunctions.set(contract, active)
    }
    return active
  }

  stateVariablesOf(contract: ContractModel): ReadonlyArray<StateVariable> {
    return contract.linearization.toReversed().flatMap((c) => c.stateVariables)
  }

  flow(fn: FunctionModel): FunctionFlow {
    return (
      this.flows.get(fn) ??
      FunctionFlow.build(this, fn, this.contextOf(fn), (flow) => {
        this.flows.set(fn, flow)
      })
    )
  }

  flowIfBuilt(fn: FunctionModel): FunctionFlow | undefined {
    return this.flows.get(fn)
  }

  allFlows(): ReadonlyArray<FunctionFlow> {
    this.flowList ??= this.functions.filter((fn) => fn.implemented).map((fn) => this.flow(fn))
    return this.flowList
  }
}

const resolve = (everything: Declared, sources: ReadonlyArray<SourceModel>, activity: Activity): Program => {
  const own = sources.length === everything.sources.length ? everything : restrictedTo(everything, sources)
  const binder = new Binder(everything.scopes, everything.sources)
  for (const source of own.sources) activity(source.file, () => binder.bindSource(source))
  const program = new ResolvedProgram(everything, own, binder.bindings)
  // Callees first, so that each function finds the summaries it needs and recursion does not grow with the call depth.
  for (const group of program.graph.groups) {
    activity(group[0]!.source.file, () => summarizeGroup(group.map((fn) => program.flow(fn))))
  }
  return program
}

const unwatched: Activity = (_file, work) => work()

/**
 * Builds the model of all Solidity files of a repository; `remappings` are those of its `foundry.toml` and
 * `remappings.txt` files. `activity` receives the file on whose behalf each piece of work is done.
 */
export const buildProgram = (
  units: ReadonlyArray<S.SourceUnit>,
  remappings: ReadonlyArray<Remapping> = [],
  activity: Activity = unwatched,
): Program => {
  const everything = declareAll(units, remappings)
  return resolve(everything, everything.sources, activity)
}

/** The same in parts that share no names, each built on demand. */
export const programParts = (
  units: ReadonlyArray<S.SourceUnit>,
  remappings: ReadonlyArray<Remapping>,
  activity: Activity,
  linesOfPart?: number,
): ReadonlyArray<() => Program> => {
  const everything = declareAll(units, remappings)
  return partsOf(everything, linesOfPart).map((sources) => () => resolve(everything, sources, activity))
}
