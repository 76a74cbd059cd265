import type { StructDefinition, TypeDefinition } from "../../rust/crate/crate.ts"
import type { CallEvent } from "../../rust/terms/events.ts"
import type { Term } from "../../rust/terms/terms.ts"
import { resolveType, type RustType } from "../../rust/crate/types.ts"
import type { AccountCheck, SolanaCrate } from "./model.ts"

/**
 * Borsh and the like accept any bytes of the right shape. Anchor's `try_deserialize` compares the discriminator, `Pack`
 * the length.
 */
export const shapeOnly =
  /^(try_from_slice|deserialize|try_from_slice_unchecked|deserialize_unchecked|try_deserialize_unchecked|from_bytes|pod_read_unaligned|from_slice|cast)$/

/** The fields in layout order; a type of unknown length ends the comparison. */
const layoutOf = (crate: SolanaCrate, struct: StructDefinition): ReadonlyArray<string> =>
  struct.item.fields.map(({ type }) =>
    nameOf(resolveType({ resolver: crate.project.resolver, module: struct.module }, type)),
  )

const nameOf = (type: RustType): string =>
  type.kind === "named"
    ? type.args.length > 0
      ? `${type.name}<${type.args.map(nameOf).join(",")}>`
      : type.name
    : type.kind === "list"
      ? `[${nameOf(type.element)}]`
      : type.kind

const openEnded = /^(String|Vec<|Option<|HashMap<|BTreeMap<)/

const areAlike = (one: ReadonlyArray<string>, other: ReadonlyArray<string>, prefix: boolean): boolean => {
  for (let index = 0; ; index++) {
    const [a, b] = [one[index], other[index]]
    if (a === undefined && b === undefined) return index > 0
    if (a === undefined) return prefix && index > 0
    if (b === undefined) return false
    if (openEnded.test(a) || openEnded.test(b)) return index > 0
    if (a !== b) return false
  }
}

export const hasAttribute = (
  item: {
    readonly attributes: ReadonlyArray<{
      readonly name: string
      readonly args: ReadonlyArray<{ readonly name: string }>
    }>
  },
  name: RegExp,
): boolean =>
  item.attributes.some(
    (one) => name.test(one.name) || (one.name === "derive" && one.args.some((arg) => name.test(arg.name))),
  )

const isReadable = (definition: TypeDefinition): boolean =>
  hasAttribute(definition.item, /^account$|(^|::)(BorshDeserialize|AnchorDeserialize|Pod|Deserialize)$/)

export const structsOf = (crate: SolanaCrate): ReadonlyArray<StructDefinition> =>
  crate.crate.modules.flatMap((module) => [...module.names.values()].flat()).filter((one) => one.kind === "struct")

/** Whether a field identifies the type: it is compared with something fixed, not with another account. */
export const tellsType = (checks: ReadonlyArray<AccountCheck>): boolean =>
  checks.some(
    ({ kind, against, fact }) =>
      kind === "initialized" ||
      kind === "type" ||
      kind === "key" ||
      kind === "pda" ||
      ((kind === "state" || kind === "data") &&
        !(fact.kind === "is" && (fact.variant === "Ok" || fact.variant === "Some")) &&
        (fact.kind !== "binary" || fact.operator === "==") &&
        (against === undefined ||
          against.kind === "literal" ||
          against.kind === "constant" ||
          against.kind === "list")),
  )

/** Why another account type of the program could be read as this one; undefined if none can. */
export const lookalike = (
  crate: SolanaCrate,
  structs: ReadonlyArray<StructDefinition>,
  type: TypeDefinition,
  event: CallEvent,
): string | undefined => {
  if (type.kind === "enum") return undefined
  const layout = layoutOf(crate, type)
  const nested = (other: StructDefinition): boolean =>
    structs.some((one) => layoutOf(crate, one).some((field) => field.includes(other.name)))
  return structs.find(
    (one) =>
      one !== type &&
      (isReadable(one) || crate.stateStructs.includes(one)) &&
      !nested(one) &&
      areAlike(layout, layoutOf(crate, one), event.name !== "try_from_slice"),
  )?.name
}

const isTagType = (type: string): boolean =>
  /^(u8|u16|u32|u64|\[u8\])$/.test(type) || (/^\w+$/.test(type) && /Type|Kind|Tag|Key|Discriminator/.test(type))

/**
 * Whether a struct's first field identifies its type: everything that builds one gives it the same literal or constant,
 * or some instruction compares it with one.
 */
export const isTagged = (crate: SolanaCrate, struct: StructDefinition): boolean => {
  const tag = struct.item.fields[0]?.name
  if (tag === undefined || !isTagType(layoutOf(crate, struct)[0]!)) return false
  const isFixed = (term: Term): boolean => term.kind === "literal" || term.kind === "constant"
  return crate.instructions.some(({ events }) =>
    events.some((event) => {
      const built = event.kind === "struct" ? event.value.term : undefined
      return (
        built?.kind === "struct" &&
        built.definition === struct &&
        built.fields.some(([name, value]) => name === tag && isFixed(value))
      )
    }),
  )
}
