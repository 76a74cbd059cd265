import type { EnumDefinition } from "../rust/crate/crate.ts"
import type { Value } from "../rust/terms/events.ts"
import type { CallSite } from "../rust/walk/platform.ts"
import type { Attribute, Variant } from "../rust/syntax/syntax.ts"
import { type RustType, namedType, pointee, successType, unknownType } from "../rust/crate/types.ts"
import type { Walk } from "../rust/walk/walk.ts"
import { accountInfo, isAccountList } from "./accountTypes.ts"

const contextType = "ShankContext"
const accountsType = "ShankAccounts"

/** `#[account(0, writable, signer, name = "payer", desc = "…")]` */
const nameIn = ({ args }: Attribute): string | undefined => {
  const value = args.find(({ name }) => name === "name")?.value
  return value?.kind === "literal" && value.value !== "" ? value.value : undefined
}

interface Declared {
  readonly name: string
  readonly optional: boolean
}

const accountsOf = (variant: Variant): ReadonlyArray<Declared> =>
  variant.attributes.flatMap((attribute) => {
    const name = attribute.name === "account" ? nameIn(attribute) : undefined
    const optional = attribute.args.some((one) => one.name.startsWith("optional"))
    return name === undefined ? [] : [{ name, optional }]
  })

const derivesContext = ({ item }: EnumDefinition): boolean =>
  item.attributes.some(
    ({ name, args }) => name === "derive" && args.some((one) => /(^|::)Shank(Context|Instruction)$/.test(one.name)),
  )

/** The accounts that the instruction of this name declares, in their order. */
const declared = (walk: Walk, instruction: string): ReadonlyArray<Declared> | undefined => {
  for (const { names } of walk.frame.function.module.crate.modules)
    for (const definitions of names.values())
      for (const definition of definitions) {
        if (definition.kind !== "enum" || !derivesContext(definition)) continue
        const variant = definition.item.variants.find(({ name }) => name === instruction)
        const accounts = variant === undefined ? [] : accountsOf(variant)
        if (accounts.length > 0) return accounts
      }
  return undefined
}

/**
 * `SetFeeAccounts::context(accounts)?`: what shank makes of the accounts that are written on each variant of the
 * enum of instructions.
 */
export const shankContext = (site: CallSite, walk: Walk): Value | undefined => {
  const [list] = site.args
  if (site.method || site.target !== undefined || list === undefined || !isAccountList(list.type)) return undefined
  if (!/^(to_)?context$/.test(site.name)) return undefined
  const of = site.path.split("::").at(-2) ?? ""
  const accounts = declared(walk, of.replace(/Accounts$/, "")) ?? declared(walk, of)
  if (accounts === undefined) return undefined
  const { terms } = walk
  const fields = accounts.map(({ name }, index) => [name, terms.element(list.term, index)] as const)
  const held: Value = {
    term: terms.struct(accountsType, fields, undefined, undefined),
    type: namedType(accountsType, [
      { kind: "tuple", elements: accounts.map(({ optional }) => namedType(optional ? "Option" : "AccountInfo")) },
    ]),
  }
  walk.emit({ ...walk.at(site.node), kind: "struct", value: held })
  const rest = terms.call("slice", "", [list.term, terms.literal("integer", String(accounts.length))])
  const term = terms.struct(
    contextType,
    [
      ["accounts", held.term],
      ["remaining_accounts", rest],
    ],
    undefined,
    undefined,
  )
  return { term, type: namedType("Result", [namedType(contextType, [held.type])]) }
}

/** Fields of such a context and of its accounts, with their types. */
export const shankField = (base: Value, name: string, walk: Walk): Value | undefined => {
  const type = pointee(successType(base.type))
  if (type.kind !== "named" || type.definition !== undefined || base.term.kind !== "struct") return undefined
  const term = walk.terms.field(base.term, name)
  if (type.name === contextType) {
    const of: RustType = name === "accounts" ? (type.args[0] ?? unknownType) : { kind: "list", element: accountInfo }
    return { term, type: of }
  }
  if (type.name !== accountsType) return undefined
  const [types] = type.args
  const index = base.term.fields.findIndex(([field]) => field === name)
  const optional =
    types?.kind === "tuple" && types.elements[index]?.kind === "named" && types.elements[index].name === "Option"
  return { term, type: optional ? namedType("Option", [accountInfo]) : accountInfo }
}
