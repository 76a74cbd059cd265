import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Finding } from "../../domain/finding/Finding.ts"
import { AnalysisStore } from "../ports/analysis/AnalysisStore.ts"
import { FindingStore } from "../ports/finding/FindingStore.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** The part of a result that can be listed: one from an earlier release may lack fields that were added later. */
const decodeListed = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ findings: Schema.Array(Finding) })),
)

/** The size in bytes up to which a result of an earlier release is indexed: no later one is larger. */
const largestIndexed = 16_000_000

/** Uses what every platform has, since the core also runs under Deno. */
const unpack = (gzip: Uint8Array): Effect.Effect<string> =>
  Effect.promise(() =>
    new Response(new Blob([new Uint8Array(gzip)]).stream().pipeThrough(new DecompressionStream("gzip"))).text(),
  )

/** Makes the findings of completed analyses listable if an earlier release completed them. */
export const indexResults = Effect.fn("indexResults")(function* (analysisIds: ReadonlyArray<AnalysisId>) {
  const store = yield* FindingStore
  const analyses = yield* AnalysisStore
  for (const analysisId of yield* store.unindexed(analysisIds)) {
    // The JSON needs no rendering.
    const report = yield* analyses
      .report(analysisId, "json", Effect.succeed)
      .pipe(Effect.catchTag("ResultTooLarge", () => Effect.succeedNone))
    const { gzip, size } = Option.getOrElse(report, () => ({ gzip: new Uint8Array(), size: Infinity }))
    const findings = size > largestIndexed ? Option.none() : decodeListed(yield* unpack(gzip))
    yield* store.index(analysisId, Option.match(findings, { onNone: () => [], onSome: (result) => result.findings }))
  }
})
