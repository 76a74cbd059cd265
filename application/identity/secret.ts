import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { sha256Hex } from "../../domain/digest/sha256.ts"
import { apiKeyEntropy, apiKeyPrefix, formatApiKey } from "../../domain/identity/ApiKey.ts"

/**
 * All that is stored of a secret. A plain SHA-256 is enough: an API key has 178 random bits, other secrets have 256.
 */
export const hashSecret = sha256Hex

/** 256 random bits as text. */
export const randomText: Effect.Effect<string> = Effect.sync(() =>
  Base64Url.encode(crypto.getRandomValues(new Uint8Array(32))),
)

/** A random secret, and the hash that is stored in its place. */
export const newSecret = (prefix = ""): Effect.Effect<{ readonly secret: string; readonly hash: string }> =>
  Effect.map(randomText, (text) => ({ secret: prefix + text, hash: hashSecret(prefix + text) }))

/** A new API key, and what is stored in its place. */
export const newApiKey = Effect.sync(() => {
  const apiKey = formatApiKey(crypto.getRandomValues(new Uint8Array(apiKeyEntropy)))
  return { apiKey, hash: hashSecret(apiKey), prefix: apiKeyPrefix(apiKey) }
})
