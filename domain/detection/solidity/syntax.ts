import type { SourceFile, Span } from "../SourceFile.ts"

/**
 * The typed tree of a Solidity file, versions 0.4 to 0.8. Kinds are named as in solc's own AST. Parentheses have no
 * node of their own, except for tuples.
 */
export interface SourceUnit extends Span {
  readonly kind: "SourceUnit"
  readonly file: SourceFile
  readonly pragmas: ReadonlyArray<PragmaDirective>
  readonly imports: ReadonlyArray<ImportDirective>
  /** Everything at file level except pragmas and imports, in source order. */
  readonly items: ReadonlyArray<SourceItem>
  /** Ranges that could not be understood; the tree continues around them. */
  readonly errors: ReadonlyArray<Span>
  /** What a reader of the coverage must know, in words: nesting too deep, text lost. */
  readonly problems: ReadonlyArray<string>
}

export type SourceItem =
  | ContractDefinition
  | FunctionDefinition
  | StateVariableDeclaration
  | StructDefinition
  | EnumDefinition
  | EventDefinition
  | ErrorDefinition
  | TypeDefinition
  | UsingDirective

/** `pragma solidity ^0.8.0;` has the name `solidity` and the value `^0.8.0`. */
export interface PragmaDirective extends Span {
  readonly kind: "PragmaDirective"
  readonly name: string
  readonly value: string
}

export interface ImportDirective extends Span {
  readonly kind: "ImportDirective"
  /** The string between the quotes. */
  readonly path: string
  /** `import * as A from "x"` and `import "x" as A`. */
  readonly alias?: string
  /** `import {B, C as D} from "x"`; absent if everything is imported. */
  readonly symbols?: ReadonlyArray<{ readonly name: string; readonly alias?: string }>
}

export interface ContractDefinition extends Span {
  readonly kind: "ContractDefinition"
  readonly contractKind: "contract" | "interface" | "library"
  readonly abstract: boolean
  readonly name: string
  readonly nameSpan: Span
  readonly bases: ReadonlyArray<InheritanceSpecifier>
  /** `layout at <expression>`. */
  readonly layout?: Expression
  readonly members: ReadonlyArray<ContractMember>
}

export interface InheritanceSpecifier extends Span {
  readonly kind: "InheritanceSpecifier"
  readonly path: ReadonlyArray<string>
  /** Absent without parentheses. */
  readonly args?: ReadonlyArray<Expression>
}

export type ContractMember =
  | FunctionDefinition
  | ModifierDefinition
  | StateVariableDeclaration
  | StructDefinition
  | EnumDefinition
  | EventDefinition
  | ErrorDefinition
  | TypeDefinition
  | UsingDirective

export type Visibility = "public" | "external" | "internal" | "private" | "default"
/** `constant` is the 0.4 word for `view`. */
export type Mutability = "pure" | "view" | "constant" | "payable" | "nonpayable"

export interface FunctionDefinition extends Span {
  readonly kind: "FunctionDefinition"
  /**
   * By its keyword; a constructor named after its contract (before 0.5) is a `function` here, see `FunctionModel.role`.
   */
  readonly functionKind: "function" | "constructor" | "fallback" | "receive"
  /** Empty for constructors, fallback and receive. */
  readonly name: string
  readonly nameSpan: Span
  readonly visibility: Visibility
  readonly mutability: Mutability
  readonly virtual: boolean
  readonly override?: OverrideSpecifier
  /** Includes the base constructors that a constructor calls in its header. */
  readonly modifiers: ReadonlyArray<ModifierInvocation>
  readonly parameters: ReadonlyArray<VariableDeclaration>
  readonly returns: ReadonlyArray<VariableDeclaration>
  readonly body?: Block
}

export interface OverrideSpecifier extends Span {
  readonly kind: "OverrideSpecifier"
  readonly bases: ReadonlyArray<ReadonlyArray<string>>
}

export interface ModifierInvocation extends Span {
  readonly kind: "ModifierInvocation"
  readonly path: ReadonlyArray<string>
  readonly args?: ReadonlyArray<Expression>
}

export interface ModifierDefinition extends Span {
  readonly kind: "ModifierDefinition"
  readonly name: string
  readonly nameSpan: Span
  readonly virtual: boolean
  readonly override?: OverrideSpecifier
  readonly parameters: ReadonlyArray<VariableDeclaration>
  readonly body?: Block
}

/** A state variable, or a constant at file level. */
export interface StateVariableDeclaration extends Span {
  readonly kind: "StateVariableDeclaration"
  readonly name: string
  readonly nameSpan: Span
  readonly typeName: TypeName
  readonly visibility: Visibility
  readonly constant: boolean
  readonly immutable: boolean
  readonly transient: boolean
  readonly override?: OverrideSpecifier
  readonly value?: Expression
}

export type VariableRole = "parameter" | "return" | "local" | "member" | "catch" | "event" | "error" | "functionType"
export type DataLocation = "storage" | "memory" | "calldata"

/** Any variable that is not state: parameters, results, locals, struct members, fields of events and errors. */
export interface VariableDeclaration extends Span {
  readonly kind: "VariableDeclaration"
  readonly role: VariableRole
  /** Empty if unnamed. */
  readonly name: string
  readonly nameSpan: Span
  /** Absent for `var`. */
  readonly typeName?: TypeName
  readonly location?: DataLocation
  readonly indexed?: boolean
}

export interface StructDefinition extends Span {
  readonly kind: "StructDefinition"
  readonly name: string
  readonly nameSpan: Span
  readonly members: ReadonlyArray<VariableDeclaration>
}

export interface EnumDefinition extends Span {
  readonly kind: "EnumDefinition"
  readonly name: string
  readonly nameSpan: Span
  readonly values: ReadonlyArray<{ readonly name: string } & Span>
}

export interface EventDefinition extends Span {
  readonly kind: "EventDefinition"
  readonly name: string
  readonly nameSpan: Span
  readonly parameters: ReadonlyArray<VariableDeclaration>
  readonly anonymous: boolean
}

export interface ErrorDefinition extends Span {
  readonly kind: "ErrorDefinition"
  readonly name: string
  readonly nameSpan: Span
  readonly parameters: ReadonlyArray<VariableDeclaration>
}

/** `type Price is uint128;` */
export interface TypeDefinition extends Span {
  readonly kind: "TypeDefinition"
  readonly name: string
  readonly nameSpan: Span
  readonly underlying: TypeName
}

/** `using L for T`, `using {f, g as +} for T global`. */
export interface UsingDirective extends Span {
  readonly kind: "UsingDirective"
  /** One library or several functions. */
  readonly functions: ReadonlyArray<{ readonly path: ReadonlyArray<string>; readonly operator?: string }>
  /** True for the form with braces. */
  readonly braces: boolean
  /** Absent for `*`. */
  readonly typeName?: TypeName
  readonly global: boolean
}

// Type names

export type TypeName = ElementaryTypeName | UserDefinedTypeName | MappingTypeName | ArrayTypeName | FunctionTypeName

/** `uint256`, `address`, `address payable`, `bytes`, `string`, `var`: as written. */
export interface ElementaryTypeName extends Span {
  readonly kind: "ElementaryTypeName"
  readonly name: string
}

export interface UserDefinedTypeName extends Span {
  readonly kind: "UserDefinedTypeName"
  readonly path: ReadonlyArray<string>
}

export interface MappingTypeName extends Span {
  readonly kind: "MappingTypeName"
  readonly key: TypeName
  readonly keyName?: string
  readonly value: TypeName
  readonly valueName?: string
}

export interface ArrayTypeName extends Span {
  readonly kind: "ArrayTypeName"
  readonly base: TypeName
  /** Absent for a dynamic array. */
  readonly length?: Expression
}

export interface FunctionTypeName extends Span {
  readonly kind: "FunctionTypeName"
  readonly parameters: ReadonlyArray<VariableDeclaration>
  readonly returns: ReadonlyArray<VariableDeclaration>
  readonly visibility: Visibility
  readonly mutability: Mutability
}

// Statements

export type Statement =
  | Block
  | IfStatement
  | ForStatement
  | WhileStatement
  | DoWhileStatement
  | TryStatement
  | ReturnStatement
  | EmitStatement
  | RevertStatement
  | ThrowStatement
  | BreakStatement
  | ContinueStatement
  | PlaceholderStatement
  | VariableDeclarationStatement
  | ExpressionStatement
  | InlineAssembly
  | UnknownStatement

export interface Block extends Span {
  readonly kind: "Block"
  readonly unchecked: boolean
  readonly statements: ReadonlyArray<Statement>
}

export interface IfStatement extends Span {
  readonly kind: "IfStatement"
  readonly condition: Expression
  readonly then: Statement
  readonly else?: Statement
}

export interface ForStatement extends Span {
  readonly kind: "ForStatement"
  readonly init?: VariableDeclarationStatement | ExpressionStatement
  readonly condition?: Expression
  readonly update?: Expression
  readonly body: Statement
}

export interface WhileStatement extends Span {
  readonly kind: "WhileStatement"
  readonly condition: Expression
  readonly body: Statement
}

export interface DoWhileStatement extends Span {
  readonly kind: "DoWhileStatement"
  readonly condition: Expression
  readonly body: Statement
}

export interface TryStatement extends Span {
  readonly kind: "TryStatement"
  readonly call: Expression
  readonly returns: ReadonlyArray<VariableDeclaration>
  readonly body: Block
  readonly catches: ReadonlyArray<CatchClause>
}

export interface CatchClause extends Span {
  readonly kind: "CatchClause"
  /** `Error`, `Panic`, or empty. */
  readonly name: string
  readonly parameters: ReadonlyArray<VariableDeclaration>
  readonly body: Block
}

export interface ReturnStatement extends Span {
  readonly kind: "ReturnStatement"
  readonly value?: Expression
}

export interface EmitStatement extends Span {
  readonly kind: "EmitStatement"
  readonly call: FunctionCall
}

/** `revert E(…)`; the call `revert("…")` is a FunctionCall in an ExpressionStatement. */
export interface RevertStatement extends Span {
  readonly kind: "RevertStatement"
  readonly call: FunctionCall
}

/** `throw;` of 0.4. */
export interface ThrowStatement extends Span {
  readonly kind: "ThrowStatement"
}

export interface BreakStatement extends Span {
  readonly kind: "BreakStatement"
}

export interface ContinueStatement extends Span {
  readonly kind: "ContinueStatement"
}

/** `_;` in a modifier. */
export interface PlaceholderStatement extends Span {
  readonly kind: "PlaceholderStatement"
}

export interface VariableDeclarationStatement extends Span {
  readonly kind: "VariableDeclarationStatement"
  /** One entry per position of a tuple; an omitted position is `undefined`. */
  readonly declarations: ReadonlyArray<VariableDeclaration | undefined>
  /** `(uint a, ) = …` rather than `uint a = …`. */
  readonly tuple: boolean
  readonly value?: Expression
}

export interface ExpressionStatement extends Span {
  readonly kind: "ExpressionStatement"
  readonly expression: Expression
}

export interface InlineAssembly extends Span {
  readonly kind: "InlineAssembly"
  /** `memory-safe` … */
  readonly flags: ReadonlyArray<string>
  readonly body: YulBlock
}

/** What the parser could not understand, or did not descend into (nesting too deep). */
export interface UnknownStatement extends Span {
  readonly kind: "UnknownStatement"
}

// Expressions

export type Expression =
  | Identifier
  | Literal
  | MemberAccess
  | IndexAccess
  | IndexRangeAccess
  | FunctionCall
  | FunctionCallOptions
  | NewExpression
  | TypeExpression
  | TypeNameExpression
  | UnaryOperation
  | BinaryOperation
  | Assignment
  | Conditional
  | TupleExpression
  | InlineArray
  | UnknownExpression

export interface Identifier extends Span {
  readonly kind: "Identifier"
  readonly name: string
}

export interface Literal extends Span {
  readonly kind: "Literal"
  readonly literalKind: "number" | "hexNumber" | "string" | "unicodeString" | "hexString" | "bool"
  /** Numbers as written; strings without their quotes, escapes unchanged; adjacent strings joined. */
  readonly value: string
  /** `wei`, `gwei`, `ether`, `szabo`, `finney`, `seconds` … `years`. */
  readonly unit?: string
}

export interface MemberAccess extends Span {
  readonly kind: "MemberAccess"
  readonly object: Expression
  readonly member: string
}

export interface IndexAccess extends Span {
  readonly kind: "IndexAccess"
  readonly base: Expression
  /** Absent in a type written as an expression: `abi.decode(x, (uint[]))`. */
  readonly index?: Expression
}

export interface IndexRangeAccess extends Span {
  readonly kind: "IndexRangeAccess"
  readonly base: Expression
  readonly from?: Expression
  readonly to?: Expression
}

/**
 * Calls, type conversions (`address(x)`), struct construction, `payable(x)`, events and errors: the program
 * distinguishes them.
 */
export interface FunctionCall extends Span {
  readonly kind: "FunctionCall"
  readonly callee: Expression
  readonly args: ReadonlyArray<Expression>
  /** `f({a: 1, b: 2})`: the names in the order of `args`. */
  readonly names?: ReadonlyArray<string>
}

/** `x.call{value: v, gas: g}`, which is what is then called. */
export interface FunctionCallOptions extends Span {
  readonly kind: "FunctionCallOptions"
  readonly callee: Expression
  readonly options: ReadonlyArray<{ readonly name: string; readonly value: Expression }>
}

/** `new T`; its arguments are in the surrounding FunctionCall. */
export interface NewExpression extends Span {
  readonly kind: "NewExpression"
  readonly typeName: TypeName
}

/** `type(T)` */
export interface TypeExpression extends Span {
  readonly kind: "TypeExpression"
  readonly typeName: TypeName
}

/** An elementary type as an expression: `uint256` in `uint256(x)`; `payable` in `payable(x)`. */
export interface TypeNameExpression extends Span {
  readonly kind: "TypeNameExpression"
  readonly typeName: ElementaryTypeName
}

export interface UnaryOperation extends Span {
  readonly kind: "UnaryOperation"
  readonly operator: "!" | "~" | "-" | "+" | "++" | "--" | "delete"
  readonly prefix: boolean
  readonly operand: Expression
}

export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "**"
  | "&&"
  | "||"
  | "=="
  | "!="
  | "<"
  | ">"
  | "<="
  | ">="
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | ">>>"

export interface BinaryOperation extends Span {
  readonly kind: "BinaryOperation"
  readonly operator: BinaryOperator
  readonly left: Expression
  readonly right: Expression
}

export interface Assignment extends Span {
  readonly kind: "Assignment"
  readonly operator: "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "|=" | "&=" | "^=" | "<<=" | ">>=" | ">>>="
  readonly left: Expression
  readonly right: Expression
}

export interface Conditional extends Span {
  readonly kind: "Conditional"
  readonly condition: Expression
  readonly then: Expression
  readonly else: Expression
}

/** `(a, , b)` and `()`; `(a)` is `a` itself. */
export interface TupleExpression extends Span {
  readonly kind: "TupleExpression"
  readonly components: ReadonlyArray<Expression | undefined>
}

export interface InlineArray extends Span {
  readonly kind: "InlineArray"
  readonly components: ReadonlyArray<Expression>
}

export interface UnknownExpression extends Span {
  readonly kind: "UnknownExpression"
}

// Yul

export type YulStatement =
  | YulBlock
  | YulVariableDeclaration
  | YulAssignment
  | YulExpressionStatement
  | YulIf
  | YulFor
  | YulSwitch
  | YulFunctionDefinition
  | YulLeave
  | YulBreak
  | YulContinue
  | YulUnknown

export type YulExpression = YulIdentifier | YulLiteral | YulFunctionCall | YulUnknown

export interface YulBlock extends Span {
  readonly kind: "YulBlock"
  readonly statements: ReadonlyArray<YulStatement>
}

export interface YulVariableDeclaration extends Span {
  readonly kind: "YulVariableDeclaration"
  readonly names: ReadonlyArray<YulIdentifier>
  readonly value?: YulExpression
}

export interface YulAssignment extends Span {
  readonly kind: "YulAssignment"
  readonly targets: ReadonlyArray<YulIdentifier>
  readonly value: YulExpression
}

export interface YulExpressionStatement extends Span {
  readonly kind: "YulExpressionStatement"
  readonly expression: YulExpression
}

export interface YulIf extends Span {
  readonly kind: "YulIf"
  readonly condition: YulExpression
  readonly body: YulBlock
}

export interface YulFor extends Span {
  readonly kind: "YulFor"
  readonly init: YulBlock
  readonly condition: YulExpression
  readonly update: YulBlock
  readonly body: YulBlock
}

export interface YulSwitch extends Span {
  readonly kind: "YulSwitch"
  readonly subject: YulExpression
  /** The case without a value is `default`. */
  readonly cases: ReadonlyArray<{ readonly value?: YulLiteral; readonly body: YulBlock } & Span>
}

export interface YulFunctionDefinition extends Span {
  readonly kind: "YulFunctionDefinition"
  readonly name: string
  readonly parameters: ReadonlyArray<YulIdentifier>
  readonly returns: ReadonlyArray<YulIdentifier>
  readonly body: YulBlock
}

export interface YulLeave extends Span {
  readonly kind: "YulLeave"
}

export interface YulBreak extends Span {
  readonly kind: "YulBreak"
}

export interface YulContinue extends Span {
  readonly kind: "YulContinue"
}

export interface YulUnknown extends Span {
  readonly kind: "YulUnknown"
}

/**
 * A variable of Yul or of the surrounding Solidity; `x.slot`, `x.offset`, `x.length` keep the dot, `x_slot` (before
 * 0.7) its underscore.
 */
export interface YulIdentifier extends Span {
  readonly kind: "YulIdentifier"
  readonly name: string
}

export interface YulLiteral extends Span {
  readonly kind: "YulLiteral"
  readonly literalKind: "number" | "hexNumber" | "string" | "hexString" | "bool"
  readonly value: string
}

/** An opcode or a function of the same block; `caller()`, and `caller` as old code writes it. */
export interface YulFunctionCall extends Span {
  readonly kind: "YulFunctionCall"
  readonly name: string
  readonly args: ReadonlyArray<YulExpression>
}

export type YulNode = YulStatement | YulExpression

export type Node =
  | SourceUnit
  | PragmaDirective
  | ImportDirective
  | SourceItem
  | ContractMember
  | InheritanceSpecifier
  | OverrideSpecifier
  | ModifierInvocation
  | VariableDeclaration
  | TypeName
  | Statement
  | CatchClause
  | Expression
  | YulNode
