import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { RateLimiter } from "../../application/ports/RateLimiter.ts"
import { type RateWindow, windowLength, windowLimit } from "../../domain/plan/RateLimit.ts"
import { plans } from "../../domain/plan/Plan.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import { Authenticator, bearerToken } from "./Authenticator.ts"
import { CallerAccess, CurrentCaller, PublicAccess } from "./contract/access.ts"
import { CurrentExchange, type Exchange } from "./Exchange.ts"
import { type Policy, policyOf } from "./policy.ts"
import { type Problem, problemResponse, rateLimited, unauthenticated, unavailable } from "./Problem.ts"

/** Counts the request of `subject`; afterwards the exchange knows its window. */
export const count = (
  limiter: RateLimiter["Service"],
  exchange: Exchange,
  window: RateWindow,
  subject: string,
  plan: PlanId,
): Effect.Effect<boolean> =>
  Effect.map(limiter.consume(window, subject, windowLimit(window, plan)), (state) => {
    exchange.window = { ...state, name: window, length: windowLength }
    return state.allowed
  })

const refuse = (exchange: Exchange, problem: Problem) => Effect.succeed(problemResponse(exchange, problem))

const missing = unauthenticated("Credentials are required: send the header Authorization: Bearer <API key>.")
const invalid = unauthenticated("These credentials are not valid: they are unknown, expired or revoked.")

const insufficient = (policy: Policy & { readonly auth: "caller" }): Problem => ({
  code: "FORBIDDEN",
  message: `These credentials lack the scope ${policy.scope}.`,
  details: { requiredScope: policy.scope },
})

const planRequired = (plan: PlanId): Problem => ({
  code: "SUBSCRIPTION_REQUIRED",
  message: `This needs the ${plans[plan].name} plan.`,
  details: { requiredPlan: plan },
})

/**
 * Identifies the caller, counts the request, then checks what the credentials allow. An unauthenticated request is
 * counted by its address, when the response leaves.
 */
export const callerAccess = Layer.effect(
  CallerAccess,
  Effect.gen(function* () {
    const authenticator = yield* Authenticator
    const limiter = yield* RateLimiter
    return CallerAccess.of((app, { group, endpoint }) => {
      const policy = policyOf(`${group.identifier}.${endpoint.identifier}`)
      if (policy.auth !== "caller") throw new Error(`${endpoint.path} is public in policy.ts and not in the contract`)
      return Effect.gen(function* () {
        const exchange = yield* CurrentExchange
        const request = yield* HttpServerRequest.HttpServerRequest
        exchange.route = endpoint.path
        const token = bearerToken((request.source as IncomingMessage).headers.authorization)
        if (token === undefined) return problemResponse(exchange, missing)
        const found = yield* authenticator.authenticate(token)
        if (Option.isNone(found)) return problemResponse(exchange, invalid)
        const caller = found.value
        exchange.userId = caller.userId
        if (!(yield* count(limiter, exchange, policy.window, caller.userId, caller.plan))) {
          return problemResponse(exchange, rateLimited(exchange))
        }
        if (policy.scope !== undefined && !caller.scopes.includes(policy.scope)) {
          return problemResponse(exchange, insufficient(policy))
        }
        if (policy.plan === "pro" && caller.plan !== "pro") return problemResponse(exchange, planRequired(policy.plan))
        return yield* Effect.provideService(app, CurrentCaller, caller)
      }).pipe(
        Effect.catchTag("StoreUnavailable", () =>
          Effect.flatMap(CurrentExchange, (exchange) => refuse(exchange, unavailable)),
        ),
      )
    })
  }),
)

/** Counts the request by its address. */
export const publicAccess = Layer.effect(
  PublicAccess,
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    return PublicAccess.of((app, { group, endpoint }) => {
      const policy = policyOf(`${group.identifier}.${endpoint.identifier}`)
      if (policy.auth !== "public") throw new Error(`${endpoint.path} is public in the contract and not in policy.ts`)
      return Effect.flatMap(CurrentExchange, (exchange) => {
        exchange.route = endpoint.path
        exchange.exempt = policy.exempt
        return Effect.flatMap(count(limiter, exchange, policy.window, exchange.address, "basic"), (allowed) =>
          allowed || policy.exempt ? app : refuse(exchange, rateLimited(exchange)),
        )
      })
    })
  }),
)
