import { oncePer, oncePerPair } from "../../oncePer.ts"
import type { StructDefinition, TypeDefinition } from "../../rust/crate/crate.ts"
import { type CallEvent, ofKind } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { resolveType, type RustType } from "../../rust/crate/types.ts"
import type { AccountCheck, SolanaCrate } from "./model.ts"

/**
 * Borsh and the like accept any bytes of the right shape. Anchor's `try_deserialize` compares the discriminator, `Pack`
 * the length.
 */
export const shapeOnly =
  /^(try_from_slice|deserialize|try_from_slice_unchecked|deserialize_unchecked|try_deserialize_unchecked|from_bytes|pod_read_unaligned|from_slice|cast)$/

/** The fields in layout order; a type of unknown length ends the comparison. */
const layoutOf = oncePerPair((crate: SolanaCrate, struct: StructDefinition): ReadonlyArray<string> =>
  struct.item.fields.map(({ type }) =>
    nameOf(resolveType({ resolver: crate.project.resolver, module: struct.module }, type)),
  ),
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

export const structsOf = oncePer(({ crate }: SolanaCrate): ReadonlyArray<StructDefinition> =>
  crate.modules.flatMap((module) => [...module.names.values()].flat()).filter((one) => one.kind === "struct"),
)

/** What the variants of enums carry: the arguments of instructions, above all. */
const carriedTypes = (crate: SolanaCrate): ReadonlyArray<string> =>
  crate.crate.modules.flatMap((module) =>
    [...module.names.values()]
      .flat()
      .flatMap((one) =>
        one.kind !== "enum"
          ? []
          : one.item.variants.flatMap(({ fields }) =>
              fields.map(({ type }) => nameOf(resolveType({ resolver: crate.project.resolver, module }, type))),
            ),
      ),
  )

/** Structs that may be an account of their own: they can be read, and are not part of anything else. */
const readableStructs = oncePer((crate: SolanaCrate): ReadonlyArray<StructDefinition> => {
  const structs = structsOf(crate)
  const states = new Set(crate.stateStructs)
  const types = [...structs.flatMap((one) => layoutOf(crate, one)), ...carriedTypes(crate)]
  const parts = new Set(types.flatMap((type) => type.match(/\w+/g) ?? []))
  return structs.filter((one) => (states.has(one) || isReadable(one)) && !parts.has(one.name))
})

/** Whether a field identifies the type: it is compared with something fixed, not with another account. */
export const tellsType = (checks: ReadonlyArray<AccountCheck>): boolean =>
  checks.some(
    ({ kind, against, fact }) =>
      kind === "initialized" ||
      kind === "type" ||
      kind === "key" ||
      kind === "pda" ||
      // A library's `assert_derivation(program_id, account, seeds)` and `is_correct_account_type(data, Key::Record, size)`.
      (kind === "call" &&
        mentions(fact, (one) => one.kind === "call" && /derivation|account_type|discriminator/.test(one.name))) ||
      ((kind === "state" || kind === "data") &&
        !(fact.kind === "is" && (fact.variant === "Ok" || fact.variant === "Some")) &&
        (fact.kind !== "binary" || fact.operator === "==") &&
        (against === undefined ||
          against.kind === "literal" ||
          against.kind === "constant" ||
          against.kind === "list")),
  )

/** Why another account type of the program could be read as this one; undefined if none can. */
export const lookalike = (crate: SolanaCrate, type: TypeDefinition, event: CallEvent): string | undefined => {
  if (type.kind === "enum") return undefined
  const layout = layoutOf(crate, type)
  return readableStructs(crate).find(
    (one) => one !== type && areAlike(layout, layoutOf(crate, one), event.name !== "try_from_slice"),
  )?.name
}

const isTagType = (type: string): boolean =>
  /^(u8|u16|u32|u64|\[u8\])$/.test(type) || (/^\w+$/.test(type) && /Type|Kind|Tag|Key|Discriminator/.test(type))

/**
 * Structs whose first field identifies their type: everything that builds one gives it the same literal or constant,
 * or some instruction compares it with one.
 */
const taggedStructs = oncePer((crate: SolanaCrate): ReadonlySet<StructDefinition> => {
  const tagged = new Set<StructDefinition>()
  for (const { events } of crate.instructions)
    for (const { value } of ofKind(events, "struct")) {
      const built = value.term
      if (built.kind !== "struct" || built.definition?.kind !== "struct" || tagged.has(built.definition)) continue
      const tag = built.definition.item.fields[0]?.name
      const isFixed = ({ kind }: Term): boolean => kind === "literal" || kind === "constant"
      if (tag !== undefined && isTagType(layoutOf(crate, built.definition)[0]!))
        if (built.fields.some(([name, value]) => name === tag && isFixed(value))) tagged.add(built.definition)
    }
  return tagged
})

export const isTagged = (crate: SolanaCrate, struct: StructDefinition): boolean => taggedStructs(crate).has(struct)
