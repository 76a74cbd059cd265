import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CodeHost } from "../../../application/ports/repositories/CodeHost.ts"
import { HostingTokens } from "../../../application/ports/identity/HostingTokens.ts"
import { SecretVault } from "../../../application/ports/identity/SecretVault.ts"
import { RepositoryStore } from "../../../application/ports/repositories/RepositoryStore.ts"
import { hostingSecret } from "../../../application/repositories/hostingSecret.ts"
import { hostingCredentials, SourceCredentials } from "../../../application/repositories/sourceCredentials.ts"
import { UserId } from "../../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const ada = UserId.make("ada")

/** A user's token that was stored for a host, in a service that reads from `https://code.example`. */
const services = (storedFor: string) =>
  Layer.mergeAll(
    Layer.mock(CodeHost, { origin: "https://code.example" }),
    Layer.mock(SecretVault, { decrypt: Effect.succeed }),
    Layer.mock(RepositoryStore, { isSynced: () => Effect.succeed(true) }),
    Layer.mock(HostingTokens, {
      find: () =>
        Effect.succeed(
          Option.some({
            encrypted: "token",
            kind: "personal" as const,
            account: "ada",
            scopes: [],
            origin: storedFor,
            updatedAt: new Date(0),
          }),
        ),
    }),
  )

const secretOf = (storedFor: string) => Effect.provide(hostingSecret(ada), services(storedFor))

/** What a repository of the configured host is fetched with. */
const credentialOf = (storedFor: string) =>
  SourceCredentials.use((find) => find(ada, RepositoryUrl.make("https://code.example/octo/vault"))).pipe(
    Effect.provide(Layer.provide(hostingCredentials, services(storedFor))),
  )

describe("a hosting token", () => {
  it.effect("is sent to the host for which it was stored", () =>
    Effect.gen(function* () {
      assert.strictEqual(Redacted.value((yield* secretOf("https://code.example")).secret), "token")
    }),
  )

  it.effect("is never sent to another host that was configured later", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(secretOf("https://former.example"))
      assert.strictEqual(error._tag, "HostingTokenRequired")
      assert.include(error.message, "https://former.example")
    }),
  )

  it.effect("fetches repositories of the host for which it was stored, and of no other", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* credentialOf("https://code.example"))?.origin, "https://code.example")
      assert.isUndefined(yield* credentialOf("https://former.example"))
    }),
  )
})
