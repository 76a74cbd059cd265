import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import { CodeHost } from "../ports/repositories/CodeHost.ts"
import { HostingTokens } from "../ports/identity/HostingTokens.ts"
import { RepositoryStore } from "../ports/repositories/RepositoryStore.ts"
import { SecretVault } from "../ports/identity/SecretVault.ts"
import type { SourceCredential } from "../ports/analysis/SourceFetcher.ts"
import { tokenPurpose } from "./hostingSecret.ts"
import type { UserId } from "../../domain/ids/Ids.ts"
import type { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

/** The credential for a user's private repositories; undefined if there is none for this URL. */
export class SourceCredentials extends Context.Service<
  SourceCredentials,
  (userId: UserId, repositoryUrl: RepositoryUrl) => Effect.Effect<SourceCredential | undefined, StoreUnavailable>
>()("assay/application/SourceCredentials") {}

const make = Effect.gen(function* () {
  const tokens = yield* HostingTokens
  const vault = yield* SecretVault
  const host = yield* CodeHost
  const repositories = yield* RepositoryStore

  return Effect.fn("sourceCredential")(function* (userId: UserId, repositoryUrl: RepositoryUrl) {
    const stored = Option.getOrUndefined(yield* tokens.find(userId))
    if (stored === undefined || stored.origin !== host.origin || !URL.canParse(repositoryUrl)) return undefined
    const { origin } = new URL(repositoryUrl)
    // A server may serve repositories under a different origin than its API's: its own list says so.
    const isHosted = origin === host.origin || (yield* repositories.isSynced(userId, repositoryUrl))
    if (!isHosted) return undefined
    return yield* vault.decrypt(stored.encrypted, tokenPurpose(userId)).pipe(
      Effect.map((secret): SourceCredential | undefined => ({ origin, secret: Redacted.make(secret) })),
      // A public repository needs no credential.
      Effect.catchTag("SecretUnreadable", (error) =>
        Effect.as(Effect.logError("hosting token unreadable", error.message), undefined),
      ),
    )
  })
})

/** The hosting tokens that users have set. */
export const hostingCredentials = Layer.effect(SourceCredentials, make)
