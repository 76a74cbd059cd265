import type { SourceFile, Span } from "../../SourceFile.ts"
import type { FunctionDefinition, Module, TypeDefinition } from "../crate/crate.ts"
import { betterType, isVague, isWrapper } from "../crate/declaredTypes.ts"
import { commonOf, learnOfNone } from "./ends.ts"
import type { BoundClosure, Event, Frame, WalkScope, Value } from "../terms/events.ts"
import { beyond, type Facts, intersectionOf, unionOf } from "../terms/facts.ts"
import { Locals } from "../terms/locals.ts"
import type { Semantics } from "./platform.ts"
import type { Resolver } from "../crate/resolve.ts"
import { assignedNames } from "../syntax/assignedNames.ts"
import type { Block, Closure, Expression, Pattern, Statement, TypeNode } from "../syntax/syntax.ts"
import { instantiate, type CallSummary } from "./callSummary.ts"
import { type Counters, furthest, takenSince } from "./counters.ts"
import { ImpliedFacts, Journal } from "./journal.ts"
import { lastEvents, type Progress, type SharedCalls, type WalkedCall } from "./sharedCalls.ts"
import { eventsIn } from "./takeOver.ts"
import { mentionsDirectly } from "../terms/mentionsDirectly.ts"
import { rootOf, type Term, type TermTable } from "../terms/terms.ts"
import {
  definitionOf,
  isNamed,
  isOutcome,
  namedType,
  resolveType,
  type RustType,
  selfTypeOf,
  unknownType,
} from "../crate/types.ts"

interface State {
  env: Locals
  facts: Facts
  counters: Counters
  dead: false | "failure" | "return" | "jump"
}

export interface Branch {
  readonly state: State
  readonly value: Value
}

/** Limits: call depth, and expressions in total; beyond them, a call is a term like any foreign one. */
const maxDepth = 12
const maxSteps = 400_000

/**
 * The number of expressions of one message or instruction within which every call is walked; beyond it, a function that
 * was walked `maxWalks` times, and beyond twice as many, one that was walked at all, is represented by its earlier
 * outcome. Helpers that call the next one twice would otherwise be walked 4,096 times at depth 12.
 */
const freeSteps = 4_000
const maxWalks = 2
/** Functions with arguments of so many kinds remain terms. */
const maxShapes = 6
/** Beyond `freeSteps`, closures within so many others do, too: 90 that each call the previous one twice have 2^90 paths. */
const maxClosures = 3

/** The evaluation of each kind of syntax; the walk itself manages state, branches and calls. */
export interface Meanings {
  /** `tail` makes each branch of an `if` or `match` a return of the function. */
  readonly expression: (walk: Walk, node: Expression, tail?: boolean) => Value
  readonly statement: (walk: Walk, statement: Statement) => void
  /** Binds the names of a pattern, unless `quiet`; returns the facts of a match. */
  readonly pattern: (walk: Walk, pattern: Pattern, value: Value, quiet?: boolean) => ReadonlyArray<Term>
  readonly condition: (walk: Walk, node: Expression) => Term
  readonly consequences: (walk: Walk, term: Term, holds: boolean) => ReadonlyArray<Term>
}

/**
 * One symbolic walk through a function and everything it calls: in order of evaluation, along all structured paths at
 * once, loops once. It records events, each with the facts that hold there.
 */
/** Facts that compare an account's address or owner, by that. */
const identitiesIn = (facts: ReadonlyArray<Term>): ReadonlyMap<Term, Term> => {
  const found = new Map<Term, Term>()
  for (const fact of facts)
    if (fact.kind === "binary" && fact.operator === "==")
      for (const side of [fact.left, fact.right])
        if (side.kind === "field" && (side.name === "key" || side.name === "owner")) found.set(side, fact)
  return found
}

export class Walk {
  readonly resolver: Resolver
  readonly terms: TermTable
  readonly semantics: Semantics
  private readonly meanings: Meanings
  readonly events: Array<Event> = []
  /** What holds when a condition does, where a function computed it. */
  readonly implied: ImpliedFacts
  frame: Frame
  scope: WalkScope
  /** The expression whose evaluation began last. */
  current: Span = { start: 0, end: 0 }
  /** Whether some calls were not followed because the walk became too long. */
  truncated = false
  private readonly follows: boolean
  private readonly shared: SharedCalls | undefined
  /** What calls asked of what is around them, where they are shared. */
  private readonly journal: Journal | undefined
  /** The depth of the deepest call since the one that is walked began. */
  private deepest = 0
  private state: State = { env: new Locals(), facts: new Set(), counters: new Map(), dead: false }
  /** Calls that were not followed, and why. */
  readonly notFollowed = new Map<FunctionDefinition, "depth" | "recursion" | "length">()
  private order = 0
  private steps = 0
  /** Where the count of the current message began, and the outcomes of its calls. */
  private begun = 0
  private summaries = new Map<FunctionDefinition, { walks: number; readonly known: Array<CallSummary> }>()
  private readonly dispatched = new Set<Span>()
  private loops: Array<{ readonly breaks: Array<State> }> = []

  constructor(
    resolver: Resolver,
    terms: TermTable,
    semantics: Semantics,
    meanings: Meanings,
    entry: FunctionDefinition,
    follows: boolean,
    shared: SharedCalls | undefined,
  ) {
    this.resolver = resolver
    this.shared = shared
    this.journal = shared === undefined ? undefined : new Journal()
    this.implied = new ImpliedFacts(this.journal)
    this.follows = follows
    this.terms = terms
    this.semantics = semantics
    this.meanings = meanings
    this.frame = { function: entry, parent: undefined, call: undefined, exits: [], depth: 0 }
    this.scope = { parent: undefined, frame: this.frame, startOrder: -1, endOrder: 0, loop: false }
  }

  /** Expressions walked so far. */
  get length(): number {
    return this.steps
  }

  /** Walks the function that it was created for, once. */
  begin(args: ReadonlyMap<string, Value>): void {
    const entry = this.frame.function
    const body = entry.item.body
    if (body === undefined) return
    this.bindParameters(
      entry,
      (name, type, index) =>
        args.get(name) ?? args.get(String(index)) ?? { term: this.terms.parameter("", name), type },
    )
    this.semantics.prepare?.(this)
    this.returnValue(body)
    this.scope.endOrder = this.order
  }

  /** What holds whenever the function succeeds. */
  get success(): Facts {
    const { exits } = this.frame
    if (this.succeeded?.exits === exits.length) return this.succeeded.facts
    const [first, ...rest] = exits
    const facts =
      first === undefined
        ? new Set<Term>()
        : rest.reduce((common, exit) => intersectionOf(common, exit.facts), first.facts)
    this.succeeded = { exits: exits.length, facts }
    return facts
  }
  private succeeded: { readonly exits: number; readonly facts: Facts } | undefined

  /**
   * Evaluates something in another function's or module's scope, with its own names; the facts it establishes remain.
   */
  inScopeOf(definition: FunctionDefinition, names: Iterable<readonly [string, Value]>, run: () => void): void {
    const { frame } = this
    const { env } = this.state
    this.frame = { ...frame, function: definition }
    this.state.env = new Locals(new Map(names))
    run()
    this.frame = frame
    this.state.env = env
  }

  // ── State ─────────────────────────────────────────────────────────────────────────────────────────────────────

  get file(): SourceFile {
    return this.frame.function.module.file
  }
  get facts(): Facts {
    return this.state.facts
  }
  get isDead(): boolean {
    return this.state.dead !== false
  }
  /** False once the walk has used up its steps. */
  step(): boolean {
    if (this.steps++ < maxSteps) return true
    this.truncated = true
    return this.steps < 2 * maxSteps
  }
  local(name: string): Value | undefined {
    return this.state.env.get(name)
  }
  bind(name: string, value: Value, node: Span): void {
    this.state.env.set(name, value)
    this.semantics.bound?.(name, value, node, this)
  }
  assign(name: string, value: Value): void {
    this.state.env.set(name, value)
  }
  learn(facts: Iterable<Term>): void {
    this.state.facts = this.with(this.state.facts, facts)
  }
  private with(facts: Facts, others: Iterable<Term>): Facts {
    return unionOf(facts, others, this.journal?.met)
  }
  /** A match asked for alternatives among the facts. */
  matched(value: Term, found: ReadonlyArray<Term>): void {
    this.journal?.matched.push(value)
    this.journal?.met.push(...found)
  }
  /** What happens now would not in another place. */
  private isOfThisPlace(): void {
    if (this.journal !== undefined) this.journal.bound++
  }
  die(reason: "failure" | "return" | "jump"): void {
    if (this.state.dead === false) this.state.dead = reason
  }
  /** The next element of an iterator over a list; undefined in loops, where it can be any of them. */
  advance(list: Term): Term {
    this.journal?.turned.push(list)
    if (this.inLoop()) return this.terms.element(list)
    const index = this.state.counters.get(list) ?? 0
    this.state.counters = new Map(this.state.counters).set(list, index + 1)
    return this.terms.element(list, index)
  }
  rewind(list: Term): void {
    this.journal?.turned.push(list)
    if (!this.state.counters.has(list)) return
    const counters = new Map(this.state.counters)
    counters.delete(list)
    this.state.counters = counters
  }
  private inLoop(): boolean {
    for (let one: WalkScope | undefined = this.scope; one !== undefined; one = one.parent) if (one.loop) return true
    return false
  }

  // ── Names and types ───────────────────────────────────────────────────────────────────────────────────────────

  get selfType(): RustType | undefined {
    const own = this.state.env.get("self")?.type
    const owner = this.frame.function.owner
    return owner?.kind === "impl" ? selfTypeOf(this.resolver, owner) : own
  }
  get selfDefinition(): TypeDefinition | undefined {
    const type = this.selfType
    return type === undefined ? undefined : definitionOf(type)
  }
  type(node: TypeNode | undefined): RustType {
    if (node === undefined) return unknownType
    return this.declared(node, this.frame.function.module, this.selfType)
  }
  typeIn(definition: Pick<FunctionDefinition, "module" | "owner">, node: TypeNode | undefined): RustType {
    if (node === undefined) return unknownType
    const self = definition.owner?.kind === "impl" ? selfTypeOf(this.resolver, definition.owner) : undefined
    return this.declared(node, definition.module, self)
  }
  /** A function that is entered a thousand times declares the same types each time. */
  private declared(node: TypeNode, module: Module, self: RustType | undefined): RustType {
    const { declaredTypes } = this.resolver
    const known = declaredTypes.get(node)
    if (known !== undefined && known.module === module && known.self === self) return known.type
    const type = resolveType({ resolver: this.resolver, module, self }, node)
    declaredTypes.set(node, { module, self, type })
    return type
  }

  // ── Events ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Position and circumstances of an event at a node. */
  at(node: Span): Pick<Event, "order" | "node" | "file" | "function" | "scope" | "facts"> {
    return {
      order: this.order++,
      node,
      file: this.file,
      function: this.frame.function,
      scope: this.scope,
      facts: this.state.facts,
    }
  }
  emit<E extends Event>(event: E): E {
    this.events.push(event)
    return event
  }

  // ── Evaluation ────────────────────────────────────────────────────────────────────────────────────────────────

  get unit(): Value {
    return { term: this.terms.list([], true), type: { kind: "tuple", elements: [] } }
  }
  opaque(sources: ReadonlyArray<Term>, type: RustType = unknownType): Value {
    return { term: this.terms.opaque(sources), type }
  }

  expression(node: Expression): Value {
    if (this.isDead || !this.step()) return { ...this.unit, never: true }
    if (this.semantics.skips?.has(node) === true) {
      this.die("failure")
      return { ...this.unit, never: true }
    }
    this.current = node
    return this.meanings.expression(this, node)
  }

  /** Statements, then the tail as a value. */
  block(block: Block): Value {
    for (const statement of block.statements) this.meanings.statement(this, statement)
    return block.tail === undefined ? this.unit : this.expression(block.tail)
  }

  bindPattern(pattern: Pattern, value: Value): void {
    this.meanings.pattern(this, pattern, value)
  }

  /** The facts of a pattern match. */
  patternFacts(pattern: Pattern, value: Value): ReadonlyArray<Term> {
    return this.meanings.pattern(this, pattern, value, true)
  }

  condition(node: Expression): Term {
    return this.meanings.condition(this, node)
  }
  consequences(term: Term, holds: boolean): ReadonlyArray<Term> {
    return this.meanings.consequences(this, term, holds)
  }
  /** Runs a part that is only reached if a condition holds, or does not; the facts it establishes are discarded. */
  supposing<A>(condition: Term, holds: boolean, run: () => A): A {
    const before = this.state.facts
    this.assume(condition, holds)
    const result = run()
    this.state.facts = before
    return result
  }
  assume(term: Term, holds: boolean): void {
    this.learn(this.consequences(term, holds))
  }

  // ── Branches ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Runs a part that may not be executed; afterwards, the state is the previous one. */
  branch(run: () => Value, arm?: WalkScope["arm"], loop = false): Branch {
    const before = this.state
    this.state = {
      env: before.env.fork(),
      facts: before.facts,
      counters: before.counters,
      dead: before.dead,
    }
    const scope: WalkScope = {
      parent: this.scope,
      frame: this.frame,
      startOrder: this.order,
      endOrder: 0,
      loop,
      ...(arm === undefined ? {} : { arm }),
    }
    this.scope = scope
    const value = arm !== undefined && this.isMessage(arm) ? this.message(run) : run()
    if (this.state.dead === false || this.state.dead === "jump") scope.end = this.state.facts
    scope.endOrder = this.order
    this.scope = scope.parent!
    const state = this.state
    this.state = before
    return { state, value }
  }

  /** An arm of the dispatch: each is walked like a separate entry point. */
  private isMessage({ value, variant, node }: NonNullable<WalkScope["arm"]>): boolean {
    if (this.semantics.dispatches !== true || !variant.includes("::") || this.dispatched.has(node)) return false
    const { kind } = rootOf(value)
    if (kind !== "parameter" && kind !== "call") return false
    this.dispatched.add(node)
    return true
  }
  private message(run: () => Value): Value {
    const { begun, summaries } = this
    this.isOfThisPlace()
    this.begun = this.steps
    this.summaries = new Map()
    const value = run()
    this.begun = begun + this.steps - this.begun
    this.summaries = summaries
    return value
  }

  /** Continues where the given branches end. */
  join(branches: ReadonlyArray<Branch>): Value {
    const live = branches.filter(({ state }) => state.dead === false)
    const [first] = live
    if (first === undefined) {
      const dead = branches.some(({ state }) => state.dead === "return")
        ? "return"
        : branches.some(({ state }) => state.dead === "jump")
          ? "jump"
          : "failure"
      if (branches.length > 0) this.die(dead)
      return { ...this.unit, never: true }
    }
    if (live.length === 1) {
      this.state = first.state
      return first.value
    }
    const others = live.slice(1).map(({ state }) => state)
    let { facts } = first.state
    for (const other of others) facts = intersectionOf(facts, other.facts)
    facts = this.with(facts, this.eitherOf([first.state, ...others], facts))
    const env = first.state.env.meet(
      others.map((other) => other.env),
      (name, terms) => this.flag(name, [first.state, ...others], facts) ?? this.terms.choice(terms),
    )
    this.state = { env, facts, counters: furthest(live.map(({ state }) => state.counters)), dead: false }
    const good = live.filter(({ value }) => value.failure !== true)
    if (good.length === 0) return first.value
    let success: Facts | undefined
    for (const { state, value } of good) {
      const all = this.with(state.facts, value.onSuccess ?? [])
      success = success === undefined ? all : intersectionOf(success, all)
    }
    const type = good.find(({ value }) => value.type.kind !== "unknown")?.value.type ?? unknownType
    return {
      term: this.terms.choice(good.map(({ value }) => value.term)),
      type,
      onSuccess: success === undefined ? [] : beyond(success, facts),
    }
  }

  /** What each branch compares the same address or owner with: one of the comparisons holds. */
  private eitherOf(ends: ReadonlyArray<State>, common: Facts): ReadonlyArray<Term> {
    const [first, ...others] = ends.map(({ facts }) => identitiesIn(beyond(facts, common)))
    if (first === undefined || first.size === 0) return []
    return [...first].flatMap(([subject, fact]) => {
      const all = others.map((one) => one.get(subject))
      return (
        all.reduce<Term | undefined>(
          (either, one) =>
            either === undefined || one === undefined ? undefined : this.terms.binary("||", either, one),
          fact,
        ) ?? []
      )
    })
  }

  /** A local that branches set to `true` or `false`: its value later implies what held where it was set. */
  private flag(name: string, ends: ReadonlyArray<State>, common: Facts): Term | undefined {
    const sides = new Map<string, Facts>()
    for (const state of ends) {
      const term = state.env.get(name)?.term
      if (term?.kind !== "literal" || term.type !== "boolean") return undefined
      const known = sides.get(term.value)
      sides.set(term.value, known === undefined ? state.facts : intersectionOf(known, state.facts))
    }
    const side = (value: string): ReadonlyArray<Term> => [...(sides.get(value) ?? [])].filter((one) => !common.has(one))
    const result = this.terms.opaque([])
    this.implied.set(result, { whenTrue: side("true"), whenFalse: side("false") })
    return result
  }

  /** A condition whose other side fails is recorded as a check. */
  decide(node: Span, condition: Term, whenTrue: () => Value, whenFalse: () => Value, tail: boolean): Value {
    const then = this.branch(() => {
      this.assume(condition, true)
      return whenTrue()
    })
    const otherwise = this.branch(() => {
      this.assume(condition, false)
      return whenFalse()
    })
    const thenFails = fails(then)
    if (thenFails !== fails(otherwise))
      this.emit({ ...this.at(node), kind: "check", conditions: this.consequences(condition, !thenFails) })
    if (tail && then.state.dead !== false && otherwise.state.dead !== false) {
      this.die("return")
      return { ...this.unit, never: true }
    }
    return this.join([then, otherwise])
  }

  // ── Leaving ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Evaluates an expression in tail position: each branch of it is a separate return. */
  returnValue(node: Expression): void {
    if (this.isDead) return
    if (this.semantics.skips?.has(node) === true) {
      this.die("failure")
      return
    }
    if (node.kind === "block" && node.modifier !== "async") {
      for (const statement of node.statements) this.meanings.statement(this, statement)
      if (this.isDead) return
      if (node.tail === undefined) this.exit(node, this.unit)
      else this.returnValue(node.tail)
      return
    }
    if (node.kind === "if" || node.kind === "match") {
      this.meanings.expression(this, node, true)
      return
    }
    const value = this.expression(node)
    if (!this.isDead) this.exit(node, value)
  }

  exit(node: Span, value: Value): void {
    if (value.event !== undefined) value.event.handled = true
    const success = value.failure !== true
    this.emit({ ...this.at(node), kind: "exit", value, success })
    if (success) {
      const facts = this.with(this.state.facts, value.onSuccess ?? [])
      this.frame.exits.push({ order: this.order - 1, scope: this.scope, facts })
      this.returns.push({ value, facts, counters: this.state.counters, env: this.state.env })
    }
    this.die(success ? "return" : "failure")
  }
  private returns: Array<{
    readonly value: Value
    readonly facts: Facts
    readonly counters: Counters
    readonly env: Locals
  }> = []

  breakLoop(): void {
    this.loops.at(-1)?.breaks.push(this.state)
    this.die("jump")
  }

  /** Walks a loop's body once. What holds for each element at its end holds for all elements after the loop. */
  loop(assigned: ReadonlySet<string>, element: Term | undefined, endless: boolean, body: () => void): void {
    for (const name of assigned) {
      const value = this.state.env.get(name)
      // A flag begins with the value set before the loop; assignments to it are seen where the branches join.
      if (value !== undefined && !(value.term.kind === "literal" && value.term.type === "boolean"))
        this.state.env.set(name, { term: this.terms.opaque([value.term]), type: value.type })
    }
    const breaks: Array<State> = []
    this.loops.push({ breaks })
    const { state } = this.branch(
      () => {
        body()
        return this.unit
      },
      undefined,
      true,
    )
    this.loops.pop()
    if (state.counters !== this.state.counters)
      this.state.counters = new Map([...this.state.counters, ...state.counters])
    for (const [name, value] of state.env.isUnchanged(this.state.env) ? [] : this.state.env) {
      const changed = state.env.get(name)
      if (changed !== undefined && changed.term !== value.term)
        this.state.env.set(name, { ...value, term: this.terms.choice([value.term, changed.term]) })
    }
    // `found = true; break`
    const { facts } = this.state
    for (const name of breaks.length === 0 ? [] : assigned) {
      const value = this.state.env.get(name)
      const raised = value === undefined ? undefined : this.flag(name, [this.state, ...breaks], facts)
      if (value !== undefined && raised !== undefined) this.state.env.set(name, { ...value, term: raised })
    }
    if (endless) {
      const [first, ...rest] = breaks
      if (first === undefined) this.die(state.dead === "failure" ? "failure" : "return")
      else this.learn(rest.reduce((all, one) => intersectionOf(all, one.facts), first.facts))
    } else if (element !== undefined && breaks.length === 0) {
      const about = [...state.facts].filter((fact) => !this.state.facts.has(fact) && mentionsDirectly(fact, element))
      this.learn(about)
    }
  }

  // ── Calls ─────────────────────────────────────────────────────────────────────────────────────────────────────

  private bindParameters(
    target: FunctionDefinition,
    valueOf: (name: string, type: RustType, index: number) => Value,
  ): void {
    const self = target.item.self === undefined ? 0 : 1
    for (const [index, { name, type }] of target.parameters.entries()) {
      const declared =
        name === "self" && index === 0 && self === 1 ? (this.selfOf(target) ?? unknownType) : this.typeIn(target, type)
      const value = valueOf(name, declared, index)
      if (index < self) this.state.env.set("self", value)
      else this.bindPattern(target.item.parameters[index - self]!.pattern, value)
    }
  }
  private selfOf(target: FunctionDefinition): RustType | undefined {
    return target.owner?.kind === "impl" ? selfTypeOf(this.resolver, target.owner) : undefined
  }

  /** Whether a call can be followed: it has a body, is not being walked already, and the walk is not too long. */
  canEnter(target: FunctionDefinition): boolean {
    if (!this.follows || target.item.body === undefined) return false
    let why: "depth" | "recursion" | "length" | undefined =
      this.frame.depth >= maxDepth ? "depth" : this.truncated ? "length" : undefined
    for (let one: Frame | undefined = this.frame; one !== undefined; one = one.parent)
      if (one.function === target) why = "recursion"
    if (why === undefined) this.journal?.followed.push(target)
    else {
      this.notFollowed.set(target, why)
      this.isOfThisPlace()
    }
    return why === undefined
  }

  /** The outcome of a function that was walked often enough; undefined if it has to be walked. */
  private recall(target: FunctionDefinition, args: ReadonlyArray<Value>): Value | undefined {
    const steps = this.steps - this.begun
    if (steps < freeSteps) return undefined
    const before = this.summaries.get(target)
    if (before === undefined || before.walks < (steps < 2 * freeSteps ? maxWalks : 1)) return undefined
    for (const summary of before.known.toReversed()) {
      const found = instantiate(summary, args, this.terms, this.implied)
      if (found === undefined) continue
      this.learn(found.learned)
      for (const [list, count] of found.taken) for (let index = 0; index < count; index++) this.advance(list)
      this.journal?.recalled.push(target)
      return found.result
    }
    if (before.walks < maxShapes) return undefined
    this.leaveOut(target)
    const result = this.opaque(args.map((one) => one.term))
    return { ...result, type: this.typeIn(target, target.item.result) }
  }
  private leaveOut(target: FunctionDefinition): void {
    this.journal?.cut.push(target)
    this.notFollowed.set(target, "length")
  }
  private remember(target: FunctionDefinition, summary: CallSummary): void {
    let known = this.summaries.get(target)
    if (known === undefined) this.summaries.set(target, (known = { walks: 0, known: [] }))
    known.walks++
    this.journal?.remembered.push([target, summary])
    if (summary.args.every((one) => one.closure === undefined && one.callee === undefined) && known.walks <= maxShapes)
      known.known.push(summary)
  }

  /** Walks a function of the project in place of its call. */
  enter(target: FunctionDefinition, args: ReadonlyArray<Value>, node: Span): Value {
    const known = this.recall(target, args) ?? this.takeShared(target, args, node)
    if (known !== undefined) return known
    const from = this.progress
    const since = this.terms.made
    const { counters, facts: before } = this.state
    const outer = this.deepest
    this.deepest = this.frame.depth + 1
    const frame: Frame = {
      function: target,
      parent: this.frame,
      call: { start: node.start, end: node.end, file: this.file },
      exits: [],
      depth: this.frame.depth + 1,
    }
    const declared = this.typeIn(target, target.item.result)
    const {
      value: result,
      learned,
      scope,
    } = this.within(frame, () => {
      this.state.env = new Locals()
      // Parameters are bound in the callee's own scope, so that `Self` and imports have their meaning there.
      this.bindParameters(target, (name, type, index) => {
        const given = args[index]
        if (given === undefined) return this.opaque([], type)
        // An optional account is known by the type of the account.
        if (name === "self" && isNamed(type, "Option") && !isOutcome(given.type))
          return { ...given, type: namedType("Option", [given.type]) }
        const passed = this.semantics.passed?.(given, type, this)
        if (passed !== undefined) return passed
        const known =
          given.type.kind === "unknown" ||
          (definitionOf(type) !== undefined && definitionOf(given.type) === undefined && !isWrapper(given.type))
        return known ? { ...given, type } : given
      })
      this.semantics.entered?.(this, target)
      this.returnValue(target.item.body!)
    })
    const value =
      declared.kind === "unknown" || (isVague(declared) && result.type.kind !== "unknown")
        ? result
        : { ...result, type: betterType(declared, result.type) }
    const summary = { args, since, result: value, learned, taken: takenSince(counters, this.state.counters) }
    const deepest = this.deepest - this.frame.depth
    this.deepest = Math.max(this.deepest, outer)
    const to = this.progress
    if (this.journal !== undefined && from !== undefined && to !== undefined && !this.truncated) {
      const { events, journal } = this
      const results = events.slice(-lastEvents).map((one) => (one.kind === "call" ? one.result : undefined))
      this.shared?.keep(target, {
        summary,
        from,
        to,
        events,
        journal,
        before,
        turns: { counters, inLoop: this.inLoop() },
        turnsAfter: this.state.counters,
        scope,
        deepest,
        results,
      })
    }
    this.remember(target, summary)
    return value
  }

  private get progress(): Progress | undefined {
    const { order, steps, journal } = this
    if (journal === undefined) return undefined
    return { events: this.events.length, order, steps, made: this.terms.made, journal: journal.mark }
  }

  /** The value of a call that another walk made with the same arguments, where it would come to the same here. */
  private takeShared(target: FunctionDefinition, args: ReadonlyArray<Value>, node: Span): Value | undefined {
    const { shared, journal, implied } = this
    if (shared === undefined || journal === undefined || this.truncated) return undefined
    const call = shared.find(target, args, {
      facts: this.state.facts,
      implied,
      journal,
      frame: this.frame,
      depthLeft: maxDepth - this.frame.depth,
      stepsLeft: maxSteps - this.steps,
      isLong: this.steps - this.begun >= freeSteps,
      turns: { counters: this.state.counters, inLoop: this.inLoop() },
      isKnown: (one) => this.summaries.has(one),
    })
    if (call === undefined) return undefined
    const { from, to, summary } = call
    const site = { start: node.start, end: node.end, file: this.file }
    for (const event of eventsIn(call, this.scope, site, this.order, this.state.facts)) this.events.push(event)
    this.order += to.order - from.order
    this.steps += to.steps - from.steps
    this.deepest = Math.max(this.deepest, this.frame.depth + call.deepest)
    this.state.counters = shared.turnsBehind(call, this.state.counters)
    this.takeJournal(call, journal)
    const { event: _, onSuccess, ...plain } = summary.result
    const unknown = onSuccess?.filter((fact) => !this.state.facts.has(fact))
    this.learn(summary.learned)
    this.remember(target, summary)
    return unknown === undefined ? plain : { ...plain, onSuccess: unknown }
  }
  /** What a call of another walk left behind besides events, and what it asked of its surroundings. */
  private takeJournal({ journal: other, from: { journal: from, made }, to }: WalkedCall, journal: Journal): void {
    journal.copy(other, from, to.journal)
    journal.taken.push([made, to.made])
    for (const one of other.part("cut", from, to.journal)) this.notFollowed.set(one, "length")
    for (const [one, known] of other.part("remembered", from, to.journal)) this.remember(one, known)
    for (const { term, found, set } of other.part("implied", from, to.journal))
      if (set && found !== undefined) this.implied.set(term, found)
      else this.implied.get(term)
  }

  /** A closure that has not run yet, with the meanings of its names here. */
  bound(node: Closure): BoundClosure {
    return { node, frame: this.frame, env: this.state.env.fork() }
  }

  /** Runs a closure on values; its returns are its own. */
  runClosure({ node: closure, frame: home, env }: BoundClosure, args: ReadonlyArray<Value>): Value {
    let around = this.frame
    while (around !== home && around.call === undefined && around.parent !== undefined) around = around.parent
    const frame: Frame = {
      function: home.function,
      parent: this.frame,
      call: undefined,
      exits: [],
      depth: this.frame.depth + 1,
    }
    if (frame.depth > maxDepth + 8 || this.isDeepInClosures()) return this.opaque(args.map((one) => one.term))
    const { value, ends } = this.within(frame, () => {
      // In another function, its names have the meanings they had where it was created.
      this.state.env = (around === home ? this.state.env : env).fork()
      for (const [index, { pattern, type }] of closure.parameters.entries()) {
        const given = args[index] ?? this.opaque([])
        this.bindPattern(
          pattern,
          type === undefined || given.type.kind !== "unknown" ? given : { ...given, type: this.type(type) },
        )
      }
      this.returnValue(closure.body)
    })
    if (around === home) this.takeOver(closure, ends)
    return value
  }

  private isDeepInClosures(): boolean {
    if (this.steps - this.begun < freeSteps) return false
    let around = 0
    for (let one: Frame | undefined = this.frame; one?.parent !== undefined; one = one.parent)
      if (one.call === undefined) around++
    return around >= maxClosures
  }

  /** The names outside that a closure assigned: it may or may not have run. */
  takeOver({ body, parameters }: Closure, ends: ReadonlyArray<Locals>): void {
    const own = new Set(parameters.flatMap(({ pattern }) => (pattern.kind === "binding" ? [pattern.name] : [])))
    for (const name of assignedNames(body)) {
      const value = own.has(name) ? undefined : this.state.env.get(name)
      if (value === undefined) continue
      const terms = new Set([value.term, ...ends.flatMap((one) => one.get(name)?.term ?? [])])
      if (terms.size > 1) this.state.env.set(name, { term: this.terms.choice([...terms]), type: value.type })
    }
  }

  private within(
    frame: Frame,
    run: () => void,
  ): {
    readonly value: Value
    /** Facts that hold from here on. */
    readonly learned: ReadonlyArray<Term>
    /** What names mean where it returns. */
    readonly ends: ReadonlyArray<Locals>
    readonly scope: WalkScope
  } {
    const outer = {
      frame: this.frame,
      scope: this.scope,
      returns: this.returns,
      env: this.state.env,
      loops: this.loops,
    }
    const before = this.state.facts
    const scope: WalkScope = { parent: outer.scope, frame, startOrder: this.order, endOrder: 0, loop: false }
    this.frame = frame
    this.deepest = Math.max(this.deepest, frame.depth)
    this.scope = scope
    this.returns = []
    this.loops = []
    run()
    scope.endOrder = this.order
    const returns = this.returns
    this.frame = outer.frame
    this.scope = outer.scope
    this.returns = outer.returns
    this.loops = outer.loops
    this.state = {
      env: outer.env,
      facts: before,
      counters: returns.length === 0 ? this.state.counters : furthest(returns.map((one) => one.counters)),
      dead: false,
    }
    const [first] = returns
    if (first === undefined) return { value: { ...this.opaque([]), failure: true }, learned: [], ends: [], scope }
    const common = commonOf(
      this.terms,
      returns.map((one) => one.facts),
      before,
    )
    const type = returns.find((one) => one.value.type.kind !== "unknown")?.value.type ?? unknownType
    const fallible = frame.call === undefined || hasOutcome(frame.function)
    const learned = fallible ? [] : common
    this.learn(learned)
    const ends = returns.map(({ env }) => env)
    const term = this.terms.choice(returns.map((one) => one.value.term))
    learnOfNone(this.terms, this.implied, term, returns, before)
    if (returns.length > 1 && returns.some((one) => one.value.term.kind === "literal")) {
      // A predicate with several returns: what holds if it returns true, and what if it returns false.
      const side = (excluded: string): ReadonlyArray<Term> => {
        const kept = returns.filter(({ value }) => value.term.kind !== "literal" || value.term.value !== excluded)
        return commonOf(
          this.terms,
          kept.map((one) =>
            this.with(
              one.facts,
              one.value.term.kind === "literal" ? [] : this.consequences(one.value.term, excluded === "false"),
            ),
          ),
          before,
        )
      }
      const result = this.terms.opaque([term])
      this.implied.set(result, { whenTrue: side("false"), whenFalse: side("true") })
      return { value: { term: result, type, onSuccess: common }, learned, ends, scope }
    }
    return { value: { term, type, onSuccess: common }, learned, ends, scope }
  }
}

const fails = ({ state, value }: Branch): boolean =>
  state.dead === "failure" || (state.dead === false && value.failure === true)

const hasOutcome = (target: FunctionDefinition): boolean => {
  const result = target.item.result
  if (result?.kind !== "path") return false
  const name = result.path.segments.at(-1)?.name ?? ""
  return name === "Option" || name.endsWith("Result")
}
