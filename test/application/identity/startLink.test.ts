import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { makeStartToken, startLinkLifetime, useStartToken } from "../../../application/identity/startLink.ts"
import { SecretVault } from "../../../application/ports/identity/SecretVault.ts"
import { Sessions } from "../../../application/ports/identity/Sessions.ts"
import { UserId } from "../../../domain/ids/Ids.ts"

const services = Layer.mergeAll(
  Layer.mock(SecretVault, { encrypt: Effect.succeed, decrypt: Effect.succeed }),
  Layer.mock(Sessions, { open: () => Effect.void, useOnce: () => Effect.succeed(true) }),
)

/** Whether a link that is opened after this many milliseconds signs in. */
const isAccepted = (milliseconds: number) =>
  Effect.gen(function* () {
    const token = yield* makeStartToken(UserId.make("ada"))
    yield* TestClock.adjust(milliseconds)
    return yield* useStartToken(token, undefined).pipe(
      Effect.as(true),
      Effect.catchTag("LinkRefused", () => Effect.succeed(false)),
    )
  }).pipe(Effect.provide(services))

describe("a link that signs in", () => {
  it.effect("can be opened within fifteen minutes, but not a millisecond later", () =>
    Effect.gen(function* () {
      const lifetime = Duration.toMillis(startLinkLifetime)
      assert.strictEqual(lifetime, 900_000)
      assert.isTrue(yield* isAccepted(lifetime))
      assert.isFalse(yield* isAccepted(lifetime + 1))
    }),
  )
})
