import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { SecretUnreadable } from "./SecretVault.ts"
import type { UserId, SignInId } from "../../../domain/ids/Ids.ts"

export interface IssuedToken {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn: number
}

/** The subject of a verified token. `issuer` is undefined for our own tokens, whose subject is a user id. */
export interface TokenSubject {
  readonly issuer: string | undefined
  readonly subject: string
  /** The sign-in that one of our tokens belongs to and ends with; absent if an administrator issued it. */
  readonly signInId?: SignInId
}

/** JSON Web Tokens: our own, and those of issuers trusted by the configuration. */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /** A token for the user that is valid for 15 minutes. */
    readonly issue: (
      userId: UserId,
      signInId?: SignInId,
    ) => Effect.Effect<IssuedToken, StoreUnavailable | SecretUnreadable>
    /** None unless the token is valid now. Makes no network call once the issuer's keys are known. */
    readonly verify: (token: string) => Effect.Effect<Option.Option<TokenSubject>, StoreUnavailable>
    /** Our public keys as a JWK set (RFC 7517), for third parties that verify our tokens. */
    readonly publicKeys: Effect.Effect<
      { readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>> },
      StoreUnavailable
    >
    /** Signs with a new key from now on and returns its id; tokens that were issued stay valid. */
    readonly rotate: Effect.Effect<string, StoreUnavailable>
  }
>()("assay/application/AccessTokens") {}
