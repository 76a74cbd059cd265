import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../StoreUnavailable.ts"

/** Everything in the database that the vault encrypted. */
export class EncryptedRecords extends Context.Service<
  EncryptedRecords,
  {
    /**
     * Replaces each encrypted text with the result of `change`, unless that is undefined; returns how many were
     * replaced. A text that changed in the meantime is not overwritten.
     */
    readonly replaceAll: <E>(
      change: (encrypted: string) => Effect.Effect<string | undefined, E>,
    ) => Effect.Effect<number, E | StoreUnavailable>
  }
>()("assay/application/EncryptedRecords") {}
