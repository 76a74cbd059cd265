import type { StructDefinition } from "../../rust/crate/crate.ts"
import type { Resolver } from "../../rust/crate/resolve.ts"
import type { TypeNode } from "../../rust/syntax/syntax.ts"
import { definitionOf, namedType, resolveType, type RustType } from "../../rust/crate/types.ts"

/** A component's account; the names of the surrounding module are in scope in Bolt. */
export const componentType = (resolver: Resolver, { module }: StructDefinition, node: TypeNode): RustType => {
  const own = resolveType({ resolver, module }, node)
  const type =
    definitionOf(own) === undefined && module.parent !== undefined
      ? resolveType({ resolver, module: module.parent }, node)
      : own
  return namedType("Account", [type])
}
