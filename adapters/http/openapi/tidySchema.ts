import { isJson, type Json, mapValues, nameOf } from "./json.ts"

const unbounded = Number.MAX_SAFE_INTEGER

/** Text beside a schema that changes nothing about what it admits. */
const annotations = ["description", "examples", "title"]

/** Whether more properties are allowed is settled at the end, by who sends the object. */
const canonical = (schema: Json): string =>
  JSON.stringify(
    Object.entries(schema)
      .filter(
        ([key, value]) => !annotations.includes(key) && !(key === "additionalProperties" && typeof value === "boolean"),
      )
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    (key, value: unknown) => (key === "additionalProperties" && typeof value === "boolean" ? undefined : value),
  )

const annotationsOf = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => annotations.includes(key)))

/** One schema for what the generator writes as a type and a list of checks. */
const flat = (schema: Json): Json => {
  const { allOf, anyOf, ...rest } = schema
  const parts = [...(Array.isArray(allOf) ? allOf : []), ...(Array.isArray(anyOf) && anyOf.length === 1 ? anyOf : [])]
  if (!parts.every((part) => isJson(part) && !("$ref" in part))) return schema
  const several = Array.isArray(anyOf) && anyOf.length > 1 ? { anyOf } : {}
  return Object.assign({}, rest, several, ...parts)
}

/** Integers of the interface are counts, sizes, ids and times: from 0 on, unless they say otherwise themselves. */
const bounded = (schema: Json): Json => {
  if (schema["type"] !== "integer") return schema
  const { minimum, maximum, ...rest } = schema
  return {
    ...rest,
    minimum: minimum === undefined || minimum === -unbounded ? 0 : minimum,
    ...(maximum === undefined || maximum === unbounded ? {} : { maximum }),
  }
}

const single = (schema: Json): Json => {
  const { enum: values, ...rest } = schema
  return Array.isArray(values) && values.length === 1 ? { ...rest, const: values[0] } : schema
}

/** What a schema is called, by what it admits. */
export type Names = Map<string, string>

/**
 * A schema as generators of clients read it best: no lists of checks, honest bounds, one value as `const`, and in place
 * of what has a name a reference to it, beside which its own description stays.
 */
export const tidySchema = (schema: unknown, names: Names, isRoot = false): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => tidySchema(each, names))
  if (!isJson(schema)) return schema
  const inner = mapValues(flat(schema), (value, key) => {
    if (key === "examples" || key === "enum" || key === "const" || key === "required") return value
    if (key === "properties" && isJson(value)) return mapValues(value, (property) => tidySchema(property, names))
    return tidySchema(value, names)
  })
  const tidied = single(bounded(inner))
  const name = isRoot ? undefined : names.get(canonical(tidied))
  return name === undefined ? tidied : { $ref: `#/components/schemas/${name}`, ...annotationsOf(tidied) }
}

/** Adds a schema to those that have names. */
export const nameSchema = (names: Names, name: string, schema: Json): void => {
  names.set(canonical(schema), name)
}

/** `Name_1` is what the generator calls a second schema of one name, with another description: it is the same one. */
export const originalOf = (name: string): string => name.replace(/_\d+$/, "")

/** References to second ones lead to the first. */
export const mergeReferences = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(mergeReferences)
  if (!isJson(part)) return part
  return mapValues(part, (value, key) =>
    key === "$ref" && typeof value === "string" && value.startsWith("#/components/schemas/")
      ? `#/components/schemas/${originalOf(nameOf(value))}`
      : mergeReferences(value),
  )
}

/** Objects that clients must expect to grow: no property of theirs is forbidden. */
export const opened = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(opened)
  if (!isJson(schema)) return schema
  const { additionalProperties, ...rest } = schema
  const kept = typeof additionalProperties === "boolean" ? rest : schema
  return mapValues(kept, opened)
}
