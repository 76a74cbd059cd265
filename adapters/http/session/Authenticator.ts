import { hash } from "node:crypto"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { type Authentication, authentication } from "../../../application/identity/authenticate.ts"

/** Who a bearer token or a session belongs to. */
export class Authenticator extends Context.Service<Authenticator, Authentication>()("assay/http/Authenticator") {
  /** Node's SHA-256 takes a fifth of the time of `hashSecret`, and every request needs one. */
  static readonly layer = Layer.effect(
    this,
    authentication((secret) => hash("sha256", secret)),
  )
}

/** The token of `Authorization: Bearer <token>` (RFC 6750); the scheme's case does not matter. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1]
