import * as Effect from "effect/Effect"
import type { Caller } from "../../domain/identity/Caller.ts"
import { Overviews } from "../ports/finding/Overviews.ts"
import { RepositoryStore } from "../ports/repositories/RepositoryStore.ts"
import type { RepositoryId } from "../../domain/ids/Ids.ts"

/** The caller's repositories by name, without those that vanished upstream. */
export const listRepositories = (caller: Caller, shared: boolean) =>
  RepositoryStore.use((store) => store.list(caller.userId, shared))

/** One of the caller's repositories with its analyses, oldest first. */
export const getRepository = Effect.fn("getRepository")(function* (caller: Caller, id: RepositoryId) {
  const store = yield* RepositoryStore
  const repository = yield* store.find(caller.userId, id)
  return { repository, scans: yield* store.scans(caller.userId, id) }
})

/** Figures about the caller's repositories, and the state of each analyzed one. */
export const getStatistics = Effect.fn("getStatistics")(function* (caller: Caller) {
  const statistics = yield* RepositoryStore.use((store) => store.statistics(caller.userId))
  return { ...statistics, repositories: yield* Overviews.use((overviews) => overviews.standings(caller)) }
})
