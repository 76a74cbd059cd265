import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { failures, publicFailures } from "./errors.ts"
import { Text } from "./text.ts"
import { noContent, withStatus } from "./status.ts"

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const elsewhere = withStatus(303)(Schema.Void.annotate({ description: "Redirect to the URL in `Location`." }))

export const RefreshRequest = Schema.Struct({ refreshToken: Text.check(Schema.isMaxLength(200)) }).annotate({
  identifier: "RefreshRequest",
})

export const SessionRequest = Schema.Struct({ apiKey: Text.check(Schema.isMaxLength(200)) }).annotate({
  identifier: "SessionRequest",
})

export const SessionView = Schema.Struct({ csrfToken: Schema.String }).annotate({ identifier: "Session" })

export const TokensView = Schema.Struct({
  accessToken: Schema.String,
  tokenType: Schema.Literal("Bearer"),
  expiresIn: Schema.Int.annotate({ description: "Lifetime in seconds." }),
  refreshToken: Schema.String.annotate({ description: "Can be used once, within 30 days." }),
}).annotate({ identifier: "Tokens" })

export class SignInGroup extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.get("github", "/auth/github", {
      query: Schema.Struct({
        returnTo: Schema.optionalKey(
          Text.check(Schema.isMaxLength(2048)).annotate({
            description: "URL to redirect to afterwards; must be one of the configured URLs.",
          }),
        ),
        repositories: Schema.optionalKey(
          Schema.Literals(["public", "all"]).annotate({
            description:
              "Also connects the account: the token becomes the hosting token and can read these repositories.",
          }),
        ),
      }),
      success: elsewhere,
      error: failures(...publicFailures, "VALIDATION_ERROR", "NOT_FOUND"),
    }).annotateMerge(describe("Sign in with GitHub", "For browsers: redirects to GitHub and back.")),
    HttpApiEndpoint.get("callback", "/auth/github/callback", {
      query: Schema.Struct({
        state: Schema.optionalKey(Text.check(Schema.isMaxLength(200))),
        code: Schema.optionalKey(Text.check(Schema.isMaxLength(200))),
        error: Schema.optionalKey(Text.check(Schema.isMaxLength(200))),
        error_description: Schema.optionalKey(Text.check(Schema.isMaxLength(1000))),
        error_uri: Schema.optionalKey(Text.check(Schema.isMaxLength(1000))),
      }),
      success: elsewhere,
      error: failures(...publicFailures, "VALIDATION_ERROR", "NOT_FOUND", "HOSTING_UNAVAILABLE"),
    }).annotateMerge(describe("GitHub callback", "Opens a session and sets its cookie.")),
    HttpApiEndpoint.post("refresh", "/auth/refresh", {
      payload: RefreshRequest,
      success: TokensView,
      error: failures(
        ...publicFailures,
        "VALIDATION_ERROR",
        "UNAUTHENTICATED",
        "FORBIDDEN",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
      ),
    }).annotateMerge(
      describe(
        "New tokens",
        "Exchanges a refresh token for new tokens, once; using it again revokes every token derived from it. Without a body, uses the session cookie and `X-CSRF-Token`.",
      ),
    ),
    HttpApiEndpoint.post("logout", "/auth/logout", {
      success: noContent("Done."),
      error: failures(
        ...publicFailures,
        "VALIDATION_ERROR",
        "FORBIDDEN",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
      ),
    }).annotateMerge(
      describe(
        "Sign out",
        "Ends the cookie's session (send `X-CSRF-Token`) and revokes the `refreshToken` in the body, if any, with all tokens derived from them.",
      ),
    ),
    HttpApiEndpoint.post("session", "/auth/session", {
      payload: SessionRequest,
      success: SessionView.pipe(withStatus(201)),
      error: failures(
        ...publicFailures,
        "VALIDATION_ERROR",
        "UNAUTHENTICATED",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
      ),
    }).annotateMerge(
      describe("Sign in with an API key", "Opens a session with the key's rights, which ends with the key."),
    ),
    HttpApiEndpoint.get("start", "/auth/start", {
      query: {
        token: Text.check(Schema.isMaxLength(2048)).annotate({
          description: "The token from the link. It can be used once.",
        }),
      },
      success: elsewhere,
      error: failures(...publicFailures, "VALIDATION_ERROR"),
    }).annotateMerge(describe("Sign in with a link", "The link that the embedded service prints when it starts.")),
    HttpApiEndpoint.get("publicKeys", "/.well-known/jwks.json", {
      success: Schema.Struct({ keys: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) }).annotate({
        identifier: "JsonWebKeySet",
      }),
      error: failures(...publicFailures),
    }).annotateMerge(describe("Public keys", "Keys that sign our access tokens (RFC 7517).")),
  )
  .annotateMerge(OpenApi.annotations({ title: "Sign-in", description: "Sessions and tokens." })) {}
