import type { SomeEvents } from "./flow/graph/someEvents.ts"
import type { CallGraph } from "./callGraph.ts"
import type { Declared } from "./declare.ts"
import type { CallerCheck } from "./flow/facts/callerCheck.ts"
import type { Dominators } from "./flow/graph/dominators.ts"
import type { CallSite, Event, StorageAccess } from "./flow/graph/events.ts"
import type { FactChain } from "./flow/facts/factChain.ts"
import type { Fact } from "./flow/facts/facts.ts"
import type { Definition, Expr, FlowNode, Loop } from "./flow/graph/graph.ts"
import type { Origins } from "./flow/graph/origins.ts"
import type { StoragePlace } from "./flow/graph/storagePlace.ts"
import type { Reaching } from "./flow/values/reachingDefinitions.ts"
import type { Reached, FunctionSummary } from "./flow/functionSummary.ts"
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
  YulVariable,
} from "./model.ts"
import type { Scopes } from "./scope.ts"
import type * as S from "./syntax.ts"
import type { Type } from "./types.ts"

/** What the files of a part of a program say, resolved, for rules to query. See docs/engine-model.md. */
export interface Program {
  /** The declarations of all parts: names and signatures, for the few queries about the whole program. */
  readonly everything: Declared
  readonly sources: ReadonlyArray<SourceModel>
  readonly contracts: ReadonlyArray<ContractModel>
  /** Every function as declared, once, including free functions, constructors and those without a body. */
  readonly functions: ReadonlyArray<FunctionModel>
  readonly modifiers: ReadonlyArray<ModifierModel>
  readonly scopes: Scopes
  readonly graph: CallGraph

  typeOf(e: S.Expression): Type
  /** What an identifier or a member names. `msg.sender` and the like are `{kind: "Builtin", name: "msg.sender"}`. */
  referenceOf(e: S.Expression | S.YulIdentifier | S.YulFunctionCall): Declaration | undefined
  /** `program.isBuiltin(e, "msg.sender")`; `now` is `block.timestamp`. */
  isBuiltin(e: S.Expression, name: string): boolean
  /** Undefined for the inner half of `x.call.value(v)(…)`. */
  callOf(e: S.FunctionCall): Call | undefined
  /** The calls in the text of a function (without its modifiers' bodies) or of a modifier. */
  callsIn(callable: Callable): ReadonlyArray<Call>
  /** Functions mentioned without being called: they may run through a pointer. */
  readonly functionValues: ReadonlySet<FunctionModel>
  localOf(node: S.VariableDeclaration): LocalVariable | undefined
  /** Resolves a type as written in a contract. */
  typeNamed(typeName: S.TypeName, source: SourceModel, contract?: ContractModel): Type

  /**
   * The contract in which a function is analyzed: its own if that can be deployed (or if nothing deployable derives
   * from it), or else the first deployable one that inherits it. Undefined for free functions.
   */
  contextOf(callable: Callable): ContractModel | undefined
  /** The function that runs if `context` is the deployed contract. */
  dispatch(call: Call, from: Callable, context: ContractModel | undefined): FunctionModel | undefined
  /** The implementation of a signature in a contract, including inherited ones. */
  implementation(contract: ContractModel, signature: string): FunctionModel | undefined
  /** The modifier that runs if `context` is deployed. */
  dispatchModifier(modifier: ModifierModel, context: ContractModel | undefined): ModifierModel
  /**
   * The active functions of a contract, including inherited ones, without overridden ones; constructors are not
   * inherited.
   */
  functionsOf(contract: ContractModel): ReadonlyArray<FunctionModel>
  /** State variables in storage order: most basic contract first. */
  stateVariablesOf(contract: ContractModel): ReadonlyArray<StateVariable>

  /** Control and data flow of a function in its context, with modifiers in place; built once. */
  flow(fn: FunctionModel): Flow
  /** The flow if it already exists: while flows are being built, those of callees do. */
  flowIfBuilt(fn: FunctionModel): Flow | undefined
  /** The flows of all functions with a body. */
  allFlows(): ReadonlyArray<Flow>
}

/** Control and data flow of one function with its modifiers in place. */
export interface Flow {
  readonly program: Program
  readonly fn: FunctionModel
  /** The contract assumed to be deployed: `virtual` and `super` are resolved for it. */
  readonly context: ContractModel | undefined
  readonly nodes: ReadonlyArray<FlowNode>
  readonly entry: FlowNode
  /** The normal end. */
  readonly exit: FlowNode
  readonly revert: FlowNode
  readonly loops: ReadonlyArray<Loop>
  /** The operations that any of its steps contains, as bits of `Shape`. */
  readonly shape: number
  /** The `return` statements. */
  readonly returns: ReadonlyArray<FlowNode>
  readonly values: Values
  readonly dominators: Dominators
  readonly knownFacts: KnownFacts
  readonly summary: FunctionSummary
  /** Whether its own summary is complete, as far as possible without those of functions that call each other. */
  readonly isSummarized: boolean

  // Events

  /** The calls in the text of this function and its modifiers, of every kind. */
  calls(): ReadonlyArray<CallSite>
  /** Storage written by this function and its callees, including through pointers. */
  readonly writes: ReadonlyArray<Reached<StorageAccess>>
  /** Storage read. */
  readonly reads: ReadonlyArray<Reached<StorageAccess>>
  /** Calls that leave the contract, made by this function and its callees. */
  readonly externalCalls: ReadonlyArray<Reached<CallSite>>
  /** Conditions of `if`, loops, `require` and `assert`, including in assembly. */
  conditionNodes(): ReadonlyArray<FlowNode>
  /** The steps whose expression contains one of the operations, as bits of `Shape`. */
  stepsWith(shape: number): ReadonlyArray<FlowNode>
  /** Whether a local's or parameter's value is used anywhere. */
  isUsed(variable: LocalVariable): boolean
  definitionsOf(variable: LocalVariable | YulVariable): ReadonlyArray<Definition>
  /** The call at this place in the text, if it is reachable. */
  siteOf(node: S.FunctionCall | S.YulFunctionCall): CallSite | undefined

  // Order

  isReachable(node: FlowNode): boolean
  /** Whether every path from the entry to `b` passes through `a` (which may be `b`). */
  dominates(a: FlowNode, b: FlowNode): boolean
  /** Whether some path leads from the end of `a` to `b`; a node reaches itself only in a loop. */
  reaches(a: FlowNode, b: FlowNode): boolean
  /**
   * Whether `b` can run after `a`. Events inside one and the same call are not ordered here but in the callee's flow.
   */
  follows(
    a: { readonly at: FlowNode; readonly order: number },
    b: { readonly at: FlowNode; readonly order: number },
  ): boolean

  // Values

  /** Where a value comes from; see `Source`. Parameters are those of this function. */
  origins(e: Expr, at: FlowNode): Origins
  /** The storage that an expression designates; `variables` is empty for memory and values. */
  place(e: S.Expression, at: FlowNode): StoragePlace
  /** Like `origins`, but follows the parameters of internal functions into all of their callers. */
  deepOrigins(e: Expr, at: FlowNode): Origins
  /**
   * Replaces parameters by what callers pass, and recursively the callers' own parameters; those of entry points stay.
   */
  expand(value: Origins, depth?: number): Origins

  // Guards

  /**
   * What is known to hold at a node on every path: conditions, require, and what functions called before have checked.
   */
  facts(at: FlowNode): ReadonlyArray<Fact>
  /** What it means that this function returned `truth`: one of its returns was taken, with whatever holds there. */
  resultFacts(truth: boolean): ReadonlyArray<Fact> | undefined
  /** Checks of the caller that every path to a node has passed, inside this function and its callees. */
  callerChecks(at: FlowNode): ReadonlyArray<CallerCheck>
  /**
   * Whether only callers that pass a check can reach this node, in this function or, for an internal one, in all
   * of its callers. Checks whose source is missing (a missing modifier, judged by its name, or a `virtual` function
   * that the deployer must supply) count as checks. `depth`: how many callers have been asked in a row so far.
   */
  isRestricted(at: FlowNode, depth?: number): boolean
  /**
   * Whether the sender plays any part in what was checked before: weaker than `isRestricted`, for shapes that it does
   * not know.
   */
  consultsCaller(at: FlowNode): boolean
  /** Whether a check whose source is missing precedes a node in this function. */
  hasUnseenCheck(at: FlowNode): boolean
  /** The reentrancy lock held at a node: checked and set before, reset afterwards. `true` if only its name says so. */
  lockAt(at: FlowNode): StateVariable | true | undefined
  /** The flag that makes a node run only once (initializers): checked and set before, never reset afterwards. */
  onceAt(at: FlowNode): StateVariable | undefined
  /**
   * Like `lockAt` (or run-once), and for an internal function also in all of its callers. `depth`: how many callers
   * have been asked in a row so far.
   */
  isLocked(at: FlowNode, depth?: number): boolean
  /**
   * State that was checked and then changed, both before `at` on every path: `require(!done[id]); done[id] = true;`,
   * `require(balance[a] >= x); balance[a] -= x`. A second run sees the change.
   */
  consumedAt(at: FlowNode): ReadonlyArray<StateVariable>
  /** Whether every path to a call, in this function or in a callee, has written the variable before. */
  changedBeforeCall(call: Reached<CallSite>, variable: StateVariable): boolean
  /** Whether the variable is checked again after `first` and before the write, which then sees what a callback left. */
  recheckedBefore(write: Reached<StorageAccess>, first: Reached<Event>, variable: StateVariable): boolean
  /** Which state is changed before a step, and checked after it. */
  readonly changes: StateChanges
}

/** Where the values of one flow come from, found by following definitions backwards along the graph. */
export interface Values {
  readonly storage: StoragePlaces
  readonly assembly: AssemblyValues
  definitionsOf(variable: LocalVariable | YulVariable): ReadonlyArray<Definition>
  /** Definitions of a local that can hold at the start of `at`; `initial`: also its value on entry. */
  reaching(variable: LocalVariable | YulVariable, at: FlowNode): Reaching
  origins(e: Expr, at: FlowNode): Origins
  /** The origins of several expressions together. */
  all(es: ReadonlyArray<Expr>, at: FlowNode): Origins
  state(variable: StateVariable): Origins
  /** The origins of a local at a node: those of all definitions that reach it. */
  local(variable: LocalVariable | YulVariable, at: FlowNode): Origins
  /** The origins of the value at a place. */
  ofPlace(place: StoragePlace): Origins
  /** The origins of what a call passes for a parameter. */
  argument(
    call: Call,
    parameters: ReadonlyArray<LocalVariable>,
    parameter: LocalVariable,
    at: FlowNode,
  ): Origins | undefined
}

/** Which storage the expressions of one flow designate, through pointers, aliases and results of functions. */
export interface StoragePlaces {
  /** The storage that an expression designates; empty for memory and values. */
  place(e: S.Expression, at: FlowNode): StoragePlace
  localPlace(variable: LocalVariable, at: FlowNode): StoragePlace
  /** A place of a callee in terms of its caller. */
  placeForCaller(place: StoragePlace, call: Call, parameters: ReadonlyArray<LocalVariable>, at: FlowNode): StoragePlace
}

/** Where the values of inline assembly come from, and which storage its slots are. */
export interface AssemblyValues {
  /** The storage behind a slot of `sload`, `sstore` or, with `transient`, `tload` and `tstore`. */
  slot(e: S.YulExpression | undefined, at: FlowNode, transient: boolean): StoragePlace
}

/** What holds at the steps of a flow. */
export interface KnownFacts {
  /** As a list that steps share. */
  upTo(at: FlowNode): FactChain | undefined
}

/** Which state is changed before, and checked between, the steps of a flow. */
export interface StateChanges {
  /** The writes that may change a variable. */
  of(variable: StateVariable): ReadonlyArray<Reached<StorageAccess>>
  /** Where they are. */
  placesOf(variable: StateVariable): SomeEvents | undefined
  /** Whether every path to a call has written the variable before, including in an argument of the call. */
  isBefore(call: { readonly at: FlowNode; readonly order: number }, variable: StateVariable): boolean
}
