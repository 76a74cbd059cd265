import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The text was encrypted with a key that is not configured, for another purpose, or was tampered with. */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {
  keyId: Schema.optionalKey(Schema.String),
}) {
  override get message(): string {
    return this.keyId === undefined
      ? "A stored secret cannot be read: it is damaged or belongs elsewhere."
      : `A stored secret was encrypted with the key ${this.keyId}, which is not configured. Every process needs the same ASSAY_SECRET_KEYS.`
  }
}

/**
 * Encrypts what the database stores but none of its readers may see. `purpose` names where a text belongs, such
 * as `hosting-token:<user id>`: decrypting it for another purpose fails, so that texts cannot be swapped.
 */
export class SecretVault extends Context.Service<
  SecretVault,
  {
    readonly encrypt: (secret: string, purpose: string) => Effect.Effect<string>
    readonly decrypt: (encrypted: string, purpose: string) => Effect.Effect<string, SecretUnreadable>
    /** The same secret under the current key; undefined if it already is. */
    readonly reencrypt: (encrypted: string) => Effect.Effect<string | undefined, SecretUnreadable>
    /**
     * Makes a new key the current one if we manage the keys; if they come from configuration, the first one is and
     * remains current. Returns the current key's id.
     */
    readonly rotate: Effect.Effect<string>
  }
>()("assay/application/SecretVault") {}
