import * as Effect from "effect/Effect"
import { AccessTokens } from "../ports/AccessTokens.ts"
import { EncryptedRecords } from "../ports/EncryptedRecords.ts"
import { SecretVault } from "../ports/SecretVault.ts"

/**
 * New keys for signing and, where they are ours to make, for encrypting; everything stored is encrypted with the
 * current key afterwards. Tokens that were issued stay valid. An interrupted run is completed by the next one; what no
 * configured key can read is counted and left as it is.
 */
export const rotateKeys = Effect.fn("rotateKeys")(function* () {
  const vault = yield* SecretVault
  const tokens = yield* AccessTokens
  const records = yield* EncryptedRecords
  const encryptionKeyId = yield* vault.rotate
  const signingKeyId = yield* tokens.rotate
  let unreadable = 0
  const reencrypted = yield* records.replaceAll((encrypted) =>
    Effect.catchTag(vault.reencrypt(encrypted), "SecretUnreadable", () =>
      Effect.sync(() => {
        unreadable++
        return undefined
      }),
    ),
  )
  return { signingKeyId, encryptionKeyId, reencrypted, unreadable }
})
