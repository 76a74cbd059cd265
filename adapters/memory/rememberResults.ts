import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ByteCache } from "../../application/ByteCache.ts"
import { type ReportForm, reportForms } from "../../application/ports/analysis/PackedReport.ts"
import { ResultCache, type StoredReport } from "../../application/ports/analysis/ResultCache.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** Bytes of reports in this process: some 600 of them in the form in which they are sent. */
const room = 32 * 1024 * 1024
/** Memory that an entry takes besides its report. */
const overhead = 500

const keyOf = (analysisId: AnalysisId, form: ReportForm): string => `${analysisId.toLowerCase()}:${form}`

/** Keeps reports in this process's memory, in front of any other cache. */
export const rememberResults = (bytes = room) =>
  Layer.effect(
    ResultCache,
    Effect.map(ResultCache, (further): ResultCache => {
      const reports = new ByteCache<StoredReport>(bytes, ({ gzip }) => gzip.length + overhead)
      return {
        ...further,
        get: (analysisId, form) =>
          Effect.suspend(() => {
            const key = keyOf(analysisId, form)
            const kept = reports.get(key)
            if (kept !== undefined) return Effect.succeedSome(kept)
            return Effect.tap(further.get(analysisId, form), (found) =>
              Effect.sync(() => {
                if (Option.isSome(found)) reports.put(key, found.value)
              }),
            )
          }),
        put: (analysisId, form, report) =>
          Effect.suspend(() => {
            reports.put(keyOf(analysisId, form), report)
            return further.put(analysisId, form, report)
          }),
        remove: (analysisId) =>
          Effect.suspend(() => {
            for (const form of reportForms) reports.remove(keyOf(analysisId, form))
            return further.remove(analysisId)
          }),
      }
    }),
  )
