import { definitionOf, fieldsByName, isNamed, type RustType } from "../../rust/crate/types.ts"

export const isDeps = (type: RustType): boolean => isNamed(type, "Deps", "DepsMut", "Extern")

/**
 * What a framework, or the project itself, passes as one argument: `deps`, `env` and, for messages, `info`. Of a type
 * without source, the name tells.
 */
export const isContext = (type: RustType): boolean => {
  if (type.kind !== "named") return false
  const definition = definitionOf(type)
  if (definition === undefined) return /(Ctx|Context)$/.test(type.name)
  return definition.kind === "struct" && fieldsByName(definition.item).has("deps")
}
