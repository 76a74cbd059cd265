import type { Definition } from "../../crate/crate.ts"
import type { Value } from "../../terms/events.ts"
import type { Path, Pattern } from "../../syntax/syntax.ts"
import type { Term, TermTable } from "../../terms/terms.ts"
import { elementType, fieldType, resolveType, type RustType, successType, unknownType } from "../../crate/types.ts"
import { meaningOf } from "../values/names.ts"
import type { Walk } from "../state/walk.ts"

/** The names that a pattern may bind. */
export const namesIn = (pattern: Pattern): ReadonlyArray<string> => {
  switch (pattern.kind) {
    case "binding":
      return [pattern.name, ...(pattern.pattern === undefined ? [] : namesIn(pattern.pattern))]
    case "reference":
      return namesIn(pattern.pattern)
    case "tuple":
    case "tupleStruct":
    case "slice":
      return pattern.elements.flatMap(namesIn)
    case "struct":
      return pattern.fields.flatMap((field) => namesIn(field.pattern))
    case "or":
      return pattern.alternatives.flatMap(namesIn)
    default:
      return []
  }
}

const lastName = (path: Path): string => path.segments.at(-1)?.name ?? ""

const definitionOfPath = (walk: Walk, path: ReadonlyArray<string>): Definition | undefined => {
  const found = walk.resolver.resolve(walk.frame.function.module, path, "value", walk.selfDefinition)
  return found.kind === "definition" ? found.definition : undefined
}

/** `Enum::Variant` of a path in a pattern, whatever name it was imported under. */
export const variantName = (walk: Walk, path: Path): string => {
  const names = path.segments.map((segment) => segment.name)
  const definition = definitionOfPath(walk, names)
  if (definition?.kind === "variant") return `${definition.enum.name}::${definition.name}`
  return names.slice(-2).join("::")
}

/** A constant in a pattern is the same term as one in an expression. */
const constantNamed = (walk: Walk, names: ReadonlyArray<string>): Term => {
  const { path, definition } = meaningOf(walk, names)
  return walk.terms.constant(path, definition?.kind === "const" ? definition : undefined)
}

const fieldOf = (walk: Walk, path: Path, base: Value, name: string): Value => {
  const definition = definitionOfPath(
    walk,
    path.segments.map((segment) => segment.name),
  )
  if (definition?.kind === "struct")
    return {
      term: walk.terms.field(base.term, name),
      type: fieldType(
        walk.resolver,
        { kind: "named", name: definition.name, path: definition.name, definition, args: [] },
        name,
      ),
    }
  const variant = variantName(walk, path)
  const known = definition === undefined ? walk.semantics.payload?.(base, variant, name, walk) : undefined
  if (known !== undefined) return known
  let type: RustType = unknownType
  if (definition?.kind === "variant") {
    const field = definition.variant.fields.find((one) => one.name === name)
    if (field !== undefined) type = resolveType({ resolver: walk.resolver, module: definition.enum.module }, field.type)
  }
  return { term: walk.terms.payload(base.term, variant, name), type }
}

/** `Reply { id, .. }`, `ctx::ExecCtx { info, .. }`: a struct of another crate, unlike `Enum::Variant { … }`. */
const isForeignStruct = (walk: Walk, path: Path): boolean => {
  const names = path.segments.map((segment) => segment.name)
  const before = names.at(-2)
  return definitionOfPath(walk, names) === undefined && (before === undefined || /^[a-z]/.test(before))
}

const slice = (walk: Walk, base: Value, from: number): Value => ({
  term: walk.terms.call("slice", "", [base.term, walk.terms.literal("integer", String(from))]),
  type: base.type,
})

type Inner = (pattern: Pattern, part: Value) => ReadonlyArray<Term>
type PatternOf<Kind extends Pattern["kind"]> = Extract<Pattern, { readonly kind: Kind }>

const tupleFacts = (pattern: PatternOf<"tuple">, value: Value, terms: TermTable, inner: Inner): ReadonlyArray<Term> => {
  const rest = pattern.elements.findIndex((one) => one.kind === "rest")
  const size =
    value.term.kind === "list"
      ? value.term.elements.length
      : value.type.kind === "tuple"
        ? value.type.elements.length
        : pattern.elements.length
  return pattern.elements.flatMap((one, index) => {
    if (one.kind === "rest") return []
    const at = rest !== -1 && index > rest ? size - (pattern.elements.length - index) : index
    const type = value.type.kind === "tuple" ? (value.type.elements[at] ?? unknownType) : unknownType
    return inner(one, { term: terms.field(value.term, String(at)), type })
  })
}

const tupleStructFacts = (
  walk: Walk,
  pattern: PatternOf<"tupleStruct">,
  value: Value,
  inner: Inner,
): ReadonlyArray<Term> => {
  const { terms } = walk
  const name = lastName(pattern.path)
  const [first] = pattern.elements
  if (name === "Ok" || name === "Some") {
    if (first !== undefined) {
      const { onSuccess: _, failure: __, ...rest } = value
      const facts = inner(first, { ...rest, type: successType(value.type) })
      return [terms.is(value.term, name), ...(value.onSuccess ?? []), ...facts]
    }
    return [terms.is(value.term, name), ...(value.onSuccess ?? [])]
  }
  if (name === "Err") {
    if (first !== undefined) inner(first, walk.opaque([value.term]))
    return [terms.is(value.term, "Err")]
  }
  const facts = pattern.elements.flatMap((one, index) =>
    one.kind === "rest" ? [] : inner(one, fieldOf(walk, pattern.path, value, String(index))),
  )
  const definition = definitionOfPath(
    walk,
    pattern.path.segments.map((segment) => segment.name),
  )
  return definition?.kind === "struct" ? facts : [terms.is(value.term, variantName(walk, pattern.path)), ...facts]
}

const sliceFacts = (
  walk: Walk,
  pattern: PatternOf<"slice">,
  value: Value,
  dry: boolean,
  inner: Inner,
): ReadonlyArray<Term> => {
  const { terms } = walk
  const rest = pattern.elements.findIndex(
    (one) => one.kind === "rest" || (one.kind === "binding" && one.pattern?.kind === "rest"),
  )
  return pattern.elements.flatMap((one, index) => {
    if (one.kind === "rest") return []
    if (index === rest && one.kind === "binding") {
      if (!dry) walk.bind(one.name, slice(walk, value, index), one)
      return []
    }
    const at = rest !== -1 && index > rest ? undefined : index
    return inner(one, { term: terms.element(value.term, at), type: elementType(value.type) })
  })
}

/** Binds the names of a pattern to parts of a value and returns the facts of a match. With `dry`, nothing is bound. */
export const bindPattern = (
  walk: Walk,
  pattern: Pattern,
  value: Value,
  dry = false,
  depth = 0,
): ReadonlyArray<Term> => {
  const { terms } = walk
  if (depth > 40) return []
  const inner = (one: Pattern, part: Value): ReadonlyArray<Term> => bindPattern(walk, one, part, dry, depth + 1)
  switch (pattern.kind) {
    case "binding": {
      if (pattern.pattern === undefined && /^[A-Z]/.test(pattern.name)) {
        const definition = definitionOfPath(walk, [pattern.name])
        if (pattern.name === "None") return [terms.is(value.term, "None")]
        if (definition?.kind === "variant") return [terms.is(value.term, `${definition.enum.name}::${definition.name}`)]
        if (definition?.kind === "const" || /^[A-Z][A-Z0-9_]*$/.test(pattern.name))
          return [terms.binary("==", value.term, constantNamed(walk, [pattern.name]))]
      }
      if (!dry) walk.bind(pattern.name, value, pattern)
      return pattern.pattern === undefined ? [] : inner(pattern.pattern, value)
    }
    case "reference":
      return inner(pattern.pattern, value)
    case "tuple":
      return tupleFacts(pattern, value, terms, inner)
    case "tupleStruct":
      return tupleStructFacts(walk, pattern, value, inner)
    case "struct": {
      if (isForeignStruct(walk, pattern.path))
        return pattern.fields.flatMap((one) =>
          inner(
            one.pattern,
            walk.semantics.field?.(value, one.name, walk) ?? {
              term: terms.field(value.term, one.name),
              type: unknownType,
            },
          ),
        )
      const facts = pattern.fields.flatMap((one) => inner(one.pattern, fieldOf(walk, pattern.path, value, one.name)))
      const definition = definitionOfPath(
        walk,
        pattern.path.segments.map((segment) => segment.name),
      )
      return definition?.kind === "struct" ? facts : [terms.is(value.term, variantName(walk, pattern.path)), ...facts]
    }
    case "path": {
      const definition = definitionOfPath(
        walk,
        pattern.path.segments.map((segment) => segment.name),
      )
      if (definition?.kind === "const") {
        const names = pattern.path.segments.map((segment) => segment.name)
        return [terms.binary("==", value.term, constantNamed(walk, names))]
      }
      return [terms.is(value.term, variantName(walk, pattern.path))]
    }
    case "literal": {
      if (pattern.value.kind === "literal" && pattern.value.type === "boolean")
        return walk.consequences(value.term, pattern.value.value === "true")
      const literal =
        pattern.value.kind === "literal"
          ? terms.literal(pattern.value.type, pattern.value.value)
          : walk.expression(pattern.value).term
      return [terms.binary("==", value.term, literal)]
    }
    case "range": {
      const from =
        pattern.from === undefined ? [] : [terms.binary(">=", value.term, walk.expression(pattern.from).term)]
      const to =
        pattern.to === undefined
          ? []
          : [terms.binary(pattern.inclusive ? "<=" : "<", value.term, walk.expression(pattern.to).term)]
      return [...from, ...to]
    }
    case "or": {
      const [first, ...others] = pattern.alternatives.map((one) => inner(one, value))
      let either = first?.[0]
      for (const [next] of others)
        either = either === undefined || next === undefined ? undefined : terms.binary("||", either, next)
      return either === undefined ? [] : [either]
    }
    case "slice":
      return sliceFacts(walk, pattern, value, dry, inner)
    default:
      return []
  }
}

/** The variant that a pattern selects, for dispatch: `ExecuteMsg::Transfer`; undefined for other patterns. */
export const selectedVariant = (walk: Walk, pattern: Pattern): string | undefined => {
  switch (pattern.kind) {
    case "tupleStruct":
    case "struct":
    case "path":
      return variantName(walk, pattern.path)
    case "reference":
      return selectedVariant(walk, pattern.pattern)
    case "binding": {
      if (!/^[A-Z]/.test(pattern.name))
        return pattern.pattern === undefined ? undefined : selectedVariant(walk, pattern.pattern)
      const definition = definitionOfPath(walk, [pattern.name])
      return definition?.kind === "variant" ? `${definition.enum.name}::${definition.name}` : pattern.name
    }
    case "or": {
      const names = pattern.alternatives.map((one) => selectedVariant(walk, one))
      return names.includes(undefined) ? undefined : names.join(" | ")
    }
    case "literal":
      return pattern.value.kind === "literal" ? pattern.value.value : undefined
    default:
      return undefined
  }
}
