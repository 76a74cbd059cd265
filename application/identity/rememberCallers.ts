import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { Caller } from "../../domain/identity/Caller.ts"
import type { CompositeKey } from "../compositeKey.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import { CredentialChanges } from "../ports/identity/CredentialChanges.ts"
import { supervise } from "../supervise.ts"

/** Milliseconds by which a connection that died unnoticed can delay a change. */
const longest = 5_000
const mostCallers = 10_000

type Lookup = Effect.Effect<Option.Option<Caller>, StoreUnavailable>

/**
 * Caches the owners of credentials for 5 s, and only while changes are reported, so that revoking a key or leaving an
 * organization takes effect at once. Neither a lookup overtaken by a change nor unknown credentials are cached. This
 * saves a status request its only additional query: 0.3 ms on Postgres, 0.8 ms embedded.
 */
export const rememberCallers = Effect.gen(function* () {
  const changes = yield* CredentialChanges
  const known = new Map<CompositeKey, { readonly found: Option.Option<Caller>; readonly until: number }>()
  let listening = false
  let epoch = 0
  const forget = (): void => {
    epoch++
    known.clear()
  }

  const listen = changes
    .listen(() => {
      listening = true
      forget()
    })
    .pipe(
      Effect.ensuring(
        Effect.sync(() => {
          listening = false
          forget()
        }),
      ),
      Effect.catch((error) =>
        Effect.logDebug("no notifications of credential changes, looking up credentials on every request", error),
      ),
      Effect.repeat(Schedule.spaced("1 second")),
    )
  yield* Effect.forkScoped(supervise("changes of credentials", listen))

  return (key: CompositeKey, lookup: () => Lookup): Lookup =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      const before = known.get(key)
      if (before !== undefined && before.until > now) return Effect.succeed(before.found)
      const asked = epoch
      return Effect.map(lookup(), (found) => {
        if (listening && asked === epoch && Option.isSome(found)) {
          if (known.size >= mostCallers) known.clear()
          known.set(key, { found, until: now + Math.min(longest, found.value.endsIn ?? longest) })
        }
        return found
      })
    })
})
