import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AccessTokens } from "../ports/identity/AccessTokens.ts"
import { EncryptedRecords } from "../ports/identity/EncryptedRecords.ts"
import { SecretVault } from "../ports/identity/SecretVault.ts"

/**
 * A new signing key would be encrypted with a key that the service does not have either, so it could no longer sign.
 */
export class KeysMissing extends Schema.TaggedError<KeysMissing>()("KeysMissing", { unreadable: Schema.Int }) {}

/**
 * Creates new keys for signing and, if we manage them, for encryption; afterwards, everything stored is encrypted with
 * the current key. Issued tokens stay valid. The next run completes an interrupted one. Nothing is changed if some
 * secret cannot be read with any configured key, unless those keys are declared lost: then it is counted and left
 * alone.
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
