import type { StructDefinition } from "../../crate/crate.ts"
import type { Value } from "../../terms/events.ts"
import type { Resolver } from "../../crate/resolve.ts"
import type { Expression } from "../../syntax/syntax.ts"
import { definitionOf, fieldType, successType, type RustType } from "../../crate/types.ts"
import type { Walk } from "../state/walk.ts"

/** Limit: nested wrappers. */
const maxDepth = 4

const isSelf = (node: Expression): boolean =>
  node.kind === "path" && node.path.segments.length === 1 && node.path.segments[0]?.name === "self"

const handedOut = (node: Expression | undefined): string | undefined => {
  if (node?.kind === "reference") return handedOut(node.operand)
  return node?.kind === "field" && isSelf(node.base) ? node.name : undefined
}

/** The field that a struct of the project dereferences to: `fn deref(&self) -> &Common { &self.common }`. */
const targetField = (resolver: Resolver, struct: StructDefinition): string | undefined => {
  for (const impl of resolver.implsOf(struct))
    if (impl.item.trait?.segments.at(-1)?.name === "Deref")
      return handedOut(impl.functions.get("deref")?.item.body?.tail)
  return undefined
}

const structOf = (type: RustType): StructDefinition | undefined => {
  const definition = definitionOf(successType(type))
  return definition?.kind === "struct" ? definition : undefined
}

/**
 * The value, or what it dereferences to, that has a field or method; undefined if none of them does. A type without
 * source, such as `Account<'_, Config>`, is an undefined struct.
 */
export const dereferenced = (
  walk: Walk,
  value: Value,
  has: (struct: StructDefinition | undefined) => boolean,
): Value | undefined => {
  let one = value
  for (let depth = 0; depth < maxDepth; depth++) {
    const struct = structOf(one.type)
    if (has(struct)) return one
    if (struct === undefined) return undefined
    const name = targetField(walk.resolver, struct)
    if (name === undefined) return undefined
    one = { term: walk.terms.field(one.term, name), type: fieldType(walk.resolver, successType(one.type), name) }
  }
  return undefined
}
