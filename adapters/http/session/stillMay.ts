import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Caller, Scope } from "../../../domain/identity/Caller.ts"
import { Authenticator, bearerToken } from "./Authenticator.ts"
import { exchangeOf } from "../request/Exchange.ts"

/**
 * Whether the credentials of a request that was let in still are the caller's and have the scope, by what the database
 * says when it is asked. Where that cannot be had they are not: a client comes back and learns which it was.
 */
export const stillMay = (caller: Caller, scope: Scope, request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(Authenticator, (authenticator): Effect.Effect<boolean> => {
    const token = bearerToken((request.source as IncomingMessage).headers.authorization) // served by Node alone
    const { session } = exchangeOf(request)
    const found =
      token !== undefined
        ? authenticator.bearerAnew(token)
        : session === undefined
          ? Effect.succeed(Option.none())
          : authenticator.session(session)
    return Effect.map(
      found,
      Option.exists(({ userId, scopes }) => userId === caller.userId && scopes.includes(scope)),
    ).pipe(Effect.catch(() => Effect.succeed(false)))
  })
