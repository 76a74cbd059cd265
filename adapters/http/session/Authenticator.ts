import { hash } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Authentication, authentication } from "../../../application/identity/authenticate.ts"

/** Hex SHA-256 of a key or a session secret, as the database stores it. */
export const apiKeyHash = (key: string): string => hash("sha256", key)

/** Who a bearer token or a session belongs to. */
export class Authenticator extends Context.Service<Authenticator, Authentication>()("assay/http/Authenticator") {
  /** Node's synchronous hash takes 2 µs, the Web Crypto one 40. */
  static readonly layer = Layer.effect(
    this,
    authentication((secret) => Effect.succeed(apiKeyHash(secret))),
  )
}

/** The token of `Authorization: Bearer <token>` (RFC 6750); the scheme's case does not matter. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1]
