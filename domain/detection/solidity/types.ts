import { oncePer } from "../oncePer.ts"
import type { DataLocation, FunctionTypeName } from "./syntax.ts"
import type { ContractModel, EnumModel, FunctionModel, SourceModel, StructModel, UserTypeModel } from "./model.ts"

/** The type of an expression, as far as rules need it. `unknown` is whatever could not be resolved. */
export type Type =
  | { readonly kind: "integer"; readonly signed: boolean; readonly bits: number }
  | { readonly kind: "literal" }
  | { readonly kind: "bool" }
  | { readonly kind: "address"; readonly payable: boolean }
  | { readonly kind: "fixedBytes"; readonly size: number }
  | { readonly kind: "bytes"; readonly location?: DataLocation }
  | { readonly kind: "string"; readonly location?: DataLocation }
  | {
      readonly kind: "array"
      readonly base: Type
      readonly length?: number
      readonly fixed: boolean
      readonly location?: DataLocation
    }
  | { readonly kind: "mapping"; readonly key: Type; readonly value: Type }
  | { readonly kind: "struct"; readonly struct: StructModel; readonly location?: DataLocation }
  | { readonly kind: "enum"; readonly enum: EnumModel }
  | { readonly kind: "userType"; readonly definition: UserTypeModel }
  | { readonly kind: "contract"; readonly contract: ContractModel; readonly isSuper?: boolean }
  /** A value of function type, or the name of functions; in that case, `declared` holds the overloads. */
  | {
      readonly kind: "function"
      readonly parameters: ReadonlyArray<Type>
      readonly returns: ReadonlyArray<Type>
      readonly external: boolean
      readonly declared?: ReadonlyArray<FunctionModel>
      readonly node?: FunctionTypeName
    }
  | { readonly kind: "tuple"; readonly components: ReadonlyArray<Type> }
  /** A type name used as an expression: `Token`, `uint8`, `Status`. */
  | { readonly kind: "typeName"; readonly type: Type }
  /** `type(T)`. */
  | { readonly kind: "meta"; readonly type: Type }
  /** `import * as Lib`. */
  | { readonly kind: "module"; readonly file: SourceModel }
  /** `msg`, `block`, `tx`, `abi`. */
  | { readonly kind: "magic"; readonly name: string }
  /** Not resolved; `name` is set if the source names a type that is missing from the sources. */
  | { readonly kind: "unknown"; readonly name?: string }

export const unknownType: Type = { kind: "unknown" }
export const boolType: Type = { kind: "bool" }
export const literalType: Type = { kind: "literal" }
export const addressType: Type = { kind: "address", payable: false }
export const payableType: Type = { kind: "address", payable: true }
export const uint256: Type = { kind: "integer", signed: false, bits: 256 }
export const bytesMemory: Type = { kind: "bytes", location: "memory" }
export const stringMemory: Type = { kind: "string", location: "memory" }
export const bytes32: Type = { kind: "fixedBytes", size: 32 }

const elementaryTypes = new Map<string, Type>()

/** The type that an elementary name stands for: `uint`, `int64`, `bytes4`, `byte`, `address payable`, `payable`. */
export const elementaryType = (name: string, location?: DataLocation): Type => {
  if (name === "bytes") return location === undefined ? { kind: "bytes" } : { kind: "bytes", location }
  if (name === "string") return location === undefined ? { kind: "string" } : { kind: "string", location }
  let type = elementaryTypes.get(name)
  if (type === undefined) {
    type = readElementary(name)
    elementaryTypes.set(name, type)
  }
  return type
}

const readElementary = (name: string): Type => {
  if (name === "bool") return boolType
  if (name === "address") return addressType
  if (name === "address payable" || name === "payable") return payableType
  if (name === "byte") return { kind: "fixedBytes", size: 1 }
  const bits = /^(u?)int(\d*)$/.exec(name)
  if (bits !== null) return { kind: "integer", signed: bits[1] === "", bits: bits[2] === "" ? 256 : Number(bits[2]) }
  const size = /^bytes(\d+)$/.exec(name)
  if (size !== null) return { kind: "fixedBytes", size: Number(size[1]) }
  return unknownType
}

/**
 * The type as written in an ABI signature: contracts are `address`, enums `uint8`, structs a tuple of their members.
 */
export const abiName = (type: Type, depth = 0): string => {
  switch (type.kind) {
    case "integer":
      return `${type.signed ? "int" : "uint"}${type.bits}`
    case "fixedBytes":
      return `bytes${type.size}`
    case "contract":
      return "address"
    case "enum":
      return "uint8"
    case "userType":
      return depth > 8 ? "?" : abiName(type.definition.underlying, depth + 1)
    case "array":
      return `${abiName(type.base, depth + 1)}[${type.fixed ? (type.length ?? "?") : ""}]`
    case "struct":
      return depth > 8 ? "?" : `(${type.struct.members.map((m) => abiName(m.type, depth + 1)).join(",")})`
    case "mapping":
      return `mapping(${abiName(type.key, depth + 1)}=>${abiName(type.value, depth + 1)})`
    case "function":
      return "function"
    case "unknown":
      return "?"
    default:
      return type.kind
  }
}

/** The same type in another data location; value types are the same anywhere. */
export const withLocation = (type: Type, location: DataLocation | undefined): Type => {
  if (type.kind !== "array" && type.kind !== "struct" && type.kind !== "bytes" && type.kind !== "string") return type
  if (type.location === location) return type
  const { location: _, ...rest } = type
  return location === undefined ? rest : { ...rest, location }
}

export const locationOf = (type: Type): DataLocation | undefined =>
  type.kind === "mapping" ? "storage" : "location" in type ? type.location : undefined

export const isReferenceType = (type: Type): boolean =>
  type.kind === "mapping" ||
  type.kind === "array" ||
  type.kind === "struct" ||
  type.kind === "bytes" ||
  type.kind === "string"

const sameType = (a: Type, b: Type, depth = 0): boolean => {
  if (a === b) return true
  if (a.kind !== b.kind || depth > 8) return false
  switch (a.kind) {
    case "integer":
      return b.kind === "integer" && a.bits === b.bits && a.signed === b.signed
    case "fixedBytes":
      return b.kind === "fixedBytes" && a.size === b.size
    case "array":
      return b.kind === "array" && a.fixed === b.fixed && a.length === b.length && sameType(a.base, b.base, depth + 1)
    case "struct":
      return b.kind === "struct" && a.struct === b.struct
    case "enum":
      return b.kind === "enum" && a.enum === b.enum
    case "contract":
      return b.kind === "contract" && a.contract === b.contract
    case "userType":
      return b.kind === "userType" && a.definition === b.definition
    case "mapping":
      return b.kind === "mapping" && sameType(a.key, b.key, depth + 1) && sameType(a.value, b.value, depth + 1)
    default:
      return true
  }
}

/** How well a value of one type fits where another is expected: 0 not at all, 1 by conversion or unknown, 2 exactly. */
export const convertibility = (from: Type, to: Type): 0 | 1 | 2 => {
  if (from.kind === "unknown" || to.kind === "unknown") return 1
  if (sameType(from, to)) return 2
  switch (from.kind) {
    case "literal":
      return to.kind === "integer" || to.kind === "fixedBytes" || to.kind === "address" ? 1 : 0
    case "integer":
      return to.kind === "integer" &&
        (to.bits > from.bits ? !from.signed || to.signed : to.bits === from.bits && to.signed === from.signed)
        ? 1
        : 0
    case "fixedBytes":
      return to.kind === "fixedBytes" && to.size >= from.size ? 1 : 0
    case "address":
      // Before 0.5, contracts and addresses converted into each other.
      return to.kind === "address" ? 2 : to.kind === "contract" ? 1 : 0
    case "contract":
      if (to.kind === "address") return 1
      return to.kind === "contract" && from.contract.linearization.includes(to.contract) ? 1 : 0
    case "string":
      return to.kind === "bytes" || to.kind === "fixedBytes" ? 1 : 0
    case "bytes":
      return to.kind === "bytes" ? 2 : to.kind === "string" || to.kind === "fixedBytes" ? 1 : 0
    case "function":
      return to.kind === "function" ? 1 : 0
    case "array":
      return to.kind === "array" ? convertibility(from.base, to.base) : 0
    default:
      return 0
  }
}

const membersByName = oncePer(
  (members: StructModel["members"]): ReadonlyMap<string, StructModel["members"][number]> =>
    new Map(members.toReversed().map((one) => [one.name, one])),
)

/** The member of a struct with a name. */
export const memberNamed = ({ members }: StructModel, name: string): StructModel["members"][number] | undefined =>
  membersByName(members).get(name)
