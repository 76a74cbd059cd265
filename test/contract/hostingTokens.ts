import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { HostingTokens, type StoredHostingToken } from "../../application/ports/identity/HostingTokens.ts"
import { begin, hosted, synced } from "./repositories.ts"
import { newUser, type Test } from "../support/stores.ts"

const token: Omit<StoredHostingToken, "updatedAt"> = {
  encrypted: "jwe",
  kind: "personal",
  account: "octo",
  scopes: ["repo"],
  origin: "https://github.com",
}

/** Tokens of the code hosting service: one per user. */
export const hostingTokens: Readonly<Record<string, Test>> = {
  "a token exists until it is replaced or removed, for its user only": Effect.gen(function* () {
    const tokens = yield* HostingTokens
    const [ada, bob] = [yield* newUser(), yield* newUser()]
    assert.isTrue(Option.isNone(yield* tokens.find(ada)))
    const stored = yield* tokens.put(ada, token)
    assert.deepEqual({ ...stored, updatedAt: 0 }, { ...token, updatedAt: 0 })
    assert.deepEqual(yield* tokens.find(ada), Option.some(stored))
    assert.isTrue(Option.isNone(yield* tokens.find(bob)))
    const other = { ...token, encrypted: "jwe2", kind: "installation", account: undefined, scopes: undefined } as const
    yield* tokens.put(ada, other)
    assert.deepInclude(Option.getOrThrow(yield* tokens.find(ada)), other)
    yield* tokens.remove(ada)
    yield* tokens.remove(ada)
    assert.isTrue(Option.isNone(yield* tokens.find(ada)))
  }),

  "a new token does not continue from what another one has seen": Effect.gen(function* () {
    const tokens = yield* HostingTokens
    const userId = yield* newUser()
    yield* synced(userId, [hosted(1)], { etag: "1x" })
    yield* tokens.put(userId, token)
    assert.isUndefined((yield* begin(userId)).since?.etag)
  }),
}
