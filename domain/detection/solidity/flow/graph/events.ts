import type { Call, CallKind, FunctionModel } from "../../model.ts"
import type * as S from "../../syntax.ts"
import type { Expr, FlowNode } from "./graph.ts"
import type { StoragePlace } from "./storagePlace.ts"

/** A call where it runs: a Solidity call, or one of the opcodes that call, create, destroy or log. */
export interface CallSite {
  readonly kind: "call"
  readonly callKind: CallKind
  /** The name of the function, member or opcode (`selfdestruct`, `push`, `transfer`, `log1`). */
  readonly name: string
  readonly node: S.FunctionCall | S.YulFunctionCall
  /** Absent for opcodes. */
  readonly call?: Call
  /** The address or contract called. */
  readonly receiver?: Expr
  /** In the order of the target's parameters. For an opcode: its arguments. */
  readonly args: ReadonlyArray<Expr>
  readonly value?: Expr
  readonly gas?: Expr
  /** The function that runs, with `virtual` resolved; for external calls, the declared one. */
  readonly target?: FunctionModel
  /** A statement of its own, so that its result is dropped. */
  readonly resultIgnored: boolean
  /** Cannot change state: staticcall, and functions that are view or pure (enforced since 0.5). */
  readonly isStatic: boolean
  readonly at: FlowNode
  /** The position among the events of the flow's nodes: later in the same node is larger. */
  readonly order: number
}

export interface StorageAccess {
  readonly kind: "read" | "write"
  readonly place: StoragePlace
  readonly expression: Expr
  /** The written value; absent for delete, pop, `++`. */
  readonly value?: Expr
  readonly operation: "read" | "assign" | "compound" | "increment" | "delete" | "push" | "pop" | "sstore"
  readonly at: FlowNode
  readonly order: number
}

export type Event = CallSite | StorageAccess

/** A local that stands for an entry, `Order storage order = orders[id]`, reads nothing of it. */
export const isPointer = ({ at: { node } }: StorageAccess): boolean =>
  node?.kind === "VariableDeclarationStatement" && node.declarations[0]?.location === "storage"
