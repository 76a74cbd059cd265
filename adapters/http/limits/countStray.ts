import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { RateLimiter } from "../../../application/ports/RateLimiter.ts"
import type { Caller } from "../../../domain/identity/Caller.ts"
import { Authenticator, bearerToken } from "../session/Authenticator.ts"
import { browserCookies } from "../session/browserCookies.ts"
import { count, windowOf } from "./count.ts"
import type { Exchange } from "../request/Exchange.ts"
import { FailedAttempts } from "./FailedAttempts.ts"
import { HttpSettings } from "../HttpSettings.ts"

/**
 * Counts a request that no endpoint has counted and says whether it is answered: a request for a path that does not
 * exist counts in its caller's window, like any other request of theirs, and the rest in their address's.
 */
export const strayCounter = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const authenticator = yield* Authenticator
  const failedAttempts = yield* FailedAttempts
  const cookies = browserCookies((yield* HttpSettings).publicUrl)

  const byAddress = (exchange: Exchange) => count(limiter.consume, exchange, "public", exchange.address, "basic")

  return (exchange: Exchange, request: HttpServerRequest.HttpServerRequest): Effect.Effect<boolean> => {
    if (exchange.route !== undefined) return byAddress(exchange)
    const token = bearerToken((request.source as IncomingMessage).headers.authorization)
    const session = token === undefined ? cookies.session(request) : undefined
    const credential = token ?? session
    if (credential === undefined) return byAddress(exchange)
    const found = token === undefined ? authenticator.session(credential) : authenticator.bearer(credential)
    return Effect.matchEffect(found, {
      // The database was not involved: the path is unknown to every caller.
      onFailure: () => byAddress(exchange),
      onSuccess: Option.match({
        // The headers reveal whether a credential is valid, so guessing here counts as guessing anywhere.
        onNone: () =>
          Effect.flatMap(failedAttempts.admit(exchange, credential), (admitted) =>
            admitted && exchange.window === undefined ? byAddress(exchange) : Effect.succeed(admitted),
          ),
        onSome: ({ userId, plan }: Caller) => {
          exchange.userId = userId
          exchange.session = session
          return count(limiter.consume, exchange, windowOf(exchange, "read"), userId, plan)
        },
      }),
    })
  }
})
