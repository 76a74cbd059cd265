import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { CodeHost } from "../ports/repositories/CodeHost.ts"
import { HostingTokens } from "../ports/identity/HostingTokens.ts"
import { SecretVault } from "../ports/identity/SecretVault.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

/** There is no usable token for the code hosting service; `message` says what to do. */
export class HostingTokenRequired extends Schema.TaggedError<HostingTokenRequired>()("HostingTokenRequired", {
  message: Schema.String,
}) {}

/** The purpose under which the vault encrypts it. */
export const tokenPurpose = (userId: UserId): string => `hosting-token:${userId}`

/** The user's decrypted token for the currently configured service. */
export const hostingSecret = Effect.fn("hostingSecret")(function* (userId: UserId) {
  const stored = Option.getOrUndefined(yield* HostingTokens.use((tokens) => tokens.find(userId)))
  const { origin } = yield* CodeHost
  if (stored === undefined) {
    return yield* new HostingTokenRequired({
      message: `No hosting token is set. Set one with PUT /api/v1/settings/hosting-token: a personal access token of ${origin} with the scope repo, or public_repo for public repositories only.`,
    })
  }
  if (stored.origin !== origin) {
    return yield* new HostingTokenRequired({
      message: `The hosting token is for ${stored.origin}, but this service reads ${origin}. Set a new one in the settings.`,
    })
  }
  const secret = yield* SecretVault.use((vault) => vault.decrypt(stored.encrypted, tokenPurpose(userId))).pipe(
    Effect.tapError((error) => Effect.logError("hosting token unreadable", error.message)),
    Effect.mapError(
      () =>
        new HostingTokenRequired({
          message: "The stored hosting token can no longer be read. Set it again in the settings.",
        }),
    ),
  )
  return { secret: Redacted.make(secret), kind: stored.kind, origin }
})
