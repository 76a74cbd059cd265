import type { SourceFile, Span } from "../../../SourceFile.ts"
import type { FunctionDefinition, Module, TypeDefinition } from "../../crate/crate.ts"
import type { Event, Frame, WalkScope, Value } from "../../terms/events.ts"
import { type Facts, intersectionOf, unionOf } from "../../terms/facts.ts"
import { Locals } from "../../terms/locals.ts"
import type { Semantics } from "./platform.ts"
import type { Resolver } from "../../crate/resolve.ts"
import type { Block, Expression, Pattern, Statement, TypeNode } from "../../syntax/syntax.ts"
import type { CallSummary } from "./callSummary.ts"
import { type Counters, maxCounters } from "./counters.ts"
import { ImpliedFacts, Journal } from "./journal.ts"
import { freeSteps, maxSteps } from "./limits.ts"
import type { SharedCalls } from "./sharedCalls.ts"
import { typeArgument } from "./typeArguments.ts"
import type { Term, TermTable } from "../../terms/terms.ts"
import { definitionOf, resolveType, type RustType, selfTypeOf, unknownType } from "../../crate/types.ts"

/** What holds at one point of a walk. */
export interface State {
  env: Locals
  facts: Facts
  counters: Counters
  dead: false | "failure" | "return" | "jump"
}

/** A return of the function or closure that is walked. */
export interface Return {
  readonly value: Value
  readonly facts: Facts
  readonly counters: Counters
  readonly env: Locals
}

/** The evaluation of each kind of syntax; the walk itself keeps the state. */
export interface Meanings {
  /** `tail` makes each branch of an `if` or `match` a return of the function. */
  readonly expression: (walk: Walk, node: Expression, tail?: boolean) => Value
  readonly statement: (walk: Walk, statement: Statement) => void
  /** Binds the names of a pattern, unless `quiet`; returns the facts of a match. */
  readonly pattern: (walk: Walk, pattern: Pattern, value: Value, quiet?: boolean) => ReadonlyArray<Term>
  readonly condition: (walk: Walk, node: Expression) => Term
  readonly consequences: (walk: Walk, term: Term, holds: boolean) => ReadonlyArray<Term>
}

/** What the names that a block declares mean outside it, if anything. */
interface Hidden {
  readonly frame: Frame
  readonly names: Map<string, Value | undefined>
}

/**
 * One symbolic walk through a function and everything it calls: in order of evaluation, along all structured paths at
 * once, loops once. It records events, each with the facts that hold there. This is its state; what moves it on is in
 * `branching.ts`, `leaving.ts`, `loops.ts` and `entering/`.
 */
export class Walk {
  readonly resolver: Resolver
  readonly terms: TermTable
  readonly semantics: Semantics
  readonly meanings: Meanings
  readonly events: Array<Event> = []
  /** What holds when a condition does, where a function computed it. */
  implied: ImpliedFacts
  frame: Frame
  scope: WalkScope
  /** The expression whose evaluation began last. */
  current: Span = { start: 0, end: 0 }
  /** Whether some calls were not followed because the walk became too long. */
  truncated = false
  /** Whether calls into the project are followed. */
  readonly follows: boolean
  shared: SharedCalls | undefined
  /** What calls asked of what is around them, where they are shared. */
  journal: Journal | undefined
  /** The depth of the deepest call since the one that is walked began. */
  deepest = 0
  state: State = { env: new Locals(), facts: new Set(), counters: new Map(), dead: false }
  /** Calls that were not followed, and why. */
  readonly notFollowed = new Map<FunctionDefinition, "depth" | "recursion" | "length">()
  /** The number of the next event. */
  order = 0
  /** Expressions walked so far. */
  steps = 0
  /** Where the count of the current message began, and the outcomes of its calls. */
  begun = 0
  summaries = new Map<FunctionDefinition, { walks: number; readonly known: Array<CallSummary> }>()
  /** Arms that were walked as messages. */
  readonly dispatched = new Set<Span>()
  /** The loops and the returns of the function or closure that is walked. */
  loops: Array<{ readonly breaks: Array<State> }> = []
  returns: Array<Return> = []
  /** Of the innermost block. */
  private hidden: Hidden | undefined

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

  /** Expressions of the current message so far. */
  get effort(): number {
    return this.steps - this.begun
  }
  /** Whether the message has become so long that functions that were walked before need not be walked again. */
  get isLong(): boolean {
    return this.effort >= freeSteps
  }

  /** What holds whenever the function succeeds. */
  get success(): Facts {
    const { exits } = this.frame
    if (this.succeeded?.exits === exits.length) return this.succeeded.facts
    // From the last: each differs little from the one before it.
    const [last, ...others] = exits.toReversed()
    const facts =
      last === undefined
        ? new Set<Term>()
        : others.reduce((common, exit) => intersectionOf(common, exit.facts), last.facts)
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

  /** Drops what was only needed to go on: rules keep the walk for its events, and all of its calls with them. */
  end(): void {
    this.shared = undefined
    this.journal = undefined
    this.implied = new ImpliedFacts(undefined)
    this.summaries = new Map()
    this.returns = []
    this.state = { ...this.state, env: new Locals() }
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
  with(facts: Facts, others: Iterable<Term>): Facts {
    return unionOf(facts, others, this.journal?.met)
  }
  /** A match asked for alternatives among the facts. */
  matched(value: Term, found: ReadonlyArray<Term>): void {
    this.journal?.matched.push(value)
    this.journal?.met.push(...found)
  }
  /** What happens now would not in another place. */
  isOfThisPlace(): void {
    if (this.journal !== undefined) this.journal.bound++
  }
  die(reason: "failure" | "return" | "jump"): void {
    if (this.state.dead === false) this.state.dead = reason
  }
  /** The next element of an iterator over a list; undefined in loops, where it can be any of them. */
  advance(list: Term): Term {
    this.journal?.turned.push(list)
    if (this.inLoop()) return this.terms.element(list)
    const index = this.state.counters.get(list) ?? (this.state.counters.size < maxCounters ? 0 : undefined)
    if (index === undefined) return this.terms.element(list)
    this.state.counters = new Map(this.state.counters).set(list, index + 1)
    return this.terms.element(list, index)
  }
  /** A new iterator over a list starts with its first element; the function's caller goes on with its own. */
  rewind(list: Term): void {
    this.journal?.turned.push(list)
    const count = this.state.counters.get(list)
    if (!this.rewound.has(list)) this.rewound.set(list, count)
    if (count !== undefined) this.setCount(list, undefined)
  }
  /** How far the caller's iterators were when a function made its own over the same lists. */
  rewound = new Map<Term, number | undefined>()
  setCount(list: Term, count: number | undefined): void {
    const counters = new Map(this.state.counters)
    if (count === undefined) counters.delete(list)
    else counters.set(list, count)
    this.state.counters = counters
  }
  /** Runs a call that receives new iterators over these lists. */
  iterating<A>(lists: ReadonlyArray<Term>, run: () => A): A {
    const before = lists.map((list) => this.state.counters.get(list))
    for (const list of lists) this.rewind(list)
    const result = run()
    lists.forEach((list, index) => this.setCount(list, before[index]))
    return result
  }
  inLoop(): boolean {
    for (let one: WalkScope | undefined = this.scope; one !== undefined; one = one.parent) if (one.loop) return true
    return false
  }

  // ── Names and types ───────────────────────────────────────────────────────────────────────────────────────────

  get selfType(): RustType | undefined {
    const own = this.state.env.get("self")?.type
    const owner = this.frame.function.owner
    if (owner?.kind === "impl") return selfTypeOf(this.resolver, owner)
    return own ?? (owner === undefined ? undefined : typeArgument(this, this.frame, "Self"))
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
    return this.hiding([], () => {
      for (const statement of block.statements) this.meanings.statement(this, statement)
      return block.tail === undefined ? this.unit : this.expression(block.tail)
    })
  }
  /** Runs a part in which some names mean something else; afterwards, all that it has hidden mean the same as before. */
  hiding<A>(names: ReadonlyArray<string>, run: () => A): A {
    const outer = this.hidden
    const hidden: Hidden = { frame: this.frame, names: new Map() }
    this.hidden = hidden
    for (const name of names) this.hide(name)
    const result = run()
    for (const [name, before] of hidden.names) if (before !== undefined) this.assign(name, before)
    this.hidden = outer
    return result
  }
  /** A `let` is about to hide what a name means outside the block. */
  hide(name: string): void {
    const { hidden } = this
    if (hidden?.frame === this.frame && !hidden.names.has(name)) hidden.names.set(name, this.local(name))
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
}
