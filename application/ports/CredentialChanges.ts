import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Tells when a key, session, membership or plan may have changed, in whatever process that happened. */
export class CredentialChanges extends Context.Service<
  CredentialChanges,
  {
    /** Calls `onChange` once it listens and after each change, until it fails: then changes may go unheard. */
    readonly listen: (onChange: () => void) => Effect.Effect<never, StoreUnavailable>
  }
>()("assay/application/CredentialChanges") {}
