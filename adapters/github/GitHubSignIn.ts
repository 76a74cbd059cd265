import { exchangeWebFlowCode, getWebFlowAuthorizationUrl } from "@octokit/oauth-methods"
import { request } from "@octokit/request"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { ExternalIdentity } from "../../application/ports/identity/Accounts.ts"
import { outsideTransaction } from "../../application/ports/InTransaction.ts"
import { SignIn, SignInFailed, SignInRefused, SignInUnavailable } from "../../application/ports/identity/SignIn.ts"
import { boundedFetch } from "./boundedFetch.ts"

export interface GitHubSignInSettings {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** `https://github.com`, or another GitHub, without a trailing slash. */
  readonly baseUrl: string
  /** Our callback URL, as registered with the OAuth app. */
  readonly redirectUrl: string
}

/** For each of the three requests. */
const timeout = Duration.seconds(5)

const User = Schema.Struct({ id: Schema.Int })
const Emails = Schema.Array(Schema.Struct({ email: Schema.String, primary: Schema.Boolean, verified: Schema.Boolean }))

const apiOf = (baseUrl: string): string =>
  baseUrl === "https://github.com" ? "https://api.github.com" : `${baseUrl}/api/v3`

const requestOptions = { fetch: boundedFetch(timeout) }

/** The identity behind a user's token. */
const identityOf = async (settings: GitHubSignInSettings, token: string): Promise<ExternalIdentity> => {
  const ask = request.defaults({
    baseUrl: apiOf(settings.baseUrl),
    headers: { authorization: `Bearer ${token}` },
    request: requestOptions,
  })
  const { id } = Schema.decodeUnknownSync(User)((await ask("GET /user")).data)
  const emails = Schema.decodeUnknownSync(Emails)((await ask("GET /user/emails")).data)
  return {
    issuer: settings.baseUrl,
    subject: String(id),
    email: emails.find(({ primary, verified }) => primary && verified)?.email,
  }
}

const make = (settings: GitHubSignInSettings): SignIn["Service"] => ({
  authorizationUrl: ({ state, codeChallenge, repositoryScopes }) =>
    Effect.sync(() => {
      const url = new URL(
        getWebFlowAuthorizationUrl({
          clientType: "oauth-app",
          clientId: settings.clientId,
          redirectUrl: settings.redirectUrl,
          scopes: ["read:user", "user:email", ...repositoryScopes],
          state,
          request: request.defaults({ baseUrl: apiOf(settings.baseUrl) }),
        }).url,
      )
      url.searchParams.set("code_challenge", codeChallenge)
      url.searchParams.set("code_challenge_method", "S256")
      return url.href
    }),
  identify: Effect.fn("SignIn.identify")(function* ({ code, codeVerifier }) {
    const { authentication } = yield* Effect.tryPromise({
      try: () =>
        exchangeWebFlowCode({
          clientType: "oauth-app",
          clientId: settings.clientId,
          clientSecret: Redacted.value(settings.clientSecret),
          code,
          redirectUrl: settings.redirectUrl,
          request: request.defaults({
            baseUrl: apiOf(settings.baseUrl),
            code_verifier: codeVerifier,
            request: requestOptions,
          }),
        }),
      // Only the message: the error contains the request, and with it the secret.
      catch: (error) =>
        error instanceof Error && "status" in error && error.status === 400
          ? new SignInRefused({ message: "GitHub rejected this sign-in. Start again." })
          : new SignInFailed({ cause: error instanceof Error ? error.message : String(error) }),
    })
    const identity = yield* Effect.tryPromise({
      try: () => identityOf(settings, authentication.token),
      catch: (error) => new SignInFailed({ cause: error instanceof Error ? error.message : String(error) }),
    })
    return { identity, token: Redacted.make(authentication.token) }
  }, outsideTransaction),
})

/** Sign-in with GitHub, as an OAuth app. */
export const layer = (settings: GitHubSignInSettings) => Layer.sync(SignIn, () => make(settings))

export const unconfigured = Layer.succeed(SignIn, {
  authorizationUrl: () => Effect.fail(new SignInUnavailable()),
  identify: () => Effect.fail(new SignInUnavailable()),
})
