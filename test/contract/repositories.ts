import * as Effect from "effect/Effect"
import { RepositoryStore, type RunningSync } from "../../application/ports/repositories/RepositoryStore.ts"
import type { HostedRepository } from "../../domain/repository/Repository.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

export const hosted = (githubId: number, change: Partial<HostedRepository> = {}): HostedRepository => ({
  githubId,
  name: `repository-${githubId}`,
  fullName: `octo/repository-${githubId}`,
  url: `https://github.com/octo/repository-${githubId}`,
  defaultBranch: "main",
  language: "Solidity",
  isPrivate: false,
  isArchived: false,
  updatedAt: new Date("2026-01-01T00:00:00Z"),
  ...change,
})

/** The turn to sync, which the test expects to get. */
export const begin = Effect.fnUntraced(function* (userId: UserId) {
  const turn = yield* RepositoryStore.use((store) => store.beginSync(userId))
  return turn.type === "started" ? turn.sync : yield* Effect.die(new Error("a sync is running"))
})

type Ending = Parameters<RepositoryStore["Service"]["commitSync"]>[1]

const whole: Ending = { kind: "full", isWholeList: true, total: undefined, etag: undefined }

export const commit = (sync: RunningSync, change: Partial<Ending> = {}) =>
  RepositoryStore.use((store) => store.commitSync(sync, { ...whole, ...change }))

/** A whole sync of one page. */
export const synced = Effect.fnUntraced(function* (
  userId: UserId,
  page: ReadonlyArray<HostedRepository>,
  change: Partial<Ending> = {},
) {
  const sync = yield* begin(userId)
  yield* RepositoryStore.use((store) => store.stage(sync, page))
  const { synced, added, updated } = yield* commit(sync, change)
  return { synced, added, updated }
})

export const names = (userId: UserId) =>
  Effect.map(
    RepositoryStore.use((store) => store.list(userId)),
    (records) => records.map((record) => record.name),
  )
