import { isJson, type Json, mapValues, objectOf } from "./json.ts"
import type { Operation, PathItem } from "./Operation.ts"

/** Successes that several operations have in common stand under `components`, named by the first of them. */
export const shareResponses = (paths: Readonly<Record<string, PathItem>>) => {
  const uses = new Map<string, number>()
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  for (const { responses } of operations) {
    for (const response of Object.values(responses)) {
      const text = JSON.stringify(response)
      uses.set(text, (uses.get(text) ?? 0) + 1)
    }
  }
  const shared: Record<string, Json> = {}
  const named = new Map<string, string>()
  const share =
    ({ operationId = "" }: Operation) =>
    (response: Json): Json => {
      const text = JSON.stringify(response)
      if ("$ref" in response || (uses.get(text) ?? 0) < 2) return response
      const name = named.get(text) ?? operationId.charAt(0).toUpperCase() + operationId.slice(1)
      named.set(text, name)
      shared[name] = response
      return { $ref: `#/components/responses/${name}` }
    }
  const lean = mapValues(paths, (path) =>
    mapValues(path, (operation) => ({ ...operation, responses: mapValues(operation.responses, share(operation)) })),
  )
  return { lean, sharedResponses: shared }
}

const propertiesOf = (schema: Json): ReadonlyArray<readonly [string, string]> =>
  Object.entries(objectOf(schema["properties"])).map(([name, property]) => [name, JSON.stringify(property)])

const requiredOf = (schema: Json): ReadonlyArray<unknown> =>
  Array.isArray(schema["required"]) ? schema["required"] : []

/** Fewer in common, and saying so takes as much room as they do. */
const fewest = 5

/** Whether a model has all that another has, and requires of that the same. */
const extendsModel = (schema: Json, base: Json): boolean => {
  const own = new Map(propertiesOf(schema))
  return propertiesOf(base).every(
    ([name, property]) =>
      own.get(name) === property && requiredOf(base).includes(name) === requiredOf(schema).includes(name),
  )
}

/** A model of answers that has all of another's fields says so, in place of saying all of them again. */
export const shareFields = (schemas: Readonly<Record<string, Json>>): Record<string, Json> =>
  mapValues(schemas, (schema, name) => {
    if ("additionalProperties" in schema) return schema
    const size = (other: string): number => propertiesOf(schemas[other]!).length
    const [base] = Object.keys(schemas)
      .filter((other) => {
        if (other === name || "additionalProperties" in schemas[other]! || size(other) < fewest) return false
        // Of two with the same fields neither extends the other.
        return size(other) < propertiesOf(schema).length && extendsModel(schema, schemas[other]!)
      })
      .toSorted((a, b) => size(b) - size(a))
    if (base === undefined) return schema
    const inherited = new Set(propertiesOf(schemas[base]!).map(([field]) => field))
    const { properties, required: _, type, ...rest } = schema
    const added = Object.entries(objectOf(properties)).filter(([field]) => !inherited.has(field))
    const required = requiredOf(schema).filter((field) => !inherited.has(String(field)))
    return {
      ...rest,
      allOf: [
        { $ref: `#/components/schemas/${base}` },
        { type, properties: Object.fromEntries(added), ...(required.length === 0 ? {} : { required }) },
      ],
    }
  })

/** Examples that stand in the answers stand there alone: those of requests are for who writes them. */
export const withoutExamples = (schemas: Readonly<Record<string, Json>>): Record<string, Json> =>
  mapValues(schemas, (schema) => {
    if ("additionalProperties" in schema || !isJson(schema["properties"])) return schema
    const { examples: _, ...rest } = schema
    return rest
  })
