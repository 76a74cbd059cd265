import type { Span } from "../../domain/detection/SourceFile.ts"
import type {
  Attribute,
  Block,
  Expression,
  Item,
  Path,
  Pattern,
  SyntaxProblem,
  TypeNode,
} from "../../domain/detection/rust/syntax/syntax.ts"
import type { RawNode } from "./rustTree.ts"

/** Text that tree-sitter leaves as bare tokens and that is parsed again, wrapped in a function. */
export interface Reparse {
  readonly span: Span
  readonly as: "arguments" | "elements" | "arm" | "parameters"
  /**
   * Called with the node that contains the list (or the match arm), or with undefined if it does not have that form.
   */
  readonly done: (node: RawNode | undefined) => void
}

/** Shared by the parts of the lowering: the text, the errors, the text still to parse, and each other. */
export interface Lowering {
  readonly text: (node: Span) => string
  readonly span: (node: Span) => Span
  readonly problem: (node: Span, message: string) => void
  readonly problems: Array<SyntaxProblem>
  readonly reparse: (request: Reparse) => void
  readonly testModules: Array<string>
  readonly item: (node: RawNode, attributes: ReadonlyArray<Attribute>) => Item | undefined
  readonly attribute: (node: RawNode) => Attribute
  readonly expression: (node: RawNode | undefined) => Expression
  readonly block: (node: RawNode | undefined) => Block
  readonly pattern: (node: RawNode | undefined) => Pattern
  readonly type: (node: RawNode | undefined) => TypeNode
  readonly path: (node: RawNode) => Path
}
