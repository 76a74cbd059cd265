import { hash } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Identities } from "../../application/ports/Identities.ts"
import type { StoreUnavailable } from "../../application/ports/AnalysisStore.ts"
import type { Caller } from "../../domain/identity/Caller.ts"
import { isApiKey } from "../../domain/identity/ApiKey.ts"

/** Hex SHA-256 of a key: what the database knows of it. */
export const apiKeyHash = (key: string): string => hash("sha256", key)

/** Who a bearer token belongs to. One query for an API key, none for a token that cannot be one. */
export class Authenticator extends Context.Service<
  Authenticator,
  { readonly authenticate: (token: string) => Effect.Effect<Option.Option<Caller>, StoreUnavailable> }
>()("assay/http/Authenticator") {
  /**
   * API keys. The checksum turns away what was mistyped or made up before the database hears of it; looking up the
   * hash leaves nothing to time, since an attacker cannot choose the hash.
   */
  static readonly layer = Layer.effect(
    this,
    Effect.map(Identities, (identities) => ({
      authenticate: (token: string) =>
        isApiKey(token) ? identities.callerByKeyHash(apiKeyHash(token)) : Effect.succeed(Option.none<Caller>()),
    })),
  )
}

/** The token of `Authorization: Bearer <token>` (RFC 6750); the scheme's case does not matter. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1]
