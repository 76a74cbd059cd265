import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { issueTokens, refreshTokens, revokeRefreshToken } from "../../../application/identity/refresh.ts"
import { closeSession, sessionLifetime } from "../../../application/identity/session.ts"
import { beginSignIn, completeSignIn, signInLifetime } from "../../../application/identity/signIn.ts"
import { AccessTokens, type IssuedToken } from "../../../application/ports/AccessTokens.ts"
import { json } from "../answer.ts"
import { apiKeyHash, Authenticator } from "../Authenticator.ts"
import { browserCookies } from "../browserCookies.ts"
import { RefreshRequest, SignInGroup } from "../contract/SignInGroup.ts"
import { checkCsrf } from "../csrf.ts"
import { publicEndpoints } from "../endpoints.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { jsonBody } from "../jsonBody.ts"
import { Refusal, unauthenticated, validationProblem } from "../Problem.ts"

const readRefresh = jsonBody(RefreshRequest)

const refuse = (message: string, field?: string) =>
  Effect.fail(new Refusal({ problem: validationProblem(message, field === undefined ? [] : [{ field, message }]) }))

const redirect = (location: string) => HttpServerResponse.empty({ status: 303, headers: { location } })

const tokensView = ({ accessToken, expiresIn, refreshToken }: IssuedToken & { readonly refreshToken: string }) =>
  json({ accessToken, tokenType: "Bearer", expiresIn, refreshToken })

const hasBody = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["content-type"] !== undefined ||
  request.headers["transfer-encoding"] !== undefined ||
  Number(request.headers["content-length"] ?? 0) > 0

const notSignedIn = new Refusal({
  problem: unauthenticated("Send a refresh token in the body, or the cookie of a session."),
})

/** Where sign-in leads: an address that the configuration has, letter for letter. */
const returnAddress = Effect.fnUntraced(function* (wanted: string | undefined) {
  const { publicUrl, returnUrls } = yield* HttpSettings
  const allowed = returnUrls.length > 0 ? returnUrls : publicUrl === undefined ? ["/"] : [`${publicUrl}/`]
  if (wanted === undefined) return allowed[0]!
  return allowed.includes(wanted) ? wanted : yield* refuse("must be one of the configured addresses", "returnTo")
})

const cookies = Effect.map(HttpSettings, ({ publicUrl }) => browserCookies(publicUrl))

const handlers = (authenticator: Authenticator["Service"]) =>
  publicEndpoints(SignInGroup, {
    github: Effect.fnUntraced(function* ({ query }) {
      const { url, pending } = yield* beginSignIn(yield* returnAddress(query.returnTo), query.repositories)
      return (yield* cookies).setPendingSignIn(redirect(url), pending, signInLifetime / 1000)
    }),

    callback: Effect.fnUntraced(function* ({ query, request }) {
      const browser = yield* cookies
      if (query.code === undefined || query.state === undefined) {
        return yield* refuse("GitHub did not confirm the sign-in. Begin again.")
      }
      const { session, returnTo } = yield* completeSignIn({
        pending: browser.pendingSignIn(request),
        state: query.state,
        code: query.code,
        previousSession: browser.session(request),
      })
      const response = browser.setSession(redirect(returnTo), session, sessionLifetime / 1000)
      return browser.setPendingSignIn(response, "", 0)
    }),

    refresh: Effect.fnUntraced(function* ({ request }) {
      if (hasBody(request)) return tokensView(yield* refreshTokens((yield* readRefresh(request)).refreshToken))
      const secret = (yield* cookies).session(request)
      if (secret === undefined) return yield* notSignedIn
      const caller = yield* authenticator.session(secret)
      if (Option.isNone(caller)) return yield* notSignedIn
      yield* checkCsrf(request, secret)
      return tokensView(yield* issueTokens(caller.value.userId, apiKeyHash(secret)))
    }),

    logout: Effect.fnUntraced(function* ({ request }) {
      const browser = yield* cookies
      const secret = browser.session(request)
      const caller = secret === undefined ? Option.none() : yield* authenticator.session(secret)
      if (secret !== undefined && Option.isSome(caller)) {
        yield* checkCsrf(request, secret)
        yield* closeSession(secret)
      }
      if (hasBody(request)) yield* revokeRefreshToken((yield* readRefresh(request)).refreshToken)
      return browser.setSession(HttpServerResponse.empty({ status: 204 }), "", 0)
    }),

    publicKeys: () =>
      Effect.map(
        AccessTokens.use((tokens) => tokens.publicKeys),
        (keys) => HttpServerResponse.setHeader(json(keys), "cache-control", "public, max-age=300"),
      ),
  })

export const signInRoutes = Effect.flatMap(Authenticator, handlers)
