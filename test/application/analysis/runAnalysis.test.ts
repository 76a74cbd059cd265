import { gunzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as SqlFindingStore from "../../../adapters/sql/finding/SqlFindingStore.ts"
import { AnalysisQueue, LeaseLost } from "../../../application/ports/analysis/AnalysisQueue.ts"
import * as SqlAnalysisQueue from "../../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import { runAnalysis } from "../../../application/analysis/runAnalysis.ts"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { StoreUnavailable } from "../../../application/ports/StoreUnavailable.ts"
import { DetectionEngine, EngineError, type EngineResult } from "../../../application/ports/analysis/DetectionEngine.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { RuleCatalog } from "../../../application/ports/analysis/RuleCatalog.ts"
import { SourceError, SourceFetcher } from "../../../application/ports/analysis/SourceFetcher.ts"
import { SourceCredentials } from "../../../application/repositories/sourceCredentials.ts"
import { resultLimits } from "../../../domain/finding/ResultLimits.ts"
import { clear, sharedEmbeddedDatabase } from "../../support/databases.ts"
import { exampleFinding } from "../../domain/report/arbitraries.ts"
import { type UserId, WorkerId } from "../../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const database = ManagedRuntime.make(
  Layer.mergeAll(SqlAnalysisStore.layer, SqlAnalysisQueue.layer, SqlFindingStore.layer, SqlAccounts.layer).pipe(
    Layer.provideMerge(sharedEmbeddedDatabase),
  ),
)
afterAll(() => database.dispose())

/** On the database of all tests, which takes 1.5 s of CPU time to open, emptied. */
const onDatabase = <A, E>(test: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Services<typeof database>>) =>
  Effect.flatMap(database.contextEffect, (services) => Effect.provide(Effect.andThen(clear, test), services))

const commit = "c".repeat(40)

/** A repository with these files skipped, and an engine that ends like this. */
const worker = (ending: Effect.Effect<EngineResult, EngineError>, skipped = 0) =>
  Layer.mergeAll(
    Layer.succeed(SourceFetcher, {
      fetch: () =>
        Effect.succeed({
          directory: "/nowhere",
          branch: "main",
          commit,
          files: ["A.sol"],
          skipped: Array.from({ length: skipped }, (_, index) => ({
            file: `${"p".repeat(1_000)}${index}.sol`,
            reason: "cannot be read",
          })),
          readText: () => Effect.succeed(""),
        }),
    }),
    Layer.succeed(DetectionEngine, { detect: () => Effect.succeed(new Set(["evm"] as const)), examine: () => ending }),
    Layer.succeed(SourceCredentials, () => Effect.succeed(undefined)),
    Layer.succeed(RuleCatalog, Effect.succeed([])),
  )

const unfetched = (error: SourceError) =>
  Layer.merge(worker(Effect.die("not reached")), Layer.succeed(SourceFetcher, { fetch: () => Effect.fail(error) }))

const newUser = Accounts.use((accounts) => accounts.createUser(`${crypto.randomUUID()}@example.test`, "basic"))

/** One analysis from creation to its end, and the scans that its user has used by then. */
const analyze = Effect.fnUntraced(function* (userId: UserId, on: ReturnType<typeof worker>) {
  const store = yield* AnalysisStore
  const queue = yield* AnalysisQueue
  const sql = yield* SqlClient
  const { analysisId } = yield* store.create(
    {
      userId,
      repositoryUrl: RepositoryUrl.make("https://github.com/a/b"),
      branch: undefined,
      framework: "evm",
      analysisType: "full",
      webhookUrl: undefined,
    },
    undefined,
  )
  yield* runAnalysis(Option.getOrThrow(yield* queue.claim(WorkerId.make("worker")))).pipe(Effect.provide(on))
  const [pool] = yield* sql<{ used: number }>`SELECT used FROM pools WHERE id = ${userId}::uuid`
  return { ...(yield* store.find(userId, analysisId)), used: pool?.used }
})

const report: EngineResult = {
  findings: [exampleFinding],
  suppressed: [],
  coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [] },
}

const compilation = (byLimit: boolean) =>
  worker(Effect.fail(new EngineError({ stage: "compilation", message: "No.", byLimit })))

describe("an analysis", () => {
  it.effect("stays charged the second time it hits a limit of the engine, but never if its sources are at fault", () =>
    Effect.gen(function* () {
      const userId = yield* newUser
      for (const used of [0, 0]) expect((yield* analyze(userId, compilation(false))).used).toBe(used)
      for (const used of [0, 1]) expect((yield* analyze(userId, compilation(true))).used).toBe(used)
    }).pipe(onDatabase),
  )

  it.effect("stays charged the second time it hits a limit of fetching", () =>
    Effect.gen(function* () {
      const userId = yield* newUser
      const tooLarge = unfetched(new SourceError({ message: "Too large.", retryable: false, byLimit: true }))
      for (const used of [0, 1]) expect((yield* analyze(userId, tooLarge)).used).toBe(used)
    }).pipe(onDatabase),
  )

  it.effect("goes back to the queue if the machine had no time for it", () =>
    Effect.gen(function* () {
      const failure = new EngineError({ stage: "static_analysis", message: "No time.", retryable: true })
      const { status, used } = yield* analyze(yield* newUser, worker(Effect.fail(failure)))
      expect({ status, used }).toEqual({ status: "pending", used: 1 })
    }).pipe(onDatabase),
  )

  it.effect("fails with a message of bounded length, whatever it names", () =>
    Effect.gen(function* () {
      const failure = new EngineError({ stage: "compilation", message: `${"n".repeat(700_000)} is not understood` })
      const { failure: said } = yield* analyze(yield* newUser, worker(Effect.fail(failure)))
      expect(said?.message).toMatch(/^n+…n+ is not understood$/)
      expect(said?.message.length).toBeLessThan(resultLimits.message)
    }).pipe(onDatabase),
  )

  it.effect("has a result of bounded size that counts and remembers what it does not list", () =>
    Effect.gen(function* () {
      const report: EngineResult = {
        findings: [exampleFinding],
        suppressed: [],
        unlisted: ["f".repeat(16)],
        coverage: {
          filesAnalysed: 1,
          filesSkipped: [],
          rulesRun: 1,
          engines: [],
          omitted: { findings: { critical: 0, high: 0, medium: 0, low: 7, informational: 2 } },
        },
      }
      const userId = yield* newUser
      const { analysisId } = yield* analyze(userId, worker(Effect.succeed(report), 49_000))
      const kept = yield* AnalysisStore.use((store) => store.report(analysisId, "json", () => Effect.succeed("{}")))
      const { gzip, size } = Option.getOrThrow(kept)
      const { summary, coverage, markdownReport } = JSON.parse(gunzipSync(gzip).toString())
      expect(size).toBeLessThan(resultLimits.bytes)
      expect(summary).toMatchObject({ totalFindings: 10, highFindings: 1, lowFindings: 7 })
      expect(coverage.filesSkipped.length).toBeGreaterThan(300)
      expect(coverage.omitted.filesSkipped).toBe(49_000 - coverage.filesSkipped.length)
      expect(markdownReport).toContain("further findings, 7 low, 2 informational")
      const badge = yield* AnalysisStore.use((store) => store.badge(analysisId))
      expect(badge).toMatchObject({ totalFindings: 10, informationalFindings: 2 })
      const sql = yield* SqlClient
      const [stored] = yield* sql<{ fingerprints: ReadonlyArray<string> }>`
        SELECT fingerprints FROM analysis_results WHERE analysis_id = ${analysisId}::uuid`
      expect(stored?.fingerprints).toEqual([exampleFinding.fingerprint, "f".repeat(16)])
    }).pipe(onDatabase),
  )

  it.effect("recognizes a finding whose rule has been replaced", () =>
    Effect.gen(function* () {
      const userId = yield* newUser
      const report: EngineResult = {
        findings: [exampleFinding],
        suppressed: [],
        coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [] },
      }
      yield* analyze(userId, worker(Effect.succeed(report)))
      const replaced = { ...exampleFinding, fingerprint: "e".repeat(16), id: `f_${"e".repeat(16)}` }
      const formerly = { [replaced.fingerprint]: [exampleFinding.fingerprint] }
      const { analysisId } = yield* analyze(
        userId,
        worker(Effect.succeed({ ...report, findings: [replaced], formerly })),
      )
      const kept = yield* AnalysisStore.use((store) => store.report(analysisId, "json", () => Effect.succeed("{}")))
      const { findings } = JSON.parse(gunzipSync(Option.getOrThrow(kept).gzip).toString())
      expect(findings).toMatchObject([{ fingerprint: exampleFinding.fingerprint, status: "unchanged" }])
    }).pipe(onDatabase),
  )

  it.live("ends correctly if the database is unavailable for a read or a write", () =>
    Effect.gen(function* () {
      const queue = yield* AnalysisQueue
      const failures = { compare: 1, complete: 1 }
      const away = <A, E, R>(what: keyof typeof failures, effect: Effect.Effect<A, E, R>) =>
        Effect.suspend((): Effect.Effect<A, E | StoreUnavailable, R> =>
          failures[what]-- > 0 ? Effect.fail(new StoreUnavailable({ cause: "away" })) : effect,
        )
      const report: EngineResult = {
        findings: [exampleFinding],
        suppressed: [],
        unlisted: [],
        coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [] },
      }
      const { status } = yield* analyze(yield* newUser, worker(Effect.succeed(report))).pipe(
        Effect.provideService(AnalysisQueue, {
          ...queue,
          compare: (...given) => away("compare", queue.compare(...given)),
          complete: (...given) => away("complete", queue.complete(...given)),
        }),
      )
      expect(status).toBe("completed")
      expect(failures).toEqual({ compare: -1, complete: -1 })
    }).pipe(onDatabase),
  )

  it.effect("is not written again if its lease is lost", () =>
    Effect.gen(function* () {
      const queue = yield* AnalysisQueue
      let written = 0
      const { status } = yield* analyze(yield* newUser, worker(Effect.succeed(report))).pipe(
        Effect.provideService(AnalysisQueue, {
          ...queue,
          complete: (job, ...given) =>
            Effect.suspend(() =>
              ++written === 1
                ? Effect.fail(new LeaseLost({ analysisId: job.analysisId }))
                : queue.complete(job, ...given),
            ),
        }),
      )
      expect({ status, written }).toEqual({ status: "running", written: 1 })
    }).pipe(onDatabase),
  )

  it.effect(
    "counts as completed once it is recorded, although a heartbeat overtakes the answer and finds no lease",
    () =>
      Effect.gen(function* () {
        const queue = yield* AnalysisQueue
        const recorded = yield* Deferred.make<void>()
        const missed = yield* Deferred.make<void>()
        const { status } = yield* analyze(yield* newUser, worker(Effect.succeed(report))).pipe(
          Effect.provideService(AnalysisQueue, {
            ...queue,
            complete: Effect.fnUntraced(function* (job, completed) {
              yield* queue.complete(job, completed)
              yield* Deferred.succeed(recorded, undefined)
              yield* Deferred.await(missed)
              // The heartbeat's answer arrives first.
              for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
            }),
            heartbeat: Effect.fnUntraced(function* ({ analysisId }) {
              yield* Deferred.await(recorded)
              yield* Deferred.succeed(missed, undefined)
              return yield* new LeaseLost({ analysisId })
            }),
          }),
        )
        const counted = (yield* Metric.snapshot).flatMap(({ id, attributes, state }) =>
          id === "assay_analyses_total" && "count" in state && state.count > 0 ? [attributes?.["outcome"]] : [],
        )
        expect({ status, counted }).toEqual({ status: "completed", counted: ["completed"] })
      }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()), onDatabase),
  )
})
