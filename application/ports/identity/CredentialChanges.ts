import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../StoreUnavailable.ts"

/** Reports that a key, session, membership or plan may have changed, in any process. */
export class CredentialChanges extends Context.Service<
  CredentialChanges,
  {
    /**
     * Calls `onChange` once it is listening and after each change, until it fails; after that, changes may go
     * unnoticed.
     */
    readonly listen: (onChange: () => void) => Effect.Effect<never, StoreUnavailable>
  }
>()("assay/application/CredentialChanges") {}
