import { glossary, type Word } from "./glossary.ts"
import { isJson, type Json, mapValues, nameOf, objectOf } from "./json.ts"

type Schemas = Readonly<Record<string, unknown>>

const exampleUuid = "0199c2f4-7a1b-7c3d-9e5f-1a2b3c4d5e6f"
const exampleTime = "2026-01-31T12:00:00.000Z"

const wordOf = (model: string, field: string): Word | undefined => glossary[`${model}.${field}`] ?? glossary[field]

const constrained = (schema: Json, extra: Word["schema"]): Json => {
  if (extra === undefined) return schema
  const fits = "format" in extra ? schema["type"] === "string" : schema["type"] === "integer"
  if (fits) return { ...schema, ...extra }
  const { anyOf } = schema
  return Array.isArray(anyOf) ? { ...schema, anyOf: anyOf.map((part) => constrained(objectOf(part), extra)) } : schema
}

/** The schema with what the glossary says of its fields, wherever they do not say it themselves. */
export const described = (schema: unknown, model: string): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => described(each, model))
  if (!isJson(schema)) return schema
  return mapValues(schema, (value, key) => {
    if (key !== "properties" || !isJson(value)) return described(value, model)
    return mapValues(value, (property, field) => {
      const word = wordOf(model, field)
      const own = described(property, model)
      if (word === undefined || !isJson(own)) return own
      return { description: word.description, ...constrained(own, word.schema) }
    })
  })
}

/** An example of what a schema admits: its own, or one made of its parts. */
export const exampleOf = (schema: unknown, schemas: Schemas, model = ""): unknown => {
  const {
    $ref,
    examples,
    const: only,
    enum: values,
    anyOf,
    oneOf,
    type,
    items,
    properties,
    required,
    format,
    minimum,
  } = objectOf(schema)
  if (Array.isArray(examples)) return examples[0]
  if (typeof $ref === "string") return exampleOf(schemas[nameOf($ref)], schemas, nameOf($ref))
  if (only !== undefined) return only
  if (Array.isArray(values)) return values[0]
  const alternatives = Array.isArray(anyOf) ? anyOf : oneOf
  if (Array.isArray(alternatives)) return exampleOf(alternatives[0], schemas, model)
  if (isJson(properties)) {
    const shown = Object.entries(properties).filter(
      ([field]) => (Array.isArray(required) && required.includes(field)) || wordOf(model, field)?.example !== undefined,
    )
    return Object.fromEntries(
      shown.map(([field, property]) => [field, exampleOfField(property, schemas, model, field)]),
    )
  }
  if (type === "array") return [exampleOf(items, schemas, model)]
  if (type === "integer" || type === "number") return minimum ?? 0
  if (type === "boolean") return true
  if (type === "object") return {}
  if (format === "uuid") return exampleUuid
  if (format === "date-time") return exampleTime
  return "text"
}

/** The glossary's example where it is among what the field admits. */
const exampleOfField = (schema: unknown, schemas: Schemas, model: string, field: string): unknown => {
  const { $ref, enum: values, examples, const: only } = objectOf(schema)
  const example = wordOf(model, field)?.example
  if (example === undefined || examples !== undefined || only !== undefined) return exampleOf(schema, schemas, model)
  const admitted = typeof $ref === "string" ? objectOf(schemas[nameOf($ref)])["enum"] : values
  const fits = Array.isArray(admitted) ? admitted.includes(example) : typeof $ref !== "string"
  return fits ? example : exampleOf(schema, schemas, model)
}
