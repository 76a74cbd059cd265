import { buildGraph, type Definition, type Expr, type FlowNode, type Graph, type Loop } from "./cfg.ts"
import { type Dominators, dominatorsOf } from "./dominators.ts"
import { type CallSite, type Event, readEvents, type StorageAccess } from "./effects.ts"
import { type FactChain, link } from "./factChain.ts"
import { type CallerCheck, callerCheck, Conditions, type Fact, factLimit, isZero } from "./facts.ts"
import type { Callable, ContractModel, FunctionModel, LocalVariable, StateVariable, YulVariable } from "./model.ts"
import { merge, noOrigins, type Origins, Source, substitute } from "./origins.ts"
import type { Program } from "./program.ts"
import { reachabilityOf } from "./reachability.ts"
import type * as S from "./syntax.ts"
import { isSomewhere, type Place } from "./place.ts"
import { Values } from "./values.ts"

/** An event of this function, or of one that it calls: `at` is the node of this function, `via` the calls on the way. */
export interface Reached<E extends Event> {
  readonly event: E
  readonly via: ReadonlyArray<CallSite>
  readonly at: FlowNode
  readonly order: number
  /** For storage: the place in terms of this function. */
  readonly place: Place | undefined
}

/** What callers need to know of a function; computed once, callees first. */
export interface Summary {
  /** False when every path reverts. */
  readonly returns: boolean
  /** Origins of each value returned, in terms of the parameters. */
  readonly results: ReadonlyArray<Origins>
  /** Where the storage pointer it returns points. */
  readonly place: Place | undefined
  readonly reads: ReadonlyArray<Reached<StorageAccess>>
  readonly writes: ReadonlyArray<Reached<StorageAccess>>
  /** Calls that leave the contract. */
  readonly external: ReadonlyArray<Reached<CallSite>>
  /** What holds whenever it returns normally, in terms of its parameters. */
  readonly exitFacts: ReadonlyArray<Fact>
}

/** Entries of one kind that a summary hands on; the function itself keeps all its own. */
const summaryLimit = 128
/** Facts told of one step, the nearest first: thousands of conditions before thousands of steps are their product. */
const factsAtLimit = 500
const callerLimit = 24
const recursionLimit = 64

const none: ReadonlyArray<never> = []

const nothingKnown: Summary = {
  returns: true,
  results: [],
  place: undefined,
  reads: [],
  writes: [],
  external: [],
  exitFacts: [],
}

/** Names by which a modifier or function that is not among the sources is taken for a caller check, or for a lock. */
const checkName =
  /only|auth|owner|admin|role|govern|restrict|permission|allowed|whitelist|guardian|keeper|operator|minter|controller|_check/i
const lockName = /non_?reentran|reentranc|noreentr|mutex|^lock(ed)?$/i
/** Libraries that are not among the sources and whose functions call out. */
const callingName = /transfer|call|send|approve|permit|delegate/i

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
  private readonly conditions: Conditions
  private readonly dominators: Dominators
  private localsRead: ReadonlySet<LocalVariable> | undefined
  private reachability: ((from: number, to: number) => boolean) | undefined
  private readonly factMemo: Array<FactChain | undefined> = []
  private resultMemo: Map<boolean, ReadonlyArray<Fact> | undefined> | undefined
  private state: Summary = nothingKnown
  private callSites: ReadonlyArray<CallSite> = none
  private conditionList: ReadonlyArray<FlowNode> | undefined
  private sites: Map<S.FunctionCall | S.YulFunctionCall, CallSite> | undefined
  private unseen: Uint8Array | undefined
  private passed: Map<LocalVariable, Origins> | undefined
  private callerMemo: Map<string, boolean> | undefined
  private flagMemo: Map<number, StateVariable | undefined> | undefined
  private comparedMemo: ReadonlyArray<{ readonly node: FlowNode; readonly variable: StateVariable }> | undefined
  private writesIndex:
    | {
        readonly writes: ReadonlyArray<Reached<StorageAccess>>
        readonly byVariable: ReadonlyMap<StateVariable, ReadonlyArray<Reached<StorageAccess>>>
      }
    | undefined

  constructor(program: Program, fn: FunctionModel, context: ContractModel | undefined) {
    this.program = program
    this.fn = fn
    this.context = context
    const modifiers = fn.modifiers.map(({ modifier }) =>
      modifier === undefined ? undefined : program.dispatchModifier(modifier, context),
    )
    const graph: Graph = buildGraph(program, fn, modifiers, (call, from) => this.neverReturns(call, from))
    this.nodes = graph.nodes
    this.entry = graph.entry
    this.exit = graph.exit
    this.revert = graph.revert
    this.loops = graph.loops
    this.shape = graph.nodes.reduce((shape, node) => shape | node.shape, 0)
    this.returns = graph.returns
    this.dominators = dominatorsOf(graph.nodes, graph.entry, graph.revert)
    this.values = new Values(program, this)
    this.conditions = new Conditions(program, this, this.values)
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

  // Events

  /** Calls in the text of this function and its modifiers, of every kind. */
  calls(): ReadonlyArray<CallSite> {
    return this.callSites
  }

  private *own(kind: "read" | "write"): Iterable<StorageAccess> {
    for (const node of this.nodes) {
      if (!this.isReachable(node)) continue
      for (const event of node.events) if (event.kind === kind) yield event
    }
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

  /** Every path from `a` to the normal end passes `b`. */
  alwaysFollowedBy(a: FlowNode, b: FlowNode): boolean {
    const seen = new Set<FlowNode>([b])
    const stack = [...a.succs]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node === this.exit) return false
      if (seen.has(node)) continue
      seen.add(node)
      stack.push(...node.succs)
    }
    return true
  }

  // Values

  /** Where a value comes from; see `Source`. Parameters are those of this function. */
  origins(e: Expr, at: FlowNode): Origins {
    return this.values.origins(e, at)
  }

  /** The storage an expression designates; `variables` is empty for memory and values. */
  place(e: S.Expression, at: FlowNode): Place {
    return this.values.place(e, at)
  }

  /** Like `origins`, with the parameters of internal functions followed into all their callers. */
  deepOrigins(e: Expr, at: FlowNode): Origins {
    return this.expand(this.origins(e, at), 0)
  }

  /** Replaces parameters by what callers pass, and theirs in turn; those of entry points stay. */
  expand(value: Origins, depth = 0): Origins {
    if (value.parameters.length === 0 && value.keyParameters.length === 0) return value
    if (this.program.graph.isEntryPoint(this.fn) || this.program.functionValues.has(this.fn)) return value
    return substitute(value, (p) => this.passedFor(p, depth))
  }

  /** What all callers together pass for a parameter; undefined where there are none. */
  private passedFor(parameter: LocalVariable, depth: number): Origins | undefined {
    this.passed ??= new Map()
    if (this.passed.has(parameter)) return this.passed.get(parameter)
    const edges = this.program.graph.callers(this.fn)
    if (edges.length === 0 || depth > recursionLimit) return undefined
    // a parameter handed on in a cycle adds nothing to what enters the cycle
    this.passed.set(parameter, noOrigins)
    const index = this.fn.parameters.indexOf(parameter)
    let result = noOrigins
    for (const edge of edges.slice(0, callerLimit)) {
      const caller = this.program.flowIfBuilt(edge.from)
      const site = caller?.siteOf(edge.call.node)
      const arg = site?.args[index]
      if (caller !== undefined && site !== undefined && arg !== undefined) {
        result = merge(result, caller.expand(caller.origins(arg, site.at), depth + 1))
      }
    }
    this.passed.set(parameter, result)
    return result
  }

  /** The call at this place of the text, where it can be reached. */
  siteOf(node: S.FunctionCall | S.YulFunctionCall): CallSite | undefined {
    this.sites ??= new Map([...this.calls()].map((site) => [site.node, site]))
    return this.sites.get(node)
  }

  // Guards

  /** What is known to hold at a node on every path: conditions, require, and what functions called before have checked. */
  facts(at: FlowNode): ReadonlyArray<Fact> {
    const facts: Array<Fact> = []
    for (let chain = this.factsUpTo(at); chain !== undefined; chain = chain.up) {
      facts.push(...chain.facts)
      if (facts.length > factsAtLimit) break
    }
    return facts
  }

  private factsUpTo(at: FlowNode): FactChain | undefined {
    if (this.nodes[at.id] !== at) throw new Error(`a node of another function was asked of ${this.fn.scope}`)
    const path: Array<FlowNode> = []
    let chain: FactChain | undefined
    for (let id = at.id; id !== -1; id = this.dominators.idom[id]!) {
      const node = this.nodes[id]!
      if (id !== at.id) {
        const memo = this.factMemo[id]
        if (memo !== undefined) {
          chain = memo
          break
        }
      }
      path.push(node)
    }
    for (const node of path.toReversed()) {
      const own = node.kind === "branch" ? this.branchFacts(node) : node.preds.length > 1 ? this.joinFacts(node) : []
      // what a call has checked holds after its node, not yet at it
      if (node === at) return own.length === 0 ? chain : link(own, chain)
      const called = this.calledFacts(node)
      if (own.length + called.length > 0 || chain === undefined) chain = link([...own, ...called], chain)
      this.factMemo[node.id] = chain
    }
    return chain
  }

  /** Where ways meet: one of the ways in was taken, with what holds at its end. Loops add nothing. */
  private joinFacts(join: FlowNode): ReadonlyArray<Fact> {
    const ways = join.preds.filter((pred) => this.isReachable(pred))
    if (ways.length < 2 || ways.length > 6 || ways.some((pred) => this.dominates(join, pred))) return []
    const above = this.dominators.idom[join.id]!
    const options: Array<ReadonlyArray<Fact>> = []
    for (const way of ways) {
      const option: Array<Fact> = []
      // what holds after the end of the way, down to where the ways part
      let length = 0
      for (let id = way.id; id !== above && id !== -1; id = this.dominators.idom[id]!) {
        const node = this.nodes[id]!
        if (++length > 60 || option.length > 24) break
        option.push(...(node.kind === "branch" ? this.branchFacts(node) : []), ...this.calledFacts(node))
      }
      if (option.length === 0) return []
      options.push(option)
    }
    return [{ kind: "any", options, expression: noExpression(join), at: join }]
  }

  private branchFacts(branch: FlowNode): ReadonlyArray<Fact> {
    const { condition, truth } = branch
    return condition?.expression === undefined
      ? []
      : this.conditions.facts(condition.expression, truth === true, condition)
  }

  private calledFacts(node: FlowNode): ReadonlyArray<Fact> {
    const facts: Array<Fact> = []
    for (const event of node.events) {
      if (event.kind !== "call" || event.call === undefined || event.target === undefined) continue
      if (event.callKind !== "internal" && event.callKind !== "library") continue
      const callee = this.program.flowIfBuilt(event.target)
      if (callee !== undefined)
        facts.push(...this.conditions.forCaller(callee.summary.exitFacts, event.call, event.target.parameters, node))
    }
    return facts
  }

  /** What it means that this function returned `truth`: one of its returns was taken, with what holds there. */
  resultFacts(truth: boolean): ReadonlyArray<Fact> | undefined {
    const type = this.fn.returns.length === 1 ? this.fn.returns[0]!.type : undefined
    if (type?.kind !== "bool") return undefined
    this.resultMemo ??= new Map()
    if (this.resultMemo.has(truth)) return this.resultMemo.get(truth)
    this.resultMemo.set(truth, undefined)
    const options: Array<ReadonlyArray<Fact>> = []
    const add = (value: Expr, at: FlowNode): void => {
      if (value.kind === "Literal" && value.literalKind === "bool") {
        if ((value.value === "true") === truth) options.push(this.facts(at))
      } else options.push([...this.facts(at), ...this.conditions.facts(value, truth, at)])
    }
    for (const node of this.returns) {
      if (node.callable === this.fn && node.expression !== undefined && this.isReachable(node))
        add(node.expression, node)
    }
    const named = this.fn.returns[0]!
    for (const d of this.values.definitionsOf(named)) {
      if (
        d.at.node?.kind !== "ReturnStatement" &&
        d.value !== undefined &&
        d.index === undefined &&
        this.isReachable(d.at)
      )
        add(d.value, d.at)
    }
    let result: ReadonlyArray<Fact> | undefined
    if (options.length === 1) result = options[0]!.slice(0, factLimit)
    else if (options.length > 1 && options.length <= 12)
      result = [
        {
          kind: "any",
          options: options.map((o) => o.slice(0, factLimit)),
          expression: this.returns[0]?.expression ?? {
            kind: "UnknownExpression",
            start: this.fn.node.start,
            end: this.fn.node.start,
          },
          at: this.exit,
        },
      ]
    this.resultMemo.set(truth, result)
    return result
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
    if (this.factsUpTo(at)?.restrictive === true || this.unseenGuard(at, unseenCheck)) return true
    return this.callersAll("restricted", depth, (caller, site) => caller.restricted(site.at, depth + 1))
  }

  private locked(at: FlowNode, depth: number): boolean {
    if (this.lockAt(at) !== undefined || this.onceAt(at) !== undefined) return true
    return this.callersAll("locked", depth, (caller, site) => caller.locked(site.at, depth + 1))
  }

  /** For an internal function: whether the test holds at every call of it. False for what outsiders can call. */
  private callersAll(question: string, depth: number, test: (caller: Flow, site: CallSite) => boolean): boolean {
    this.callerMemo ??= new Map()
    const memo = this.callerMemo.get(question)
    if (memo !== undefined) return memo
    const { graph, functionValues } = this.program
    if (graph.isEntryPoint(this.fn) || functionValues.has(this.fn) || depth > recursionLimit) return false
    // a cycle of internal functions is as safe as the ways into it
    this.callerMemo.set(question, true)
    const result = graph.callers(this.fn).every(({ from, call }) => {
      const caller = this.program.flowIfBuilt(from)
      if (caller === undefined || from === this.fn) return true
      const site = caller.siteOf(call.node)
      return site === undefined || test(caller, site)
    })
    this.callerMemo.set(question, result)
    return result
  }

  /** A modifier or function before `at` that is not among the sources (or has no body) and by its name is a guard. */
  private unseenGuard(at: FlowNode, bit: number): boolean {
    if (this.unseen === undefined) {
      this.unseen = new Uint8Array(this.nodes.length)
      for (const id of this.dominators.order) {
        const up = this.dominators.idom[id]!
        this.unseen[id] = (up === -1 ? 0 : this.unseen[up]!) | this.unseenBits(this.nodes[id]!)
      }
    }
    // the node itself counts when it is the modifier's, not when it is the call that checks
    const up = this.dominators.idom[at.id]!
    return ((up === -1 ? 0 : this.unseen[up]!) & bit) !== 0
  }

  private unseenBits(node: FlowNode): number {
    let bits = 0
    if (node.node?.kind === "ModifierInvocation") {
      const invocation = node.node
      const known = this.fn.modifiers.find((m) => m.node === invocation)?.modifier
      const seen = known !== undefined && this.program.dispatchModifier(known, this.context).node.body !== undefined
      if (!seen) bits |= guardBits(invocation.path.at(-1) ?? "")
    }
    for (const event of node.events) {
      if (event.kind !== "call") continue
      if (event.callKind === "unknown") bits |= guardBits(event.name)
      // a hook that the contract deployed must implement
      else if (event.callKind === "internal" && event.target !== undefined && !event.target.implemented)
        bits |= unseenCheck
    }
    return bits
  }

  /** The reentrancy lock held at a node: checked and set before, reset afterwards. `true` where only its name tells. */
  lockAt(at: FlowNode): StateVariable | true | undefined {
    const flag = this.flagAt(at, true)
    return flag ?? (this.unseenGuard(at, unseenLock) ? true : undefined)
  }

  /** Like `lockAt` (or run-once), for an internal function in all that call it too. */
  isLocked(at: FlowNode): boolean {
    return this.locked(at, 0)
  }

  /** The flag by which a node runs once only (initialisers): checked and set before, never reset afterwards. */
  onceAt(at: FlowNode): StateVariable | undefined {
    return this.flagAt(at, false)
  }

  /**
   * State that was checked and afterwards changed, both before `at` on every path: `require(!done[id]); done[id] = true;`,
   * `require(balance[a] >= x); balance[a] -= x`. A second run meets the change.
   */
  consumedAt(at: FlowNode): ReadonlyArray<StateVariable> {
    const checked = new Set<StateVariable>()
    const collect = (fact: Fact): void => {
      if (fact.kind === "any") for (const option of fact.options) option.forEach(collect)
      else
        for (const v of [...fact.left.state, ...(fact.right?.state ?? [])])
          if (!v.constant && !v.immutable) checked.add(v)
    }
    this.facts(at).forEach(collect)
    return [...checked].filter((v) => this.writesOf(v).some((w) => w.at !== at && this.dominates(w.at, at)))
  }

  /** True when every path to a call has written the variable before, be it in an argument of the call. */
  changedBefore({ at, order }: { readonly at: FlowNode; readonly order: number }, variable: StateVariable): boolean {
    return this.writesOf(variable).some((w) => (w.at === at ? w.order < order : this.dominates(w.at, at)))
  }

  /** Like `changedBefore`, for a call in this function or in one that it calls, each of them on the way. */
  changedBeforeCall(call: Reached<CallSite>, variable: StateVariable): boolean {
    if (this.changedBefore(call, variable)) return true
    return [...call.via.slice(1), call.event].some((site) => {
      const { callable } = site.at
      const inner = callable.kind === "Function" ? this.program.flowIfBuilt(callable) : undefined
      return inner !== undefined && inner !== this && inner.changedBefore(site, variable)
    })
  }

  /** True when the variable is checked again after `first` and before the write, which then meets what a callback left. */
  recheckedBefore(write: Reached<StorageAccess>, first: Reached<Event>, variable: StateVariable): boolean {
    const mentions = (fact: Fact): boolean =>
      fact.kind === "any"
        ? !(fact.expression.kind === "UnknownExpression" && this.nodes[fact.at.id] === fact.at) &&
          fact.options.every((option) => option.some(mentions))
        : (fact.left.state.includes(variable) || fact.right?.state.includes(variable) === true) && isLater(fact)
    // where branches join (no expression says so) either outcome of the condition led here, so that it checked nothing
    const isLater = ({ at }: Fact): boolean => this.nodes[at.id] !== at || this.reaches(first.at, at)
    if (write.via.length > 0) {
      // inside the function that writes, which is called after `first`
      const { callable } = write.event.at
      const inner = callable.kind === "Function" ? this.program.flowIfBuilt(callable) : undefined
      if (inner?.facts(write.event.at).some(mentions) === true) return true
    }
    const telling = this.facts(write.at).filter(mentions)
    if (telling.length === 0) return false
    const before = new Set(this.facts(first.at))
    return telling.some((fact) => !before.has(fact))
  }

  private flagAt(at: FlowNode, reset: boolean): StateVariable | undefined {
    this.flagMemo ??= new Map()
    const key = at.id * 2 + Number(reset)
    if (this.flagMemo.has(key)) return this.flagMemo.get(key)
    const found = this.findFlag(at, reset)
    if (this.summarised) this.flagMemo.set(key, found)
    return found
  }

  private findFlag(at: FlowNode, reset: boolean): StateVariable | undefined {
    for (const variable of this.factsUpTo(at)?.flags ?? none) {
      const writes = this.writesOf(variable)
      if (!writes.some((w) => w.at !== at && this.dominates(w.at, at))) continue
      const after = writes.some((w) => this.reaches(at, w.at))
      if (after === reset) return variable
    }
    return reset ? this.counterLock(at) : undefined
  }

  /** The writes that may change a variable. */
  private writesOf(variable: StateVariable): ReadonlyArray<Reached<StorageAccess>> {
    if (this.writesIndex?.writes !== this.writes) {
      const byVariable = new Map<StateVariable, Array<Reached<StorageAccess>>>()
      for (const write of this.writes) {
        for (const v of new Set(write.place?.variables)) {
          const known = byVariable.get(v)
          if (known === undefined) byVariable.set(v, [write])
          else known.push(write)
        }
      }
      this.writesIndex = { writes: this.writes, byVariable }
    }
    return this.writesIndex.byVariable.get(variable) ?? none
  }

  /** The older form: a counter raised before, and compared with its copy afterwards. */
  private counterLock(at: FlowNode): StateVariable | undefined {
    const compared = this.selfCompared()
    if (compared.length === 0) return undefined
    for (const write of this.writes) {
      const variable = write.place?.variables[0]
      if (
        variable === undefined ||
        write.event.operation === "delete" ||
        !this.dominates(write.at, at) ||
        write.at === at
      )
        continue
      if (variable.type.kind !== "integer" || write.place?.path !== "") continue
      for (const { node, variable: own } of compared) {
        if (own === variable && this.reaches(at, node) && !this.reaches(node, at)) return variable
      }
    }
    return undefined
  }

  /** Conditions that hold a state variable against itself, as it was kept in a local. */
  private selfCompared(): ReadonlyArray<{ readonly node: FlowNode; readonly variable: StateVariable }> {
    this.comparedMemo ??= this.conditionNodes().flatMap((node) => {
      const e = node.expression
      if (e?.kind !== "BinaryOperation" || e.operator !== "==") return []
      const [left, right] = [this.origins(e.left, node), this.origins(e.right, node)]
      const [variable] = left.state
      const isPlain = (o: Origins): boolean =>
        o.state.length === 1 && o.state[0] === variable && o.sources === Source.state
      return variable !== undefined && isPlain(left) && isPlain(right) ? [{ node, variable }] : []
    })
    return this.comparedMemo
  }

  // Summary

  private neverReturns(node: S.FunctionCall, from: Callable): boolean {
    const call = this.program.callOf(node)
    if (call?.kind !== "internal" && call?.kind !== "library") return false
    const target = this.program.dispatch(call, from, this.context)
    const callee = target === undefined ? undefined : this.program.flowIfBuilt(target)
    return callee !== undefined && callee.summarised && !callee.summary.returns
  }

  private summarised = false

  /** Computes the summary; once more in a group of functions that call each other. Returns whether it grew. */
  summarise(): boolean {
    const before = this.state.reads.length + this.state.writes.length + this.state.external.length
    const reads: Array<Reached<StorageAccess>> = []
    const writes: Array<Reached<StorageAccess>> = []
    const external: Array<Reached<CallSite>> = []
    for (const access of this.own("read"))
      reads.push({ event: access, via: [], at: access.at, order: access.order, place: access.place })
    for (const access of this.own("write"))
      writes.push({ event: access, via: [], at: access.at, order: access.order, place: access.place })
    for (const site of this.calls()) {
      if (leavesContract(site))
        external.push({ event: site, via: [], at: site.at, order: site.order, place: undefined })
      else if ((site.callKind === "internal" || site.callKind === "library") && site.target !== undefined)
        this.takeOver(site, reads, writes, external)
    }
    const first = !this.summarised
    const returns = this.isReachable(this.exit)
    this.state = { ...this.state, returns, reads, writes, external }
    if (first) {
      this.state = { ...this.state, results: this.results(), place: this.returnedPlace() }
      this.state = { ...this.state, exitFacts: returns ? this.facts(this.exit).slice(0, factLimit) : [] }
      // asked for while the callees' are at hand, so that the chain of questions stays short
      this.resultFacts(true)
      this.resultFacts(false)
    }
    this.summarised = true
    return reads.length + writes.length + external.length > before
  }

  /** What a call brings in: the callee's effects, with storage pointers replaced by what was passed. */
  private takeOver(
    site: CallSite,
    reads: Array<Reached<StorageAccess>>,
    writes: Array<Reached<StorageAccess>>,
    external: Array<Reached<CallSite>>,
  ): void {
    const target = site.target!
    const callee = this.program.flowIfBuilt(target)
    if (callee === undefined || site.call === undefined || callee === this) return
    const { summary } = callee
    const position = { at: site.at, order: site.order }
    // one way into each event is enough from one call
    const seen = new Set<Event>()
    for (const [from, to] of [
      [summary.reads, reads],
      [summary.writes, writes],
    ] as const) {
      for (const reached of from.slice(0, summaryLimit)) {
        if (to.length > summaryLimit * 8) break
        if (seen.has(reached.event)) continue
        seen.add(reached.event)
        const place =
          reached.place === undefined
            ? undefined
            : this.values.placeForCaller(reached.place, site.call, target.parameters, site.at)
        if (place === undefined || !isSomewhere(place) || reached.via.length > 24) continue
        to.push({ ...position, event: reached.event, via: [site, ...reached.via], place })
      }
    }
    for (const reached of summary.external.slice(0, summaryLimit)) {
      if (external.length > summaryLimit * 8 || reached.via.length > 24) break
      if (seen.has(reached.event)) continue
      seen.add(reached.event)
      external.push({ ...position, event: reached.event, via: [site, ...reached.via], place: undefined })
    }
  }

  private results(): ReadonlyArray<Origins> {
    return this.fn.returns.map((variable, i) => {
      let result = noOrigins
      for (const node of this.returns) {
        if (node.callable !== this.fn || !this.isReachable(node) || node.expression === undefined) continue
        const e = node.expression
        if (e.kind === "TupleExpression" && this.fn.returns.length > 1) {
          const component = e.components[i]
          if (component !== undefined) result = merge(result, this.origins(component, node))
        } else result = merge(result, this.origins(e, node))
      }
      if (variable.name !== "" && this.isReachable(this.exit)) {
        const named = this.values.local(variable, this.exit)
        // the zero it starts with is not a source worth telling when something is assigned
        if (result === noOrigins || named.sources !== Source.literal) result = merge(result, named)
      }
      return result
    })
  }

  private returnedPlace(): Place | undefined {
    if (this.fn.returns.length !== 1) return undefined
    const variable = this.fn.returns[0]!
    const type = variable.type
    if (type.kind !== "mapping" && !("location" in type && type.location === "storage")) return undefined
    for (const node of this.returns) {
      if (node.callable !== this.fn || node.expression === undefined || !this.isReachable(node)) continue
      const place = this.values.place(node.expression as S.Expression, node)
      if (isSomewhere(place)) return place
    }
    const place = this.values.localPlace(variable, this.exit)
    return isSomewhere(place) ? place : undefined
  }
}

/** Stands for the condition of a meeting of ways, which has none. */
const noExpression = (node: FlowNode): S.UnknownExpression => {
  const at = node.node?.end ?? node.callable.node.start
  return { kind: "UnknownExpression", start: at, end: at }
}

const unseenCheck = 1
const unseenLock = 2

const guardBits = (name: string): number =>
  (checkName.test(name) ? unseenCheck : 0) | (lockName.test(name) ? unseenLock : 0)

/** Summarises functions that call each other until nothing is added, four rounds at the most; large groups get one. */
export const summariseGroup = (flows: ReadonlyArray<Flow>): void => {
  for (let round = 0; round < 4; round++) {
    let grew = false
    for (const flow of flows) grew = flow.summarise() || grew
    if (!grew || flows.length === 1 || flows.length > 64) return
  }
}

/** True for calls that run code of another contract or hand ether out. */
export const leavesContract = (site: CallSite): boolean => {
  switch (site.callKind) {
    case "external":
    case "call":
    case "delegatecall":
    case "staticcall":
    case "callcode":
    case "send":
    case "transfer":
    case "create":
      return true
    case "pointer":
      return site.call?.target === undefined && site.receiver !== undefined
    case "library":
      // SafeERC20 and the like where the library is not among the sources
      return site.target === undefined && callingName.test(site.name)
    case "unknown":
      // OpenZeppelin's ERC-721 and ERC-1155, where the base is not among the sources: they call the receiver's hook
      return site.name === "_safeMint" || (site.name === "_mint" && site.args.length === 4)
    default:
      return false
  }
}

/** True when the callee can call back with state changes: not static, and with more than the stipend of 2,300 gas. */
export const canReenter = (site: CallSite): boolean => {
  if (site.isStatic || !leavesContract(site)) return false
  if (site.callKind === "send" || site.callKind === "transfer" || site.callKind === "create") return false
  const gas = site.gas
  if (
    gas !== undefined &&
    (gas.kind === "Literal" || gas.kind === "YulLiteral") &&
    Number(gas.value.replaceAll("_", "")) <= 2300
  )
    return false
  return true
}

/** True when ether goes along. */
export const sendsEther = (site: CallSite): boolean =>
  site.value !== undefined && !isZero(site.value) && site.callKind !== "event"
