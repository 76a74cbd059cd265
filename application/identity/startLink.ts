import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SecretVault } from "../ports/identity/SecretVault.ts"
import { Sessions } from "../ports/identity/Sessions.ts"
import { hashSecret } from "./secret.ts"
import { openSession } from "./session.ts"
import { UserId } from "../../domain/ids/Ids.ts"

/** How long the link is valid: whoever starts the service is at the screen. */
export const startLinkLifetime = Duration.minutes(15)

const purpose = "start-link"

const Link = Schema.fromJsonString(Schema.Struct({ userId: UserId, nonce: Schema.String, expiresAt: Schema.Number }))

/** The link is unknown, used or expired; the error does not reveal which. */
export class LinkRefused extends Schema.TaggedError<LinkRefused>()("LinkRefused", {}) {}

/** The token of a link that signs a user in, once. */
export const makeStartToken = Effect.fn("makeStartToken")(function* (userId: UserId) {
  const vault = yield* SecretVault
  const expiresAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(startLinkLifetime)
  return yield* vault.encrypt(Schema.encodeSync(Link)({ userId, nonce: crypto.randomUUID(), expiresAt }), purpose)
})

/** Opens a session for the token's user; the browser's previous session ends. */
export const useStartToken = Effect.fn("useStartToken")(function* (token: string, previous: string | undefined) {
  const vault = yield* SecretVault
  const link = yield* vault.decrypt(token, purpose).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Link)),
    Effect.mapError(() => new LinkRefused()),
  )
  if ((yield* Clock.currentTimeMillis) > link.expiresAt) return yield* new LinkRefused()
  // Identified by content: the same token can be encoded in more than one way.
  const hash = hashSecret(`${purpose}:${link.nonce}`)
  const isFirst = yield* Sessions.use((sessions) => sessions.useOnce(hash, new Date(link.expiresAt)))
  if (!isFirst) return yield* new LinkRefused()
  return yield* openSession(link.userId, previous)
})
