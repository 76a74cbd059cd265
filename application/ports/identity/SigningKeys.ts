import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../StoreUnavailable.ts"

/** A key that our access tokens are signed with. */
export interface SigningKey {
  readonly keyId: string
  /** JSON Web Key, as text. */
  readonly publicKey: string
  /** JSON Web Key, encrypted by the vault for the purpose `signing-key:<key id>`. */
  readonly privateKey: string
}

/** The keys of our issuer. Nothing else reads them. */
export class SigningKeys extends Context.Service<
  SigningKeys,
  {
    /** The current signing key first, then replaced ones that still verify. */
    readonly valid: Effect.Effect<ReadonlyArray<SigningKey>, StoreUnavailable>
    /** Adds the very first key; if several processes try at once, one succeeds. */
    readonly addFirst: (key: SigningKey) => Effect.Effect<void, StoreUnavailable>
    /** Signs with `key` from now on; earlier keys verify for the given number of milliseconds and are then deleted. */
    readonly replace: (key: SigningKey, verifyFor: number) => Effect.Effect<void, StoreUnavailable>
  }
>()("assay/application/SigningKeys") {}
