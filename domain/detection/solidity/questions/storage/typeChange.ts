import type { EnumModel, StructModel } from "../../model.ts"
import type { Type } from "../../types.ts"
import { bareName, formOf } from "./layout.ts"

/** Nesting to which types are compared member by member. */
const depthLimit = 16

/**
 * Whether what an earlier release stored as one type is read as intended as the other. A struct keeps its members in
 * order, where a new name for a member does not count as a change; it may only grow where nothing follows it, as in a mapping.
 */
export const keepsMeaning = (before: Type, after: Type, canGrow: boolean, depth = 0): boolean => {
  if (before === after || depth > depthLimit) return true
  if (before.kind === "mapping" && after.kind === "mapping")
    return formOf(before.key) === formOf(after.key) && keepsMeaning(before.value, after.value, true, depth + 1)
  if (before.kind === "array" && after.kind === "array")
    return (
      before.fixed === after.fixed &&
      (before.length === undefined || after.length === undefined || before.length <= after.length) &&
      keepsMeaning(before.base, after.base, false, depth + 1)
    )
  if (before.kind === "struct" && after.kind === "struct")
    return keepsMembers(before.struct, after.struct, canGrow, depth + 1)
  if (before.kind === "enum" && after.kind === "enum") return keepsNumbers(before.enum, after.enum)
  return formOf(before) === formOf(after)
}

export const keepsMembers = (before: StructModel, after: StructModel, canGrow: boolean, depth = 0): boolean => {
  if (before === after) return true
  if (canGrow ? after.members.length < before.members.length : after.members.length !== before.members.length)
    return false
  const formerNames = new Set(before.members.map(bareName))
  const laterNames = new Set(after.members.map(bareName))
  return before.members.every((former, i) => {
    const later = after.members[i]!
    const isRenamed = !laterNames.has(bareName(former)) && !formerNames.has(bareName(later))
    return (bareName(former) === bareName(later) || isRenamed) && keepsMeaning(former.type, later.type, false, depth)
  })
}

/** Names that both have stand for the same numbers. */
const keepsNumbers = ({ node: before }: EnumModel, { node: after }: EnumModel): boolean => {
  const numbers = new Map(after.values.map(({ name }, number) => [name, number]))
  return before.values.every(({ name }, number) => (numbers.get(name) ?? number) === number)
}
