import type { SourceFile, Span } from "../../SourceFile.ts"
import { oncePer, oncePerPair } from "../../oncePer.ts"
import type { FunctionDefinition } from "../crate/crate.ts"
import { type Facts, factsNotMet, intersectionOf, joined } from "./facts.ts"
import type { Locals } from "./locals.ts"
import type { Closure } from "../syntax/syntax.ts"
import type { Term } from "./terms.ts"
import type { RustType } from "../crate/types.ts"

/** What an expression evaluates to. */
export interface Value {
  readonly term: Term
  readonly type: RustType
  /** What holds once this result is known not to be an error: `?`, `unwrap`, `if let Ok`. */
  readonly onSuccess?: ReadonlyArray<Term>
  /** Evaluating it does not return: `return`, `panic!`. */
  readonly never?: boolean
  /** Whether it is an error on every path, or on none. */
  readonly failure?: boolean
  /** The call that yielded it, to tell whether its result is used. */
  readonly event?: CallEvent
  /** The call whose boolean or account this is, after `?` has propagated its error. */
  readonly answer?: CallEvent
  /** A closure that has not been run yet. */
  readonly closure?: BoundClosure
  /** A function of the project, passed as a value. */
  readonly callee?: FunctionDefinition
}

/** A closure with the meanings of its names where it is written, since it may run in another function. */
export interface BoundClosure {
  readonly node: Closure
  readonly frame: Frame
  readonly env: Locals
}

/**
 * A conditional part of a function, or a function that was called; its end and its returns are known when it is left.
 */
export interface WalkScope {
  readonly parent: WalkScope | undefined
  readonly frame: Frame
  /** The facts at its normal end; absent if it always returns or fails. */
  end?: Facts
  /** The order of the first event in it, and of the first one behind it. */
  readonly startOrder: number
  endOrder: number
  /** The match arm or branch that it is, for dispatch: `ExecuteMsg::Transfer`. */
  readonly arm?: { readonly value: Term; readonly variant: string; readonly node: Span }
  /** In a loop's body. */
  readonly loop: boolean
}

/** Where an event happens as seen from an outer frame: the event itself, or the call that leads to it. */
export const siteIn = (
  event: EventBase,
  outer: Frame,
): { readonly file: SourceFile; readonly span: Span; readonly scope: string } => {
  let site: (Span & { readonly file: SourceFile }) | undefined
  for (let frame: Frame | undefined = event.scope.frame; frame !== undefined; frame = frame.parent) {
    if (frame === outer && site !== undefined)
      return { file: site.file, span: { start: site.start, end: site.end }, scope: frame.function.qualifiedName }
    site = frame.call
  }
  return { file: event.file, span: event.node, scope: event.function.qualifiedName }
}

/** Where an event is brought about that another one is not: in a function of its own, or by a call of a shared one. */
export const siteUnlike = (event: EventBase, other: EventBase): ReturnType<typeof siteIn> => {
  const shared = new Set<FunctionDefinition>()
  for (let one: Frame | undefined = other.scope.frame; one !== undefined; one = one.parent) shared.add(one.function)
  let frame = event.scope.frame
  while (shared.has(frame.function) && frame.parent !== undefined) frame = frame.parent
  return siteIn(event, frame)
}

/** One call of a function along the walk. */
export interface Frame {
  readonly function: FunctionDefinition
  readonly parent: Frame | undefined
  /** The types of what a generic function was called with. */
  readonly given?: ReadonlyArray<RustType>
  /** The call that led here. */
  readonly call: (Span & { readonly file: SourceFile }) | undefined
  /** Returns that are not errors. */
  readonly exits: Array<{ readonly order: number; readonly scope: WalkScope; readonly facts: Facts }>
  readonly depth: number
}

interface EventBase {
  /** The position along the walk. */
  readonly order: number
  readonly node: Span
  readonly file: SourceFile
  readonly function: FunctionDefinition
  readonly scope: WalkScope
  /** What holds on every path that reaches this point. */
  readonly facts: Facts
}

export interface CallEvent extends EventBase {
  readonly kind: "call"
  /** The last segment or method name; macros end in `!`. */
  readonly name: string
  /** Where the function comes from, as far as imports tell; empty for methods. */
  readonly path: string
  readonly method: boolean
  /** For methods, starting with the receiver. */
  readonly args: ReadonlyArray<Value>
  readonly target: FunctionDefinition | undefined
  result: Value
  /** Whether the statement drops the result: `call();` or `let _ = call();`. */
  dropped?: "ignored" | "discarded"
  /** `call()?`, `call().unwrap()`, returned, or examined. */
  handled?: boolean
  /** Whether the code asks if it failed, by `match`, `if let` or `is_err()`, which need not end the path. */
  examined?: boolean
}

/** Records that a path checks whether the call failed. */
export const examined = (event: CallEvent): void => {
  event.handled = true
  event.examined = true
}

export interface AssignEvent extends EventBase {
  readonly kind: "assign"
  /** The written place. */
  readonly target: Value
  readonly value: Value
  /** `=`, or the operator before it. */
  readonly operator: string
}

export interface OperationEvent extends EventBase {
  readonly kind: "operation"
  /**
   * An arithmetic or shift operator, or `&`; `as` for casts, `[]` for indexing, `-` with `right` absent for negation.
   */
  readonly operator: string
  readonly left: Value
  readonly right: Value | undefined
  readonly type: RustType
}

export interface StructEvent extends EventBase {
  readonly kind: "struct"
  readonly value: Value
}

/** A condition that must hold for the code to continue: the other branch fails. */
export interface CheckEvent extends EventBase {
  readonly kind: "check"
  readonly conditions: ReadonlyArray<Term>
}

export interface ExitEvent extends EventBase {
  readonly kind: "exit"
  readonly value: Value
  readonly success: boolean
}

/** A read that a platform's model names: of an account's state, lamports or data, or of contract storage. */
export interface ReadEvent extends EventBase {
  readonly kind: "read"
  readonly value: Value
}

export type { Facts }

export type Event = CallEvent | AssignEvent | OperationEvent | StructEvent | CheckEvent | ExitEvent | ReadEvent

type EventsByKind = { readonly [Kind in Event["kind"]]: ReadonlyArray<Extract<Event, { readonly kind: Kind }>> }

const byKind = oncePer((events: ReadonlyArray<Event>): EventsByKind => {
  const found: { [Kind in Event["kind"]]: Array<Event> } = {
    call: [],
    assign: [],
    operation: [],
    struct: [],
    check: [],
    exit: [],
    read: [],
  }
  for (const event of events) found[event.kind].push(event)
  // Each list has received the events of its kind.
  return found as EventsByKind
})

/**
 * The events of one kind, in order. Of the 290,000 events of a large program, two thirds are calls and 5 % are
 * checks: what asks for few of them does not go through all.
 */
export const ofKind = <Kind extends Event["kind"]>(events: ReadonlyArray<Event>, kind: Kind): EventsByKind[Kind] =>
  byKind(events)[kind]

const positionsByName = oncePer((events: ReadonlyArray<Event>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>()
  for (const [at, { name }] of ofKind(events, "call").entries()) {
    const known = found.get(name)
    if (known === undefined) found.set(name, [at])
    else known.push(at)
  }
  return found
})

/** The calls whose name matches, in order: thousands of calls share some dozens of names, and each is looked at once. */
export const callsNamed = (events: ReadonlyArray<Event>, names: Pick<RegExp, "test">): ReadonlyArray<CallEvent> => {
  const found = [...positionsByName(events)].flatMap(([name, positions]) => (names.test(name) ? [positions] : []))
  const calls = ofKind(events, "call")
  return (found.length > 1 ? found.flat().toSorted((a, b) => a - b) : found.flat()).map((at) => calls[at]!)
}

/** Every value passed to a call among some events, each once: a large instruction passes 2,000 of them 60 times each. */
export const passedAt = oncePer((events: ReadonlyArray<Event>): ReadonlySet<Term> => {
  const found = new Set<Term>()
  for (const { args } of ofKind(events, "call")) for (const { term } of args) found.add(term)
  return found
})

/** Every fact known at one of some events: it is found once, since consecutive events share most of theirs. */
export const knownAt = oncePer((events: ReadonlyArray<Event>): ReadonlySet<Term> => {
  const met = new Set<Facts>()
  const found = new Set<Term>()
  let last: Facts | undefined
  for (const { facts } of events) {
    if (facts === last) continue
    for (const fact of factsNotMet(facts, met)) found.add(fact)
    last = facts
  }
  return found
})

/** Undefined stands for "no path": the neutral element of intersection. */
const meet = (a: Facts | undefined, b: Facts | undefined): Facts | undefined =>
  a === undefined ? b : b === undefined ? a : intersectionOf(a, b)

const none: Facts = new Set()

type Exit = Frame["exits"][number]

/** The first exit after a point; exits are in order. */
const firstAfter = (exits: ReadonlyArray<Exit>, order: number): number => {
  let [low, high] = [0, exits.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (exits[middle]!.order < order) low = middle + 1
    else high = middle
  }
  return low
}

/** By scope: what holds at its exits from one of them on, and what a successful path knows from there. */
interface Ahead {
  readonly exits: Map<number, Facts | undefined>
  readonly all: Map<number, Facts | undefined>
}
const aheadOf = oncePer<WalkScope, Ahead>(() => ({ exits: new Map(), all: new Map() }))

const exitFacts = (known: Ahead["exits"], exits: ReadonlyArray<Exit>, from: number, to: number): Facts | undefined => {
  let at = from
  while (at < to && !known.has(at)) at++
  let found = at < to ? known.get(at) : undefined
  for (let index = at - 1; index >= from; index--) known.set(index, (found = meet(exits[index]!.facts, found)))
  return found
}

/** What holds if the transaction succeeds, on all paths from a point on: later checks protect as earlier ones do. */
const after = (scope: WalkScope | undefined, order: number): Facts | undefined => {
  if (scope === undefined) return none
  const ahead = aheadOf(scope)
  const { exits } = scope.frame
  const from = firstAfter(exits, Math.max(order, scope.startOrder))
  if (ahead.all.has(from)) return ahead.all.get(from)
  const frame = frameScope(scope)
  const outside = after(frame.parent, frame.endOrder)
  let found: Facts | undefined
  if (outside !== undefined) {
    const within = exitFacts(ahead.exits, exits, from, firstAfter(exits, scope.endOrder))
    if (within !== undefined) found = joined(within, outside)
    if (scope !== frame && scope.end !== undefined) {
      const rest = after(scope.parent, scope.endOrder)
      if (rest !== undefined) found = meet(found, joined(scope.end, rest))
    }
  }
  ahead.all.set(from, found)
  return found
}

/** Whether a scope is another, or inside of it. */
export const isWithin = (inner: WalkScope, outer: WalkScope): boolean => {
  for (let one: WalkScope | undefined = inner; one !== undefined; one = one.parent) if (one === outer) return true
  return false
}

const frameScope = (scope: WalkScope): WalkScope => {
  let one = scope
  while (one.parent !== undefined && one.parent.frame === scope.frame) one = one.parent
  return one
}

/** What holds wherever a scope was entered and the transaction succeeds. */
export const successOf = (scope: WalkScope): Facts => after(scope, -1) ?? none

/**
 * What holds at the end has mostly grown from what held here: thousands of consecutive calls need one set, not one each.
 * Neighboring events share both.
 */
const withLater = oncePerPair(joined)

/**
 * What was checked on every successful path through an event, before or after it: a transaction that fails later leaves
 * no trace, so an owner check after the read protects as well as one before it.
 */
export const guaranteed = oncePer((event: Event): Facts =>
  withLater(event.facts, after(event.scope, event.order) ?? none),
)
