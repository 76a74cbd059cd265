import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isApiKey } from "../../domain/identity/ApiKey.ts"
import type { Caller } from "../../domain/identity/Caller.ts"
import { compositeKey } from "../compositeKey.ts"
import { AccessTokens, type TokenSubject } from "../ports/identity/AccessTokens.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import { Callers } from "../ports/identity/Callers.ts"
import { rememberCallers } from "./rememberCallers.ts"
import { hashSecret } from "./secret.ts"
import { isSessionSecret } from "./session.ts"
import { UserId } from "../../domain/ids/Ids.ts"

export interface Authentication {
  /** The caller with a bearer token: an API key, our access token, or a trusted issuer's. */
  readonly bearer: (token: string) => Found
  /** The same, read from the database rather than from memory. */
  readonly bearerAnew: (token: string) => Found
  /** The caller with a session's secret, read from the database. */
  readonly session: (secret: string) => Found
}

type Found = Effect.Effect<Option.Option<Caller>, StoreUnavailable>

/**
 * A key's checksum rejects mistyped and invented keys without a query. Looking up the hash reveals nothing through
 * timing: how far the database's comparison gets depends on the hash's first bytes, which say nothing about the key's,
 * and every unknown key takes the same single lookup.
 */
export const authentication = Effect.fnUntraced(function* (hash: (secret: string) => string = hashSecret) {
  const tokens = yield* AccessTokens
  const callers = yield* Callers
  const remember = yield* rememberCallers

  /** The session that an access token came from may end before the token does. */
  const ofToken = ({ issuer, subject, signInId }: TokenSubject) => {
    if (issuer !== undefined) return callers.ofExternal(issuer, subject)
    if (signInId === undefined) return callers.ofUser(UserId.make(subject))
    return Effect.map(
      callers.ofSignIn(signInId),
      Option.filter(({ userId }) => userId === subject),
    )
  }

  const bearer = (lookUp: typeof remember) => (token: string) => {
    if (isApiKey(token)) {
      const hashed = hash(token)
      return lookUp(compositeKey("key", hashed), () => callers.ofKey(hashed))
    }
    // Three parts, like every signed token.
    if (token.split(".", 4).length !== 3) return Effect.succeed(Option.none())
    return Effect.flatMap(
      tokens.verify(token),
      Option.match({
        onNone: () => Effect.succeed(Option.none<Caller>()),
        onSome: (named) =>
          lookUp(
            named.issuer === undefined
              ? compositeKey("user", named.subject, named.signInId ?? "")
              : compositeKey("external", named.issuer, named.subject),
            () => ofToken(named),
          ),
      }),
    )
  }

  const authentication: Authentication = {
    bearer: bearer(remember),
    bearerAnew: bearer((_, lookUp) => lookUp()),
    session: (secret) =>
      isSessionSecret(secret) ? callers.ofSession(hash(secret)) : Effect.succeed(Option.none<Caller>()),
  }
  return authentication
})
