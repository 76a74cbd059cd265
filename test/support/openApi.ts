import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formatsPlugin from "ajv-formats"
import { openApiDocument } from "../../adapters/http/openapi/document.ts"

export type Json = Readonly<Record<string, unknown>>

/** The document as a client reads it. */
export const document: Json = JSON.parse(JSON.stringify(openApiDocument))

const own = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {}) // JSON

/** A part of the document, with references resolved. */
export const resolve = (part: unknown): Json => {
  const { $ref } = own(part)
  return typeof $ref === "string"
    ? resolve(
        $ref
          .slice(2)
          .split("/")
          .reduce<unknown>((at, key) => own(at)[key], document),
      )
    : own(part)
}

export const documented = (...path: ReadonlyArray<string>): Json =>
  path.reduce<Json>((part, key) => resolve(part[key]), document)

export interface Operation {
  readonly path: string
  readonly method: string
  readonly operation: Json
  readonly id: string
  readonly parameters: ReadonlyArray<Json>
  readonly responses: Readonly<Record<string, Json>>
}

export const operations: ReadonlyArray<Operation> = Object.entries(own(document["paths"])).flatMap(([path, methods]) =>
  Object.entries(own(methods)).map(([method, operation]) => ({
    path,
    method,
    operation: own(operation),
    id: String(own(operation)["operationId"]),
    parameters: ((own(operation)["parameters"] ?? []) as ReadonlyArray<unknown>).map(resolve), // an array where it is
    responses: Object.fromEntries(
      Object.entries(own(own(operation)["responses"])).map(([status, response]) => [status, resolve(response)]),
    ),
  })),
)

const ajv = new Ajv2020({ strict: false })
formatsPlugin.default(ajv)
ajv.addSchema({ $id: "openapi", components: document["components"] })

const validators = new Map<string, ValidateFunction>()

/** What a schema of the document says about a value. */
export const validator = (schema: unknown): ValidateFunction => {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')
  const known = validators.get(text)
  if (known !== undefined) return known
  const made = ajv.compile(JSON.parse(text))
  validators.set(text, made)
  return made
}

/** Each content of a response or a request by its media type. */
export const contents = (part: Json): ReadonlyArray<readonly [string, Json]> =>
  Object.entries(own(part["content"])).map(([type, media]) => [type, own(media)])

/** The values of something's examples. */
export const examplesOf = (part: Json): ReadonlyArray<unknown> =>
  "example" in part ? [part["example"]] : Object.values(own(part["examples"])).map((one) => resolve(one)["value"])
