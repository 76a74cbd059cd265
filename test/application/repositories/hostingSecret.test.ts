import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CodeHost } from "../../../application/ports/repositories/CodeHost.ts"
import { HostingTokens } from "../../../application/ports/identity/HostingTokens.ts"
import { SecretVault } from "../../../application/ports/identity/SecretVault.ts"
import { hostingSecret } from "../../../application/repositories/hostingSecret.ts"
import { UserId } from "../../../domain/ids/Ids.ts"

/** The secret of a user whose token was stored for a host, in a service that reads from `https://code.example`. */
const secretOf = (storedFor: string) =>
  hostingSecret(UserId.make("ada")).pipe(
    Effect.provide(
      Layer.mergeAll(
        Layer.mock(CodeHost, { origin: "https://code.example" }),
        Layer.mock(SecretVault, { decrypt: Effect.succeed }),
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
      ),
    ),
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
})
