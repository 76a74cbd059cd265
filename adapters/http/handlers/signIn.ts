import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { empty, json, withHeader } from "../answer/answer.ts"
import { issueTokens, refreshTokens, revokeRefreshToken } from "../../../application/identity/refresh.ts"
import { hashSecret } from "../../../application/identity/secret.ts"
import { closeSession, csrfTokenOf, openSession, sessionLifetime } from "../../../application/identity/session.ts"
import { useStartToken } from "../../../application/identity/startLink.ts"
import { beginSignIn, completeSignIn, signInLifetime } from "../../../application/identity/signIn.ts"
import { AccessTokens, type IssuedToken } from "../../../application/ports/identity/AccessTokens.ts"
import { isApiKey } from "../../../domain/identity/ApiKey.ts"
import { Authenticator } from "../session/Authenticator.ts"
import { browserCookies } from "../session/browserCookies.ts"
import { RefreshRequest, SessionRequest, SignInGroup } from "../contract/SignInGroup.ts"
import { checkCsrf } from "../session/csrf.ts"
import { publicEndpoints } from "../serving/endpoints.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { jsonBody } from "../request/jsonBody.ts"
import { Refusal, unauthenticated, validationProblem } from "../request/Problem.ts"

const readRefresh = jsonBody(RefreshRequest)
const readSession = jsonBody(SessionRequest)

const refuse = (message: string, field?: string) =>
  Effect.fail(new Refusal({ problem: validationProblem(message, field === undefined ? [] : [{ field, message }]) }))

const redirect = (location: string) => empty(303, { location })

const tokensView = ({ accessToken, expiresIn, refreshToken }: IssuedToken & { readonly refreshToken: string }) =>
  json({ accessToken, tokenType: "Bearer", expiresIn, refreshToken })

const hasBody = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["content-type"] !== undefined ||
  request.headers["transfer-encoding"] !== undefined ||
  Number(request.headers["content-length"] ?? 0) > 0

const notSignedIn = new Refusal({
  problem: unauthenticated("Send a refresh token in the body, or a session cookie."),
})

/** Tokens have every scope, which the key need not have. */
const keysSession = new Refusal({
  problem: {
    code: "FORBIDDEN",
    message: "A session opened with an API key cannot get tokens: use the API key itself.",
  },
})

const unknownKey = new Refusal({ problem: unauthenticated("This API key is unknown, expired or revoked.") })

/** Where sign-in leads: an address that the configuration has, letter for letter. */
const returnAddress = Effect.fnUntraced(function* (wanted: string | undefined) {
  const { publicUrl, returnUrls } = yield* HttpSettings
  const allowed = returnUrls.length > 0 ? returnUrls : publicUrl === undefined ? ["/"] : [`${publicUrl}/`]
  if (wanted === undefined) return allowed[0]!
  return allowed.includes(wanted) ? wanted : yield* refuse("must be one of the configured addresses", "returnTo")
})

const cookies = Effect.map(HttpSettings, ({ publicUrl }) => browserCookies(publicUrl))

/** New tokens: for a refresh token, or for the session of a person. */
const refresh = (authenticator: Authenticator["Service"]) =>
  Effect.fnUntraced(function* ({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) {
    if (hasBody(request)) return tokensView(yield* refreshTokens((yield* readRefresh(request)).refreshToken))
    const secret = (yield* cookies).session(request)
    if (secret === undefined) return yield* notSignedIn
    const caller = yield* authenticator.session(secret)
    if (Option.isNone(caller)) return yield* notSignedIn
    yield* checkCsrf(request, secret)
    if (caller.value.apiKeyId !== undefined) return yield* keysSession
    return tokensView(yield* issueTokens(caller.value.userId, hashSecret(secret)))
  })

const handlers = (authenticator: Authenticator["Service"]) =>
  publicEndpoints(SignInGroup, {
    github: Effect.fnUntraced(function* ({ query }) {
      const { url, pending } = yield* beginSignIn(yield* returnAddress(query.returnTo), query.repositories)
      return (yield* cookies).setPendingSignIn(redirect(url), pending, Duration.toSeconds(signInLifetime))
    }),

    callback: Effect.fnUntraced(function* ({ query, request }) {
      const browser = yield* cookies
      if (query.code === undefined || query.state === undefined) {
        return yield* refuse("GitHub did not confirm the sign-in. Start again.")
      }
      const { session, returnTo } = yield* completeSignIn({
        pending: browser.pendingSignIn(request),
        state: query.state,
        code: query.code,
        previousSession: browser.session(request),
      })
      const response = browser.setSession(redirect(returnTo), session, Duration.toSeconds(sessionLifetime))
      return browser.setPendingSignIn(response, "", 0)
    }),

    refresh: refresh(authenticator),

    logout: Effect.fnUntraced(function* ({ request }) {
      const browser = yield* cookies
      const secret = browser.session(request)
      const caller = secret === undefined ? Option.none() : yield* authenticator.session(secret)
      if (secret !== undefined && Option.isSome(caller)) {
        yield* checkCsrf(request, secret)
        yield* closeSession(secret)
      }
      if (hasBody(request)) yield* revokeRefreshToken((yield* readRefresh(request)).refreshToken)
      return browser.setSession(empty(204), "", 0)
    }),

    session: Effect.fnUntraced(function* ({ request }) {
      const browser = yield* cookies
      const { apiKey } = yield* readSession(request)
      const found = isApiKey(apiKey) ? yield* authenticator.bearerAnew(apiKey) : Option.none()
      if (Option.isNone(found) || found.value.apiKeyId === undefined) return yield* unknownKey
      const { userId, apiKeyId } = found.value
      const secret = yield* openSession(userId, browser.session(request), apiKeyId)
      const response = json({ csrfToken: csrfTokenOf(secret) }, 201)
      return browser.setSession(response, secret, Duration.toSeconds(sessionLifetime))
    }),

    start: Effect.fnUntraced(function* ({ query, request }) {
      const browser = yield* cookies
      const session = yield* useStartToken(query.token, browser.session(request)).pipe(
        Effect.catchTag("LinkRefused", () =>
          refuse("This link has been used or has expired. Restart the service to get a new one."),
        ),
      )
      const response = browser.setSession(
        redirect(yield* returnAddress(undefined)),
        session,
        Duration.toSeconds(sessionLifetime),
      )
      // The token stands in the address of this answer.
      return withHeader(withHeader(response, "referrer-policy", "no-referrer"), "cache-control", "no-store")
    }),

    publicKeys: () =>
      Effect.map(
        AccessTokens.use((tokens) => tokens.publicKeys),
        (keys) => withHeader(json(keys), "cache-control", "public, max-age=300"),
      ),
  })

export const signInRoutes = Effect.flatMap(Authenticator, handlers)
