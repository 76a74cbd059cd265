import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../contract/Api.ts"
import { complete } from "./completeOperation.ts"
import { described, exampleOf } from "./describe.ts"
import { errorExamples, errorSchemas } from "./errorResponses.ts"
import { textExamples } from "./glossary.ts"
import { headerComponents, references } from "./headers.ts"
import { isJson, type Json, mapValues, objectOf, reachable } from "./json.ts"
import { domainSchemas, names } from "./namedSchemas.ts"
import type { Operation, PathItem } from "./Operation.ts"
import { commonParameters, shareParameters } from "./parameters.ts"
import { shareFields, shareResponses, withoutExamples } from "./shareParts.ts"
import { mergeReferences, opened, originalOf, tidySchema } from "./tidySchema.ts"
import { webhooks } from "./webhooks.ts"

/** Models whose example is long, and stands once for all operations that answer with one. */
const sharedExamples = ["AnalysisResult", "Organization"] as const

const sharedExample = (reference: unknown): string | undefined =>
  sharedExamples.find((name) => reference === `#/components/schemas/${name}`)

/** Every body of an operation with an example, made of its schema where that has none itself. */
const exemplified = (part: unknown, schemas: Readonly<Record<string, unknown>>): unknown => {
  if (Array.isArray(part)) return part.map((each) => exemplified(each, schemas))
  if (!isJson(part)) return part
  return mapValues(part, (value, key) => {
    if (key !== "content" || !isJson(value)) return exemplified(value, schemas)
    return mapValues(value, (media, type) => {
      if (!isJson(media) || "examples" in media) return media
      const { $ref } = objectOf(media["schema"])
      const name = sharedExample($ref)
      if (name !== undefined) return { ...media, examples: { result: { $ref: `#/components/examples/${name}` } } }
      return { ...media, example: textExamples[type] ?? exampleOf(media["schema"], schemas) }
    })
  })
}

const introduction =
  "Errors share one envelope: `error.code` from a closed list, `error.message`, `timestamp`, `requestId` and, for some " +
  "codes, `error.details`. Unknown paths return 404 `NOT_FOUND`, unsupported methods 405 `METHOD_NOT_ALLOWED` with `Allow`; " +
  "apart from a trailing slash, a path has one spelling. Malformed HTTP (a missing or duplicate `Host` header, over 100 " +
  "headers or 16 kB of headers, or a request that arrives too slowly) gets the same envelope and closes the connection. You " +
  "may send your own `X-Request-Id` of 8 to 64 letters, digits, dots, dashes and underscores. Every response has " +
  "`X-Request-Id` and the rate limit headers. Limits count per user or, on public endpoints, per address. Objects in " +
  "responses may gain fields."

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "An API key or an access token: `Authorization: Bearer assay_…`.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "assay_session",
    description:
      "The dashboard's session, `__Host-assay_session` over https. Requests that change data require `X-CSRF-Token`.",
  },
} as const

/** The shared parts of the document: its schemas that `used` names, in order, and what operations refer to. */
const componentsOf = (
  schemas: Readonly<Record<string, unknown>>,
  used: ReadonlySet<string>,
  shared: Readonly<Record<string, Json>>,
) => ({
  schemas: shareFields(
    withoutExamples(
      Object.fromEntries(
        Object.entries(schemas)
          .filter(([name]) => used.has(name))
          .map(([name, schema]): [string, Json] => [name, objectOf(schema)])
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    ),
  ),
  examples: {
    ...Object.fromEntries(
      sharedExamples.map((name) => [name, { value: exampleOf({ $ref: `#/components/schemas/${name}` }, schemas) }]),
    ),
    ...Object.fromEntries(
      Object.entries(errorExamples).filter(([code]) => JSON.stringify(shared).includes(`/examples/${code}"`)),
    ),
  },
})

const build = () => {
  const base = OpenApi.fromApi(Api)
  const shared: Record<string, Json> = {}
  const generated = Object.fromEntries(
    Object.entries(base.components.schemas)
      .filter(([name]) => name === originalOf(name))
      .map(([name, schema]) => [name, tidySchema(schema, names, true)]),
  )
  // The contract has neither parameters nor references at the level of a path: every entry is an operation.
  const operations = mapValues(base.paths as unknown as Readonly<Record<string, PathItem>>, (operations) =>
    mapValues(operations, complete(shared)),
  )
  const merged = mergeReferences({ ...domainSchemas, ...generated, ...errorSchemas }) as Readonly<
    Record<string, unknown>
  > // of objects comes an object
  const completed = mergeReferences(operations) as typeof operations
  const asked = reachable(
    Object.values(completed).flatMap((path) => Object.values(path).map(({ requestBody }) => requestBody)),
    merged,
  )
  const schemas = mapValues(merged, (schema, name) => described(asked.has(name) ? schema : opened(schema), name))
  const bodies = mapValues(completed, (operations) =>
    mapValues(operations, ({ responses, ...operation }) => ({
      ...operation,
      responses: opened(responses) as Operation["responses"],
    })),
  )
  const { lean, sharedParameters } = shareParameters(bodies)
  const whole = exemplified(lean, schemas) as typeof lean
  const { lean: paths, sharedResponses } = shareResponses(whole)
  const document = {
    paths,
    webhooks: exemplified(opened(webhooks), schemas),
    responses: { ...objectOf(exemplified(shared, schemas)), ...sharedResponses },
  }
  const used = reachable(document, schemas)
  return {
    ...base,
    info: {
      ...base.info,
      contact: { name: "Assay" },
      description: introduction,
    },
    security: [{ bearer: [] }, { session: [] }],
    servers: [{ url: "/", description: "The server that this document was read from." }],
    // What the walks above leave of operations are operations.
    paths: document.paths as Readonly<Record<string, PathItem>>,
    webhooks: document.webhooks as Readonly<Record<string, PathItem>>,
    components: {
      ...componentsOf(schemas, used, shared),
      responses: {
        NotModified: {
          description: "Not modified.",
          headers: references(["ETag"]),
        },
        ...objectOf(document.responses),
      },
      parameters: { ...sharedParameters, ...commonParameters },
      securitySchemes,
      headers: headerComponents,
    },
  }
}

/** The OpenAPI 3.1 document of everything that is served. */
export const openApiDocument = build()
export type OpenApiDocument = typeof openApiDocument
