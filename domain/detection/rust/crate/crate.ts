import type { SourceFile } from "../../SourceFile.ts"
import type { MacroCheck } from "./checkMacros.ts"
import type { Manifest } from "./manifest.ts"
import type {
  Closure,
  ConstItem,
  EnumItem,
  FunctionItem,
  ImplItem,
  MacroItem,
  RustFile,
  StructItem,
  TraitItem,
  TypeItem,
  TypeNode,
  UseImport,
  Variant,
} from "../syntax/syntax.ts"

/** A `use`: a private one is visible in its own module and below only, not through another module's glob. */
export interface Import extends UseImport {
  readonly isPrivate: boolean
}

/** A module with its declarations; a crate's root is one. */
export interface Module {
  readonly crate: Crate
  /** `""` for the root, otherwise `a::b`. */
  readonly path: string
  readonly name: string
  readonly file: SourceFile
  readonly parent: Module | undefined
  /** For the body of a function with `use` declarations or items of its own: the module or body that contains it. */
  readonly around?: Module
  readonly attributes: ReadonlyArray<{ readonly name: string }>
  readonly modules: ReadonlyMap<string, Module>
  /** Modules, types, functions, constants and traits by name: one as a type and one as a value. */
  readonly names: ReadonlyMap<string, ReadonlyArray<Definition>>
  /** A type and a function with the same name may be imported separately. */
  readonly imports: ReadonlyMap<string, ReadonlyArray<Import>>
  readonly globs: ReadonlyArray<Import>
  readonly impls: ReadonlyArray<ImplDefinition>
  readonly macros: ReadonlyArray<MacroItem>
}

interface DefinitionBase {
  readonly name: string
  readonly module: Module
}
export interface StructDefinition extends DefinitionBase {
  readonly kind: "struct"
  readonly item: StructItem
}
export interface EnumDefinition extends DefinitionBase {
  readonly kind: "enum"
  readonly item: EnumItem
}
export interface TraitDefinition extends DefinitionBase {
  readonly kind: "trait"
  readonly item: TraitItem
}
export interface ConstDefinition extends DefinitionBase {
  readonly kind: "const"
  readonly item: ConstItem
}
export interface TypeAlias extends DefinitionBase {
  readonly kind: "type"
  readonly item: TypeItem
}
export interface FunctionDefinition extends DefinitionBase {
  readonly kind: "function"
  readonly item: FunctionItem
  /** The impl or trait that contains it. */
  readonly owner?: ImplDefinition | TraitDefinition
  /** `Vault::withdraw`, for scopes and messages. */
  readonly qualifiedName: string
  /** The names of the parameters, starting with `self` if there is one; `_` if the pattern binds no single name. */
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly type: TypeNode | undefined }>
}
export interface VariantDefinition extends DefinitionBase {
  readonly kind: "variant"
  readonly variant: Variant
  readonly enum: EnumDefinition
}
export type TypeDefinition = StructDefinition | EnumDefinition
export type Definition =
  | StructDefinition
  | EnumDefinition
  | TraitDefinition
  | ConstDefinition
  | TypeAlias
  | FunctionDefinition
  | VariantDefinition
  | (DefinitionBase & { readonly kind: "module"; readonly target: Module })

export interface ImplDefinition {
  readonly kind: "impl"
  readonly item: ImplItem
  readonly module: Module
  readonly functions: ReadonlyMap<string, FunctionDefinition>
}

/** A package, or files without a Cargo.toml that belong together. */
export interface Crate {
  /** The code's name for it, with underscores. */
  readonly name: string
  /** The name that other crates use, if `[lib]` gives another one. */
  readonly libraryName: string
  readonly manifest: Manifest | undefined
  readonly files: ReadonlyArray<RustFile>
  /** The library's root first; files that no `mod` reaches are roots of their own. */
  readonly roots: ReadonlyArray<Module>
  readonly modules: ReadonlyArray<Module>
  readonly functions: ReadonlyArray<FunctionDefinition>
  /** What the macros that it defines check, by name. */
  readonly checkMacros: ReadonlyMap<string, MacroCheck>
  /** Closures given to the macros that declare a type, by its name: `checked!(Signed, |account| { … });`. */
  readonly declaringClosures: ReadonlyMap<string, Closure>
}
