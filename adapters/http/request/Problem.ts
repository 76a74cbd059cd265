import * as Data from "effect/Data"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type PlanId, plans } from "../../../domain/plan/Plan.ts"
import { retryAfter } from "../../../domain/plan/RateLimit.ts"
import { type ErrorCode, type ErrorEnvelope, errorStatus } from "../contract/errors.ts"
import type { Exchange } from "./Exchange.ts"
import type { RequiredScope } from "../policy.ts"

/** Why a request was refused, before it becomes a response. */
export interface Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The request was refused. */
export class Refusal extends Data.TaggedError("Refusal")<{ readonly problem: Problem }> {}

export const envelope = <P extends Problem>(
  requestId: string,
  problem: P,
): ErrorEnvelope & { readonly error: { readonly code: P["code"] } } => ({
  error: {
    code: problem.code,
    message: problem.message,
    ...(problem.details === undefined ? {} : { details: problem.details }),
  },
  timestamp: new Date().toISOString(),
  requestId,
})

/** The only place where a problem becomes a response. */
export const problemResponse = (exchange: Exchange, problem: Problem): HttpServerResponse.HttpServerResponse => {
  exchange.ourFault = problem.code === "INTERNAL_ERROR" || problem.code === "SERVICE_UNAVAILABLE"
  return HttpServerResponse.text(JSON.stringify(envelope(exchange.requestId, problem)), {
    status: errorStatus[problem.code],
    contentType: "application/json",
    ...(problem.headers === undefined ? {} : { headers: problem.headers }),
  })
}

export const validationProblem = (
  message: string,
  fields: ReadonlyArray<{ readonly field: string; readonly message: string }> = [],
): Problem => ({ code: "VALIDATION_ERROR", message, ...(fields.length === 0 ? {} : { details: { fields } }) })

/** The rest of the request would be taken for the next one, so the connection ends with it. */
export const requestTimeout = (message: string): Problem => ({
  code: "REQUEST_TIMEOUT",
  message,
  headers: { connection: "close" },
})

export const unauthenticated = (message: string): Problem => ({
  code: "UNAUTHENTICATED",
  message,
  headers: { "www-authenticate": 'Bearer realm="assay"' },
})

/** Beyond a window of requests; the headers of the response describe the window in which the exchange was counted. */
export const rateLimited = (exchange: Exchange): Problem => {
  const wait = exchange.window === undefined ? 1 : retryAfter(exchange.window.resetsAt, Date.now())
  return {
    code: "RATE_LIMIT_EXCEEDED",
    message: `Too many requests. Try again in ${wait} seconds.`,
    headers: { "retry-after": String(wait) },
  }
}

export const insufficientScope = (scope: RequiredScope): Problem => ({
  code: "FORBIDDEN",
  message:
    scope === "every" ? "This requires credentials with all scopes." : `These credentials lack the scope ${scope}.`,
  details: { requiredScope: scope },
})

export const planRequired = (plan: PlanId, feature = "This"): Problem => ({
  code: "SUBSCRIPTION_REQUIRED",
  message: `${feature} requires the ${plans[plan].name} plan.`,
  details: { requiredPlan: plan },
})

export const unavailable = {
  code: "SERVICE_UNAVAILABLE",
  message: "The service cannot reach its database. Try again in a few seconds.",
  headers: { "retry-after": "5" },
} as const satisfies Problem

export const internalError: Problem = {
  code: "INTERNAL_ERROR",
  message: "Something went wrong on our side. Include the requestId when you report it.",
}
