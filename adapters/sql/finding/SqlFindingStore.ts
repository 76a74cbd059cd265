import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisNotFound } from "../../../application/ports/analysis/AnalysisStore.ts"
import { FindingStore } from "../../../application/ports/finding/FindingStore.ts"
import { RepositoryNotFound } from "../../../application/ports/repositories/RepositoryStore.ts"
import { isUuid } from "../../../domain/ids/uuid.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { decideFindings, decisionsOf, historyOf } from "./decideFindings.ts"
import { scopeOfAnalysis, scopeOfRepository } from "./findingScope.ts"
import { indexFindings, unindexedOf } from "./indexFindings.ts"
import { listFindings } from "./listFindings.ts"
import { reportingAnalyses } from "./reportingAnalyses.ts"

/** Findings and decisions on a migrated database, embedded or not. */
export const layer = Layer.effect(
  FindingStore,
  Effect.map(SqlClient, (sql) =>
    FindingStore.of({
      ofRepository: Effect.fn("FindingStore.ofRepository")((reader, id) =>
        isUuid(id) ? whileAvailable(scopeOfRepository(sql, reader, id)) : Effect.fail(new RepositoryNotFound()),
      ),
      ofAnalysis: Effect.fn("FindingStore.ofAnalysis")((reader, analysisId) =>
        isUuid(analysisId)
          ? whileAvailable(scopeOfAnalysis(sql, reader, analysisId))
          : Effect.fail(new AnalysisNotFound({ analysisId })),
      ),
      analyses: Effect.fn("FindingStore.analyses")((scope, analysisId) =>
        whileAvailable(reportingAnalyses(sql, scope, analysisId)),
      ),
      unindexed: Effect.fn("FindingStore.unindexed")((analysisIds) =>
        analysisIds.length === 0 ? Effect.succeed([]) : whileAvailable(unindexedOf(sql, analysisIds)),
      ),
      index: Effect.fn("FindingStore.index")((analysisId, findings) =>
        whileAvailable(indexFindings(sql, analysisId, findings)),
      ),
      list: Effect.fn("FindingStore.list")((scope, analyses, filter) =>
        whileAvailable(listFindings(sql, scope, analyses, filter)),
      ),
      history: Effect.fn("FindingStore.history")((scope, fingerprint) =>
        whileAvailable(historyOf(sql, scope, fingerprint)),
      ),
      decide: Effect.fn("FindingStore.decide")((scope, verdict, findings) =>
        whileAvailable(decideFindings(sql, scope, verdict, findings)),
      ),
      decisions: Effect.fn("FindingStore.decisions")((job, fingerprints) =>
        fingerprints.length === 0 ? Effect.succeed([]) : whileAvailable(decisionsOf(sql, job, fingerprints)),
      ),
    }),
  ),
)
