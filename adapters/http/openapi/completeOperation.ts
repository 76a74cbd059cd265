import { windowLimit } from "../../../domain/plan/RateLimit.ts"
import { callerFailures, type ErrorCode, errorStatus } from "../contract/errors.ts"
import { policies, type Policy } from "../policy.ts"
import { codesOf, errorResponse, responseName } from "./errorResponses.ts"
import { conditional, errorHeaders, everyError, type HeaderName, operationHeaders, references } from "./headers.ts"
import { type Json, objectOf } from "./json.ts"
import { names } from "./namedSchemas.ts"
import type { Operation } from "./Operation.ts"
import { ownBodies, parametersOf } from "./parameters.ts"
import { tidySchema } from "./tidySchema.ts"

const limits = (policy: Policy): string => {
  const { window } = policy
  if (policy.auth === "public") return `${windowLimit(window, "basic")}/hour per address`
  const basic = windowLimit(window, "basic")
  const pro = windowLimit(window, "pro")
  return basic === pro ? `${basic}/hour` : `${basic}/hour, ${pro} on pro`
}
const isError = (status: string): boolean => Number(status) >= 400

/**
 * The codes that an operation can answer with: those that its endpoint declares, and those that no request escapes. Not
 * 405, which is for methods that a path does not have.
 */
const codesOfOperation = (operation: Operation, policy: Policy, hasBody: boolean): ReadonlyArray<ErrorCode> => {
  const declared = Object.entries(operation.responses).flatMap(([status, response]) =>
    isError(status) ? codesOf(response["content"]) : [],
  )
  const always: ReadonlyArray<ErrorCode> =
    policy.auth === "caller" ? callerFailures : ["VALIDATION_ERROR", "RATE_LIMIT_EXCEEDED", "INTERNAL_ERROR"]
  const body: ReadonlyArray<ErrorCode> = hasBody ? ["REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE"] : []
  return [...declared, ...always, ...body]
}

/** `analysis.status` as a name that every language can give a function. */
export const identifierOf = (id: string): string => id.replace(/\.(\w)/g, (_, first: string) => first.toUpperCase())

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
  const own: ReadonlyArray<HeaderName> = [
    ...(conditional.has(id) ? (["ETag"] as const) : []),
    ...(operationHeaders[id]?.[status] ?? []),
  ]
  const content = contentOf(response["content"])
  return {
    ...response,
    ...(own.length === 0 ? {} : { headers: references(own) }),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  }
}

const responsesOf = (
  shared: Record<string, Json>,
  id: string,
  operation: Operation,
  policy: Policy,
  hasBody: boolean,
): Record<string, Json> => {
  const successes = Object.entries(operation.responses).filter(([status]) => !isError(status))
  // A health object that is an error as well has a model of its own.
  const others = Object.entries(operation.responses).filter(
    ([status, { content }]) => isError(status) && JSON.stringify(content).includes('"$ref"'),
  )
  const byStatus = Map.groupBy(new Set(codesOfOperation(operation, policy, hasBody)), (code) => errorStatus[code])
  const errors = [...byStatus].map(([status, codes]): [string, Json] => {
    const name = responseName(codes)
    shared[name] ??= errorResponse(codes, references([...everyError, ...(errorHeaders[status] ?? [])]))
    return [String(status), { $ref: `#/components/responses/${name}` }]
  })
  return {
    ...Object.fromEntries(successes.map(([status, response]) => [status, successOf(id, status, response)])),
    ...(conditional.has(id) ? { "304": { $ref: "#/components/responses/NotModified" } } : {}),
    ...Object.fromEntries(errors),
    ...Object.fromEntries(
      others.map(([status, response]) => [
        status,
        {
          ...successOf(id, status, response),
          headers: references([...everyError, ...(errorHeaders[status] ?? [])]),
        },
      ]),
    ),
  }
}

/**
 * What the contract alone does not know: who may call an endpoint, how often, and the headers of its responses. Those
 * of errors, which operations have in common, are put into `shared`.
 */
export const complete =
  (shared: Record<string, Json>) =>
  (operation: Operation, method: string): Operation => {
    const id = operation.operationId ?? ""
    const policy = policies[id]
    if (policy === undefined) return operation
    const { requestBody, parameters: _, security: __, ...rest } = operation
    const body =
      ownBodies[id] ??
      (requestBody === undefined ? undefined : { ...requestBody, content: contentOf(requestBody["content"]) })
    const given = parametersOf(id, method, operation, policy)
    const required = policy.auth === "caller" ? policy.scope : undefined
    const scope = required === undefined ? "" : required === "every" ? " Scopes: all." : ` Scope: \`${required}\`.`
    return {
      ...rest,
      operationId: identifierOf(id),
      description: `${operation.description ?? ""}${scope} Limit: ${limits(policy)}.`,
      // That of the document, unless everybody may.
      ...(policy.auth === "caller" ? {} : { security: [] }),
      ...(given.length === 0 ? {} : { parameters: given }),
      ...(body === undefined ? {} : { requestBody: body }),
      responses: responsesOf(shared, id, operation, policy, body !== undefined),
    }
  }
