import { definitionOf, isInteger, resolveType, type RustType, successType } from "../../rust/crate/types.ts"
import type { Field } from "../../rust/syntax/syntax.ts"
import type { Term } from "../../rust/terms/terms.ts"
import type { Instruction, SolanaCrate } from "../program/model.ts"
import { isChosen } from "./quantities.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** How far the caller lets an amount go, by what the program calls it. */
export interface Limit {
  readonly name: string
  readonly term: Term
}

export const tradeLimit =
  /^(min|max)(imum)?_\w+$|^(min|max)(imum)?_?(amount)?_?(out|output|received?|receive|in|input|base|quote|to_receive)?(_amount)?$|minimum_amount_out|min_out|min_amount_out|other_amount_threshold|minimum_out|slippage/

/** How far the caller lets an amount go, wherever the name says so: `token_min_a`, `limit_price`. */
const bound = /(^|_)(min|max|minimum|maximum|slippage|at_least|at_most|limit_price|price_limit)(_|$)/

/** Limits to how long something takes have nothing to do with a price. */
const times = /(^|_)(delay|eta|duration|age|time(stamp|out)?|seconds|secs?|slots?|epochs?|blocks?|period)(_|$)/

const isBound = (name: string, type: RustType): boolean =>
  !times.test(name) &&
  (tradeLimit.test(name) || bound.test(name)) &&
  (isInteger(type) || definitionOf(type)?.kind === "struct")

/** `SwapArgs::try_from_slice(data)` */
const decodes =
  /^(try_)?(from_slice|from_bytes|deserialize\w*|unpack\w*|read_from\w*|load|parse|decode)$|^try_from_slice\w*$/

/** How far down limits are looked for in what the caller passes. */
const maxDepth = 2

/** The limits that the caller sets: arguments, fields of one, and fields of what is decoded from one. */
export const limitsOf = (
  { project: { resolver }, instructions }: SolanaCrate,
  instruction: Instruction,
): ReadonlyArray<Limit> => {
  const { arguments: given, walk } = instruction
  const variants = new Map(
    [...walk.success].flatMap((fact) => (fact.kind === "is" ? [[fact.value, fact.variant]] : [])),
  )
  const within = (term: Term, type: RustType, depth = 0): ReadonlyArray<Limit> => {
    const definition = definitionOf(type)
    const fieldsOf = (fields: ReadonlyArray<Field>, place: (name: string) => Term): ReadonlyArray<Limit> =>
      fields.flatMap((one) => {
        const own = resolveType({ resolver, module: definition!.module }, one.type)
        if (isBound(one.name, own)) return [{ name: one.name, term: place(one.name) }]
        return depth < maxDepth ? within(place(one.name), own, depth + 1) : []
      })
    if (definition?.kind === "struct") return fieldsOf(definition.item.fields, (name) => walk.terms.field(term, name))
    if (definition?.kind !== "enum") return []
    // Behind a dispatch, the message is known to be one of them.
    const known = variants.get(term)
    return definition.item.variants.flatMap(({ name: variant, fields }) =>
      known !== undefined && !known.endsWith(`::${variant}`)
        ? []
        : fieldsOf(fields, (name) => walk.terms.payload(term, `${definition.name}::${variant}`, name)),
    )
  }
  const found = given.flatMap(({ name, term, type }): ReadonlyArray<Limit> => {
    const plain = name.replace(/^_+/, "")
    return isBound(plain, type) ? [{ name: plain, term }] : within(term, type)
  })
  if (instruction.kind !== "native") return found
  for (const event of ofKind(instruction.events, "call")) {
    if (!decodes.test(event.name) || !isChosen(instruction, event.result.term)) continue
    // Anchor generates `crate::instruction::Swap` of the arguments of `swap`.
    const generated = /(^|::)instruction::(\w+)::\w+$/.exec(event.path)?.[2]
    const declared = instructions.find(
      (one) => one.kind === "anchor" && one.name.replaceAll("_", "") === generated?.toLowerCase(),
    )
    const { term, type } = event.result
    found.push(
      ...within(term, successType(type)),
      ...(declared?.arguments ?? []).flatMap(({ name, type: own }) => {
        const place = walk.terms.field(term, name)
        return isBound(name, own) ? [{ name, term: place }] : within(place, own)
      }),
    )
  }
  return found
}
