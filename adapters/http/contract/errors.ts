import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

/** The closed list of error codes, each with the one status it comes with. */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  SUBSCRIPTION_REQUIRED: 403,
  HOSTING_TOKEN_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  ANALYSIS_NOT_READY: 409,
  ANALYSIS_FAILED: 409,
  INVALID_STATE: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  PRECONDITION_REQUIRED: 428,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  HOSTING_UNAVAILABLE: 503,
  BILLING_UNAVAILABLE: 503,
} as const
export type ErrorCode = keyof typeof errorStatus

/** Each code as its condition, for the reference page. */
export const meaning: Record<ErrorCode, string> = {
  VALIDATION_ERROR: "The request is malformed; `details.fields` lists each field and what is wrong with it.",
  UNAUTHENTICATED: "Missing, unknown, expired or revoked credentials.",
  FORBIDDEN: "The credentials lack the required scope.",
  SUBSCRIPTION_REQUIRED: "The plan does not include this.",
  HOSTING_TOKEN_REQUIRED: "No token for the code hosting service is set.",
  NOT_FOUND: "No such endpoint, or no resource with this id that you can access.",
  METHOD_NOT_ALLOWED: "The path does not support this method; see `Allow`.",
  REQUEST_TIMEOUT: "The request did not arrive in time: its headers within 10 seconds, its body within 15.",
  ANALYSIS_NOT_READY: "The analysis is not finished; retry after `Retry-After`.",
  ANALYSIS_FAILED: "The analysis failed; `details.stage` says where.",
  INVALID_STATE:
    "The analysis is not in the required state; `details.status` is its state. Or a request with the same `Idempotency-Key` is in progress, or its analysis was deleted.",
  PRECONDITION_FAILED: "The resource has changed since you read it; read it again.",
  PAYLOAD_TOO_LARGE: "The body is larger than 1 MB.",
  UNSUPPORTED_MEDIA_TYPE: "The body is not `application/json`.",
  IDEMPOTENCY_KEY_REUSED: "The `Idempotency-Key` was used with a different body in the last 24 hours.",
  PRECONDITION_REQUIRED: "The request must include an `If-Match` header.",
  RATE_LIMIT_EXCEEDED: "Too many requests, or the monthly scans are used up; `Retry-After` says how long to wait.",
  INTERNAL_ERROR: "An internal error; include `requestId` when you report it.",
  SERVICE_UNAVAILABLE: "A dependency is unavailable; retry after `Retry-After`.",
  HOSTING_UNAVAILABLE: "The code hosting service is unreachable.",
  BILLING_UNAVAILABLE: "Billing is not configured, or the payment service is unreachable.",
}

/** The body of every error response; `requestId` is also in the `X-Request-Id` header. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly details?: Readonly<Record<string, unknown>>
  }
  readonly timestamp: string
  readonly requestId: string
}

const envelope = (status: number, codes: ReadonlyArray<ErrorCode>) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literals(codes),
      message: Schema.String,
      details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    }),
    timestamp: Schema.String,
    requestId: Schema.String,
  }).annotate({
    httpApiStatus: status,
    description: codes.map((code) => `\`${code}\`: ${meaning[code]}`).join(" "),
  })

/** One response schema for each status that the codes come with. */
export const failures = (...codes: ReadonlyArray<ErrorCode>) => {
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code])
  return [...byStatus].map(([status, codes]) => envelope(status, codes).pipe(HttpApiSchema.status(status)))
}

/** What a public endpoint can answer whatever it does. */
export const publicFailures = ["RATE_LIMIT_EXCEEDED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"] as const
/** What an endpoint that knows its caller can answer whatever it does. */
export const callerFailures = ["VALIDATION_ERROR", "UNAUTHENTICATED", "FORBIDDEN", ...publicFailures] as const
