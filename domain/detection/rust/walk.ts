import type { SourceFile, Span } from "../Source.ts"
import { examined } from "./events.ts"
import { type Facts, intersectionOf, unionOf } from "./facts.ts"
import type { Event, Frame, Scope, Value } from "./events.ts"
import type { FunctionDefinition, TypeDefinition } from "./crate.ts"
import type { Resolver } from "./resolve.ts"
import type { Block, Closure, Expression, Pattern, Statement, TypeNode } from "./syntax.ts"
import { evaluate } from "./evaluate.ts"
import { Locals } from "./locals.ts"
import { bindPattern } from "./patterns.ts"
import type { Term, TermTable } from "./terms.ts"
import {
  definitionOf,
  elementType,
  isNamed,
  resolveType,
  type RustType,
  selfTypeOf,
  successType,
  unknownType,
} from "./types.ts"

/** A call about to be made, as models of a platform see it. */
export interface CallSite {
  readonly name: string
  readonly path: string
  readonly method: boolean
  /** With the receiver first for methods. */
  readonly args: ReadonlyArray<Value>
  readonly nodes: ReadonlyArray<Expression>
  readonly generics: ReadonlyArray<TypeNode>
  /** `T` of `T::f(…)`. */
  readonly selfType: RustType | undefined
  readonly target: FunctionDefinition | undefined
  readonly node: Span
}

/** What a platform knows about calls and fields that the text does not show. */
export interface Semantics {
  readonly call?: (site: CallSite, walk: Walk) => Value | undefined
  readonly field?: (base: Value, name: string, walk: Walk) => Value | undefined
  /** A local gets its first name: accounts without declared names take theirs from here. */
  /** Runs before the body, with the parameters bound: what a framework checks first. */
  readonly prepare?: (walk: Walk) => void
  readonly bound?: (name: string, value: Value, node: Span, walk: Walk) => void
  /** An argument of a function that is followed, where its parameter's type makes something else of it. */
  readonly passed?: (given: Value, type: RustType, walk: Walk) => Value | undefined
  /** Runs before the body of each function that is followed, as `prepare` does for the first. */
  readonly entered?: (walk: Walk, target: FunctionDefinition) => void
  /** Parts that are taken not to be run: other walks begin there. */
  readonly skips?: ReadonlySet<Expression>
  /** `bytes.as_ptr() as *const State`: what a platform makes of a value under another type. */
  readonly cast?: (value: Value, type: RustType, node: Span, walk: Walk) => Value | undefined
}

interface State {
  env: Locals
  facts: Facts
  /** How many elements each iterator has yielded. */
  counters: ReadonlyMap<Term, number>
  dead: false | "failure" | "return" | "jump"
}

export interface Branch {
  readonly state: State
  readonly value: Value
}

/** Calls are followed this deep, and this many expressions in all; beyond, a call is a term like any foreign one. */
const maxDepth = 12
const maxSteps = 60_000
/** Ends of a function that are told apart, and conditions of each. */
const maxEnds = 4

/**
 * One symbolic walk through a function and everything it calls: in order of evaluation, along all structured paths at
 * once, loops once. It records events, each with the facts that hold there.
 */
export class Walk {
  readonly resolver: Resolver
  readonly terms: TermTable
  readonly semantics: Semantics
  readonly events: Array<Event> = []
  /** What holds when a condition does, where a function computed it. */
  readonly implied = new Map<
    Term,
    { readonly whenTrue: ReadonlyArray<Term>; readonly whenFalse: ReadonlyArray<Term> }
  >()
  frame: Frame
  scope: Scope
  /** The expression whose evaluation began last. */
  current: Span = { start: 0, end: 0 }
  /** Some calls were not followed because the walk grew too long. */
  truncated = false
  private state: State = { env: new Locals(), facts: new Set(), counters: new Map(), dead: false }
  private order = 0
  private steps = 0
  private loops: Array<{ readonly breaks: Array<State> }> = []

  constructor(
    resolver: Resolver,
    terms: TermTable,
    semantics: Semantics,
    entry: FunctionDefinition,
    args: ReadonlyMap<string, Value>,
    facts: Iterable<Term>,
  ) {
    this.resolver = resolver
    this.terms = terms
    this.semantics = semantics
    this.frame = { function: entry, parent: undefined, call: undefined, exits: [], depth: 0 }
    this.scope = { parent: undefined, frame: this.frame, endOrder: 0, loop: false }
    this.state.facts = new Set(facts)
    const body = entry.item.body
    if (body === undefined) return
    this.bindParameters(
      entry,
      (name, type, index) => args.get(name) ?? args.get(String(index)) ?? { term: terms.parameter("", name), type },
    )
    semantics.prepare?.(this)
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

  /** Evaluates something in another function's or module's scope, with names of its own; facts it learns stay. */
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
    this.state.facts = unionOf(this.state.facts, facts)
  }
  die(reason: "failure" | "return" | "jump"): void {
    if (this.state.dead === false) this.state.dead = reason
  }
  /** The next element of an iterator over a list; undefined in loops, where it is any of them. */
  advance(list: Term): Term {
    if (this.inLoop()) return this.terms.element(list)
    const index = this.state.counters.get(list) ?? 0
    this.state.counters = new Map(this.state.counters).set(list, index + 1)
    return this.terms.element(list, index)
  }
  rewind(list: Term): void {
    if (!this.state.counters.has(list)) return
    const counters = new Map(this.state.counters)
    counters.delete(list)
    this.state.counters = counters
  }
  private inLoop(): boolean {
    for (let one: Scope | undefined = this.scope; one !== undefined; one = one.parent) if (one.loop) return true
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
    return resolveType({ resolver: this.resolver, module: this.frame.function.module, self: this.selfType }, node)
  }
  typeIn(definition: Pick<FunctionDefinition, "module" | "owner">, node: TypeNode | undefined): RustType {
    if (node === undefined) return unknownType
    const self = definition.owner?.kind === "impl" ? selfTypeOf(this.resolver, definition.owner) : undefined
    return resolveType({ resolver: this.resolver, module: definition.module, self }, node)
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
    return evaluate(this, node)
  }

  /** Statements, then the tail as a value. */
  block(block: Block): Value {
    for (const statement of block.statements) this.statement(statement)
    return block.tail === undefined ? this.unit : this.expression(block.tail)
  }

  private statement(statement: Statement): void {
    if (this.isDead) return
    if (statement.kind === "item") return
    if (statement.kind === "expression") {
      const { expression } = statement
      if (expression.kind === "assign" && isUnderscore(expression.left)) {
        const { event } = this.expression(expression.right)
        if (event !== undefined && event.handled !== true) event.dropped = "discarded"
        return
      }
      const value = this.expression(expression)
      if (value.event !== undefined && value.event.handled !== true) value.event.dropped ??= "ignored"
      return
    }
    const declared = statement.type === undefined ? undefined : this.type(statement.type)
    if (statement.value === undefined) {
      if (statement.pattern.kind === "binding") this.assign(statement.pattern.name, this.opaque([], declared))
      return
    }
    const source = stripReferences(statement.value)
    const value = this.expression(statement.value)
    if (source.kind === "methodCall" && /^(iter|iter_mut|into_iter)$/.test(source.method)) this.rewind(value.term)
    if (isUnused(statement.pattern) && value.event !== undefined && value.event.handled !== true)
      value.event.dropped = "discarded"
    if (declared !== undefined && declared.kind !== "unknown") this.declareLast(value, declared)
    const typed =
      declared === undefined || declared.kind === "unknown"
        ? value
        : this.gathered(value, isVague(declared) && !isNamed(declared, ...sets) ? value.type : declared)
    if (statement.otherwise !== undefined) {
      const facts = this.patternFacts(statement.pattern, typed)
      const otherwise = statement.otherwise
      const failing = this.branch(() => this.block(otherwise))
      this.learn(facts)
      if (failing.state.dead === "failure") this.emit({ ...this.at(statement), kind: "check", conditions: facts })
    }
    bindPattern(this, statement.pattern, typed)
  }

  /** A value under the type it is collected into: what a set holds are no twins, as the elements of the list may be. */
  gathered(value: Value, type: RustType): Value {
    const isNew = isNamed(type, ...sets) && !isNamed(value.type, ...sets)
    return { ...value, type, ...(isNew ? { term: this.terms.call("set", "", [value.term]) } : {}) }
  }

  /** `let clock: Clock = deserialize(bytes)?`: the call that was just made yields what is declared. */
  private declareLast(value: Value, declared: RustType): void {
    for (let index = this.events.length - 1; index >= 0 && index >= this.events.length - 4; index--) {
      const event = this.events[index]!
      if (event.kind !== "call" || event.result.term !== value.term) continue
      if (successType(event.result.type).kind === "unknown") event.result = { ...event.result, type: declared }
      return
    }
  }

  bindPattern(pattern: Pattern, value: Value): void {
    bindPattern(this, pattern, value)
  }

  /** What holds where a pattern matched. */
  patternFacts(pattern: Pattern, value: Value): ReadonlyArray<Term> {
    return bindPattern(this, pattern, value, true)
  }

  /** Evaluates a condition; `let` in it binds names. */
  condition(node: Expression): Term {
    if (node.kind === "binary" && (node.operator === "&&" || node.operator === "||")) {
      const left = this.condition(node.left)
      const before = this.state.facts
      this.assume(left, node.operator === "&&")
      const right = this.condition(node.right)
      this.state.facts = before
      return this.terms.binary(node.operator, left, right)
    }
    if (node.kind === "unary" && node.operator === "!") return this.terms.not(this.condition(node.operand))
    if (node.kind === "let") {
      const value = this.expression(node.value)
      if (value.event !== undefined) examined(value.event)
      const facts = this.patternFacts(node.pattern, value)
      bindPattern(this, node.pattern, value)
      const [first] = facts
      if (first === undefined) return this.terms.literal("boolean", "true")
      const known = this.implied.get(first)
      this.implied.set(first, { whenTrue: [...facts, ...(known?.whenTrue ?? [])], whenFalse: known?.whenFalse ?? [] })
      return first
    }
    return this.expression(node).term
  }

  /** Facts that follow from a condition. */
  consequences(term: Term, holds: boolean, depth = 0): ReadonlyArray<Term> {
    if (depth > 20) return []
    if (term.kind === "not") return this.consequences(term.operand, !holds, depth + 1)
    if (term.kind === "binary" && (term.operator === "&&" || term.operator === "||")) {
      const left = this.consequences(term.left, holds, depth + 1)
      const right = this.consequences(term.right, holds, depth + 1)
      if ((term.operator === "&&") === holds) return [...left, ...right]
      const common = left.filter((one) => right.includes(one))
      const either =
        term.operator === "||" ? term : this.terms.binary("||", this.terms.not(term.left), this.terms.not(term.right))
      return [...common, either]
    }
    if (term.kind === "choice") {
      // `false`, or what the loop found: when it holds, the loop found it.
      const open = term.alternatives.filter((one) => one.kind !== "literal" || one.value === String(holds))
      const [only] = open
      if (open.length === 1 && only !== undefined && open.length < term.alternatives.length)
        return [holds ? term : this.terms.not(term), ...this.consequences(only, holds, depth + 1)]
    }
    const opposite = this.terms.not(term)
    const implied =
      this.implied.get(holds ? term : opposite)?.whenTrue ?? this.implied.get(holds ? opposite : term)?.whenFalse ?? []
    return [holds ? term : opposite, ...implied]
  }
  assume(term: Term, holds: boolean): void {
    this.learn(this.consequences(term, holds))
  }

  // ── Branches ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Runs a part that may not be executed; the state afterwards is the one before. */
  branch(run: () => Value, arm?: Scope["arm"], loop = false): Branch {
    const before = this.state
    this.state = {
      env: before.env.fork(),
      facts: before.facts,
      counters: before.counters,
      dead: before.dead,
    }
    const scope: Scope = {
      parent: this.scope,
      frame: this.frame,
      endOrder: 0,
      loop,
      ...(arm === undefined ? {} : { arm }),
    }
    this.scope = scope
    const value = run()
    if (this.state.dead === false || this.state.dead === "jump") scope.end = this.state.facts
    scope.endOrder = this.order
    this.scope = scope.parent!
    const state = this.state
    this.state = before
    return { state, value }
  }

  /** Goes on where the given branches end. */
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
    const env = first.state.env.meet(
      others.map((other) => other.env),
      (name, terms) => this.flag(name, [first.state, ...others], facts) ?? this.terms.choice(terms),
    )
    this.state = { env, facts, counters: furthest(live.map(({ state }) => state.counters)), dead: false }
    const good = live.filter(({ value }) => value.failure !== true)
    if (good.length === 0) return first.value
    let success: Facts | undefined
    for (const { state, value } of good) {
      const all = unionOf(state.facts, value.onSuccess ?? [])
      success = success === undefined ? all : intersectionOf(success, all)
    }
    const type = good.find(({ value }) => value.type.kind !== "unknown")?.value.type ?? unknownType
    return {
      term: this.terms.choice(good.map(({ value }) => value.term)),
      type,
      onSuccess: [...(success ?? [])].filter((one) => !facts.has(one)),
    }
  }

  /** A local that branches set to `true` or `false`: what held where they did is what it says later. */
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

  /** The condition whose other side fails is a check; it is recorded. */
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

  /** Evaluates an expression in tail position: each branch of it is a return of its own. */
  returnValue(node: Expression): void {
    if (this.isDead) return
    if (this.semantics.skips?.has(node) === true) {
      this.die("failure")
      return
    }
    if (node.kind === "block" && node.modifier !== "async") {
      for (const statement of node.statements) this.statement(statement)
      if (this.isDead) return
      if (node.tail === undefined) this.exit(node, this.unit)
      else this.returnValue(node.tail)
      return
    }
    if (node.kind === "if" || node.kind === "match") {
      evaluate(this, node, true)
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
      const facts = unionOf(this.state.facts, value.onSuccess ?? [])
      this.frame.exits.push({ order: this.order, scope: this.scope, facts })
      this.returns.push({ value, facts, counters: this.state.counters })
    }
    this.die(success ? "return" : "failure")
  }
  private returns: Array<{
    readonly value: Value
    readonly facts: Facts
    readonly counters: ReadonlyMap<Term, number>
  }> = []

  breakLoop(): void {
    this.loops.at(-1)?.breaks.push(this.state)
    this.die("jump")
  }

  /** Walks a loop's body once. What holds of each element at its end holds of all elements after the loop. */
  loop(assigned: ReadonlySet<string>, element: Term | undefined, endless: boolean, body: () => void): void {
    for (const name of assigned) {
      const value = this.state.env.get(name)
      // A flag begins as it is set before the loop; what raises it is seen where the branches join.
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
      const about = [...state.facts].filter((fact) => !this.state.facts.has(fact) && mentionsDirectly(fact, element, 0))
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
      else bindPattern(this, target.item.parameters[index - self]!.pattern, value)
    }
  }
  private selfOf(target: FunctionDefinition): RustType | undefined {
    return target.owner?.kind === "impl" ? selfTypeOf(this.resolver, target.owner) : undefined
  }

  /** Whether a call can be followed: it has a body, is not being walked already, and the walk is not too long. */
  canEnter(target: FunctionDefinition): boolean {
    if (target.item.body === undefined || this.frame.depth >= maxDepth || this.truncated) return false
    for (let one: Frame | undefined = this.frame; one !== undefined; one = one.parent)
      if (one.function === target) return false
    return true
  }

  /** Walks a function of the project in place of its call. */
  enter(target: FunctionDefinition, args: ReadonlyArray<Value>, node: Span): Value {
    const frame: Frame = {
      function: target,
      parent: this.frame,
      call: { start: node.start, end: node.end, file: this.file },
      exits: [],
      depth: this.frame.depth + 1,
    }
    const declared = this.typeIn(target, target.item.result)
    const result = this.within(frame, () => {
      this.state.env = new Locals()
      // Parameters are bound in the callee's own scope, so that `Self` and imports mean what they mean there.
      this.bindParameters(target, (_, type, index) => {
        const given = args[index]
        if (given === undefined) return this.opaque([], type)
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
    return declared.kind === "unknown" || (isVague(declared) && result.type.kind !== "unknown")
      ? result
      : { ...result, type: betterType(declared, result.type) }
  }

  /** Runs a closure on values; its returns are its own. */
  runClosure(closure: Closure, args: ReadonlyArray<Value>): Value {
    const frame: Frame = {
      function: this.frame.function,
      parent: this.frame,
      call: undefined,
      exits: [],
      depth: this.frame.depth + 1,
    }
    if (frame.depth > maxDepth + 8) return this.opaque(args.map((one) => one.term))
    return this.within(frame, () => {
      this.state.env = this.state.env.fork()
      for (const [index, { pattern, type }] of closure.parameters.entries()) {
        const given = args[index] ?? this.opaque([])
        bindPattern(
          this,
          pattern,
          type === undefined || given.type.kind !== "unknown" ? given : { ...given, type: this.type(type) },
        )
      }
      this.returnValue(closure.body)
    })
  }

  private within(frame: Frame, run: () => void): Value {
    const outer = {
      frame: this.frame,
      scope: this.scope,
      returns: this.returns,
      env: this.state.env,
      loops: this.loops,
    }
    const before = this.state.facts
    const scope: Scope = { parent: outer.scope, frame, endOrder: 0, loop: false }
    this.frame = frame
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
    if (first === undefined) return { ...this.opaque([]), failure: true }
    const learned = this.common(
      returns.map((one) => one.facts),
      before,
    )
    const type = returns.find((one) => one.value.type.kind !== "unknown")?.value.type ?? unknownType
    const fallible = frame.call === undefined || hasOutcome(frame.function)
    if (!fallible) this.learn(learned)
    const term = this.terms.choice(returns.map((one) => one.value.term))
    this.learnOfNone(term, returns, before)
    if (returns.length > 1 && returns.some((one) => one.value.term.kind === "literal")) {
      // A predicate with several returns: what holds when it says true, and when it says false.
      const side = (excluded: string): ReadonlyArray<Term> => {
        const kept = returns.filter(({ value }) => value.term.kind !== "literal" || value.term.value !== excluded)
        return this.common(
          kept.map((one) =>
            unionOf(
              one.facts,
              one.value.term.kind === "literal" ? [] : this.consequences(one.value.term, excluded === "false"),
            ),
          ),
          before,
        )
      }
      const result = this.terms.opaque([term])
      this.implied.set(result, { whenTrue: side("false"), whenFalse: side("true") })
      return { term: result, type, onSuccess: learned }
    }
    return { term, type, onSuccess: learned }
  }

  /** `Ok(None)` at some ends of a function: that there is something says that it was one of the others. */
  private learnOfNone(
    term: Term,
    ends: ReadonlyArray<{ readonly value: Value; readonly facts: Facts }>,
    before: Facts,
  ): void {
    const isNone = ({ value }: { readonly value: Value }): boolean =>
      value.term.kind === "constant" && value.term.path === "None"
    const some = ends.filter((one) => !isNone(one))
    if (some.length === 0 || some.length === ends.length) return
    const found = this.terms.is(term, "Some")
    const facts = this.common(
      some.map((one) => one.facts),
      before,
    )
    this.implied.set(found, { whenTrue: facts, whenFalse: [] })
  }

  /** What holds at all ends of a function, and that one of what tells them apart does: `owner || operator`. */
  private common(ends: ReadonlyArray<Facts>, before: Facts): ReadonlyArray<Term> {
    const [first, ...rest] = ends
    if (first === undefined) return []
    const all = rest.reduce(intersectionOf, first)
    const learned = [...all].filter((one) => !before.has(one))
    if (ends.length < 2 || ends.length > maxEnds) return learned
    const excluded = new Set<Term>()
    let either: Term | undefined
    for (const end of ends) {
      // That an earlier end was passed by says less than what this one asked for.
      const own = [...end].filter((one) => !all.has(one) && !excluded.has(one))
      if (own.length === 0 || own.length > maxEnds) return learned
      for (const one of own) excluded.add(this.terms.not(one))
      const both = own.reduce((left, right) => this.terms.binary("&&", left, right))
      either = either === undefined ? both : this.terms.binary("||", either, both)
    }
    return either === undefined ? learned : [...learned, either]
  }

  elementOf(list: Value): Value {
    const { term } = list
    const { terms } = this
    if (term.kind === "call" && term.path === "") {
      const [first, second] = term.args
      if (term.name === "mapped" && first !== undefined) return { term: first, type: elementType(list.type) }
      if (term.name === "enumerate" && first !== undefined) {
        const inner = this.elementOf({ term: first, type: list.type })
        return {
          term: terms.list([terms.opaque([]), inner.term], true),
          type: { kind: "tuple", elements: [{ kind: "named", name: "usize", path: "usize", args: [] }, inner.type] },
        }
      }
      if (term.name === "zip" && first !== undefined && second !== undefined) {
        const inner = this.elementOf({ term: first, type: list.type })
        return {
          term: terms.list([inner.term, terms.element(second)], true),
          type: { kind: "tuple", elements: [inner.type, unknownType] },
        }
      }
      if (
        /^(rev|skip|take|filter|step_by|chain|skip_while|take_while|windows|chunks|chunks_exact|drain|keys|values|peekable|fuse)$/.test(
          term.name,
        ) &&
        first !== undefined
      )
        return this.elementOf({ term: first, type: list.type })
    }
    return { term: terms.element(term), type: elementType(successType(list.type)) }
  }
}

const furthest = (all: ReadonlyArray<ReadonlyMap<Term, number>>): ReadonlyMap<Term, number> => {
  const [first, ...rest] = all
  if (first !== undefined && rest.every((one) => one === first)) return first
  const found = new Map(first)
  for (const counters of rest)
    for (const [list, count] of counters) found.set(list, Math.max(count, found.get(list) ?? 0))
  return found
}

const fails = ({ state, value }: Branch): boolean =>
  state.dead === "failure" || (state.dead === false && value.failure === true)

const hasOutcome = (target: FunctionDefinition): boolean => {
  const result = target.item.result
  if (result?.kind !== "path") return false
  const name = result.path.segments.at(-1)?.name ?? ""
  return name === "Option" || name.endsWith("Result")
}

const sets = ["BTreeSet", "HashSet"]

const isVague = (type: RustType): boolean =>
  type.kind === "unknown" ||
  (type.kind === "named" &&
    (type.name === "_" || (type.args.length > 0 && type.args.every((one) => one.kind === "unknown"))))

const isWrapper = (type: RustType): boolean => type.kind === "named" && type.args.length > 0

const betterType = (declared: RustType, found: RustType): RustType =>
  declared.kind === "named" &&
  declared.definition === undefined &&
  /^[A-Z]\w?$/.test(declared.name) &&
  found.kind !== "unknown"
    ? found
    : declared

/** `_ = call();` drops the result as `let _ = call();` does. */
/** `let _ = …`, `let _result = …`: Rust asks for the underscore where a value is never looked at. */
const isUnused = (pattern: Pattern): boolean =>
  pattern.kind === "wildcard" || (pattern.kind === "binding" && pattern.name.startsWith("_"))

const isUnderscore = (node: Expression): boolean =>
  node.kind === "path" && node.path.segments.length === 1 && node.path.segments[0]!.name === "_"

const stripReferences = (node: Expression): Expression => {
  let one = node
  while (one.kind === "reference") one = one.operand
  return one
}

const mentionsDirectly = (fact: Term, element: Term, depth: number): boolean => {
  if (fact === element) return true
  if (depth > 8) return false
  switch (fact.kind) {
    case "binary":
      return mentionsDirectly(fact.left, element, depth + 1) || mentionsDirectly(fact.right, element, depth + 1)
    case "not":
      return mentionsDirectly(fact.operand, element, depth + 1)
    case "field":
    case "payload":
    case "element":
      return mentionsDirectly(fact.base, element, depth + 1)
    case "is":
      return mentionsDirectly(fact.value, element, depth + 1)
    case "succeeded":
      return mentionsDirectly(fact.call, element, depth + 1)
    case "call":
      return fact.args.some((one) => mentionsDirectly(one, element, depth + 1))
    default:
      return false
  }
}
