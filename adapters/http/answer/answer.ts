import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { AnalysisFailed, AnalysisNotReady } from "../../../application/analysis/getResult.ts"
import type { SubscriptionRequired } from "../../../application/analysis/exportAnalysis.ts"
import type { InvalidInput } from "../../../application/InvalidInput.ts"
import type {
  AnalysisNotFound,
  IdempotencyKeyInFlight,
  IdempotencyKeyReused,
  IdempotentAnalysisDeleted,
  InvalidState,
  QuotaExceeded,
} from "../../../application/ports/analysis/AnalysisStore.ts"
import type { StoreUnavailable } from "../../../application/ports/StoreUnavailable.ts"
import type { DeliveryNotFound } from "../../../application/ports/notification/DeliveryStore.ts"
import type { DecisionStale, FindingNotFound } from "../../../application/ports/finding/FindingStore.ts"
import { accountProblem, type AccountFailure } from "./accountProblem.ts"
import type { HostingUnavailable } from "../../../application/ports/repositories/CodeHost.ts"
import type { RepositoryNotFound } from "../../../application/ports/repositories/RepositoryStore.ts"
import type { HostingTokenRequired } from "../../../application/repositories/hostingSecret.ts"
import type { SourceGone } from "../../../application/overview/readSource.ts"
import { retryAfter } from "../../../domain/plan/RateLimit.ts"
import { CurrentExchange, type Exchange } from "../request/Exchange.ts"
import {
  planRequired,
  type Problem,
  problemResponse,
  type Refusal,
  unavailable,
  validationProblem,
} from "../request/Problem.ts"

/** Everything that a request can fail with by design. */
export type Failure =
  | AccountFailure
  | AnalysisFailed
  | AnalysisNotFound
  | AnalysisNotReady
  | DecisionStale
  | DeliveryNotFound
  | FindingNotFound
  | HostingTokenRequired
  | HostingUnavailable
  | IdempotencyKeyInFlight
  | IdempotencyKeyReused
  | IdempotentAnalysisDeleted
  | InvalidInput
  | InvalidState
  | QuotaExceeded
  | Refusal
  | RepositoryNotFound
  | StoreUnavailable
  | SourceGone
  | SubscriptionRequired

/** The headers of the response then describe the month's scans instead of the hour's requests. */
const quotaProblem = (exchange: Exchange, { limit, resetsAt }: QuotaExceeded): Problem => {
  const start = new Date(resetsAt)
  start.setUTCMonth(start.getUTCMonth() - 1)
  exchange.window = {
    name: "scans",
    length: resetsAt.getTime() - start.getTime(),
    limit,
    remaining: 0,
    resetsAt: resetsAt.getTime(),
    allowed: false,
  }
  return {
    code: "RATE_LIMIT_EXCEEDED",
    message: `You have used all ${limit} scans of the current period. The quota resets at ${resetsAt.toISOString()}.`,
    headers: { "retry-after": String(retryAfter(resetsAt.getTime(), Date.now())) },
  }
}

const gone: Record<SourceGone["reason"], string> = {
  host: "Files cannot be read from the host of this repository.",
  commit: "The analysis has no commit.",
  file: "The hosting service does not show this file at the analyzed commit.",
  size: "The file is larger than 1 MB.",
  binary: "The file is not text.",
}

const problemOf = (exchange: Exchange, failure: Failure): Problem => {
  switch (failure._tag) {
    case "AnalysisFailed":
      return {
        code: "ANALYSIS_FAILED",
        message: failure.message,
        details: { analysisId: failure.analysisId, stage: failure.stage },
      }
    case "AnalysisNotFound":
      return { code: "NOT_FOUND", message: "No such analysis." }
    case "AnalysisNotReady":
      return {
        code: "ANALYSIS_NOT_READY",
        message: "The analysis is not finished yet. Try again in a few seconds.",
        details: { analysisId: failure.analysisId, status: failure.status },
        headers: { "retry-after": "5" },
      }
    case "DecisionStale":
      return {
        code: "PRECONDITION_FAILED",
        message: "The finding has changed since you read it. Read it again, then retry.",
        details: { fingerprints: failure.fingerprints },
      }
    case "FindingNotFound":
      return {
        code: "NOT_FOUND",
        message: "No such finding in this repository.",
        details: { fingerprints: failure.fingerprints },
      }
    case "DeliveryNotFound":
      return { code: "NOT_FOUND", message: "No such delivery." }
    case "HostingTokenRequired":
      return { code: "HOSTING_TOKEN_REQUIRED", message: failure.message }
    case "HostingUnavailable":
      return {
        code: "HOSTING_UNAVAILABLE",
        message: failure.message,
        headers: { "retry-after": String(failure.retryAfter) },
      }
    case "RepositoryNotFound":
      return { code: "NOT_FOUND", message: "No such repository." }
    case "Refusal":
      return failure.problem
    case "IdempotencyKeyInFlight":
      return {
        code: "INVALID_STATE",
        message: "A request with this Idempotency-Key is still in progress. Retry in a second.",
        headers: { "retry-after": "1" },
      }
    case "IdempotencyKeyReused":
      return {
        code: "IDEMPOTENCY_KEY_REUSED",
        message: "This Idempotency-Key was used with a different body in the last 24 hours. Use a new key.",
      }
    case "IdempotentAnalysisDeleted":
      return {
        code: "INVALID_STATE",
        message: "The analysis that this Idempotency-Key created was deleted. Use a new key to create another one.",
        details: { analysisId: failure.analysisId, status: "deleted" },
      }
    case "InvalidInput":
      return validationProblem("The request is not valid.", failure.fields)
    case "InvalidState":
      return {
        code: "INVALID_STATE",
        message: `Only a failed analysis can be retried. This one is ${failure.status}.`,
        details: { analysisId: failure.analysisId, status: failure.status },
      }
    case "QuotaExceeded":
      return quotaProblem(exchange, failure)
    case "SourceGone":
      return { code: "NOT_FOUND", message: gone[failure.reason], details: { reason: failure.reason } }
    case "StoreUnavailable":
      return unavailable
    case "SubscriptionRequired":
      return planRequired(failure.plan, failure.feature)
    default:
      return accountProblem(failure)
  }
}

/** The cause, if a dependency rather than the client is at fault. */
const causeToLog = (failure: Failure): unknown => {
  switch (failure._tag) {
    case "BillingUnavailable":
    case "SignInFailed":
    case "StoreUnavailable":
      return failure.cause
    case "SecretUnreadable":
      return failure.message
    default:
      return undefined
  }
}

/** Turns failures into responses. What is not among them is a defect, which the edge answers. */
export const answer = <E extends Failure, R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | HttpServerRequest.HttpServerRequest> =>
  Effect.catch(effect, (failure: E) =>
    Effect.flatMap(CurrentExchange, (exchange) => {
      const response = problemResponse(exchange, problemOf(exchange, failure))
      const cause = causeToLog(failure)
      return cause === undefined
        ? Effect.succeed(response)
        : Effect.as(
            Effect.annotateLogs(Effect.logError("a dependency is unavailable", cause), {
              requestId: exchange.requestId,
            }),
            response,
          )
    }),
  )

declare const sent: unique symbol

/**
 * A response whose type says its status and what its JSON is (`void` if it has no body): `serving/endpoints.ts` accepts only
 * what the endpoint's contract promises.
 */
export interface TypedResponse<A, N extends number> extends HttpServerResponse.HttpServerResponse {
  readonly [sent]: { readonly status: N; readonly body: A }
}

/** A response of which the compiler does not know the JSON: a file, a stream, or text that was rendered before. */
export interface OpaqueResponse extends HttpServerResponse.HttpServerResponse {
  readonly [sent]: "opaque"
}

// What these are to the compiler only.
const typed = <A, N extends number>(response: HttpServerResponse.HttpServerResponse) => response as TypedResponse<A, N>
export const opaque = (response: HttpServerResponse.HttpServerResponse) => response as OpaqueResponse

/** A JSON response of a value that needs no encoding. */
export const json: {
  <const A>(value: A): TypedResponse<A, 200>
  <const A, const N extends number>(value: A, status: N): TypedResponse<A, N>
} = <A, N extends number>(value: A, status?: N) =>
  typed<A, N>(
    HttpServerResponse.text(JSON.stringify(value), { status: status ?? 200, contentType: "application/json" }),
  )

/** A response without a body. */
export const empty = <const N extends number>(status: N, headers = {}): TypedResponse<void, N> =>
  typed(HttpServerResponse.empty({ status, headers }))

/** The response with one more header, and still of its type. */
export const withHeader = <R extends HttpServerResponse.HttpServerResponse>(
  response: R,
  name: string,
  value: string,
): R => HttpServerResponse.setHeader(response, name, value) as R // a copy with other headers
