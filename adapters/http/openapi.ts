import * as Schema from "effect/Schema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Notification } from "../../domain/notification/Notification.ts"
import { windowLimit } from "../../domain/plan/RateLimit.ts"
import { ListQuery } from "./contract/AnalysisGroup.ts"
import { Api } from "./contract/Api.ts"
import { policies, type Policy } from "./policy.ts"

const integerHeader = (description: string) => ({ description, required: true, schema: { type: "integer" } })
const textHeader = (description: string) => ({ description, required: true, schema: { type: "string" } })

const everyResponse = {
  "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
  "X-RateLimit-Limit": { $ref: "#/components/headers/X-RateLimit-Limit" },
  "X-RateLimit-Remaining": { $ref: "#/components/headers/X-RateLimit-Remaining" },
  "X-RateLimit-Reset": { $ref: "#/components/headers/X-RateLimit-Reset" },
  RateLimit: { $ref: "#/components/headers/RateLimit" },
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimit-Policy" },
}

const ofStatus: Record<string, Record<string, unknown>> = {
  "401": { "WWW-Authenticate": textHeader("`Bearer`") },
  "405": { Allow: textHeader("The methods that the path has.") },
  "429": { "Retry-After": integerHeader("Seconds to wait.") },
  "503": { "Retry-After": integerHeader("Seconds to wait.") },
}

const ofOperation: Record<string, Record<string, Record<string, unknown>>> = {
  "analysis.list": {
    "200": { Link: { description: 'The next page, `rel="next"` (RFC 8288).', schema: { type: "string" } } },
  },
  "analysis.result": {
    "200": { ETag: textHeader("Names the result, which never changes.") },
    "409": {
      "Retry-After": { description: "Seconds, while the analysis has not ended.", schema: { type: "integer" } },
    },
  },
  "analysis.export": { "200": { "Content-Disposition": textHeader("A file name.") } },
  "badge.svg": { "200": { ETag: textHeader("Changes with the image.") } },
}

/** A number in a query is text to the contract; what is published is what the text stands for. */
const ofParameter: Record<string, Record<string, object>> = {
  "analysis.list": { limit: Schema.toJsonSchemaDocument(Schema.toType(ListQuery.fields.limit)).schema },
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
  readonly parameters?: ReadonlyArray<{ readonly name: string }>
  readonly responses: Readonly<Record<string, object>>
  readonly [key: string]: unknown
}
type PathItem = Readonly<Record<string, Operation>>

/** What the contract alone does not know: who may call an endpoint, how often, and the headers of its responses. */
const complete = (operation: Operation): Operation => {
  const id = operation.operationId ?? ""
  const policy = policies[id]
  if (policy === undefined) return operation
  const responses = Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...everyResponse, ...ofStatus[status], ...ofOperation[id]?.[status] } },
    ]),
  )
  const parameters = operation.parameters?.map((parameter) => {
    const schema = ofParameter[id]?.[parameter.name]
    return schema === undefined ? parameter : { ...parameter, schema }
  })
  const required = policy.auth === "caller" ? policy.scope : undefined
  const scope =
    required === undefined ? "" : required === "every" ? " Needs every scope." : ` Needs the scope \`${required}\`.`
  return {
    ...operation,
    description: `${operation.description ?? ""}${scope} Limit: ${limits(policy)}.`,
    security: policy.auth === "caller" ? [{ bearer: [] }, { session: [] }] : [],
    ...(parameters === undefined ? {} : { parameters }),
    responses,
  }
}

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
})

/** What we ask of others: the requests to `webhookUrl`. */
const webhooks = {
  notification: {
    post: {
      summary: "An analysis has ended",
      description:
        "Sent to the analysis's `webhookUrl` when it completes or fails, signed as Standard Webhooks says, again and " +
        "again over three days until it is answered with 2xx.",
      tags: ["Deliveries"],
      parameters: [
        header("webhook-id", "The same in every attempt: process each once."),
        header("webhook-timestamp", "Of the attempt, in seconds since 1970; refuse what is older than five minutes."),
        header(
          "webhook-signature",
          "`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`; several with spaces between.",
        ),
      ],
      requestBody: {
        required: true,
        content: { "application/json": { schema: Schema.toJsonSchemaDocument(Notification).schema } },
      },
      responses: {
        "2XX": { description: "Received. The body is not read." },
        "410": { description: "Stop: this notification is given up." },
        default: { description: "Not received, redirects included; `Retry-After` is honoured." },
      },
    },
  },
}

const build = () => {
  const base = OpenApi.fromApi(Api)
  const paths = Object.fromEntries(
    Object.entries(base.paths).map(([path, operations]) => [
      path,
      // The contract has neither parameters nor references at the level of a path: every entry is an operation.
      Object.fromEntries(
        Object.entries(operations as unknown as PathItem).map(([method, operation]) => [method, complete(operation)]),
      ),
    ]),
  )
  return {
    ...base,
    info: {
      ...base.info,
      description:
        "Every error has one envelope: `error.code` from a closed list, `error.message`, sometimes `error.details`, " +
        "`timestamp`, and `requestId`, which is also in the `X-Request-Id` header. An unknown path answers 404 " +
        "`NOT_FOUND`, a wrong method 405 `METHOD_NOT_ALLOWED` with `Allow`. A client may send its own " +
        "`X-Request-Id` of 8 to 64 letters, digits, dots, dashes and underscores.",
    },
    servers: [{ url: "/" }],
    paths,
    webhooks,
    components: {
      ...base.components,
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
      headers: {
        "X-Request-Id": textHeader("Names the request in our logs."),
        "X-RateLimit-Limit": integerHeader("Requests in the current window."),
        "X-RateLimit-Remaining": integerHeader("Requests left in the window."),
        "X-RateLimit-Reset": integerHeader("Unix time in seconds when the window resets."),
        RateLimit: textHeader("The same, as draft-ietf-httpapi-ratelimit-headers says."),
        "RateLimit-Policy": textHeader("The window's name, quota and length in seconds."),
      },
    },
  }
}

/** The OpenAPI 3.1 document of everything that is served. */
export const openApiDocument = build()
export type OpenApiDocument = typeof openApiDocument
