import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { outsideTransaction } from "../../application/ports/InTransaction.ts"

/** Milliseconds. Keys older than `refreshAfter` are refreshed in the background. */
const refreshAfter = 10 * 60_000
/** After an issuer's keys have been unavailable for this long, the old ones are no longer trusted. */
const discardAfter = 24 * 3_600_000
/** Minimum interval between requests, however many tokens name unknown keys. */
const cooldown = 30_000
const fetchTimeout = 5_000
const sizeLimit = 256 * 1024

const KeySet = Schema.fromJsonString(
  Schema.Struct({ keys: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) }),
)

class KeysUnavailable extends Schema.TaggedError<KeysUnavailable>()("KeysUnavailable", {
  url: Schema.String,
  cause: Schema.Defect(),
}) {}

const readLimited = async (response: Response): Promise<string> => {
  let text = ""
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > sizeLimit) throw new Error(`the key set is larger than ${sizeLimit} bytes`)
  }
  return text
}

const download = (url: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(fetchTimeout)])
      const response = await fetch(url, { signal: limit, redirect: "error", headers: { accept: "application/json" } })
      if (!response.ok) throw new Error(`HTTP status ${response.status}`)
      // A key set is any JSON with `keys`; createLocalJWKSet skips keys that it does not understand.
      return createLocalJWKSet(
        Schema.decodeUnknownSync(KeySet)(await readLimited(response)) as unknown as JSONWebKeySet,
      )
    },
    catch: (cause) => new KeysUnavailable({ url, cause }),
  }).pipe(outsideTransaction)

/** The keys of one issuer, fetched on first use and when a token names an unknown one. */
export interface RemoteKeys {
  /** Undefined while they are unavailable. */
  readonly current: Effect.Effect<JWTVerifyGetKey | undefined>
  /** Fetches again, unless that was done within 30 s; returns whether there may be new keys. */
  readonly refresh: Effect.Effect<boolean>
}

export const remoteKeys = (url: string): RemoteKeys => {
  let keys: { readonly set: JWTVerifyGetKey; readonly fetchedAt: number } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  const turn = Semaphore.makeUnsafe(1)

  const refresh = turn.withPermit(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (now - triedAt < cooldown) return keys?.fetchedAt === triedAt
      triedAt = now
      keys = { set: yield* download(url), fetchedAt: now }
      return true
    }).pipe(
      Effect.catch((error) =>
        Effect.as(Effect.logWarning("could not fetch the keys of a trusted issuer", error), false),
      ),
    ),
  )

  const current = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const age = keys === undefined ? Number.POSITIVE_INFINITY : now - keys.fetchedAt
    if (age > discardAfter) {
      keys = undefined
      yield* refresh
    } else if (age > refreshAfter && now - triedAt >= cooldown) yield* Effect.forkDetach(refresh)
    return keys?.set
  })
  return { current, refresh }
}
