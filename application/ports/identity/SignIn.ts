import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { ExternalIdentity } from "./Accounts.ts"

/** This way of signing in is not configured. */
export class SignInUnavailable extends Schema.TaggedError<SignInUnavailable>()("SignInUnavailable", {}) {}

/** The issuer did not confirm the identity: the code is wrong, used or expired. */
export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", { message: Schema.String }) {}

/** The issuer cannot be reached or answers with errors. */
export class SignInFailed extends Schema.TaggedError<SignInFailed>()("SignInFailed", { cause: Schema.Defect() }) {}

export interface SignedIn {
  readonly identity: ExternalIdentity
  readonly token: Redacted.Redacted<string>
}

/** Sign-in at a code hosting service: OAuth 2.0 with PKCE (RFC 7636, S256). */
export class SignIn extends Context.Service<
  SignIn,
  {
    /** Where to redirect the browser; it returns to our callback with `state` and a code. */
    readonly authorizationUrl: (request: {
      readonly state: string
      readonly codeChallenge: string
      /** Scopes for reading repositories, if the user connects them as well. */
      readonly repositoryScopes: ReadonlyArray<string>
    }) => Effect.Effect<string, SignInUnavailable>
    /** The identity behind the code, and the token it is exchanged for. */
    readonly identify: (answer: {
      readonly code: string
      readonly codeVerifier: string
    }) => Effect.Effect<SignedIn, SignInUnavailable | SignInRefused | SignInFailed>
  }
>()("assay/application/SignIn") {}
