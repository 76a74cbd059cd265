import type { Callable, ContractModel, FunctionModel, LocalVariable, StateVariable, YulVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import type * as S from "../syntax.ts"
import { buildGraph } from "./graph/buildGraph.ts"
import { type CallerCheck, callerCheck } from "./facts/callerCheck.ts"
import { type Dominators, dominatorsOf } from "./graph/dominators.ts"
import type { CallSite, Event, StorageAccess } from "./graph/events.ts"
import { EveryCaller } from "./values/everyCaller.ts"
import { type Fact, factLimit } from "./facts/facts.ts"
import { type Definition, type Expr, type FlowNode, type Loop, none } from "./graph/graph.ts"
import { KnownFacts } from "./facts/knownFacts.ts"
import { Locks } from "./facts/locks.ts"
import { type Origins, Source } from "./graph/origins.ts"
import { PassedArguments } from "./values/passedArguments.ts"
import type { StoragePlace } from "./graph/storagePlace.ts"
import { reachabilityOf } from "./graph/reachability.ts"
import { readEvents } from "./events/readEvents.ts"
import { StateChanges } from "./events/stateChanges.ts"
import { effectsOf, resultsOf, returnedPlace } from "./summarize.ts"
import { nothingKnown, type Reached, type FunctionSummary } from "./functionSummary.ts"
import { UnseenGuards, unseenCheck, unseenLock } from "./facts/unseenGuards.ts"
import { Values } from "./values/values.ts"

const neverReturns = (
  program: Program,
  context: ContractModel | undefined,
  node: S.FunctionCall,
  from: Callable,
): boolean => {
  const call = program.callOf(node)
  if (call?.kind !== "internal" && call?.kind !== "library") return false
  const target = program.dispatch(call, from, context)
  const callee = target === undefined ? undefined : program.flowIfBuilt(target)
  return callee !== undefined && callee.isSummarized && !callee.summary.returns
}

/** A flow that is built from the text; see `Flow` for what it offers. */
export class FunctionFlow implements Flow {
  readonly program: Program
  readonly fn: FunctionModel
  readonly context: ContractModel | undefined
  readonly nodes: ReadonlyArray<FlowNode>
  readonly entry: FlowNode
  readonly exit: FlowNode
  readonly revert: FlowNode
  readonly loops: ReadonlyArray<Loop>
  readonly shape: number
  readonly returns: ReadonlyArray<FlowNode>
  readonly dominators: Dominators
  private state: FunctionSummary = nothingKnown
  private summarized = false
  private callSites: ReadonlyArray<CallSite> = none
  private localsRead: ReadonlySet<LocalVariable> | undefined
  private valuesHere: Values | undefined
  private factsHere: KnownFacts | undefined
  // What is asked of only a few functions is built when it is asked for.
  private reachability: ((from: number, to: number) => boolean) | undefined
  private conditionList: ReadonlyArray<FlowNode> | undefined
  private sites: Map<S.FunctionCall | S.YulFunctionCall, CallSite> | undefined
  private stateChanges: StateChanges | undefined
  private everyCaller: EveryCaller | undefined
  private passedArguments: PassedArguments | undefined
  private unseenGuards: UnseenGuards | undefined
  private locks: Locks | undefined

  private constructor(program: Program, fn: FunctionModel, context: ContractModel | undefined) {
    this.program = program
    this.fn = fn
    this.context = context
    const modifiers = fn.modifiers.map(({ modifier }) =>
      modifier === undefined ? undefined : program.dispatchModifier(modifier, context),
    )
    const graph = buildGraph(program, fn, modifiers, (call, from) => neverReturns(program, context, call, from))
    this.nodes = graph.nodes
    this.entry = graph.entry
    this.exit = graph.exit
    this.revert = graph.revert
    this.loops = graph.loops
    this.shape = graph.nodes.reduce((shape, node) => shape | node.shape, 0)
    this.returns = graph.returns
    this.dominators = dominatorsOf(graph.nodes, graph.entry, graph.revert)
  }

  /** Builds the flow of a function. It is handed to `remember` before its events are read, for calls to itself. */
  static build(
    program: Program,
    fn: FunctionModel,
    context: ContractModel | undefined,
    remember: (flow: FunctionFlow) => void,
  ): FunctionFlow {
    const flow = new FunctionFlow(program, fn, context)
    remember(flow)
    flow.localsRead = readEvents(program, flow, flow.values)
    const sites: Array<CallSite> = []
    for (const node of flow.nodes) {
      if (node.events.length === 0 || !flow.isReachable(node)) continue
      for (const event of node.events) if (event.kind === "call") sites.push(event)
    }
    if (sites.length > 0) flow.callSites = sites
    return flow
  }

  get values(): Values {
    this.valuesHere ??= new Values(this.program, this)
    return this.valuesHere
  }

  get knownFacts(): KnownFacts {
    this.factsHere ??= new KnownFacts(this.program, this)
    return this.factsHere
  }

  get summary(): FunctionSummary {
    return this.state
  }

  get isSummarized(): boolean {
    return this.summarized
  }

  /** Computes the summary; once more within a group of functions that call each other. Returns whether it grew. */
  summarize(): boolean {
    const before = this.state
    this.state = { ...this.state, ...effectsOf(this) }
    if (!this.summarized) {
      this.state = { ...this.state, results: resultsOf(this), place: returnedPlace(this) }
      if (this.state.returns) this.state = { ...this.state, exitFacts: this.facts(this.exit).slice(0, factLimit) }
      // Queried while those of the callees are at hand, so that the chain of queries stays short.
      this.resultFacts(true)
      this.resultFacts(false)
    }
    this.summarized = true
    const { reads, writes, external } = this.state
    return (
      reads.length + writes.length + external.length >
      before.reads.length + before.writes.length + before.external.length
    )
  }

  // Events

  calls(): ReadonlyArray<CallSite> {
    return this.callSites
  }

  get writes(): ReadonlyArray<Reached<StorageAccess>> {
    return this.state.writes
  }

  get reads(): ReadonlyArray<Reached<StorageAccess>> {
    return this.state.reads
  }

  get externalCalls(): ReadonlyArray<Reached<CallSite>> {
    return this.state.external
  }

  conditionNodes(): ReadonlyArray<FlowNode> {
    this.conditionList ??= this.nodes.filter((node) => node.kind === "condition" && this.isReachable(node))
    return this.conditionList
  }

  stepsWith(shape: number): ReadonlyArray<FlowNode> {
    return (this.shape & shape) === 0 ? none : this.nodes.filter((node) => (node.shape & shape) !== 0)
  }

  isUsed(variable: LocalVariable): boolean {
    return this.localsRead?.has(variable) === true
  }

  definitionsOf(variable: LocalVariable | YulVariable): ReadonlyArray<Definition> {
    return this.values.definitionsOf(variable)
  }

  // Order

  isReachable(node: FlowNode): boolean {
    return this.dominators.reachable(node.id)
  }

  dominates(a: FlowNode, b: FlowNode): boolean {
    return this.dominators.dominates(a.id, b.id)
  }

  reaches(a: FlowNode, b: FlowNode): boolean {
    this.reachability ??= reachabilityOf(this.nodes)
    return this.reachability(a.id, b.id)
  }

  follows(
    a: { readonly at: FlowNode; readonly order: number },
    b: { readonly at: FlowNode; readonly order: number },
  ): boolean {
    return (a.at === b.at && b.order > a.order) || this.reaches(a.at, b.at)
  }

  // Values

  origins(e: Expr, at: FlowNode): Origins {
    return this.values.origins(e, at)
  }

  place(e: S.Expression, at: FlowNode): StoragePlace {
    return this.values.storage.place(e, at)
  }

  deepOrigins(e: Expr, at: FlowNode): Origins {
    return this.expand(this.origins(e, at))
  }

  expand(value: Origins, depth = 0): Origins {
    if (value.parameters.length === 0 && value.keyParameters.length === 0) return value
    this.passedArguments ??= new PassedArguments(this)
    return this.passedArguments.expand(value, depth)
  }

  siteOf(node: S.FunctionCall | S.YulFunctionCall): CallSite | undefined {
    this.sites ??= new Map(this.calls().map((site) => [site.node, site]))
    return this.sites.get(node)
  }

  // Guards

  facts(at: FlowNode): ReadonlyArray<Fact> {
    return this.knownFacts.at(at)
  }

  resultFacts(truth: boolean): ReadonlyArray<Fact> | undefined {
    return this.knownFacts.ofResult(truth)
  }

  callerChecks(at: FlowNode): ReadonlyArray<CallerCheck> {
    return this.facts(at).flatMap((fact) => callerCheck(fact) ?? [])
  }

  isRestricted(at: FlowNode, depth = 0): boolean {
    if (this.fn.role === "constructor") return true
    if (this.knownFacts.upTo(at)?.restrictive === true || this.hasUnseen(at, unseenCheck)) return true
    return this.callersPass("restricted", depth, (caller, site) => caller.isRestricted(site.at, depth + 1))
  }

  consultsCaller(at: FlowNode): boolean {
    const consults = (fact: Fact): boolean =>
      fact.kind === "any"
        ? fact.options.some((option) => option.some(consults))
        : ((fact.left.sources | fact.left.keys | (fact.right?.sources ?? 0) | (fact.right?.keys ?? 0)) &
            Source.sender) !==
          0
    return this.facts(at).some(consults)
  }

  hasUnseenCheck(at: FlowNode): boolean {
    return this.hasUnseen(at, unseenCheck)
  }

  private hasUnseen(at: FlowNode, bit: number): boolean {
    this.unseenGuards ??= new UnseenGuards(this)
    return this.unseenGuards.has(at, bit)
  }

  private callersPass(question: string, depth: number, test: (caller: Flow, site: CallSite) => boolean): boolean {
    this.everyCaller ??= new EveryCaller(this)
    return this.everyCaller.passes(question, depth, test)
  }

  lockAt(at: FlowNode): StateVariable | true | undefined {
    return this.flagAt(at, true) ?? (this.hasUnseen(at, unseenLock) ? true : undefined)
  }

  onceAt(at: FlowNode): StateVariable | undefined {
    return this.flagAt(at, false)
  }

  private flagAt(at: FlowNode, reset: boolean): StateVariable | undefined {
    this.locks ??= new Locks(this)
    return this.locks.flagAt(at, reset)
  }

  isLocked(at: FlowNode, depth = 0): boolean {
    if (this.lockAt(at) !== undefined || this.onceAt(at) !== undefined) return true
    return this.callersPass("locked", depth, (caller, site) => caller.isLocked(site.at, depth + 1))
  }

  consumedAt(at: FlowNode): ReadonlyArray<StateVariable> {
    return this.changes.consumedAt(at)
  }

  changedBeforeCall(call: Reached<CallSite>, variable: StateVariable): boolean {
    return this.changes.isBeforeCall(call, variable)
  }

  recheckedBefore(write: Reached<StorageAccess>, first: Reached<Event>, variable: StateVariable): boolean {
    return this.changes.recheckedBefore(write, first, variable)
  }

  get changes(): StateChanges {
    this.stateChanges ??= new StateChanges(this)
    return this.stateChanges
  }
}
