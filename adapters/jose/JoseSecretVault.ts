import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from "jose"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SecretUnreadable, SecretVault } from "../../application/ports/identity/SecretVault.ts"
import type { SecretKey } from "./SecretKey.ts"
import type { SecretKeySource } from "./SecretKeyFile.ts"

interface Header {
  readonly keyId: string
  readonly purpose: string
}

/** The header of a ciphertext; authenticated only by decryption. */
const headerOf = (encrypted: string): Header | undefined => {
  try {
    const { kid, use } = decodeProtectedHeader(encrypted) as { kid?: unknown; use?: unknown } // any JSON
    return typeof kid === "string" && typeof use === "string" ? { keyId: kid, purpose: use } : undefined
  } catch {
    return undefined
  }
}

/**
 * Compact JWE, A256GCM with the key itself (`dir`): RFC 7518 §4.5, §5.3. The purpose is part of the authenticated data.
 */
const encryptWith = ({ id, key }: SecretKey, secret: string, purpose: string) =>
  Effect.promise(() =>
    new CompactEncrypt(new TextEncoder().encode(secret))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: id, use: purpose })
      .encrypt(key),
  )

const make = (source: SecretKeySource): SecretVault["Service"] => {
  let keys = source.read()

  /** Another process may have added a key in the meantime. */
  const keyNamed = (id: string): SecretKey | undefined => {
    const known = keys.find((key) => key.id === id)
    if (known !== undefined) return known
    keys = source.read()
    return keys.find((key) => key.id === id)
  }
  const current = (): SecretKey => {
    const [first] = keys
    if (first === undefined) throw new Error("a vault needs a key")
    return first
  }

  const open = Effect.fnUntraced(function* (encrypted: string, { keyId }: Header) {
    const found = yield* Effect.sync(() => keyNamed(keyId))
    if (found === undefined) return yield* new SecretUnreadable({ keyId })
    const { plaintext } = yield* Effect.tryPromise({
      try: () =>
        compactDecrypt(encrypted, found.key, {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
        }),
      catch: () => new SecretUnreadable({}),
    })
    return new TextDecoder().decode(plaintext)
  })

  return {
    encrypt: Effect.fn("SecretVault.encrypt")((secret, purpose) => encryptWith(current(), secret, purpose)),
    decrypt: Effect.fn("SecretVault.decrypt")(function* (encrypted, purpose) {
      const header = headerOf(encrypted)
      if (header === undefined || header.purpose !== purpose) return yield* new SecretUnreadable({})
      return yield* open(encrypted, header)
    }),
    reencrypt: Effect.fn("SecretVault.reencrypt")(function* (encrypted) {
      const header = headerOf(encrypted)
      if (header === undefined) return yield* new SecretUnreadable({})
      if (header.keyId === current().id) return undefined
      return yield* encryptWith(current(), yield* open(encrypted, header), header.purpose)
    }),
    rotate: Effect.gen(function* () {
      const now = new Date(yield* Clock.currentTimeMillis)
      return yield* Effect.sync(() => {
        source.addKey?.(now)
        keys = source.read()
        return current().id
      })
    }).pipe(Effect.withSpan("SecretVault.rotate")),
  }
}

/** A vault with these keys, which are read at startup so that a damaged file is reported immediately. */
export const layer = (source: SecretKeySource) =>
  Layer.effect(
    SecretVault,
    Effect.sync(() => make(source)),
  )
