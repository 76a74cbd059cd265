import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type ReportForm, ResultCache } from "../../application/ports/ResultCache.ts"
import { keyPrefix } from "./keyPrefix.ts"
import { RedisConnection } from "./RedisConnection.ts"

/**
 * Seconds. A badge is served without asking the store: where Redis did not hear of a deletion, it goes as late as from
 * the public caches, which keep it for five minutes.
 */
const lifetimes: Readonly<Record<ReportForm, number>> = { json: 3_600, markdown: 3_600, sarif: 3_600, badge: 300 }
/** Characters: a larger report is read from the database, and would hold up those behind it. */
const largest = 1_000_000

const keyOf = (analysisId: string, form: ReportForm): string =>
  `${keyPrefix}:report:${analysisId.toLowerCase()}:${form}`
// Its keys are the forms.
const forms = Object.keys(lifetimes) as ReadonlyArray<ReportForm>

/**
 * Reports and badges in Redis. It needs a connection of its own: a large value on its way must not make the limiter
 * wait. A failure is a miss.
 */
export const layer = Layer.effect(
  ResultCache,
  Effect.map(RedisConnection, ({ run }) => ({
    get: (analysisId, form) =>
      run((client) => client.get(keyOf(analysisId, form))).pipe(
        Effect.map((kept) => {
          // A URL has no line break.
          const end = kept?.indexOf("\n") ?? -1
          return kept === null || end === -1
            ? Option.none()
            : Option.some({ repositoryUrl: kept.slice(0, end), text: kept.slice(end + 1) })
        }),
        Effect.catch(() => Effect.succeed(Option.none())),
      ),
    put: (analysisId, form, { repositoryUrl, text }) =>
      text.length > largest
        ? Effect.void
        : run((client) => client.set(keyOf(analysisId, form), `${repositoryUrl}\n${text}`, "EX", lifetimes[form])).pipe(
            Effect.ignore,
            Effect.forkDetach,
            Effect.asVoid,
          ),
    remove: (analysisId) =>
      Effect.ignore(run((client) => client.unlink(...forms.map((form) => keyOf(analysisId, form))))),
  })),
)
