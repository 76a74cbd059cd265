import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { hashApiKey } from "./issueApiKey.ts"

/** 256 random bits as text, and the hash that is stored in their place. */
export const newSecret = (prefix = ""): Effect.Effect<{ readonly secret: string; readonly hash: string }> =>
  Effect.suspend(() => {
    const secret = prefix + Base64Url.encode(crypto.getRandomValues(new Uint8Array(32)))
    return Effect.map(hashSecret(secret), (hash) => ({ secret, hash }))
  })

/** Hex SHA-256; enough for a secret of 256 random bits. */
export const hashSecret = hashApiKey
