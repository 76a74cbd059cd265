import * as Schema from "effect/Schema"
import { ListQuery } from "../contract/AnalysisGroup.ts"
import { FindingsQuery } from "../contract/FindingsGroup.ts"
import type { Policy } from "../policy.ts"
import { exampleOf } from "./describe.ts"
import { parameterGlossary } from "./glossary.ts"
import { conditional } from "./headers.ts"
import { type Json, mapValues, objectOf } from "./json.ts"
import { domainSchemas, jsonSchemaOf, names } from "./namedSchemas.ts"
import type { Operation, PathItem } from "./Operation.ts"
import { tidySchema } from "./tidySchema.ts"

/** A number in a query is text to the contract; what is published is what the text stands for. */
const ofParameter: Readonly<Record<string, Json>> = {
  "analysis.list.limit": jsonSchemaOf(Schema.toType(ListQuery.fields.limit)),
  "findings.list.limit": jsonSchemaOf(Schema.toType(FindingsQuery.fields.limit)),
  "analysisFindings.list.limit": jsonSchemaOf(Schema.toType(FindingsQuery.fields.limit)),
}

const optionalHeader = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
  example,
})

export const commonParameters = {
  IfNoneMatch: optionalHeader("If-None-Match", "The `ETag` of a cached response.", '"0199c2f4"'),
  CsrfToken: optionalHeader("X-CSRF-Token", "For sessions: the token from `GET /api/v1/me`.", "0f".repeat(32)),
}

/** Headers that a handler reads by itself. */
const ownParameters: Readonly<Record<string, ReadonlyArray<Json>>> = {
  "analysis.events": [
    optionalHeader("Last-Event-ID", "The last event received, when reconnecting.", "completed.completed.100"),
  ],
  "billingEvents.stripe": [
    {
      ...optionalHeader(
        "Stripe-Signature",
        "Stripe's signature over the body.",
        "t=1774087200,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
      ),
      required: true,
    },
  ],
}

const jsonBody = (schema: Json, required: boolean): Json => ({ required, content: { "application/json": { schema } } })

/** Bodies that a handler reads without the contract's schema for them, or that may be left out. */
export const ownBodies: Readonly<Record<string, Json>> = {
  "billingEvents.stripe": jsonBody(
    {
      type: "object",
      description: "An event as Stripe sends it. https://docs.stripe.com/api/events/object",
      examples: [{ id: "evt_1", object: "event", type: "invoice.paid", data: { object: {} } }],
    },
    true,
  ),
  "signIn.refresh": jsonBody({ $ref: "#/components/schemas/RefreshRequest" }, false),
  "signIn.logout": jsonBody({ $ref: "#/components/schemas/RefreshRequest" }, false),
}

/** The parameters that the endpoint declares, described and with examples, and those that it need not. */
export const parametersOf = (id: string, method: string, operation: Operation, policy: Policy): ReadonlyArray<Json> => [
  ...(operation.parameters ?? []).map((parameter) => {
    const name = String(parameter["name"])
    const own = objectOf(tidySchema(ofParameter[`${id}.${name}`] ?? parameter["schema"], names))
    const word = parameterGlossary[`${id}.${name}`] ?? parameterGlossary[name]
    const { description = word?.description, ...schema } = own
    return { ...parameter, description, schema, example: word?.example ?? exampleOf(own, domainSchemas) }
  }),
  ...(ownParameters[id] ?? []),
  ...(conditional.has(id) ? [{ $ref: "#/components/parameters/IfNoneMatch" }] : []),
  ...(policy.auth === "caller" && method !== "get" ? [{ $ref: "#/components/parameters/CsrfToken" }] : []),
]

/** What several operations have in common stands under `components`, named by the first of them. */
export const shareParameters = (paths: Readonly<Record<string, PathItem>>) => {
  const uses = new Map<string, number>()
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  for (const { parameters = [] } of operations) {
    for (const parameter of parameters) {
      const text = JSON.stringify(parameter)
      uses.set(text, (uses.get(text) ?? 0) + 1)
    }
  }
  const shared: Record<string, Json> = {}
  const named = new Map<string, string>()
  const share =
    ({ tags }: Operation) =>
    (parameter: Json): Json => {
      const text = JSON.stringify(parameter)
      if ("$ref" in parameter || (uses.get(text) ?? 0) < 2) return parameter
      if (!named.has(text)) {
        const words = `${tags[0] ?? ""} ${String(parameter["name"])}`.split(/[^A-Za-z]+/)
        const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
        named.set(text, name)
        shared[name] = parameter
      }
      return { $ref: `#/components/parameters/${named.get(text)}` }
    }
  const lean = mapValues(paths, (path) =>
    mapValues(path, (operation) =>
      operation.parameters === undefined
        ? operation
        : { ...operation, parameters: operation.parameters.map(share(operation)) },
    ),
  )
  return { lean, sharedParameters: shared }
}
