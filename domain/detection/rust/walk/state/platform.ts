import type { Span } from "../../../SourceFile.ts"
import type { FunctionDefinition } from "../../crate/crate.ts"
import type { Value, WalkScope } from "../../terms/events.ts"
import type { Expression, TypeNode } from "../../syntax/syntax.ts"
import type { RustType } from "../../crate/types.ts"
import type { Walk } from "./walk.ts"

/** A call about to be made, as models of a platform see it. */
export interface CallSite {
  readonly name: string
  readonly path: string
  readonly method: boolean
  /** For methods, the receiver comes first. */
  readonly args: ReadonlyArray<Value>
  readonly nodes: ReadonlyArray<Expression>
  readonly generics: ReadonlyArray<TypeNode>
  /** `T` of `T::f(…)`. */
  readonly selfType: RustType | undefined
  readonly target: FunctionDefinition | undefined
  readonly node: Span
}

/** What a platform knows about calls and fields beyond the text. */
export interface Semantics {
  readonly call?: (site: CallSite, walk: Walk) => Value | undefined
  readonly field?: (base: Value, name: string, walk: Walk) => Value | undefined
  /** What a pattern for a variant of another crate's enum binds. */
  readonly payload?: (base: Value, variant: string, name: string, walk: Walk) => Value | undefined
  /** Runs before the body, with the parameters bound: what a framework checks first. */
  readonly prepare?: (walk: Walk) => void
  /** Called when a local gets its first name: accounts without declared names are named here. */
  readonly bound?: (name: string, value: Value, node: Span, walk: Walk) => void
  /** An argument of a followed function whose parameter type turns it into something else. */
  readonly passed?: (given: Value, type: RustType, walk: Walk) => Value | undefined
  /** Runs before the body of each function that is followed, as `prepare` does for the first. */
  readonly entered?: (walk: Walk, target: FunctionDefinition) => void
  /** Parts that are assumed not to run: other walks begin there. */
  readonly skips?: ReadonlySet<Expression>
  /** Whether the arms of a match on a message are separate entry points. */
  readonly dispatches?: boolean
  /** Runs before the body of each of these arms: what a framework checks for some messages. */
  readonly dispatched?: (walk: Walk, arm: NonNullable<WalkScope["arm"]>) => void
  /** `bytes.as_ptr() as *const State`: a platform's interpretation of a value under another type. */
  readonly cast?: (value: Value, type: RustType, node: Span, walk: Walk) => Value | undefined
}
