import { readFileSync } from "node:fs"
import { Ajv, type ValidateFunction } from "ajv"
import addFormats from "ajv-formats"

/** The parts of an OpenAPI 3.0 document that are read here. */
interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly nullable?: boolean
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly required?: ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
}

/** Created by `extract.ts`, which is next to it. */
const document = JSON.parse(readFileSync(new URL("../fixtures/github/github.json", import.meta.url), "utf8"))

const ajv = new Ajv({ strict: false, validateSchema: false, discriminator: false })
addFormats.default(ajv)
ajv.addSchema(document, "github")

const compiled = new Map<string, ValidateFunction>()

/** Throws if a body does not match GitHub's own OpenAPI document for `GET path` with this status. */
export const expectDescribed = (path: string, status: number, body: unknown): void => {
  const key = `${path} ${status}`
  const pointer = path.replaceAll("~", "~0").replaceAll("/", "~1")
  const isDescribed = document.paths[path]?.get?.responses?.[status] !== undefined
  // Rate limits and outages are not documented; their bodies are basic errors.
  const reference = isDescribed ? `#/paths/${pointer}/get/responses/${status}` : "#/components/responses/not_found"
  const shared = isDescribed ? document.paths[path].get.responses[status].$ref : undefined
  const validate =
    compiled.get(key) ?? ajv.compile({ $ref: `github${shared ?? reference}/content/application~1json/schema` })
  compiled.set(key, validate)
  if (!validate(body)) throw new Error(`GET ${path} ${status}: ${ajv.errorsText(validate.errors)}`)
}

const resolve = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : resolve(document.components.schemas[schema.$ref.split("/").at(-1)!])

const sample = (given: JsonSchema): unknown => {
  const schema = resolve(given)
  if (schema.nullable === true) return null
  if (schema.enum !== undefined) return schema.enum[0]
  const inner = schema.oneOf?.[0] ?? schema.anyOf?.[0]
  if (inner !== undefined) return sample(inner)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(sample))
  switch (schema.type) {
    case "object":
      return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(schema.properties?.[name] ?? {})]))
    case "array":
      return []
    case "integer":
    case "number":
      return 1
    case "boolean":
      return false
    case "string":
      return schema.format === "date-time" ? "2026-01-01T00:00:00Z" : "https://example.com/x"
    default:
      return null
  }
}

/** The smallest value that a component of the document describes. */
export const sampleOf = (component: string): Readonly<Record<string, unknown>> =>
  // A requested component is an object.
  sample({ $ref: `#/components/schemas/${component}` }) as Readonly<Record<string, unknown>>
