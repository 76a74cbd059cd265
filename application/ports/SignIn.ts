import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ExternalIdentity } from "./Accounts.ts"

/** Nobody can sign in this way here: it is not configured. */
export class SignInUnavailable extends Schema.TaggedError<SignInUnavailable>()("SignInUnavailable", {}) {}

/** The issuer did not confirm who it is: the code is wrong, used or too old. */
export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", { message: Schema.String }) {}

/** The issuer cannot be reached or answers with errors. */
export class SignInFailed extends Schema.TaggedError<SignInFailed>()("SignInFailed", { cause: Schema.Defect() }) {}

/** Sign-in at a code hosting service: OAuth 2.0 with PKCE (RFC 7636, S256). */
export class SignIn extends Context.Service<
  SignIn,
  {
    /** Where the browser is sent; it comes back to our callback with `state` and a code. */
    readonly authorizationUrl: (request: {
      readonly state: string
      readonly codeChallenge: string
    }) => Effect.Effect<string, SignInUnavailable>
    /** Who the code stands for. The token that it is exchanged for is not kept. */
    readonly identify: (answer: {
      readonly code: string
      readonly codeVerifier: string
    }) => Effect.Effect<ExternalIdentity, SignInUnavailable | SignInRefused | SignInFailed>
  }
>()("assay/application/SignIn") {}
