import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { Caller } from "../../domain/identity/Caller.ts"
import type { TokenKind } from "../../domain/repository/HostingToken.ts"
import type { SyncResult } from "../../domain/repository/Repository.ts"
import { CodeHost, type HostingSecret, HostingUnavailable } from "../ports/repositories/CodeHost.ts"
import { RepositoryStore, type RunningSync, type SyncKind } from "../ports/repositories/RepositoryStore.ts"
import { CurrentWaitingTime } from "../ports/Deadline.ts"
import { HostingTokenRequired, hostingSecret } from "./hostingSecret.ts"
import type { UserId, SyncId } from "../../domain/ids/Ids.ts"

/** The time for a full sync: 10,000 repositories are 100 requests of half a second. */
const longestSync = "4 minutes"

/** How often everything is read if the list changes meanwhile. */
const maxReadings = 3

/** How often a sync reports to the store that it is still running; a page may take longer than the lease. */
const keepInterval = "5 seconds"

/** How often this sync checks another one that it waits for. */
const lookInterval = "200 millis"

interface SyncCredential {
  readonly secret: HostingSecret
  readonly kind: TokenKind
}

/**
 * Reads page by page into the store, which shows nothing before the commit. If the list changed meanwhile, it has to be
 * read again: undefined, or at the last attempt the records read so far, with none of them marked as vanished.
 */
const readEverything = Effect.fnUntraced(function* (
  sync: RunningSync,
  { secret, kind }: SyncCredential,
  isLast: boolean,
) {
  const [host, store] = [yield* CodeHost, yield* RepositoryStore]
  const { startedAt, pages } = yield* host.repositories(secret, kind)
  const isWholeList = yield* Stream.runForEach(pages, (page) => store.stage(sync, page)).pipe(
    Effect.as(true),
    Effect.catchTag("ListChanged", () => Effect.succeed(false)),
  )
  if (!isWholeList && !isLast) return undefined
  return yield* store.commitSync(sync, {
    kind: "full",
    isWholeList,
    total: undefined,
    etag: undefined,
    changesSince: startedAt,
  })
})

/** Undefined if a quick look does not do. */
const readChanges = Effect.fnUntraced(function* (sync: RunningSync, { secret, kind }: SyncCredential) {
  const [host, store] = [yield* CodeHost, yield* RepositoryStore]
  if (sync.since === undefined) return undefined
  const changes = yield* host.changesSince(secret, kind, sync.since.instant, sync.since.etag)
  if (changes === undefined) return undefined
  if (changes.changed.length > 0) yield* store.stage(sync, changes.changed)
  return yield* store
    .commitSync(sync, { kind: "quick", ...changes })
    .pipe(Effect.catchTag("RecordsDiffer", () => Effect.succeed(undefined)))
})

const read = Effect.fnUntraced(function* (sync: RunningSync, kind: SyncKind, source: SyncCredential, isLast: boolean) {
  const quick = kind === "quick" ? yield* readChanges(sync, source) : undefined
  return quick ?? (yield* readEverything(sync, source, isLast))
})

/** Runs as long as the sync. A sync that has lost its turn learns it from the next page; commits are not affected. */
const keepTurn = (sync: RunningSync) =>
  Effect.forever(
    Effect.andThen(Effect.sleep(keepInterval), Effect.ignore(RepositoryStore.use((store) => store.stage(sync, [])))),
  )

/** The other sync's result, once it has one that also answers this request; undefined if it ended without one. */
const awaitOther = Effect.fnUntraced(function* (userId: UserId, syncId: SyncId, kind: SyncKind) {
  const store = yield* RepositoryStore
  while (true) {
    const outcome = yield* store.outcome(userId, syncId)
    if (outcome.type === "finished") return kind === "quick" || outcome.kind === "full" ? outcome.result : undefined
    if (outcome.type === "failed") return undefined
    yield* Effect.sleep(lookInterval)
  }
})

/**
 * Updates the caller's repository records from the hosting service: all of them, or those that changed since the last
 * sync. Of two simultaneous requests, the second returns the first one's result. A failure leaves the records
 * unchanged.
 */
export const syncRepositories = Effect.fn("syncRepositories")(
  function* (caller: Caller, kind: SyncKind) {
    const source = yield* hostingSecret(caller.userId)
    const store = yield* RepositoryStore
    for (let readings = 0; ;) {
      const result = yield* Effect.acquireUseRelease(
        store.beginSync(caller.userId),
        (
          turn,
        ): Effect.Effect<SyncResult | undefined, Effect.Error<ReturnType<typeof read>>, CodeHost | RepositoryStore> =>
          turn.type === "started"
            ? Effect.raceFirst(read(turn.sync, kind, source, ++readings >= maxReadings), keepTurn(turn.sync))
            : awaitOther(caller.userId, turn.syncId, kind),
        // Includes client disconnects: nothing was changed, and the next sync need not wait.
        (turn, exit) =>
          turn.type === "started" && (Exit.isFailure(exit) || exit.value === undefined)
            ? Effect.ignore(store.abandonSync(turn.sync))
            : Effect.void,
      )
      if (result !== undefined) return result
    }
  },
  Effect.catchTag("HostingTokenRefused", ({ message }) => Effect.fail(new HostingTokenRequired({ message }))),
  Effect.catchTag(["SyncLost", "RecordsDiffer"], () =>
    Effect.fail(new HostingUnavailable({ message: "Another sync took over. Try again later.", retryAfter: 5 })),
  ),
  Effect.timeoutOrElse({
    duration: longestSync,
    orElse: () =>
      Effect.fail(
        new HostingUnavailable({ message: "The sync took longer than 4 minutes. Try again later.", retryAfter: 60 }),
      ),
  }),
  Effect.provideService(CurrentWaitingTime, undefined),
)
