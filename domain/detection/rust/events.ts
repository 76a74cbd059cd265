import type { SourceFile, Span } from "../Source.ts"
import type { FunctionDefinition } from "./crate.ts"
import { type Facts, intersectionOf, unionOf } from "./facts.ts"
import type { Closure } from "./syntax.ts"
import type { Term } from "./terms.ts"
import type { RustType } from "./types.ts"

/** What an expression evaluates to. */
export interface Value {
  readonly term: Term
  readonly type: RustType
  /** What holds once this result was found to be no error: `?`, `unwrap`, `if let Ok`. */
  readonly onSuccess?: ReadonlyArray<Term>
  /** Evaluating it does not return: `return`, `panic!`. */
  readonly never?: boolean
  /** It is an error or none, whatever the path. */
  readonly failure?: boolean
  /** The call that yielded it, to tell whether its result is used. */
  readonly event?: CallEvent
  /** A closure that was not run yet. */
  readonly closure?: Closure
  /** A function of the project, passed as a value. */
  readonly callee?: FunctionDefinition
}

/** A conditional part of a function, or a function that was called; its end and its returns are known when it is left. */
export interface Scope {
  readonly parent: Scope | undefined
  readonly frame: Frame
  /** Facts at its normal end, absent where it always returns or fails. */
  end?: Facts
  endOrder: number
  /** The match arm or branch that it is, for dispatch: `ExecuteMsg::Transfer`. */
  readonly arm?: { readonly value: Term; readonly variant: string; readonly node: Span }
  /** In a loop's body. */
  readonly loop: boolean
}

/** Where an event happens as seen from an outer frame: itself, or the call that leads to it. */
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

/** One call of a function along the walk. */
export interface Frame {
  readonly function: FunctionDefinition
  readonly parent: Frame | undefined
  /** The call that led here. */
  readonly call: (Span & { readonly file: SourceFile }) | undefined
  /** Returns that are no errors. */
  readonly exits: Array<{ readonly order: number; readonly scope: Scope; readonly facts: Facts }>
  readonly depth: number
}

interface EventBase {
  /** Position along the walk. */
  readonly order: number
  readonly node: Span
  readonly file: SourceFile
  readonly function: FunctionDefinition
  readonly scope: Scope
  /** What holds on every path that reaches this point. */
  readonly facts: Facts
}

export interface CallEvent extends EventBase {
  readonly kind: "call"
  /** Last segment or method name; macros end in `!`. */
  readonly name: string
  /** Where the function comes from as far as imports tell; empty for methods. */
  readonly path: string
  readonly method: boolean
  /** With the receiver first for methods. */
  readonly args: ReadonlyArray<Value>
  readonly target: FunctionDefinition | undefined
  result: Value
  /** Set where the statement drops the result: `call();` or `let _ = call();`. */
  dropped?: "ignored" | "discarded"
  /** `call()?`, `call().unwrap()`, returned, or examined. */
  handled?: boolean
  /** Whether it failed is asked for, by `match`, `if let` or `is_err()`, which need not end the path. */
  examined?: boolean
}

/** Notes that a path looks at whether the call failed. */
export const examined = (event: CallEvent): void => {
  event.handled = true
  event.examined = true
}

export interface AssignEvent extends EventBase {
  readonly kind: "assign"
  /** The place written. */
  readonly target: Value
  readonly value: Value
  /** `=` or the operator before it. */
  readonly operator: string
}

export interface OperationEvent extends EventBase {
  readonly kind: "operation"
  /** An arithmetic or shift operator, or `&`; `as` for casts, `[]` for indexing, `-` with `right` absent for negation. */
  readonly operator: string
  readonly left: Value
  readonly right: Value | undefined
  readonly type: RustType
}

export interface StructEvent extends EventBase {
  readonly kind: "struct"
  readonly value: Value
}

/** A condition that must hold to go on: the other branch fails. */
export interface CheckEvent extends EventBase {
  readonly kind: "check"
  readonly conditions: ReadonlyArray<Term>
}

export interface ExitEvent extends EventBase {
  readonly kind: "exit"
  readonly value: Value
  readonly success: boolean
}

/** A read that a platform's model names: of an account's state, lamports or data, of contract storage. */
export interface ReadEvent extends EventBase {
  readonly kind: "read"
  readonly value: Value
}

export type { Facts }

export type Event = CallEvent | AssignEvent | OperationEvent | StructEvent | CheckEvent | ExitEvent | ReadEvent

/** Undefined stands for "no path": the neutral element of intersection. */
const meet = (a: Facts | undefined, b: Facts | undefined): Facts | undefined =>
  a === undefined ? b : b === undefined ? a : intersectionOf(a, b)

const isWithin = (scope: Scope, outer: Scope): boolean => {
  for (let one: Scope | undefined = scope; one !== undefined; one = one.parent) if (one === outer) return true
  return false
}

const none: Facts = new Set()

/** What holds when the transaction succeeds, on all paths from a point on: later checks protect as earlier ones do. */
const after = (scope: Scope | undefined, order: number): Facts | undefined => {
  if (scope === undefined) return none
  const frame = frameScope(scope)
  const outside = after(frame.parent, frame.endOrder)
  if (outside === undefined) return undefined
  let found: Facts | undefined
  for (const exit of scope.frame.exits)
    if (exit.order >= order && isWithin(exit.scope, scope)) found = meet(found, unionOf(exit.facts, outside))
  if (scope !== frame && scope.end !== undefined) {
    const rest = after(scope.parent, scope.endOrder)
    if (rest !== undefined) found = meet(found, unionOf(scope.end, rest))
  }
  return found
}

const frameScope = (scope: Scope): Scope => {
  let one = scope
  while (one.parent !== undefined && one.parent.frame === scope.frame) one = one.parent
  return one
}

/** What holds wherever a scope was entered and the transaction succeeds. */
export const successOf = (scope: Scope): Facts => after(scope, -1) ?? none

const guarantees = new WeakMap<Event, Facts>()

/**
 * What was checked on every successful path through an event, before or after it: a transaction that fails later
 * leaves no trace, so an owner check behind the read protects as one before it.
 */
export const guaranteed = (event: Event): Facts => {
  const known = guarantees.get(event)
  if (known !== undefined) return known
  const found = unionOf(event.facts, after(event.scope, event.order) ?? none)
  guarantees.set(event, found)
  return found
}
