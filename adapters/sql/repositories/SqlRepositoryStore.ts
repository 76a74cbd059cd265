import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { RepositoryNotFound, RepositoryStore } from "../../../application/ports/repositories/RepositoryStore.ts"
import { onOwnConnection } from "../Lane.ts"
import { isUuid } from "../../../domain/ids/uuid.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { commitSync } from "./commitSync.ts"
import { findRepository, isSynced, listRepositories } from "./readRepositories.ts"
import { scansOf, statisticsOf } from "./scanHistory.ts"
import { abandonSync, beginSync, outcomeOf, stagePage } from "./syncTurn.ts"

/** Repository records on a migrated database, embedded or not. */
export const layer = Layer.effect(
  RepositoryStore,
  Effect.map(SqlClient, (sql) =>
    RepositoryStore.of({
      list: Effect.fn("RepositoryStore.list")((userId, shared = false) =>
        whileAvailable(onOwnConnection(listRepositories(sql, userId, shared))),
      ),
      find: Effect.fn("RepositoryStore.find")((userId, id) =>
        isUuid(id) ? whileAvailable(findRepository(sql, userId, id)) : Effect.fail(new RepositoryNotFound()),
      ),
      scans: Effect.fn("RepositoryStore.scans")((userId, id) =>
        isUuid(id) ? whileAvailable(onOwnConnection(scansOf(sql, userId, id))) : Effect.succeed("[]"),
      ),
      statistics: Effect.fn("RepositoryStore.statistics")((userId) =>
        whileAvailable(onOwnConnection(statisticsOf(sql, userId))),
      ),
      isSynced: Effect.fn("RepositoryStore.isSynced")((userId, url) => whileAvailable(isSynced(sql, userId, url))),
      beginSync: Effect.fn("RepositoryStore.beginSync")((userId) => whileAvailable(beginSync(sql, userId))),
      outcome: Effect.fn("RepositoryStore.outcome")((userId, syncId) => whileAvailable(outcomeOf(sql, userId, syncId))),
      stage: Effect.fn("RepositoryStore.stage")((sync, page) => whileAvailable(stagePage(sql, sync, page))),
      commitSync: Effect.fn("RepositoryStore.commitSync")((sync, ending) =>
        whileAvailable(commitSync(sql, sync, ending)),
      ),
      abandonSync: Effect.fn("RepositoryStore.abandonSync")((sync) => whileAvailable(abandonSync(sql, sync))),
    }),
  ),
)
