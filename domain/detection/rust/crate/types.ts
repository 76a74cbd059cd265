import { oncePer, oncePerPair } from "../../oncePer.ts"
import type { ImplDefinition, Module, StructDefinition, TypeDefinition } from "./crate.ts"
import type { Resolver } from "./resolve.ts"
import type { Field, StructItem, TypeNode } from "../syntax/syntax.ts"

/** A type as far as rules need it: references are gone, and generic parameters are named types without a definition. */
export type RustType =
  | {
      readonly kind: "named"
      /** The last segment: `u64`, `Account`, `Vec`. */
      readonly name: string
      /** Where it comes from, if it is not the project's: `anchor_spl::token::TokenAccount`, or as written. */
      readonly path: string
      readonly definition?: TypeDefinition
      readonly args: ReadonlyArray<RustType>
    }
  | { readonly kind: "tuple"; readonly elements: ReadonlyArray<RustType> }
  | { readonly kind: "list"; readonly element: RustType }
  | { readonly kind: "unknown" }

export const unknownType: RustType = { kind: "unknown" }
export const namedType = (name: string, args: ReadonlyArray<RustType> = []): RustType => ({
  kind: "named",
  name,
  path: name,
  args,
})

/** Where aliases of aliases and nested types end. */
const maxDepth = 12

export interface TypeScope {
  readonly resolver: Resolver
  readonly module: Module
  readonly self?: RustType | undefined
}

/** What `Self` is in an impl. */
export const selfTypeOf = oncePerPair((resolver: Resolver, impl: ImplDefinition): RustType =>
  resolveType({ resolver, module: impl.module }, impl.item.selfType),
)

export const resolveType = (scope: TypeScope, node: TypeNode | undefined, depth = 0): RustType => {
  if (node === undefined || depth > maxDepth) return unknownType
  switch (node.kind) {
    case "reference":
    case "pointer":
      return resolveType(scope, node.type, depth + 1)
    case "array":
    case "slice":
      return { kind: "list", element: resolveType(scope, node.element, depth + 1) }
    case "tuple":
      return { kind: "tuple", elements: node.elements.map((one) => resolveType(scope, one, depth + 1)) }
    case "bounds": {
      const [first] = node.bounds
      return resolveType(scope, first, depth + 1)
    }
    case "path": {
      const segments = node.path.segments.map((segment) => segment.name)
      const last = node.path.segments.at(-1)
      if (last === undefined) return unknownType
      if (segments.length === 1 && last.name === "Self" && scope.self !== undefined) return scope.self
      const args = last.generics.map((one) => resolveType(scope, one, depth + 1))
      const self = scope.self?.kind === "named" ? scope.self.definition : undefined
      const resolution = scope.resolver.resolve(scope.module, segments, "type", self)
      if (resolution.kind === "external") {
        const name = resolution.path.at(-1) ?? last.name
        // `Vec`, `Option` and the like are not aliases: an import may rename a type.
        return { kind: "named", name, path: resolution.path.join("::"), args }
      }
      const { definition } = resolution
      switch (definition.kind) {
        case "struct":
        case "enum":
          return { kind: "named", name: definition.name, path: definition.name, definition, args }
        case "variant":
          return {
            kind: "named",
            name: definition.enum.name,
            path: definition.enum.name,
            definition: definition.enum,
            args,
          }
        case "type": {
          const target = resolveType(
            { resolver: scope.resolver, module: definition.module },
            definition.item.type,
            depth + 1,
          )
          return target.kind === "unknown"
            ? { kind: "named", name: last.name, path: segments.join("::"), args }
            : substitute(target, definition.item.generics, args)
        }
        default:
          return { kind: "named", name: last.name, path: segments.join("::"), args }
      }
    }
    default:
      return unknownType
  }
}

/** Substitutes arguments for generic parameters. */
export const substitute = (
  type: RustType,
  names: ReadonlyArray<string>,
  args: ReadonlyArray<RustType>,
  depth = 0,
): RustType => {
  if (names.length === 0 || depth > maxDepth) return type
  switch (type.kind) {
    case "named": {
      const at = type.definition === undefined && type.args.length === 0 ? names.indexOf(type.name) : -1
      if (at !== -1) return args[at] ?? unknownType
      return { ...type, args: type.args.map((one) => substitute(one, names, args, depth + 1)) }
    }
    case "tuple":
      return { kind: "tuple", elements: type.elements.map((one) => substitute(one, names, args, depth + 1)) }
    case "list":
      return { kind: "list", element: substitute(type.element, names, args, depth + 1) }
    default:
      return type
  }
}

export const isNamed = (type: RustType, ...names: ReadonlyArray<string>): boolean =>
  type.kind === "named" && names.includes(type.name)

export const definitionOf = (type: RustType): TypeDefinition | undefined =>
  type.kind === "named" ? type.definition : undefined

const outcomes = ["Result", "StdResult", "ProgramResult", "Option"]
/** A value that may stand for a failure: `?` and `unwrap` take it apart. */
export const isOutcome = (type: RustType): boolean =>
  type.kind === "named" &&
  (outcomes.includes(type.name) || (type.definition === undefined && type.name.endsWith("Result")))

/** The `T` of `Result<T, E>` and `Option<T>`; other types unchanged. */
export const successType = (type: RustType): RustType =>
  type.kind === "named" && isOutcome(type) ? (type.args[0] ?? { kind: "tuple", elements: [] }) : type

const pointers = new Set(["Box", "Rc", "Arc", "Ref", "RefMut", "Cow", "RefCell", "Cell", "MutexGuard"])
/** What smart pointers point to. */
export const pointee = (type: RustType): RustType => {
  let inner = type
  for (let i = 0; i < 6 && inner.kind === "named" && pointers.has(inner.name) && inner.args.length > 0; i++)
    inner = inner.args.at(-1)!
  return inner
}

/** What iteration or indexing yields. */
export const elementType = (type: RustType): RustType => {
  const inner = pointee(type)
  if (inner.kind === "list") return inner.element
  if (inner.kind !== "named") return unknownType
  if (/^(Vec|VecDeque|HashSet|BTreeSet|BinaryHeap|Iter|IntoIter|Option|Result|Peekable|SmallVec)$/.test(inner.name))
    return inner.args[0] ?? unknownType
  if (/^(HashMap|BTreeMap)$/.test(inner.name)) return { kind: "tuple", elements: inner.args }
  return unknownType
}

/** The fields of a struct by name; of several under different `cfg`s the first. */
export const fieldsByName = oncePer(
  ({ fields }: StructItem): ReadonlyMap<string, Field> => new Map(fields.toReversed().map((one) => [one.name, one])),
)

/** By struct, as the scan that they belong to has one resolver. */
const fieldTypes = new WeakMap<StructDefinition, Map<string, RustType>>()

/** The declared type of a field, with the type's own arguments substituted. */
export const fieldType = (resolver: Resolver, type: RustType, name: string): RustType => {
  const inner = pointee(type)
  if (inner.kind === "tuple") return inner.elements[Number(name)] ?? unknownType
  if (inner.kind !== "named" || inner.definition?.kind !== "struct") return unknownType
  const { definition } = inner
  let known = fieldTypes.get(definition)
  if (known === undefined) fieldTypes.set(definition, (known = new Map()))
  const plain = inner.args.length === 0
  const found = plain ? known.get(name) : undefined
  if (found !== undefined) return found
  const { item, module } = definition
  const field = fieldsByName(item).get(name)
  if (field === undefined) return unknownType
  const made = substitute(resolveType({ resolver, module, self: inner }, field.type), item.generics, inner.args)
  if (plain) known.set(name, made)
  return made
}

const integers = /^[iu](8|16|32|64|128|size)$/
const scalars =
  /^([iu](8|16|32|64|128|size)|f32|f64|bool|char|str|String|Uint(64|128|256|512)|Int(64|128|256|512)|Decimal(256)?|SignedDecimal(256)?|PreciseNumber)$/
export const isInteger = (type: RustType): boolean => type.kind === "named" && integers.test(type.name)
export const isScalar = (type: RustType): boolean => type.kind === "named" && scalars.test(type.name)

/** The width in bits of an integer type; `usize` is 64, as a length fits on the chains' virtual machines. */
export const integerBits = (type: RustType): number | undefined => {
  if (type.kind !== "named") return undefined
  const width = integers.exec(type.name)?.[1]
  return width === undefined ? undefined : width === "size" ? 64 : Number(width)
}
