import { oncePer } from "../../../oncePer.ts"
import type { FunctionDefinition } from "../../crate/crate.ts"
import type { RustType } from "../../crate/types.ts"
import type { Frame } from "../../terms/events.ts"
import type { Walk } from "./walk.ts"

/** The type parameters of a function and of its impl; `Self`, in a trait, is one as well. */
const typeParameters = oncePer(({ owner, item }: FunctionDefinition): ReadonlySet<string> => {
  const ofOwner = owner === undefined ? [] : owner.kind === "trait" ? ["Self"] : owner.item.generics
  return new Set([...item.generics, ...ofOwner])
})

/** Finds the part of the given type where the declared one names a parameter. */
export const partAt = (declared: RustType, given: RustType, parameter: string): RustType | undefined => {
  if (declared.kind === "list" && given.kind === "list") return partAt(declared.element, given.element, parameter)
  if (declared.kind !== "named" || given.kind === "unknown") return undefined
  if (declared.definition === undefined && declared.name === parameter) return given
  if (given.kind !== "named" || given.name !== declared.name) return undefined
  for (const [index, one] of declared.args.entries()) {
    const found = given.args[index] === undefined ? undefined : partAt(one, given.args[index], parameter)
    if (found !== undefined) return found
  }
  return undefined
}

export const isGeneric = (called: FunctionDefinition): boolean => typeParameters(called).size > 0

/** What a type parameter stands for in a call, as its arguments tell: `Self` of `Checks::only_admin(&ctx)`. */
export const typeArgument = (walk: Walk, { function: called, given }: Frame, name: string): RustType | undefined => {
  if (given === undefined || !typeParameters(called).has(name)) return undefined
  for (const [index, { type }] of called.parameters.entries()) {
    const known = given[index]
    const found = known === undefined ? undefined : partAt(walk.typeIn(called, type), known, name)
    if (found !== undefined) return found
  }
  return undefined
}
