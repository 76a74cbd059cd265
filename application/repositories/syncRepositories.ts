import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { Caller } from "../../domain/identity/Caller.ts"
import type { TokenKind } from "../../domain/repository/HostingToken.ts"
import type { SyncResult } from "../../domain/repository/Repository.ts"
import { CodeHost, type HostingSecret, HostingUnavailable } from "../ports/CodeHost.ts"
import { RepositoryStore, type RunningSync, type SyncKind } from "../ports/RepositoryStore.ts"
import { CurrentWaitingTime } from "../ports/Deadline.ts"
import { HostingTokenRequired, hostingSecret } from "./hostingSecret.ts"
import type { UserId, SyncId } from "../../domain/ids/Ids.ts"

/** For everything: 10,000 repositories are 100 requests of half a second. */
const longestSync = "4 minutes"

/** Times that everything is read where the list changes under it. */
const maxReadings = 3

/** How often a sync tells the store that it goes on; a page may take longer than the lease. */
const keepInterval = "5 seconds"

/** How often another's sync is looked at while this one waits for it. */
const lookInterval = "200 millis"

interface SyncCredential {
  readonly secret: HostingSecret
  readonly kind: TokenKind
}

/**
 * Page by page into the store, which shows nothing of it before the last. Where the list changed meanwhile it has to be
 * read again: undefined, or at the last attempt the records as far as they were read, and none of them marked as gone.
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

/** For as long as it runs. Who has lost the turn learns it from the next page, and a commit is none of its business. */
const keepTurn = (sync: RunningSync) =>
  Effect.forever(
    Effect.andThen(Effect.sleep(keepInterval), Effect.ignore(RepositoryStore.use((store) => store.stage(sync, [])))),
  )

/** Another's result, once it has one that answers this request as well; undefined if it ended without. */
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
 * Brings the caller's repository records up to what the hosting service has: all of them, or what changed since the
 * last sync. Of two at once the second one answers with the first's result. A failure leaves the records as they were.
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
        // Also if the client disconnects: nothing was changed, and the next sync need not wait.
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
