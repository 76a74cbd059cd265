import { oncePerPair } from "../../../oncePer.ts"
import type { ContractModel, SourceModel, StateVariable, StructModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type { Scopes } from "../../scope.ts"
import type * as S from "../../syntax.ts"
import type { Type } from "../../types.ts"
import { constantNumber, type Names } from "../value/constantNumber.ts"

/** The place of a state variable in storage. */
export interface Placed {
  readonly variable: StateVariable
  /** What precedes slot zero as counted here but has an unknown size: bases and types without source. */
  readonly after: string
  readonly slot: number
  /** In bytes, from the low end of the slot. */
  readonly offset: number
  readonly bytes: number
}

/** How much space a type occupies: part of a slot that it shares with its neighbors, or slots of its own. */
interface Size {
  readonly bytes: number
  readonly shares: boolean
}

const slotBytes = 32
/** Maximum slots of one variable; beyond that, the place of the next one is unknown. */
const largest = 2 ** 40
/** Maximum depth for arrays of arrays. */
const depthLimit = 32

/**
 * The ordinary storage of a contract, most basic base first; constant, immutable and transient variables occupy none.
 */
export const layoutOf = oncePerPair((program: Program, contract: ContractModel): ReadonlyArray<Placed> => {
  const placing = new Placing(program.scopes)
  if (contract.node.layout !== undefined) placing.skip("layout at")
  const unseen = missingBefore(contract)
  const skipped = new Set<string>()
  for (const base of contract.linearization.toReversed()) {
    for (const name of unseen.get(base) ?? []) if (!skipped.has(name)) placing.skip(name)
    for (const name of unseen.get(base) ?? []) skipped.add(name)
    for (const variable of base.stateVariables) placing.add(variable)
  }
  return placing.places
})

/**
 * Bases without source that come directly before a contract: its own, and those that a derived contract lists before
 * it.
 */
const missingBefore = ({ linearization }: ContractModel): ReadonlyMap<ContractModel, ReadonlySet<string>> => {
  const found = new Map<ContractModel, Set<string>>()
  for (const heir of linearization) {
    const { bases, node } = heir
    if (heir.missingBases.length === 0) continue
    const missing = new Set(heir.missingBases)
    let next = 0
    let names: Array<string> = []
    const put = (before: ContractModel): void => {
      const known = found.get(before) ?? new Set()
      for (const name of names) known.add(name)
      found.set(before, known)
      names = []
    }
    for (const { path } of node.bases) {
      const name = path.join(".")
      if (missing.has(name)) {
        if (!isStateless(name)) names.push(name)
      } else if (next < bases.length) put(bases[next++]!)
    }
    put(heir)
  }
  return found
}

/** What the contract itself declares, as if nothing preceded it: the way storage gaps are counted. */
export const ownLayoutOf = oncePerPair((program: Program, contract: ContractModel): ReadonlyArray<Placed> => {
  const placing = new Placing(program.scopes)
  for (const variable of contract.stateVariables) placing.add(variable)
  return placing.places
})

/** The slots that a variable touches. */
export const slotsOf = ({ bytes }: Placed): number => Math.ceil(bytes / slotBytes)

/** Whether both occupy a common byte of storage, as far as their places are known. */
export const overlaps = (a: Placed, b: Placed): boolean =>
  a.after === b.after && startOf(a) < startOf(b) + b.bytes && startOf(b) < startOf(a) + a.bytes

const startOf = ({ slot, offset }: Placed): number => slot * slotBytes + offset

export const isSameStart = (a: Placed, b: Placed): boolean => a.after === b.after && startOf(a) === startOf(b)

/** Whether both have the same place, the same kind of value and, as far as names indicate, the same meaning. */
export const isSameVariable = (a: Placed, b: Placed): boolean =>
  isSameStart(a, b) &&
  a.bytes === b.bytes &&
  formOf(a.variable.type) === formOf(b.variable.type) &&
  bareName(a.variable) === bareName(b.variable)

/** The name without underscores that indicate visibility. */
export const bareName = ({ name }: { readonly name: string }): string => name.replaceAll("_", "").toLowerCase()

/** Interfaces by name, and OpenZeppelin's bases that keep nothing in ordinary slots in any release. */
const isStateless = (name: string): boolean =>
  /^I[A-Z]/.test(name) ||
  /^(?:Context|ERC165|Proxy|ERC1967(?:Proxy|Upgrade|Utils)|TransparentUpgradeableProxy|BeaconProxy|Multicall)$/.test(
    name,
  )

class Placing {
  readonly places: Array<Placed> = []
  private after = ""
  private slot = 0
  private offset = 0
  private readonly scopes: Scopes

  constructor(scopes: Scopes) {
    this.scopes = scopes
  }

  /** Something of unknown size is here: the following variables are counted from its end. */
  skip(name: string): void {
    this.after += `${name};`
    this.slot = 0
    this.offset = 0
  }

  add(variable: StateVariable): void {
    const { node, contract, source, type } = variable
    if (node === undefined || variable.constant || variable.immutable || variable.transient) return
    const size = source === undefined ? undefined : sizeOf(this.scopes, type, node.typeName, source, contract)
    if (size === undefined) return this.skip(variable.name)
    if (!size.shares || this.offset + size.bytes > slotBytes) this.align()
    this.places.push({ variable, after: this.after, slot: this.slot, offset: this.offset, bytes: size.bytes })
    this.offset += size.bytes
    // A variable with its own slots never shares its last one.
    if (!size.shares) {
      this.slot += size.bytes / slotBytes
      this.offset = 0
    }
  }

  private align(): void {
    if (this.offset > 0) this.slot++
    this.offset = 0
  }
}

const shared = (bytes: number): Size => ({ bytes, shares: true })
const slots = (count: number): Size | undefined =>
  count > largest ? undefined : { bytes: count * slotBytes, shares: false }

const sizeOf = (
  scopes: Scopes,
  type: Type,
  typeName: S.TypeName | undefined,
  source: SourceModel,
  contract: ContractModel | undefined,
  depth = 0,
): Size | undefined => {
  switch (type.kind) {
    case "integer":
      return shared(type.bits / 8)
    case "bool":
    case "enum":
      return shared(1)
    case "address":
    case "contract":
      return shared(20)
    case "fixedBytes":
      return shared(type.size)
    case "function":
      return shared(type.external ? 24 : 8)
    case "mapping":
    case "bytes":
    case "string":
      return slots(1)
    case "userType":
      return depth > depthLimit
        ? undefined
        : sizeOf(scopes, type.definition.underlying, undefined, source, contract, depth + 1)
    case "struct":
      return depth > depthLimit ? undefined : structSize(scopes, type.struct, depth)
    case "array": {
      if (!type.fixed) return slots(1)
      const element = typeName?.kind === "ArrayTypeName" ? typeName : undefined
      const length = type.length ?? lengthOf(scopes, element?.length, source, contract)
      if (length === undefined || length > largest || depth > depthLimit) return undefined
      const one = sizeOf(scopes, type.base, element?.base, source, contract, depth + 1)
      if (one === undefined) return undefined
      return slots(
        one.shares ? Math.ceil(length / Math.floor(slotBytes / one.bytes)) : (length * one.bytes) / slotBytes,
      )
    }
    case "unknown":
      return isInterfaceName(type.name) ? shared(20) : undefined
    default:
      return undefined
  }
}

const structMemo = new WeakMap<StructModel, Size | "open" | "unknown">()

/** Structs that contain themselves, which no compiler accepts, have no size. */
const structSize = (scopes: Scopes, struct: StructModel, depth: number): Size | undefined => {
  const known = structMemo.get(struct)
  if (known !== undefined) return typeof known === "string" ? undefined : known
  structMemo.set(struct, "open")
  let slot = 0
  let offset = 0
  let complete = true
  for (const { type, node } of struct.members) {
    const size = sizeOf(scopes, type, node.typeName, struct.source, struct.contract, depth + 1)
    if (size === undefined) {
      complete = false
      break
    }
    if (offset > 0 && (!size.shares || offset + size.bytes > slotBytes)) {
      slot++
      offset = 0
    }
    if (size.shares) offset += size.bytes
    else slot += size.bytes / slotBytes
  }
  const size = complete ? slots(slot + (offset > 0 ? 1 : 0)) : undefined
  structMemo.set(struct, size ?? "unknown")
  return size
}

/** The array length as written: a number, or computed from constants of the contract or file. */
const lengthOf = (
  scopes: Scopes,
  length: S.Expression | undefined,
  source: SourceModel,
  contract: ContractModel | undefined,
): number | undefined => {
  if (length === undefined) return undefined
  const names: Names = {
    referenceOf: (e) =>
      e.kind === "Identifier"
        ? scopes.path([e.name], source, contract)
        : e.kind === "MemberAccess" && e.object.kind === "Identifier"
          ? scopes.path([e.object.name, e.member], source, contract)
          : undefined,
    callOf: () => undefined,
  }
  const value = constantNumber(names, length)
  return value === undefined || value < 0n || value > BigInt(largest) ? undefined : Number(value)
}

/** How a value of the type is read from storage, as text; structs within structs are identified by name. */
export const formOf = (type: Type, depth = 0, inStruct = false): string => {
  if (depth > depthLimit) return "?"
  const form = (inner: Type): string => formOf(inner, depth + 1, inStruct)
  switch (type.kind) {
    case "integer":
      return `${type.signed ? "int" : "uint"}${type.bits}`
    case "address":
    case "contract":
      return "address"
    case "fixedBytes":
      return `bytes${type.size}`
    case "enum":
      return "uint8"
    case "userType":
      return form(type.definition.underlying)
    case "array":
      return `${form(type.base)}[${type.fixed ? (type.length ?? "?") : ""}]`
    case "mapping":
      return `mapping(${form(type.key)} => ${form(type.value)})`
    case "struct":
      return inStruct
        ? type.struct.name
        : `{${type.struct.members.map((member) => formOf(member.type, depth + 1, true)).join()}}`
    case "unknown":
      return isInterfaceName(type.name) ? "address" : `?${type.name ?? ""}`
    default:
      return type.kind
  }
}

const isInterfaceName = (name: string | undefined): boolean => name !== undefined && /^(?:\w+\.)?I[A-Z]/.test(name)
