import type { Callable, ContractModel, FunctionModel, LocalVariable, StateVariable, YulVariable } from "../model.ts"
import type { Program } from "../program.ts"
import type * as S from "../syntax.ts"
import { buildGraph } from "./buildGraph.ts"
import { type CallerCheck, callerCheck } from "./callerCheck.ts"
import { type Dominators, dominatorsOf } from "./dominators.ts"
import type { CallSite, Event, StorageAccess } from "./events.ts"
import { EveryCaller } from "./everyCaller.ts"
import { type Fact, factLimit } from "./facts.ts"
import { type Definition, type Expr, type FlowNode, type Loop, none } from "./graph.ts"
import { KnownFacts } from "./knownFacts.ts"
import { Locks } from "./locks.ts"
import { type Origins, Source } from "./origins.ts"
import { PassedArguments } from "./passedArguments.ts"
import type { Place } from "./place.ts"
import { reachabilityOf } from "./reachability.ts"
import { readEvents } from "./readEvents.ts"
import { StateChanges } from "./stateChanges.ts"
import { effectsOf, nothingKnown, type Reached, resultsOf, returnedPlace, type Summary } from "./summary.ts"
import { UnseenGuards, unseenCheck, unseenLock } from "./unseenGuards.ts"
import { Values } from "./values.ts"

/** Control and data flow of one function with its modifiers in place. */
export class Flow {
  readonly program: Program
  readonly fn: FunctionModel
  /** The contract taken as deployed: `virtual` and `super` are resolved for it. */
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
  private state: Summary = nothingKnown
  private summarised = false
  private callSites: ReadonlyArray<CallSite> = none
  private localsRead: ReadonlySet<LocalVariable> | undefined
  // what few functions are asked is made when it is asked
  private reachability: ((from: number, to: number) => boolean) | undefined
  private conditionList: ReadonlyArray<FlowNode> | undefined
  private sites: Map<S.FunctionCall | S.YulFunctionCall, CallSite> | undefined
  private stateChanges: StateChanges | undefined
  private everyCaller: EveryCaller | undefined
  private passedArguments: PassedArguments | undefined
  private unseenGuards: UnseenGuards | undefined
  private locks: Locks | undefined

  constructor(program: Program, fn: FunctionModel, context: ContractModel | undefined) {
    this.program = program
    this.fn = fn
    this.context = context
    const modifiers = fn.modifiers.map(({ modifier }) =>
      modifier === undefined ? undefined : program.dispatchModifier(modifier, context),
    )
    const graph = buildGraph(program, fn, modifiers, (call, from) => this.neverReturns(call, from))
    this.nodes = graph.nodes
    this.entry = graph.entry
    this.exit = graph.exit
    this.revert = graph.revert
    this.loops = graph.loops
    this.shape = graph.nodes.reduce((shape, node) => shape | node.shape, 0)
    this.returns = graph.returns
    this.dominators = dominatorsOf(graph.nodes, graph.entry, graph.revert)
    this.values = new Values(program, this)
    this.knownFacts = new KnownFacts(program, this)
  }

  /** Second half of the construction, when the flow can be found by recursive calls. */
  prepare(): void {
    this.localsRead = readEvents(this.program, this, this.values)
    const sites: Array<CallSite> = []
    for (const node of this.nodes) {
      if (node.events.length === 0 || !this.isReachable(node)) continue
      for (const event of node.events) if (event.kind === "call") sites.push(event)
    }
    if (sites.length > 0) this.callSites = sites
  }

  get summary(): Summary {
    return this.state
  }

  /** Whether its own summary is complete, as far as it goes without that of functions which call each other. */
  get isSummarised(): boolean {
    return this.summarised
  }

  /** Computes the summary; once more in a group of functions that call each other. Returns whether it grew. */
  summarize(): boolean {
    const before = this.state
    this.state = { ...this.state, ...effectsOf(this) }
    if (!this.summarised) {
      this.state = { ...this.state, results: resultsOf(this), place: returnedPlace(this) }
      if (this.state.returns) this.state = { ...this.state, exitFacts: this.facts(this.exit).slice(0, factLimit) }
      // asked for while the callees' are at hand, so that the chain of questions stays short
      this.resultFacts(true)
      this.resultFacts(false)
    }
    this.summarised = true
    const { reads, writes, external } = this.state
    return (
      reads.length + writes.length + external.length >
      before.reads.length + before.writes.length + before.external.length
    )
  }

  // Events

  /** Calls in the text of this function and its modifiers, of every kind. */
  calls(): ReadonlyArray<CallSite> {
    return this.callSites
  }

  /** Storage written by this function and those it calls, through pointers too. */
  get writes(): ReadonlyArray<Reached<StorageAccess>> {
    return this.state.writes
  }

  /** Storage read. */
  get reads(): ReadonlyArray<Reached<StorageAccess>> {
    return this.state.reads
  }

  /** Calls that leave the contract, by this function and those it calls. */
  get externalCalls(): ReadonlyArray<Reached<CallSite>> {
    return this.state.external
  }

  /** Conditions of `if`, loops, `require` and `assert`, also in assembly. */
  conditionNodes(): ReadonlyArray<FlowNode> {
    this.conditionList ??= this.nodes.filter((node) => node.kind === "condition" && this.isReachable(node))
    return this.conditionList
  }

  /** The steps whose expression contains one of the operations, as bits of `Shape`. */
  stepsWith(shape: number): ReadonlyArray<FlowNode> {
    return (this.shape & shape) === 0 ? none : this.nodes.filter((node) => (node.shape & shape) !== 0)
  }

  /** True when a local's or parameter's value is used anywhere. */
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

  /** Every path from the entry to `b` passes `a` (which may be `b`). */
  dominates(a: FlowNode, b: FlowNode): boolean {
    return this.dominators.dominates(a.id, b.id)
  }

  /** Some path leads from the end of `a` to `b`; a node reaches itself only in a loop. */
  reaches(a: FlowNode, b: FlowNode): boolean {
    this.reachability ??= reachabilityOf(this.nodes)
    return this.reachability(a.id, b.id)
  }

  /** `b` can run after `a`. Events behind one and the same call are not ordered here but in the callee's flow. */
  follows(
    a: { readonly at: FlowNode; readonly order: number },
    b: { readonly at: FlowNode; readonly order: number },
  ): boolean {
    return (a.at === b.at && b.order > a.order) || this.reaches(a.at, b.at)
  }

  // Values

  /** Where a value comes from; see `Source`. Parameters are those of this function. */
  origins(e: Expr, at: FlowNode): Origins {
    return this.values.origins(e, at)
  }

  /** The storage an expression designates; `variables` is empty for memory and values. */
  place(e: S.Expression, at: FlowNode): Place {
    return this.values.storage.place(e, at)
  }

  /** Like `origins`, with the parameters of internal functions followed into all their callers. */
  deepOrigins(e: Expr, at: FlowNode): Origins {
    return this.expand(this.origins(e, at))
  }

  /** Replaces parameters by what callers pass, and theirs in turn; those of entry points stay. */
  expand(value: Origins, depth = 0): Origins {
    if (value.parameters.length === 0 && value.keyParameters.length === 0) return value
    this.passedArguments ??= new PassedArguments(this)
    return this.passedArguments.expand(value, depth)
  }

  /** The call at this place of the text, where it can be reached. */
  siteOf(node: S.FunctionCall | S.YulFunctionCall): CallSite | undefined {
    this.sites ??= new Map(this.calls().map((site) => [site.node, site]))
    return this.sites.get(node)
  }

  // Guards

  /** What is known to hold at a node on every path: conditions, require, and what functions called before have checked. */
  facts(at: FlowNode): ReadonlyArray<Fact> {
    return this.knownFacts.at(at)
  }

  /** What it means that this function returned `truth`: one of its returns was taken, with what holds there. */
  resultFacts(truth: boolean): ReadonlyArray<Fact> | undefined {
    return this.knownFacts.ofResult(truth)
  }

  /** Checks of the caller that every path to a node has passed, inside this function and what it calls. */
  callerChecks(at: FlowNode): ReadonlyArray<CallerCheck> {
    return this.facts(at).flatMap((fact) => callerCheck(fact) ?? [])
  }

  /**
   * True when nobody but those whom a check lets through can get to this node, in this function or, for an internal one,
   * in all that call it. Checks whose source is not at hand (a missing modifier by its name, a `virtual` function that the
   * deployer must supply) count as checks.
   */
  isRestricted(at: FlowNode): boolean {
    return this.restricted(at, 0)
  }

  /** True when the sender plays any part in what was checked before: weaker than `isRestricted`, for shapes it does not know. */
  consultsCaller(at: FlowNode): boolean {
    const consults = (fact: Fact): boolean =>
      fact.kind === "any"
        ? fact.options.some((option) => option.some(consults))
        : ((fact.left.sources | fact.left.keys | (fact.right?.sources ?? 0) | (fact.right?.keys ?? 0)) &
            Source.sender) !==
          0
    return this.facts(at).some(consults)
  }

  private restricted(at: FlowNode, depth: number): boolean {
    if (this.fn.role === "constructor") return true
    if (this.knownFacts.upTo(at)?.restrictive === true || this.hasUnseen(at, unseenCheck)) return true
    return this.callersPass("restricted", depth, (caller, site) => caller.restricted(site.at, depth + 1))
  }

  /** A check whose source is not at hand stands before a node, in this function. */
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

  /** The reentrancy lock held at a node: checked and set before, reset afterwards. `true` where only its name tells. */
  lockAt(at: FlowNode): StateVariable | true | undefined {
    return this.flagAt(at, true) ?? (this.hasUnseen(at, unseenLock) ? true : undefined)
  }

  /** The flag by which a node runs once only (initialisers): checked and set before, never reset afterwards. */
  onceAt(at: FlowNode): StateVariable | undefined {
    return this.flagAt(at, false)
  }

  private flagAt(at: FlowNode, reset: boolean): StateVariable | undefined {
    this.locks ??= new Locks(this)
    return this.locks.flagAt(at, reset)
  }

  /** Like `lockAt` (or run-once), for an internal function in all that call it too. */
  isLocked(at: FlowNode): boolean {
    return this.locked(at, 0)
  }

  private locked(at: FlowNode, depth: number): boolean {
    if (this.lockAt(at) !== undefined || this.onceAt(at) !== undefined) return true
    return this.callersPass("locked", depth, (caller, site) => caller.locked(site.at, depth + 1))
  }

  /**
   * State that was checked and afterwards changed, both before `at` on every path: `require(!done[id]); done[id] = true;`,
   * `require(balance[a] >= x); balance[a] -= x`. A second run meets the change.
   */
  consumedAt(at: FlowNode): ReadonlyArray<StateVariable> {
    return this.changes.consumedAt(at)
  }

  /** True when every path to a call, in this function or in one that it calls, has written the variable before. */
  changedBeforeCall(call: Reached<CallSite>, variable: StateVariable): boolean {
    return this.changes.isBeforeCall(call, variable)
  }

  /** True when the variable is checked again after `first` and before the write, which then meets what a callback left. */
  recheckedBefore(write: Reached<StorageAccess>, first: Reached<Event>, variable: StateVariable): boolean {
    return this.changes.recheckedBefore(write, first, variable)
  }

  /** Which state is changed before a step, and checked after it. */
  get changes(): StateChanges {
    this.stateChanges ??= new StateChanges(this)
    return this.stateChanges
  }

  private neverReturns(node: S.FunctionCall, from: Callable): boolean {
    const call = this.program.callOf(node)
    if (call?.kind !== "internal" && call?.kind !== "library") return false
    const target = this.program.dispatch(call, from, this.context)
    const callee = target === undefined ? undefined : this.program.flowIfBuilt(target)
    return callee !== undefined && callee.summarised && !callee.summary.returns
  }
}
