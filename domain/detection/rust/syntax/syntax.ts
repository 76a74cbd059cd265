import type { SourceFile, Span } from "../../SourceFile.ts"

/**
 * Our own typed tree of Rust, as far as detection needs it: lifetimes, bounds and where clauses are left out,
 * parentheses are gone, and macro arguments are expressions. Nodes are distinguished by `kind`.
 */
export interface RustFile {
  readonly file: SourceFile
  readonly items: ReadonlyArray<Item>
  /** `#![…]` at the top of the file. */
  readonly attributes: ReadonlyArray<Attribute>
  /** Names of `#[cfg(test)] mod name;` declarations, whose files are not part of the program. */
  readonly testModules: ReadonlyArray<string>
  /** Whether parts of it are for some builds only: `#[cfg(…)]`, `cfg!(…)`, `#[cfg_attr(…)]`. */
  readonly conditional: boolean
  /** The conditions about features, as written, whose code is not in the deployed build and was removed from `items`. */
  readonly leftOut?: ReadonlySet<string>
  /** What the parser could not understand, in source order; empty for a file that compiles. */
  readonly problems: ReadonlyArray<SyntaxProblem>
}

export interface SyntaxProblem extends Span {
  readonly message: string
}

/** The message for text that is correct but nested more deeply than the parser follows. */
export const nestedTooDeeply = "nested too deeply"

/** The whole file is left out: a function of tens of thousands of statements, or text that is not Rust. */
export const parsedTooLong = "takes the parser too long"

// ── Attributes ──────────────────────────────────────────────────────────────────────────────────────────────────

/** `#[account(mut, has_one = maker @ E::Bad)]` is the path `account` with two arguments. */
export interface Attribute extends Span {
  readonly name: string
  readonly path: ReadonlyArray<string>
  readonly args: ReadonlyArray<AttributeArg>
  /** `#[path = "x.rs"]`, `#[doc = "…"]`. */
  readonly value?: Expression
}

/**
 * One argument. `token::mint = m @ E::X` has the path `token::mint`, the value `m` and the error `E::X`;
 * `cfg(not(test))` nests arguments; `a: u64` (in `#[instruction(…)]`) has a type; a lone expression has only a value.
 */
export interface AttributeArg extends Span {
  readonly name: string
  readonly value?: Expression
  readonly error?: Expression
  readonly type?: TypeNode
  readonly args: ReadonlyArray<AttributeArg>
}

// ── Items ───────────────────────────────────────────────────────────────────────────────────────────────────────

interface ItemBase extends Span {
  readonly name: string
  readonly nameSpan: Span
  readonly attributes: ReadonlyArray<Attribute>
  readonly visibility: "private" | "public" | "restricted"
}

export interface ModuleItem extends ItemBase {
  readonly kind: "module"
  /** Absent for `mod name;`, whose text is in another file. */
  readonly items?: ReadonlyArray<Item>
}

/** One imported name of a `use` declaration; lists are flattened. `self` in a list becomes its parent's path. */
export interface UseImport extends Span {
  readonly path: ReadonlyArray<string>
  /** The name in scope: `_` for an anonymous import, `*` for a glob. */
  readonly alias: string
}

export interface UseItem extends ItemBase {
  readonly kind: "use"
  readonly imports: ReadonlyArray<UseImport>
}

export interface Field extends Span {
  /** In a tuple struct, the position as a decimal number. */
  readonly name: string
  readonly nameSpan: Span
  readonly type: TypeNode
  readonly attributes: ReadonlyArray<Attribute>
  readonly visibility: ItemBase["visibility"]
}

export interface StructItem extends ItemBase {
  readonly kind: "struct"
  readonly generics: ReadonlyArray<string>
  readonly fields: ReadonlyArray<Field>
  readonly tuple: boolean
}

export interface Variant extends Span {
  readonly name: string
  readonly attributes: ReadonlyArray<Attribute>
  readonly fields: ReadonlyArray<Field>
  readonly tuple: boolean
  readonly discriminant?: Expression
}

export interface EnumItem extends ItemBase {
  readonly kind: "enum"
  readonly generics: ReadonlyArray<string>
  readonly variants: ReadonlyArray<Variant>
}

export interface ImplItem extends ItemBase {
  readonly kind: "impl"
  readonly generics: ReadonlyArray<string>
  readonly trait?: Path
  readonly selfType: TypeNode
  readonly items: ReadonlyArray<Item>
}

export interface TraitItem extends ItemBase {
  readonly kind: "trait"
  readonly generics: ReadonlyArray<string>
  readonly items: ReadonlyArray<Item>
}

export interface Parameter extends Span {
  readonly pattern: Pattern
  readonly type: TypeNode
  readonly attributes: ReadonlyArray<Attribute>
}

export interface FunctionItem extends ItemBase {
  readonly kind: "function"
  readonly generics: ReadonlyArray<string>
  /** How `self` is taken; absent for associated and free functions. */
  readonly self?: "value" | "reference" | "mutable"
  /** Without `self`. */
  readonly parameters: ReadonlyArray<Parameter>
  readonly result?: TypeNode
  /** Absent for signatures in traits and `extern` blocks. */
  readonly body?: Block
  readonly unsafe: boolean
  readonly async: boolean
}

export interface ConstItem extends ItemBase {
  readonly kind: "const"
  readonly static: boolean
  readonly type: TypeNode
  readonly value?: Expression
}

export interface TypeItem extends ItemBase {
  readonly kind: "type"
  readonly generics: ReadonlyArray<string>
  readonly type?: TypeNode
}

/** A macro call in place of an item: `declare_id!("…")`, `entrypoint!(process)`. */
export interface MacroItem extends ItemBase {
  readonly kind: "macro"
  readonly call: MacroCall
}

export interface MacroDefinition extends ItemBase {
  readonly kind: "macroDefinition"
}

export interface ExternCrateItem extends ItemBase {
  readonly kind: "externCrate"
  readonly alias?: string
}

export type Item =
  | ModuleItem
  | UseItem
  | StructItem
  | EnumItem
  | ImplItem
  | TraitItem
  | FunctionItem
  | ConstItem
  | TypeItem
  | MacroItem
  | MacroDefinition
  | ExternCrateItem

// ── Paths and types ─────────────────────────────────────────────────────────────────────────────────────────────

export interface PathSegment extends Span {
  readonly name: string
  readonly generics: ReadonlyArray<TypeNode>
}

/** `a::b::<T>::c`; `<T as Trait>::f` has the self type `T` and the segments `Trait::f`. */
export interface Path extends Span {
  readonly segments: ReadonlyArray<PathSegment>
  readonly selfType?: TypeNode
}

export type TypeNode =
  | (Span & { readonly kind: "path"; readonly path: Path })
  | (Span & { readonly kind: "reference"; readonly mutable: boolean; readonly type: TypeNode })
  | (Span & { readonly kind: "pointer"; readonly mutable: boolean; readonly type: TypeNode })
  | (Span & { readonly kind: "array"; readonly element: TypeNode; readonly length?: Expression })
  | (Span & { readonly kind: "slice"; readonly element: TypeNode })
  | (Span & { readonly kind: "tuple"; readonly elements: ReadonlyArray<TypeNode> })
  | (Span & { readonly kind: "function"; readonly parameters: ReadonlyArray<TypeNode>; readonly result?: TypeNode })
  /** `impl A + B` and `dyn A + B`. */
  | (Span & { readonly kind: "bounds"; readonly bounds: ReadonlyArray<TypeNode> })
  | (Span & { readonly kind: "never" })
  | (Span & { readonly kind: "infer" })
  | (Span & { readonly kind: "unknown" })

// ── Patterns ────────────────────────────────────────────────────────────────────────────────────────────────────

export interface FieldPattern extends Span {
  readonly name: string
  readonly pattern: Pattern
}

export type Pattern =
  /** Also a unit variant or constant imported by its bare name: the scope decides. */
  | (Span & {
      readonly kind: "binding"
      readonly name: string
      readonly mutable: boolean
      readonly reference: boolean
      readonly pattern?: Pattern
    })
  | (Span & { readonly kind: "wildcard" })
  | (Span & { readonly kind: "rest" })
  | (Span & { readonly kind: "literal"; readonly value: Expression })
  | (Span & {
      readonly kind: "range"
      readonly from?: Expression
      readonly to?: Expression
      readonly inclusive: boolean
    })
  | (Span & { readonly kind: "path"; readonly path: Path })
  | (Span & { readonly kind: "tuple"; readonly elements: ReadonlyArray<Pattern> })
  | (Span & { readonly kind: "tupleStruct"; readonly path: Path; readonly elements: ReadonlyArray<Pattern> })
  | (Span & {
      readonly kind: "struct"
      readonly path: Path
      readonly fields: ReadonlyArray<FieldPattern>
      readonly rest: boolean
    })
  | (Span & { readonly kind: "reference"; readonly pattern: Pattern })
  | (Span & { readonly kind: "or"; readonly alternatives: ReadonlyArray<Pattern> })
  | (Span & { readonly kind: "slice"; readonly elements: ReadonlyArray<Pattern> })
  | (Span & { readonly kind: "unknown" })

// ── Statements and expressions ──────────────────────────────────────────────────────────────────────────────────

export interface LetStatement extends Span {
  readonly kind: "let"
  readonly attributes?: ReadonlyArray<Attribute>
  readonly pattern: Pattern
  readonly type?: TypeNode
  readonly value?: Expression
  /** The block of `let … else`, which diverges. */
  readonly otherwise?: Block
}

export interface ExpressionStatement extends Span {
  readonly kind: "expression"
  readonly attributes?: ReadonlyArray<Attribute>
  readonly expression: Expression
  /** False for a block-like expression that ends the statement itself: `if a { … }`. */
  readonly semicolon: boolean
}

export interface ItemStatement extends Span {
  readonly kind: "item"
  readonly item: Item
}

export type Statement = LetStatement | ExpressionStatement | ItemStatement

export interface Block extends Span {
  readonly kind: "block"
  readonly statements: ReadonlyArray<Statement>
  /** The final expression without a semicolon: the block's value. */
  readonly tail?: Expression
  readonly label?: string
  readonly modifier?: "unsafe" | "async" | "const"
}

export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "&&"
  | "||"

export interface PathExpression extends Span {
  readonly kind: "path"
  readonly path: Path
}

export interface Literal extends Span {
  readonly kind: "literal"
  readonly type: "integer" | "float" | "string" | "bytes" | "char" | "byte" | "boolean"
  /** The source text without quotes, digit separators and suffix. */
  readonly value: string
  /** `u64` in `1u64`. */
  readonly suffix?: string
}

export interface Call extends Span {
  readonly kind: "call"
  readonly callee: Expression
  readonly args: ReadonlyArray<Expression>
}

export interface MethodCall extends Span {
  readonly kind: "methodCall"
  readonly receiver: Expression
  readonly method: string
  readonly methodSpan: Span
  readonly generics: ReadonlyArray<TypeNode>
  readonly args: ReadonlyArray<Expression>
}

/** A macro in expression position. `args` is empty if the tokens are not a list of expressions. */
export interface MacroCall extends Span {
  readonly kind: "macro"
  /** The last segment of the path, without the `!`. */
  readonly name: string
  readonly path: Path
  /** For `matches!`, the value only: its pattern and guard are in `pattern` and `guard`. */
  readonly args: ReadonlyArray<Expression>
  /** False if the tokens could not be read as expressions. */
  readonly parsed: boolean
  readonly delimiter: "(" | "[" | "{"
  /** What is between the delimiters. */
  readonly tokens: Span
  /** `vec![value; count]`: two arguments and this flag. */
  readonly repeat: boolean
  readonly pattern?: Pattern
  readonly guard?: Expression
}

export interface StructExpression extends Span {
  readonly kind: "struct"
  readonly path: Path
  readonly fields: ReadonlyArray<
    Span & { readonly name: string; readonly value: Expression; readonly shorthand: boolean }
  >
  readonly base?: Expression
}

export interface MatchArm extends Span {
  readonly attributes?: ReadonlyArray<Attribute>
  readonly pattern: Pattern
  readonly guard?: Expression
  readonly body: Expression
}

export interface Closure extends Span {
  readonly kind: "closure"
  readonly parameters: ReadonlyArray<{ readonly pattern: Pattern; readonly type?: TypeNode }>
  readonly body: Expression
}

export type Expression =
  | PathExpression
  | Literal
  | Call
  | MethodCall
  | MacroCall
  | StructExpression
  | Closure
  | Block
  | (Span & { readonly kind: "field"; readonly base: Expression; readonly name: string })
  | (Span & { readonly kind: "index"; readonly base: Expression; readonly index: Expression })
  | (Span & { readonly kind: "unary"; readonly operator: "!" | "-" | "*"; readonly operand: Expression })
  | (Span & { readonly kind: "reference"; readonly mutable: boolean; readonly operand: Expression })
  | (Span & {
      readonly kind: "binary"
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    })
  /** `operator` is what precedes the `=`, or `=` itself. */
  | (Span & {
      readonly kind: "assign"
      readonly operator: "=" | BinaryOperator
      readonly left: Expression
      readonly right: Expression
    })
  | (Span & { readonly kind: "cast"; readonly value: Expression; readonly type: TypeNode })
  | (Span & { readonly kind: "try"; readonly value: Expression })
  | (Span & { readonly kind: "await"; readonly value: Expression })
  | (Span & {
      readonly kind: "range"
      readonly from?: Expression
      readonly to?: Expression
      readonly inclusive: boolean
    })
  | (Span & { readonly kind: "tuple"; readonly elements: ReadonlyArray<Expression> })
  | (Span & { readonly kind: "array"; readonly elements: ReadonlyArray<Expression> })
  | (Span & { readonly kind: "repeat"; readonly value: Expression; readonly count: Expression })
  | (Span & {
      readonly kind: "if"
      readonly condition: Expression
      readonly then: Block
      readonly otherwise?: Expression
    })
  /** `let pattern = value` as a condition. */
  | (Span & { readonly kind: "let"; readonly pattern: Pattern; readonly value: Expression })
  | (Span & { readonly kind: "match"; readonly value: Expression; readonly arms: ReadonlyArray<MatchArm> })
  | (Span & { readonly kind: "while"; readonly condition: Expression; readonly body: Block; readonly label?: string })
  | (Span & { readonly kind: "loop"; readonly body: Block; readonly label?: string })
  | (Span & {
      readonly kind: "for"
      readonly pattern: Pattern
      readonly iterable: Expression
      readonly body: Block
      readonly label?: string
    })
  | (Span & { readonly kind: "return"; readonly value?: Expression })
  | (Span & { readonly kind: "break"; readonly label?: string; readonly value?: Expression })
  | (Span & { readonly kind: "continue"; readonly label?: string })
  | (Span & { readonly kind: "unknown" })
