import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { json, opaque } from "../answer/answer.ts"
import type { RepositoryRecord } from "../../../application/ports/repositories/RepositoryStore.ts"
import { getRepository, getStatistics, listRepositories } from "../../../application/repositories/readRepositories.ts"
import { syncRepositories } from "../../../application/repositories/syncRepositories.ts"
import type { SyncResult } from "../../../domain/repository/Repository.ts"
import { RepositoriesGroup, type RepositoryView } from "../contract/RepositoriesGroup.ts"
import { callerEndpoints } from "../serving/endpoints.ts"

const view = (record: RepositoryRecord): RepositoryView => ({
  id: record.id,
  githubId: record.githubId,
  name: record.name,
  fullName: record.fullName,
  url: record.url,
  defaultBranch: record.defaultBranch,
  language: record.language ?? "",
  private: record.isPrivate,
  archived: record.isArchived,
  lastSyncedAt: record.lastSyncedAt.toISOString(),
})

const syncView = ({ synced, added, updated, syncedAt }: SyncResult) =>
  json({ synced, added, updated, syncedAt: syncedAt.toISOString() })

export const repositoriesRoutes = callerEndpoints(RepositoriesGroup, {
  list: ({ caller, query }) =>
    Effect.map(listRepositories(caller, query.scope === "organization"), (records) => json(records.map(view))),

  stats: ({ caller }) =>
    Effect.map(getStatistics(caller), ({ repositories, ...statistics }) =>
      json({
        ...statistics,
        repositories: repositories.map(({ repositoryId, completedAt, ...standing }) => ({
          id: repositoryId,
          ...standing,
          completedAt: completedAt.toISOString(),
        })),
      }),
    ),

  sync: ({ caller }) => Effect.map(syncRepositories(caller, "full"), syncView),

  quickSync: ({ caller }) => Effect.map(syncRepositories(caller, "quick"), syncView),

  one: Effect.fnUntraced(function* ({ caller, params }) {
    const { repository, scans } = yield* getRepository(caller, params.id)
    const shown = {
      ...view(repository),
      ...(repository.vanishedAt === undefined ? {} : { vanishedAt: repository.vanishedAt.toISOString() }),
    }
    return opaque(
      HttpServerResponse.text(`${JSON.stringify(shown).slice(0, -1)},"scans":${scans}}`, {
        contentType: "application/json",
      }),
    )
  }),
})
