import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AccessTokens } from "../ports/AccessTokens.ts"
import { EncryptedRecords } from "../ports/EncryptedRecords.ts"
import { SecretVault } from "../ports/SecretVault.ts"

/** A new signing key would be encrypted with a key that the service does not have either: it could sign no more. */
export class KeysMissing extends Schema.TaggedError<KeysMissing>()("KeysMissing", { unreadable: Schema.Int }) {}

/**
 * New keys for signing and, where they are ours to make, for encrypting; everything stored is encrypted with the
 * current key afterwards. Tokens that were issued stay valid. An interrupted run is completed by the next one. Nothing
 * is changed where there is what no configured key can read, unless those keys are lost: then it is counted and left.
 */
export const rotateKeys = Effect.fn("rotateKeys")(function* (keysLost: boolean) {
  const vault = yield* SecretVault
  const tokens = yield* AccessTokens
  const records = yield* EncryptedRecords
  let unreadable = 0
  const reencrypt = (encrypted: string) =>
    Effect.catchTag(vault.reencrypt(encrypted), "SecretUnreadable", () =>
      Effect.sync(() => {
        unreadable++
        return undefined
      }),
    )
  if (!keysLost) {
    yield* records.replaceAll((encrypted) => Effect.as(reencrypt(encrypted), undefined))
    if (unreadable > 0) return yield* new KeysMissing({ unreadable })
  }
  const encryptionKeyId = yield* vault.rotate
  const signingKeyId = yield* tokens.rotate
  const reencrypted = yield* records.replaceAll(reencrypt)
  return { signingKeyId, encryptionKeyId, reencrypted, unreadable }
})
