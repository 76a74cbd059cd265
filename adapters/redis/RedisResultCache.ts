import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type ReportForm, reportForms } from "../../application/ports/analysis/PackedReport.ts"
import { ResultCache, type StoredReport } from "../../application/ports/analysis/ResultCache.ts"
import { AnalysisStatus } from "../../domain/analysis/Analysis.ts"
import type { BadgeData } from "../../domain/report/Badge.ts"
import { keyPrefix } from "./keyPrefix.ts"
import { RedisConnection } from "./RedisConnection.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

/** Seconds, one hour as the budget counts it. */
const lifetime = 3_600
/**
 * Seconds. A badge is served without asking the store: if Redis did not learn of a deletion, the badge disappears as
 * late as from public caches, which keep it for five minutes.
 */
const badgeLifetime = 300

export interface ResultCacheLimits {
  /** Bytes: a larger report is read from the database, because it would delay those behind it. */
  readonly report: number
  /** How many bytes of reports all processes together store per hour: at most twice as many are there at a time. */
  readonly hour: number
}

const defaultLimits: ResultCacheLimits = { report: 1_000_000, hour: 48 * 1024 * 1024 }

const keyOf = (analysisId: AnalysisId, form: ReportForm | "badge"): string =>
  `${keyPrefix}:packed:${analysisId.toLowerCase()}:${form}`
const budgetKey = (hour: number): string => `${keyPrefix}:packed-bytes:${hour}`

/** The size of the text and the repository's URL, which contains no line break, then the report. */
const encode = ({ repositoryUrl, size, gzip }: StoredReport): Buffer =>
  Buffer.concat([Buffer.from(`${size} ${repositoryUrl}\n`), gzip])

const decode = (kept: Buffer | null): Option.Option<StoredReport> => {
  const end = kept?.indexOf("\n") ?? -1
  if (kept === null || end === -1) return Option.none()
  const [, size, url] = /^(\d{1,12}) (https?:\S+)$/.exec(kept.toString("utf8", 0, end)) ?? []
  if (url === undefined) return Option.none()
  return Option.some({ repositoryUrl: RepositoryUrl.make(url), size: Number(size), gzip: kept.subarray(end + 1) })
}

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const decodeBadge: (text: string | null) => Option.Option<BadgeData> = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      status: AnalysisStatus,
      totalFindings: Count,
      criticalFindings: Count,
      highFindings: Count,
      mediumFindings: Count,
      lowFindings: Count,
      informationalFindings: Count,
    }),
  ),
)

/**
 * Reports and badges in Redis. Needs a connection of its own, because a large value in transit must not make the
 * limiter wait. A failure is a miss, and so is an entry that another release wrote otherwise.
 */
export const layer = (limits = defaultLimits) =>
  Layer.effect(
    ResultCache,
    Effect.map(RedisConnection, ({ run }): ResultCache => {
      const inBackground = (work: Effect.Effect<unknown, unknown>) =>
        work.pipe(Effect.ignore, Effect.forkDetach, Effect.asVoid)
      /** Whether the hour's budget has room for these bytes, which are then deducted from it. */
      const spend = (bytes: number) => {
        const key = budgetKey(Math.floor(Date.now() / (lifetime * 1_000)))
        return run((client) => client.multi().incrby(key, bytes).expire(key, lifetime).exec()).pipe(
          Effect.map((answers) => Number(answers?.[0]?.[1] ?? Infinity) <= limits.hour),
        )
      }
      return {
        get: (analysisId, form) =>
          run((client) => client.getBuffer(keyOf(analysisId, form))).pipe(
            Effect.map(decode),
            Effect.catch(() => Effect.succeedNone),
          ),
        put: (analysisId, form, report) => {
          if (report.gzip.length > limits.report) return Effect.void
          const value = encode(report)
          return inBackground(
            Effect.flatMap(spend(value.length), (hasRoom) =>
              hasRoom ? run((client) => client.set(keyOf(analysisId, form), value, "EX", lifetime)) : Effect.void,
            ),
          )
        },
        badge: (analysisId) =>
          run((client) => client.get(keyOf(analysisId, "badge"))).pipe(
            Effect.map(decodeBadge),
            Effect.catch(() => Effect.succeedNone),
          ),
        putBadge: (analysisId, badge) =>
          inBackground(
            run((client) => client.set(keyOf(analysisId, "badge"), JSON.stringify(badge), "EX", badgeLifetime)),
          ),
        remove: (analysisId) =>
          Effect.ignore(
            run((client) =>
              client.unlink(...[...reportForms, "badge" as const].map((form) => keyOf(analysisId, form))),
            ),
          ),
      }
    }),
  )
