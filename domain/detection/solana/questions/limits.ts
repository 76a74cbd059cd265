import { definitionOf, isInteger, resolveType, type RustType, successType } from "../../rust/crate/types.ts"
import type { Term } from "../../rust/terms/terms.ts"
import type { Instruction, SolanaCrate } from "../program/model.ts"
import { isChosen } from "./quantities.ts"

/** How far the caller lets an amount go, by what the program calls it. */
export interface Limit {
  readonly name: string
  readonly term: Term
}

export const tradeLimit =
  /^(min|max)(imum)?_\w+$|^(min|max)(imum)?_?(amount)?_?(out|output|received?|receive|in|input|base|quote|to_receive)?(_amount)?$|minimum_amount_out|min_out|min_amount_out|other_amount_threshold|minimum_out|slippage/

/** How far the caller lets an amount go, wherever the name says so: `token_min_a`, `limit_price`. */
const bound = /(^|_)(min|max|minimum|maximum|slippage|at_least|at_most|limit_price|price_limit)(_|$)/

const isBound = (name: string, type: RustType): boolean =>
  (tradeLimit.test(name) || bound.test(name)) && (isInteger(type) || definitionOf(type)?.kind === "struct")

/** `SwapArgs::try_from_slice(data)` */
const decodes =
  /^(try_)?(from_slice|from_bytes|deserialize\w*|unpack\w*|read_from\w*|load|parse|decode)$|^try_from_slice\w*$/

/** The limits that the caller sets: arguments, fields of one, and fields of what is decoded from one. */
export const limitsOf = (
  { project: { resolver }, instructions }: SolanaCrate,
  instruction: Instruction,
): ReadonlyArray<Limit> => {
  const { arguments: given, walk } = instruction
  const within = (term: Term, type: RustType): ReadonlyArray<Limit> => {
    const definition = definitionOf(type)
    if (definition?.kind !== "struct") return []
    return definition.item.fields
      .filter((one) => isBound(one.name, resolveType({ resolver, module: definition.module }, one.type)))
      .map((one) => ({ name: one.name, term: walk.terms.field(term, one.name) }))
  }
  const found = given.flatMap(({ name, term, type }): ReadonlyArray<Limit> => {
    const plain = name.replace(/^_+/, "")
    return isBound(plain, type) ? [{ name: plain, term }] : within(term, type)
  })
  if (instruction.kind !== "native") return found
  for (const event of instruction.events) {
    if (event.kind !== "call" || !decodes.test(event.name) || !isChosen(instruction, event.result.term)) continue
    // Anchor generates `crate::instruction::Swap` of the arguments of `swap`.
    const generated = /(^|::)instruction::(\w+)::\w+$/.exec(event.path)?.[2]
    const declared = instructions.find(
      (one) => one.kind === "anchor" && one.name.replaceAll("_", "") === generated?.toLowerCase(),
    )
    const { term, type } = event.result
    found.push(
      ...within(term, successType(type)),
      ...(declared?.arguments ?? [])
        .filter((one) => isBound(one.name, one.type))
        .map(({ name }) => ({ name, term: walk.terms.field(term, name) })),
    )
  }
  return found
}
