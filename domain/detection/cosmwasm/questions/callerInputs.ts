import { definitionOf, isOutcome, type RustType, resolveType, successType } from "../../rust/crate/types.ts"
import { rootOf, type Term, type TermTable } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, EntryPoint } from "../program/model.ts"

/** One value that the caller chooses, with its type as declared. */
export interface CallerInput {
  readonly term: Term
  readonly type: RustType
  readonly name: string
}

/** Parts of the message with their types: from its declaration, or from the parameters that receive them. */
export const callerInputs = (
  { project }: CosmWasmCrate,
  entry: EntryPoint,
  terms: TermTable,
): ReadonlyArray<CallerInput> => {
  const { message } = entry
  if (message === undefined) return []
  const found = new Map<Term, CallerInput>()
  const { resolver } = project
  const add = (term: Term, type: RustType, name: string, depth = 0): void => {
    const inner = isOutcome(type) ? successType(type) : type
    if (inner.kind === "list") add(terms.element(term), inner.element, name, depth)
    else if (inner.kind === "named" && inner.name === "Vec" && inner.args[0] !== undefined)
      add(terms.element(term), inner.args[0], name, depth)
    else if (!found.has(term)) {
      found.set(term, { term, type: inner, name })
      const definition = definitionOf(inner)
      if (definition?.kind !== "struct" || depth >= 3) return
      const scope = { resolver, module: definition.module, self: inner }
      for (const field of definition.item.fields)
        add(terms.field(term, field.name), resolveType(scope, field.type), field.name, depth + 1)
    }
  }
  for (const { term, type, name } of entry.parts ?? []) add(term, type, name)
  for (const { name, type } of entry.function.parameters) {
    if (terms.parameter("", name) !== message) continue
    const declared = resolveType({ resolver, module: entry.function.module }, type)
    const definition = definitionOf(declared)
    if (definition === undefined) {
      add(message, declared, name)
      continue
    }
    const scope = { resolver, module: definition.module, self: declared }
    if (definition.kind === "struct")
      for (const field of definition.item.fields)
        add(terms.field(message, field.name), resolveType(scope, field.type), field.name)
    else
      for (const variant of definition.item.variants)
        for (const field of variant.fields)
          add(
            terms.payload(message, `${definition.name}::${variant.name}`, field.name),
            resolveType(scope, field.type),
            field.name,
          )
  }
  for (const event of entry.events) {
    if (event.kind !== "call" || event.target === undefined) continue
    const { module } = event.target
    for (const [index, argument] of event.args.entries()) {
      const parameter = event.target.parameters[index]
      if (parameter === undefined || argument.term === message || rootOf(argument.term) !== message) continue
      add(argument.term, resolveType({ resolver, module }, parameter.type), parameter.name)
    }
  }
  return [...found.values()]
}
