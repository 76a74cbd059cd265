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

/** Text that tree-sitter leaves as bare tokens and that is parsed again inside a function of its own. */
export interface Reparse {
  readonly span: Span
  readonly as: "arguments" | "elements" | "arm" | "parameters"
  /** Called with the node that holds the list (or the match arm), or with undefined if it is not of that form. */
  readonly done: (node: RawNode | undefined) => void
}

/** What the parts of the lowering share: the text, what went wrong, what is still to parse, and each other. */
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
