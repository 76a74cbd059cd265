import * as Schema from "effect/Schema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Notification } from "../../domain/notification/Notification.ts"
import { windowLimit } from "../../domain/plan/RateLimit.ts"
import { ListQuery } from "./contract/AnalysisGroup.ts"
import { Api } from "./contract/Api.ts"
import { callerFailures, type ErrorCode, errorStatus } from "./contract/errors.ts"
import { described, exampleOf } from "./openapi/describe.ts"
import { codesOf, errorExamples, errorResponse, errorSchemas, responseName } from "./openapi/errorResponses.ts"
import { parameterGlossary, textExamples } from "./openapi/glossary.ts"
import { isJson, type Json, mapValues, objectOf, reachable } from "./openapi/json.ts"
import { jsonSchemaOf, namedSchemas } from "./openapi/namedSchemas.ts"
import { mergeReferences, opened, originalOf, tidySchema } from "./openapi/tidySchema.ts"
import { policies, type Policy } from "./policy.ts"

const integerHeader = (description: string, example: number) => ({
  description,
  required: true,
  schema: { type: "integer", minimum: 0 },
  example,
})
const textHeader = (description: string, example: string) => ({
  description,
  required: true,
  schema: { type: "string" },
  example,
})

const headers = {
  "X-Request-Id": textHeader("Names the request in our logs.", "7f3d1f0e-52b4-4f0c-9d1a-0c4f2e8f6a11"),
  "X-RateLimit-Limit": integerHeader("Requests in the current window.", 100),
  "X-RateLimit-Remaining": integerHeader("Requests left in the window.", 99),
  "X-RateLimit-Reset": integerHeader("Unix time in seconds when the window resets.", 1_774_090_800),
  RateLimit: textHeader("The same, as draft-ietf-httpapi-ratelimit-headers says.", '"read";r=99;t=3600'),
  "RateLimit-Policy": textHeader("The window's name, quota and length in seconds.", '"read";q=100;w=3600'),
  "WWW-Authenticate": textHeader("`Bearer`", 'Bearer realm="assay"'),
  Allow: textHeader("The methods that the path has.", "GET, HEAD, OPTIONS"),
  "Retry-After": { ...integerHeader("Seconds to wait.", 5), required: false },
  ETag: textHeader("Names this state of the body, for `If-None-Match`.", '"0199c2f4-7a1b-7c3d-9e5f-1a2b3c4d5e6f"'),
  Location: textHeader("Where to go.", "https://github.com/login/oauth/authorize?client_id=1"),
  Link: {
    ...textHeader('The next page, `rel="next"` (RFC 8288).', '</api/v1/analysis?cursor=MTc3>; rel="next"'),
    required: false,
  },
  "Content-Disposition": textHeader("A file name.", 'attachment; filename="assay-report.md"'),
  "Set-Cookie": textHeader(
    "The session's cookie, or that of the sign-in under way.",
    "assay_session=c2VjcmV0; Path=/; HttpOnly",
  ),
} as const
type HeaderName = keyof typeof headers

/** Short, since every response has six of them. */
const headerComponent = (name: string): string => name.replace(/^X-(?:RateLimit-)?/, "")

const references = (names: ReadonlyArray<HeaderName>): Record<string, Json> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${headerComponent(name)}` }]))

const everySuccess = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const
/** The IETF's two say the same; with them in each of its successes the document would be a tenth longer. */
const everyResponse = [...everySuccess, "RateLimit", "RateLimit-Policy"] as const

/** What an error says in headers, whatever operation it comes from. */
const ofStatus: Readonly<Record<string, ReadonlyArray<HeaderName>>> = {
  "401": ["WWW-Authenticate"],
  "405": ["Allow"],
  "409": ["Retry-After"],
  "429": ["Retry-After"],
  "503": ["Retry-After"],
}

/** Operations whose successes carry an ETag: with it they answer 304 to who holds the body already. */
const conditional: ReadonlySet<string> = new Set([
  "analysis.result",
  "analysis.export",
  "badge.data",
  "badge.svg",
  "badge.shields",
  "rules.list",
  "rules.one",
  "documentation.openapi",
  "documentation.docs",
])

const ofOperation: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<HeaderName>>>>> = {
  "analysis.list": { "200": ["Link"] },
  "analysis.export": { "200": ["Content-Disposition"] },
  "signIn.github": { "303": ["Location", "Set-Cookie"] },
  "signIn.callback": { "303": ["Location", "Set-Cookie"] },
}

/** A number in a query is text to the contract; what is published is what the text stands for. */
const ofParameter: Readonly<Record<string, Json>> = {
  "analysis.list.limit": jsonSchemaOf(Schema.toType(ListQuery.fields.limit)),
}

const optionalHeader = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
  example,
})

const parameters = {
  IfNoneMatch: optionalHeader("If-None-Match", "The `ETag` of a body that the client holds.", '"0199c2f4"'),
  CsrfToken: optionalHeader("X-CSRF-Token", "With a session: its token, as `GET /api/v1/me` has it.", "0f".repeat(32)),
}

/** Headers that a handler reads by itself. */
const ownParameters: Readonly<Record<string, ReadonlyArray<Json>>> = {
  "analysis.events": [
    optionalHeader("Last-Event-ID", "Of the last event that was read, when reconnecting.", "completed.completed.100"),
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
const ownBodies: Readonly<Record<string, Json>> = {
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

const limits = (policy: Policy): string => {
  const { window } = policy
  if (policy.auth === "public")
    return `${windowLimit(window, "basic")} requests an hour for each address, all public endpoints together`
  const basic = windowLimit(window, "basic")
  const pro = windowLimit(window, "pro")
  return basic === pro
    ? `${basic} requests an hour for each user`
    : `${basic} requests an hour for each user, ${pro} on pro`
}

/** The parts of an operation that are completed here; the document is JSON, whatever else it holds. */
interface Operation {
  readonly operationId?: string
  readonly description?: string
  readonly summary?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<Json>
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
  readonly [key: string]: unknown
}
type PathItem = Readonly<Record<string, Operation>>

const isError = (status: string): boolean => Number(status) >= 400

/** The codes that an operation can answer with: those that its endpoint declares, and those that no request escapes. */
const codesOfOperation = (operation: Operation, policy: Policy, hasBody: boolean): ReadonlyArray<ErrorCode> => {
  const declared = Object.entries(operation.responses).flatMap(([status, response]) =>
    isError(status) ? codesOf(response["content"]) : [],
  )
  const always: ReadonlyArray<ErrorCode> =
    policy.auth === "caller" ? callerFailures : ["VALIDATION_ERROR", "RATE_LIMIT_EXCEEDED", "INTERNAL_ERROR"]
  const body: ReadonlyArray<ErrorCode> = hasBody ? ["REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE"] : []
  return [...declared, ...always, ...body, "METHOD_NOT_ALLOWED"]
}

/** `analysis.status` as a name that every language can give a function. */
const identifierOf = (id: string): string => id.replace(/\.(\w)/g, (_, first: string) => first.toUpperCase())

const { names, schemas: domainSchemas } = namedSchemas()
const shared: Record<string, Json> = {}

/** Media types without their parameters, the schema tidied. The first is what generators that know one type take. */
const contentOf = (content: unknown): Record<string, Json> => {
  const media = Object.entries(objectOf(content)).map(([type, body]): [string, Json] => [
    type.split(";", 1)[0]!,
    { schema: tidySchema(objectOf(body)["schema"], names) },
  ])
  // One that is text in every form goes before JSON, which not every form of it is.
  return Object.fromEntries(media.toSorted(([a], [b]) => Number(b.startsWith("text/")) - Number(a.startsWith("text/"))))
}

const successOf = (id: string, status: string, response: Json): Json => {
  const etag: ReadonlyArray<HeaderName> = conditional.has(id) ? ["ETag"] : []
  const content = contentOf(response["content"])
  return {
    ...response,
    headers: references([...everySuccess, ...etag, ...(ofOperation[id]?.[status] ?? [])]),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  }
}

const responsesOf = (id: string, operation: Operation, policy: Policy, hasBody: boolean): Record<string, Json> => {
  const successes = Object.entries(operation.responses).filter(([status]) => !isError(status))
  // A health object that is an error as well has a model of its own.
  const others = Object.entries(operation.responses).filter(
    ([status, { content }]) => isError(status) && JSON.stringify(content).includes('"$ref"'),
  )
  const byStatus = Map.groupBy(new Set(codesOfOperation(operation, policy, hasBody)), (code) => errorStatus[code])
  const errors = [...byStatus].map(([status, codes]): [string, Json] => {
    const name = responseName(codes)
    shared[name] ??= errorResponse(codes, references([...everyResponse, ...(ofStatus[status] ?? [])]))
    return [String(status), { $ref: `#/components/responses/${name}` }]
  })
  return {
    ...Object.fromEntries(successes.map(([status, response]) => [status, successOf(id, status, response)])),
    ...(conditional.has(id) ? { "304": { $ref: "#/components/responses/NotModified" } } : {}),
    ...Object.fromEntries(errors),
    ...Object.fromEntries(
      others.map(([status, response]) => [
        status,
        { ...successOf(id, status, response), headers: references([...everyResponse, ...(ofStatus[status] ?? [])]) },
      ]),
    ),
  }
}

const parametersOf = (id: string, method: string, operation: Operation, policy: Policy): ReadonlyArray<Json> => [
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

/** What the contract alone does not know: who may call an endpoint, how often, and the headers of its responses. */
const complete = (operation: Operation, method: string): Operation => {
  const id = operation.operationId ?? ""
  const policy = policies[id]
  if (policy === undefined) return operation
  const { requestBody, parameters: _, ...rest } = operation
  const body =
    ownBodies[id] ??
    (requestBody === undefined ? undefined : { ...requestBody, content: contentOf(requestBody["content"]) })
  const given = parametersOf(id, method, operation, policy)
  const required = policy.auth === "caller" ? policy.scope : undefined
  const scope =
    required === undefined ? "" : required === "every" ? " Needs every scope." : ` Needs the scope \`${required}\`.`
  return {
    ...rest,
    operationId: identifierOf(id),
    description: `${operation.description ?? ""}${scope} Limit: ${limits(policy)}.`,
    security: policy.auth === "caller" ? [{ bearer: [] }, { session: [] }] : [],
    ...(given.length === 0 ? {} : { parameters: given }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(id, operation, policy, body !== undefined),
  }
}

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
})

/** What we ask of others: the requests to `webhookUrl`. */
const webhooks = {
  notification: {
    post: {
      operationId: "notification",
      summary: "An analysis has ended",
      description:
        "Sent to the analysis's `webhookUrl` when it completes or fails, signed as Standard Webhooks says, again and " +
        "again over three days until it is answered with 2xx.",
      tags: ["Deliveries"],
      parameters: [
        header("webhook-id", "The same in every attempt: process each once.", "0199c2f4-7a1b-7c3d-9e5f-1a2b3c4d5e6f"),
        header(
          "webhook-timestamp",
          "Of the attempt, in seconds since 1970; refuse what is older than five minutes.",
          "1774087200",
        ),
        header(
          "webhook-signature",
          "`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`; several with spaces between.",
          "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ),
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: described(mergeReferences(tidySchema(jsonSchemaOf(Notification), names)), "Notification"),
          },
        },
      },
      responses: {
        "2XX": { description: "Received. The body is not read." },
        "410": { description: "Stop: this notification is given up." },
        default: { description: "Not received, redirects included; `Retry-After` is honoured." },
      },
    },
  },
}

/** What several operations have in common stands under `components`, named by the first of them. */
const shareParameters = (paths: Readonly<Record<string, PathItem>>) => {
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

/** Every body of an operation with an example, made of its schema where that has none itself. */
const exemplified = (part: unknown, schemas: Readonly<Record<string, unknown>>): unknown => {
  if (Array.isArray(part)) return part.map((each) => exemplified(each, schemas))
  if (!isJson(part)) return part
  return mapValues(part, (value, key) => {
    if (key !== "content" || !isJson(value)) return exemplified(value, schemas)
    return mapValues(value, (media, type) => {
      if (!isJson(media) || "examples" in media) return media
      const { $ref } = objectOf(media["schema"])
      if ($ref === "#/components/schemas/AnalysisResult") {
        return { ...media, examples: { result: { $ref: "#/components/examples/AnalysisResult" } } }
      }
      return { ...media, example: textExamples[type] ?? exampleOf(media["schema"], schemas) }
    })
  })
}

const build = () => {
  const base = OpenApi.fromApi(Api)
  const generated = Object.fromEntries(
    Object.entries(base.components.schemas)
      .filter(([name]) => name === originalOf(name))
      .map(([name, schema]) => [name, tidySchema(schema, names, true)]),
  )
  // The contract has neither parameters nor references at the level of a path: every entry is an operation.
  const paths = mapValues(base.paths as unknown as Readonly<Record<string, PathItem>>, (operations) =>
    mapValues(operations, complete),
  )
  const merged = mergeReferences({ ...domainSchemas, ...generated, ...errorSchemas }) as Readonly<
    Record<string, unknown>
  > // of objects comes an object
  const completed = mergeReferences(paths) as typeof paths
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
  const document = {
    paths: exemplified(lean, schemas),
    webhooks: exemplified(opened(webhooks), schemas),
    responses: exemplified(shared, schemas),
  }
  const used = reachable(document, schemas)
  return {
    ...base,
    info: {
      ...base.info,
      contact: { name: "Assay" },
      description:
        "Every error has one envelope: `error.code` from a closed list, `error.message`, sometimes `error.details`, " +
        "`timestamp`, and `requestId`, which is also in the `X-Request-Id` header. An unknown path answers 404 " +
        "`NOT_FOUND`, a wrong method 405 `METHOD_NOT_ALLOWED` with `Allow`; paths have one spelling, but for a slash at " +
        "their end. A request that is not valid HTTP, has no or two `Host` headers, more than 100 headers or 16 kB of " +
        "them, or does not arrive in time, is answered in the envelope, too, and its connection ends; more connections " +
        "of one address than the service takes are closed unread. A client may send its own `X-Request-Id` of 8 to 64 " +
        "letters, digits, dots, dashes and underscores. `RateLimit` and `RateLimit-Policy` are on every response, too. Objects in responses may have more fields in time.",
    },
    servers: [{ url: "/", description: "Where this document comes from." }],
    // What the walks above leave of operations are operations.
    paths: document.paths as Readonly<Record<string, PathItem>>,
    webhooks: document.webhooks as Readonly<Record<string, PathItem>>,
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas)
          .filter(([name]) => used.has(name))
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
      responses: {
        NotModified: {
          description: "The client holds it already.",
          headers: references([...everyResponse, "ETag"]),
        },
        ...objectOf(document.responses),
      },
      examples: {
        // Two operations answer with one, and it is long.
        AnalysisResult: { value: exampleOf({ $ref: "#/components/schemas/AnalysisResult" }, schemas) },
        ...Object.fromEntries(
          Object.entries(errorExamples).filter(([code]) => JSON.stringify(shared).includes(`/examples/${code}"`)),
        ),
      },
      parameters: { ...sharedParameters, ...parameters },
      securitySchemes: {
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
            "The dashboard's session, `__Host-assay_session` over https. What changes something needs `X-CSRF-Token`.",
        },
      },
      headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [headerComponent(name), header])),
    },
  }
}

/** The endpoint, `<group>.<endpoint>` as in `policies`, of an operation's id. */
export const endpointOf: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(policies).map((id) => [identifierOf(id), id]),
)

/** The OpenAPI 3.1 document of everything that is served. */
export const openApiDocument = build()
export type OpenApiDocument = typeof openApiDocument
