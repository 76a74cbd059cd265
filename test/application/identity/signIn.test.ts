import * as Duration from "effect/Duration"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { beginSignIn, completeSignIn, signInLifetime } from "../../../application/identity/signIn.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { CodeHost } from "../../../application/ports/repositories/CodeHost.ts"
import { HostingTokens } from "../../../application/ports/identity/HostingTokens.ts"
import { SecretVault } from "../../../application/ports/identity/SecretVault.ts"
import { Sessions } from "../../../application/ports/identity/Sessions.ts"
import { SignIn } from "../../../application/ports/identity/SignIn.ts"
import { UserId } from "../../../domain/ids/Ids.ts"

const services = Layer.mergeAll(
  Layer.mock(SignIn, {
    authorizationUrl: ({ state }) => Effect.succeed(state),
    identify: () =>
      Effect.succeed({
        identity: { issuer: "https://issuer.example", subject: "ada", email: undefined },
        token: Redacted.make("token"),
      }),
  }),
  Layer.mock(SecretVault, { encrypt: Effect.succeed, decrypt: Effect.succeed }),
  Layer.mock(Accounts, { signIn: () => Effect.succeed(UserId.make("ada")) }),
  Layer.mock(Sessions, { open: () => Effect.void, useOnce: () => Effect.succeed(true) }),
  Layer.mock(CodeHost, { origin: "https://code.example" }),
  Layer.mock(HostingTokens, {}),
)

/** Whether a sign-in that returns after this many milliseconds is accepted. */
const isAccepted = (milliseconds: number) =>
  Effect.gen(function* () {
    const { url: state, pending } = yield* beginSignIn("/", undefined)
    yield* TestClock.adjust(milliseconds)
    const answer = completeSignIn({ pending, state, code: "code", previousSession: undefined })
    return yield* answer.pipe(
      Effect.as(true),
      Effect.catchTag("SignInRefused", () => Effect.succeed(false)),
    )
  }).pipe(Effect.provide(services))

describe("a sign-in", () => {
  it.effect("can be completed within ten minutes, but not a millisecond later", () =>
    Effect.gen(function* () {
      const lifetime = Duration.toMillis(signInLifetime)
      assert.strictEqual(lifetime, 600_000)
      assert.isTrue(yield* isAccepted(lifetime))
      assert.isFalse(yield* isAccepted(lifetime + 1))
    }),
  )
})
