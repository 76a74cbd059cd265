import type { IncomingMessage } from "node:http"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { RateLimiter } from "../../../application/ports/RateLimiter.ts"
import type { StoreUnavailable } from "../../../application/ports/StoreUnavailable.ts"
import { CurrentWaitingTime, WaitingTime } from "../../../application/ports/Deadline.ts"
import { type Caller, mayEverything } from "../../../domain/identity/Caller.ts"
import { answer, type Failure, type OpaqueResponse, type TypedResponse } from "../answer/answer.ts"
import { Authenticator, bearerToken } from "../session/Authenticator.ts"
import { authenticationFailed, type FailureKind } from "../session/authenticationMetrics.ts"
import { type BrowserCookies, browserCookies } from "../session/browserCookies.ts"
import { count, windowOf } from "../limits/count.ts"
import { checkCsrf } from "../session/csrf.ts"
import { type Exchange, exchangeOf } from "../request/Exchange.ts"
import { FailedAttempts } from "../limits/FailedAttempts.ts"
import type { WithStatus } from "../contract/status.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { type Policy, policyOf, type RequiredScope } from "../policy.ts"
import {
  insufficientScope,
  planRequired,
  rateLimited,
  Refusal,
  unauthenticated,
  validationProblem,
} from "../request/Problem.ts"
import { schemaIssues } from "../request/schemaIssues.ts"

/** A handler's input: the decoded parts of the request, except for the body, which it reads itself. */
type RequestOf<E extends HttpApiEndpoint.Constraint> = Omit<HttpApiEndpoint.RequestRaw<E>, "endpoint" | "group">
type WithCaller = { readonly caller: Caller }

/** A schema that says no status is a success: other failures of handlers become responses elsewhere. */
type ResponseTo<S, Otherwise extends number> = S extends { readonly Encoded: infer A }
  ? TypedResponse<A, S extends WithStatus<infer N> ? N : Otherwise>
  : never

/** The contract's schemas, which the endpoint wraps in codecs whose own JSON type is any JSON. */
type Unwrapped<S> = S extends { readonly schema: infer T } ? T : never

/** What an endpoint may answer. */
type ResponseOf<E> =
  | ResponseTo<Unwrapped<HttpApiEndpoint.Success<E>>, 200>
  | ResponseTo<Unwrapped<HttpApiEndpoint.Error<E>>, never>
  | OpaqueResponse

/** One handler per endpoint of a group. Its failures become error responses; everything else is a defect. */
type Handlers<G, Extra> = {
  readonly [E in HttpApiGroup.Endpoints<G> as HttpApiEndpoint.Identifier<E>]: (
    request: RequestOf<E> & Extra,
  ) => Effect.Effect<ResponseOf<E>, Failure, unknown>
}

/** The services that handlers need. */
type Services<H> = {
  readonly [K in keyof H]: H[K] extends (request: never) => Effect.Effect<HttpServerResponse, Failure, infer R>
    ? R
    : never
}[keyof H]

const missing = unauthenticated(
  "Credentials are required: send the header Authorization: Bearer <API key or access token>.",
)
const invalid = unauthenticated("These credentials are not valid: they are unknown, expired or revoked.")

type CallerPolicy = Policy & { readonly auth: "caller" }
type PublicPolicy = Policy & { readonly auth: "public" }

/** The kind of credentials that belong to nobody. */
const kindOf = (exchange: Exchange, credential: string): FailureKind => {
  if (exchange.session !== undefined) return "session"
  return credential.startsWith("assay_") ? "api_key" : "access_token"
}

const credentialOf = (exchange: Exchange, request: HttpServerRequest.HttpServerRequest): string =>
  exchange.session ?? bearerToken((request.source as IncomingMessage).headers.authorization) ?? ""

/**
 * Identifies the caller by the bearer token, or else by the session cookie, which requires the CSRF token for changes.
 */
const callerOf = (
  authenticator: Authenticator["Service"],
  cookies: BrowserCookies,
  exchange: Exchange,
  request: HttpServerRequest.HttpServerRequest,
): Effect.Effect<Option.Option<Caller>, Refusal | StoreUnavailable> => {
  // Node's own headers: copying all of them for one costs 1 µs per request.
  const token = bearerToken((request.source as IncomingMessage).headers.authorization)
  if (token !== undefined) return authenticator.bearer(token)
  const secret = cookies.session(request)
  if (secret === undefined) {
    authenticationFailed("missing")
    return Effect.fail(new Refusal({ problem: missing }))
  }
  exchange.session = secret
  return Effect.tap(authenticator.session(secret), (found) =>
    Option.isSome(found) ? checkCsrf(request, secret) : Effect.void,
  )
}

const allows = (caller: Caller, scope: RequiredScope): boolean =>
  scope === "every" ? mayEverything(caller) : caller.scopes.includes(scope)

/**
 * Identifies the caller, counts the request, then checks what the credentials allow. A request without credentials is
 * counted by its address when the response is sent.
 */
const identify =
  (
    authenticator: Authenticator["Service"],
    failedAttempts: FailedAttempts["Service"],
    limiter: RateLimiter["Service"],
    cookies: BrowserCookies,
  ) =>
  (policy: CallerPolicy, exchange: Exchange, request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(callerOf(authenticator, cookies, exchange, request), (found) => {
      if (Option.isNone(found)) {
        const credential = credentialOf(exchange, request)
        authenticationFailed(kindOf(exchange, credential))
        return Effect.flatMap(failedAttempts.admit(exchange, credential), (admitted) =>
          Effect.fail(new Refusal({ problem: admitted ? invalid : rateLimited(exchange) })),
        )
      }
      const caller = found.value
      exchange.userId = caller.userId
      const window = windowOf(exchange, policy.window)
      return Effect.flatMap(count(limiter.consume, exchange, window, caller.userId, caller.plan), (allowed) => {
        if (!allowed) return Effect.fail(new Refusal({ problem: rateLimited(exchange) }))
        if (policy.scope !== undefined && !allows(caller, policy.scope)) {
          return Effect.fail(new Refusal({ problem: insufficientScope(policy.scope) }))
        }
        return policy.plan === "pro" && caller.plan !== "pro"
          ? Effect.fail(new Refusal({ problem: planRequired(policy.plan) }))
          : Effect.succeed({ caller })
      })
    })

/** Counts the request by its address; a probe, which no dependency may delay, only in this process. */
const admit = (limiter: RateLimiter["Service"]) => (policy: PublicPolicy, exchange: Exchange) => {
  exchange.exempt = policy.exempt
  const consume = policy.exempt ? limiter.consumeHere : limiter.consume
  return Effect.flatMap(count(consume, exchange, policy.window, exchange.address, "basic"), (allowed) =>
    allowed || policy.exempt ? Effect.succeed({}) : Effect.fail(new Refusal({ problem: rateLimited(exchange) })),
  )
}

/** Decodes one part of a request; synchronous, because no schema of the contract does anything else. */
const decoder = (schema: Schema.Top | undefined) =>
  schema === undefined
    ? undefined
    : // The contract's schemas need no services, which the widened type of an endpoint does not say.
      Schema.decodeUnknownResult(schema as Schema.Codec<unknown>, { errors: "all" })

/** The parts of the request that the endpoint declares, or everything that is wrong with them. */
const decodeParts = (endpoint: HttpApiEndpoint.Top) => {
  const { query } = endpoint
  const decoders = {
    params: decoder(endpoint.params),
    query: decoder(query === undefined ? undefined : Schema.toCodecArrayFromSingle(query)),
    headers: decoder(endpoint.headers),
  }
  return (context: Context.Context<HttpRouter.Provided>, request: HttpServerRequest.HttpServerRequest) => {
    const parts: Record<string, unknown> = { request }
    const inputs = {
      params: () => Context.getUnsafe(context, HttpRouter.RouteContext).params,
      query: () => Context.getUnsafe(context, HttpServerRequest.ParsedSearchParams),
      headers: () => request.headers,
    }
    for (const part of ["params", "query", "headers"] as const) {
      const decode = decoders[part]
      if (decode === undefined) continue
      const decoded = decode(inputs[part]())
      if (Result.isFailure(decoded)) {
        const fields = schemaIssues(decoded.failure)
        return Result.fail(new Refusal({ problem: validationProblem("The request is not valid.", fields) }))
      }
      parts[part] = decoded.success
    }
    return Result.succeed(parts)
  }
}

/**
 * The routes of a group. Not `HttpApiBuilder`, which merges contexts and encodes what needs no encoding: a third more CPU
 * time per request (`node test/bench/serving.ts`, `docs/decisions/0005`).
 */
const routesOf = <P extends Policy, Extra, R>(
  group: HttpApiGroup.Constraint,
  handlers: object,
  auth: P["auth"],
  enter: (
    policy: P,
    exchange: Exchange,
    request: HttpServerRequest.HttpServerRequest,
  ) => Effect.Effect<Extra, Failure, R>,
) =>
  // Every group is one; `Constraint` only hides its type arguments.
  Object.values((group as HttpApiGroup.Top).endpoints).map((endpoint) => {
    const operationId = `${group.identifier}.${endpoint.identifier}`
    const policy = policyOf(operationId)
    if (policy.auth !== auth) throw new Error(`policy.ts and the handlers disagree whether ${operationId} is public`)
    // `Handlers` has one for every endpoint of the group; it takes what its endpoint declares, and needs `R`.
    const handler = (handlers as Record<string, (request: object) => Effect.Effect<HttpServerResponse, Failure, R>>)[
      endpoint.identifier
    ]!
    const decode = decodeParts(endpoint)
    const handled = Effect.withFiber<HttpServerResponse, Failure, R | HttpRouter.Provided>((fiber) => {
      const context = fiber.context as Context.Context<HttpRouter.Provided> // The router provides them.
      const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
      const exchange = exchangeOf(request)
      exchange.route = endpoint.path
      // Its `auth` was compared above.
      return Effect.flatMap(enter(policy as P, exchange, request), (extra) => {
        const time = fiber.getRef(CurrentWaitingTime)
        if (time !== undefined) time.caller = exchange.userId
        const parts = decode(context, request)
        return Result.isFailure(parts) ? Effect.fail(parts.failure) : handler({ ...parts.success, ...extra })
      })
    })
    const inTime = Effect.suspend(() => Effect.provideService(handled, CurrentWaitingTime, new WaitingTime()))
    return HttpRouter.route(endpoint.method, endpoint.path as HttpRouter.PathInput, answer(inTime))
  })

/** The routes of endpoints that know their caller. */
export const callerEndpoints = Effect.fnUntraced(function* <
  G extends HttpApiGroup.Constraint,
  H extends Handlers<G, WithCaller>,
>(group: G, handlers: H) {
  const { publicUrl } = yield* HttpSettings
  const enter = identify(yield* Authenticator, yield* FailedAttempts, yield* RateLimiter, browserCookies(publicUrl))
  return routesOf<CallerPolicy, WithCaller, Services<H>>(group, handlers, "caller", enter)
})

/** The routes of endpoints that anybody may call. */
export const publicEndpoints = Effect.fnUntraced(function* <
  G extends HttpApiGroup.Constraint,
  H extends Handlers<G, unknown>,
>(group: G, handlers: H) {
  return routesOf<PublicPolicy, object, Services<H>>(group, handlers, "public", admit(yield* RateLimiter))
})
