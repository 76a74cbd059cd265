import type { SourceFile } from "../SourceFile.ts"
import type * as S from "./syntax.ts"
import type { Type } from "./types.ts"
import type { VersionRange } from "./version.ts"

/** One file, with its declarations and the compilers that accept it. */
export interface SourceModel {
  readonly kind: "Source"
  readonly file: SourceFile
  readonly unit: S.SourceUnit
  readonly version: VersionRange
  readonly contracts: Array<ContractModel>
  readonly functions: Array<FunctionModel>
  readonly constants: Array<StateVariable>
  readonly usings: Array<S.UsingDirective>
  /** The files it imports; those missing from the sources are in `missingImports`. */
  readonly imports: Array<{ readonly directive: S.ImportDirective; readonly source?: SourceModel }>
  readonly missingImports: Array<string>
  /** Its own file-level names. */
  readonly names: Map<string, Array<Declaration>>
}

export interface ContractModel {
  readonly kind: "Contract"
  readonly node: S.ContractDefinition
  readonly source: SourceModel
  readonly name: string
  /** Direct bases that could be resolved, in the order written. */
  readonly bases: Array<ContractModel>
  /** Names of bases that are missing from the sources. */
  readonly missingBases: Array<string>
  /** C3 order: the contract itself first, its most basic ancestor last. */
  linearization: ReadonlyArray<ContractModel>
  /** False if C3 has no solution (or inheritance is cyclic) and a depth-first order takes its place. */
  linearizable: boolean
  /** All contracts that inherit from it, directly or indirectly. */
  readonly derived: Array<ContractModel>
  readonly functions: Array<FunctionModel>
  readonly modifiers: Array<ModifierModel>
  readonly stateVariables: Array<StateVariable>
  readonly structs: Array<StructModel>
  readonly enums: Array<EnumModel>
  readonly events: Array<EventModel>
  readonly errors: Array<ErrorModel>
  readonly userTypes: Array<UserTypeModel>
  /** Its own members by name (constructor, fallback and receive have none). */
  readonly names: Map<string, Array<Declaration>>
  /** Not an interface, library or abstract contract, and no function is left without a body. */
  deployable: boolean
}

interface CallableModel {
  readonly name: string
  /** Absent for free functions. */
  readonly contract?: ContractModel
  readonly source: SourceModel
  readonly parameters: ReadonlyArray<LocalVariable>
  /** `Vault.withdraw(uint256)`, used for `Match.scope`. */
  readonly scope: string
}

export interface FunctionModel extends CallableModel {
  readonly kind: "Function"
  readonly node: S.FunctionDefinition
  /** Constructors by name (before 0.5) are constructors here. */
  readonly role: "function" | "constructor" | "fallback" | "receive" | "free"
  /** The effective visibility: the default is public before 0.5, and external in interfaces. */
  readonly visibility: "public" | "external" | "internal" | "private"
  readonly mutability: "pure" | "view" | "payable" | "nonpayable"
  readonly returns: ReadonlyArray<LocalVariable>
  /** `withdraw(uint256)`: the selector is its hash. */
  readonly signature: string
  /** Modifiers in the order in which they run, without base constructors. */
  readonly modifiers: Array<{ readonly node: S.ModifierInvocation; modifier: ModifierModel | undefined }>
  readonly implemented: boolean
}

export interface ModifierModel extends CallableModel {
  readonly kind: "Modifier"
  readonly node: S.ModifierDefinition
}

export type Callable = FunctionModel | ModifierModel

/** A state variable, a file-level constant, or a place in storage that only assembly reaches. */
export interface StateVariable {
  readonly kind: "StateVariable"
  /** Absent for storage that no declaration names: a struct at a computed slot, `sstore(CONSTANT, …)`. */
  readonly node?: S.StateVariableDeclaration
  readonly name: string
  readonly contract?: ContractModel
  readonly source?: SourceModel
  readonly type: Type
  readonly constant: boolean
  readonly immutable: boolean
  readonly transient: boolean
  readonly visibility: "public" | "internal" | "private"
  /** For a struct's member, which is a variable of its own: what it is part of. */
  readonly whole?: StateVariable
}

/** A Solidity parameter, result or local. */
export interface LocalVariable {
  readonly kind: "LocalVariable"
  readonly node: S.VariableDeclaration
  readonly name: string
  readonly role: S.VariableRole
  readonly type: Type
}

export interface YulVariable {
  readonly kind: "YulVariable"
  readonly name: string
  readonly node: S.YulIdentifier
  readonly role: "local" | "parameter" | "return"
}

export interface YulFunction {
  readonly kind: "YulFunction"
  readonly name: string
  readonly node: S.YulFunctionDefinition
}

export interface StructModel {
  readonly kind: "Struct"
  readonly node: S.StructDefinition
  readonly name: string
  readonly contract?: ContractModel
  readonly source: SourceModel
  readonly members: ReadonlyArray<{ readonly name: string; readonly type: Type; readonly node: S.VariableDeclaration }>
}

export interface EnumModel {
  readonly kind: "Enum"
  readonly node: S.EnumDefinition
  readonly name: string
  readonly contract?: ContractModel
  readonly source: SourceModel
}

export interface EventModel {
  readonly kind: "Event"
  readonly node: S.EventDefinition
  readonly name: string
  readonly contract?: ContractModel
  readonly source: SourceModel
}

export interface ErrorModel {
  readonly kind: "Error"
  readonly node: S.ErrorDefinition
  readonly name: string
  readonly contract?: ContractModel
  readonly source: SourceModel
}

export interface UserTypeModel {
  readonly kind: "UserType"
  readonly node: S.TypeDefinition
  readonly name: string
  readonly contract?: ContractModel
  readonly source: SourceModel
  readonly underlying: Type
}

export interface BuiltinModel {
  readonly kind: "Builtin"
  readonly name: string
}

/** What a name can mean. */
export type Declaration =
  | SourceModel
  | ContractModel
  | FunctionModel
  | ModifierModel
  | StateVariable
  | LocalVariable
  | YulVariable
  | YulFunction
  | StructModel
  | EnumModel
  | EventModel
  | ErrorModel
  | UserTypeModel
  | BuiltinModel

/**
 * `internal`: the same contract, its bases, `super`, free functions · `library`: a library function, called by name or
 * through `using` · `external`: a function of another contract, also `this.f()` and getters · `call` … `transfer`:
 * those of an address · `create`: `new C` · `pointer`: through a value of function type · `builtin`: require,
 * keccak256, abi.encode, push … (`name` says which) · `conversion`: `uint8(x)`, `IERC20(x)`, `payable(x)` · `struct`,
 * `event`, `error`: their construction · `allocation`: `new bytes(n)` · `unknown`: not resolved.
 */
export type CallKind =
  | "internal"
  | "library"
  | "external"
  | "call"
  | "delegatecall"
  | "staticcall"
  | "callcode"
  | "send"
  | "transfer"
  | "create"
  | "pointer"
  | "builtin"
  | "conversion"
  | "struct"
  | "event"
  | "error"
  | "allocation"
  | "unknown"

/** A call, with options of either syntax (`{value: v}`, `.value(v)`) taken apart. */
export interface Call {
  readonly node: S.FunctionCall
  readonly kind: CallKind
  /** The name of the function or member; empty if it has none. */
  readonly name: string
  /** What precedes the dot: the address or contract called. */
  readonly receiver?: S.Expression
  /** The function as declared; `Program.dispatch` gives the one that runs. */
  readonly target?: FunctionModel
  /** `Base.f()`, `super.f()`, libraries: `target` runs whatever overrides it (for `super`, after linearization). */
  readonly fixed: boolean
  readonly isSuper: boolean
  /** In the order of the parameters; with `using`, the receiver comes first. */
  readonly args: ReadonlyArray<S.Expression>
  readonly value?: S.Expression
  readonly gas?: S.Expression
  readonly salt?: S.Expression
  /** `x.call.value(v);` of old code, which lacks the parentheses that would make the call. */
  readonly incomplete?: true
  /** The type converted to, the contract created, or the struct built. */
  readonly type?: Type
  /** The event or error, or the state variable whose getter is called. */
  readonly declaration?: EventModel | ErrorModel | StateVariable
}
