import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
  type JWTVerifyGetKey,
} from "jose"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { StoreUnavailable } from "../../application/ports/StoreUnavailable.ts"
import type { SecretUnreadable, SecretVault } from "../../application/ports/identity/SecretVault.ts"
import type { SigningKey, SigningKeys } from "../../application/ports/identity/SigningKeys.ts"

/** Milliseconds after which to look for another process's rotation. */
const refreshAfter = 60_000
/** Minimum interval between lookups, however many tokens name unknown keys. */
const cooldown = 5_000
/** The lifetime of a token (15 min), a signer that has not noticed the rotation (1 min), and clock skew. */
const verifyReplacedFor = 20 * 60_000

const purpose = (keyId: string): string => `signing-key:${keyId}`

interface Loaded {
  readonly newest: SigningKey | undefined
  readonly publicKeys: ReadonlyArray<JWK>
  readonly set: JWTVerifyGetKey
  readonly loadedAt: number
}

const publicJwk = ({ keyId, publicKey }: SigningKey): JWK => ({
  // Written by `generate` below.
  ...(JSON.parse(publicKey) as JWK),
  kid: keyId,
  alg: "EdDSA",
  use: "sig",
})

const generate = (vault: SecretVault["Service"]): Effect.Effect<SigningKey> =>
  Effect.gen(function* () {
    const { publicKey, privateKey } = yield* Effect.promise(() => generateKeyPair("EdDSA", { extractable: true }))
    const [publicPart, privatePart] = yield* Effect.promise(() =>
      Promise.all([exportJWK(publicKey), exportJWK(privateKey)]),
    )
    const keyId = crypto.randomUUID()
    return {
      keyId,
      publicKey: JSON.stringify(publicPart),
      privateKey: yield* vault.encrypt(JSON.stringify(privatePart), purpose(keyId)),
    }
  })

/** Our signing keys: Ed25519, with the private parts encrypted in the database, created on first use. */
export interface OwnKeys {
  readonly signer: Effect.Effect<
    { readonly keyId: string; readonly key: CryptoKey },
    StoreUnavailable | SecretUnreadable
  >
  readonly publicKeys: Effect.Effect<ReadonlyArray<JWK>, StoreUnavailable>
  readonly current: Effect.Effect<JWTVerifyGetKey, StoreUnavailable>
  readonly refresh: Effect.Effect<boolean, StoreUnavailable>
  readonly rotate: Effect.Effect<string, StoreUnavailable>
}

export const ownKeys = (store: SigningKeys["Service"], vault: SecretVault["Service"]): OwnKeys => {
  let loaded: Loaded | undefined
  let signer: { readonly keyId: string; readonly key: CryptoKey } | undefined
  const turn = Semaphore.makeUnsafe(1)

  const load = Effect.gen(function* () {
    const keys = yield* store.valid
    const publicKeys = keys.map(publicJwk)
    loaded = {
      newest: keys[0],
      publicKeys,
      set: createLocalJWKSet({ keys: publicKeys }),
      loadedAt: yield* Clock.currentTimeMillis,
    }
    return loaded
  })

  const loadUnlessYounger = (age: number) =>
    turn.withPermit(
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        loaded === undefined || now - loaded.loadedAt >= age ? Effect.as(load, true) : Effect.succeed(false),
      ),
    )

  /** Returns known keys immediately and looks for new ones in the background. */
  const current = Effect.gen(function* () {
    if (loaded === undefined) yield* loadUnlessYounger(cooldown)
    else if ((yield* Clock.currentTimeMillis) - loaded.loadedAt >= refreshAfter) {
      yield* Effect.forkDetach(Effect.ignore(loadUnlessYounger(refreshAfter)))
    }
    return loaded ?? (yield* load)
  })

  const newest = Effect.gen(function* () {
    yield* loadUnlessYounger(refreshAfter)
    const known = loaded?.newest
    if (known !== undefined) return known
    yield* store.addFirst(yield* generate(vault))
    const { newest } = yield* load
    return newest ?? (yield* Effect.die(new Error("the first signing key is not there")))
  })

  return {
    signer: Effect.gen(function* () {
      const { keyId, privateKey } = yield* newest
      if (signer?.keyId === keyId) return signer
      // Written by `generate` above.
      const jwk = JSON.parse(yield* vault.decrypt(privateKey, purpose(keyId))) as JWK
      const key = yield* Effect.promise(() => importJWK(jwk, "EdDSA"))
      if (key instanceof Uint8Array) return yield* Effect.die(new Error("a signing key is a key pair"))
      signer = { keyId, key }
      return signer
    }),
    publicKeys: Effect.gen(function* () {
      // Known keys are still published while the database is unavailable: tokens signed with them are valid.
      if (loaded?.newest === undefined) yield* newest
      else yield* Effect.ignore(loadUnlessYounger(refreshAfter))
      return (yield* current).publicKeys
    }),
    current: Effect.map(current, ({ set }) => set),
    refresh: loadUnlessYounger(cooldown),
    rotate: Effect.gen(function* () {
      const key = yield* generate(vault)
      yield* store.replace(key, verifyReplacedFor)
      yield* load
      return key.keyId
    }),
  }
}
