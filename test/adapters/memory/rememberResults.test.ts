import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { expect, it } from "vitest"
import { rememberResults } from "../../../adapters/memory/rememberResults.ts"
import { ResultCache, type StoredReport } from "../../../application/ports/analysis/ResultCache.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const reportOf = (bytes: number): StoredReport => ({
  repositoryUrl: RepositoryUrl.make(""),
  size: bytes,
  gzip: new Uint8Array(bytes),
})

/** A separate cache, and the requests to the one behind it. */
const started = (room?: number, behind: Option.Option<StoredReport> = Option.none()) => {
  const asked: Array<string> = []
  const note = (what: string) => (id: string) => Effect.sync(() => void asked.push(`${what} ${id}`))
  const further = Layer.succeed(ResultCache, {
    get: (id, form) => Effect.as(note("get")(`${id} ${form}`), behind),
    put: note("put"),
    badge: () => Effect.succeedNone,
    putBadge: note("putBadge"),
    remove: note("remove"),
  })
  const run = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.runPromise(effect.pipe(Effect.provide(rememberResults(room).pipe(Layer.provide(further)))))
  return { asked, run }
}

it("a report is the same object for all readers, whatever the case of its id, until it is removed", async () => {
  const { asked, run } = started()
  const report = reportOf(10)
  await run(
    Effect.gen(function* () {
      const cache = yield* ResultCache
      yield* cache.put(AnalysisId.make("a"), "json", report)
      expect(Option.getOrThrow(yield* cache.get(AnalysisId.make("A"), "json"))).toBe(report)
      expect(yield* cache.get(AnalysisId.make("a"), "sarif")).toEqual(Option.none())
      yield* cache.remove(AnalysisId.make("a"))
      expect(yield* cache.get(AnalysisId.make("a"), "json")).toEqual(Option.none())
    }),
  )
  expect(asked).toEqual(["put a", "get a sarif", "remove a", "get a json"])
})

it("what the cache behind it has is kept, too", async () => {
  const report = reportOf(10)
  const { asked, run } = started(undefined, Option.some(report))
  await run(
    Effect.gen(function* () {
      const cache = yield* ResultCache
      for (let time = 0; time < 3; time++)
        expect(Option.getOrThrow(yield* cache.get(AnalysisId.make("a"), "json"))).toBe(report)
    }),
  )
  expect(asked).toEqual(["get a json"])
})

it("reports are limited in total bytes: the least recently used are evicted, and one too large is not kept", async () => {
  const { run } = started(10_000)
  await run(
    Effect.gen(function* () {
      const cache = yield* ResultCache
      const has = (id: string) => Effect.map(cache.get(AnalysisId.make(id), "json"), Option.isSome)
      for (const id of ["a", "b", "c", "d"]) yield* cache.put(AnalysisId.make(id), "json", reportOf(1_900))
      // It counts once if added again.
      yield* cache.put(AnalysisId.make("d"), "json", reportOf(1_900))
      expect(yield* has("a")).toBe(true)
      yield* cache.put(AnalysisId.make("e"), "json", reportOf(1_900))
      yield* cache.put(AnalysisId.make("large"), "json", reportOf(2_600))
      expect(yield* Effect.all(["a", "b", "c", "d", "e", "large"].map(has))).toEqual([
        true,
        false,
        true,
        true,
        true,
        false,
      ])
    }),
  )
})
