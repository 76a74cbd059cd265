import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { reportThread } from "../../../adapters/engine/ReportThread.ts"
import {
  renderHere,
  type Rendered,
  type Rendering,
  ResultRenderer,
} from "../../../application/analysis/renderResult.ts"
import { reportForms } from "../../../application/ports/analysis/PackedReport.ts"
import { ruleMetas } from "../../../domain/detection/catalog.ts"
import { exampleFinding } from "../../domain/report/arbitraries.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

const rule = ruleMetas[0]!

const renderingOf = (count: number, description = "d"): Rendering => {
  const found = Array.from({ length: count }, (_, index) => ({
    ...exampleFinding,
    ruleId: rule.id,
    description,
    fingerprint: index.toString(16).padStart(16, "0"),
  }))
  return {
    assembly: {
      analysisId: AnalysisId.make("0193a1b2-0000-7000-8000-000000000000"),
      repositoryUrl: "https://github.com/owner/name",
      examination: {
        branch: "main",
        commit: undefined,
        framework: "evm",
        suppressed: [],
        coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [{ name: "assay", version: "0.1.0" }] },
      },
      findings: found,
      analysisTime: 1,
      completedAt: new Date(0),
    },
    rules: ruleMetas,
  }
}

const textsOf = ({ reports }: Rendered) =>
  reportForms.map((form) => {
    if (!("packed" in reports)) return reports[form]
    const { gzip, size } = reports.packed[form]
    const text = gunzipSync(gzip)
    assert.strictEqual(text.length, size)
    return text.toString()
  })

const render = (rendering: Rendering) => Effect.flatMap(ResultRenderer, (renderer) => renderer(rendering))

describe("a result rendered in a thread", () => {
  it.effect("equals one rendered in this thread, compressed, with the findings that fit", () =>
    Effect.gen(function* () {
      for (const rendering of [renderingOf(300), renderingOf(2_000, "x".repeat(6_000))]) {
        const far = yield* render(rendering)
        const here = yield* renderHere(rendering)
        assert.isTrue("packed" in far.reports)
        assert.deepStrictEqual(textsOf(far), textsOf(here))
        assert.strictEqual(far.reports.json, here.reports.json)
        assert.deepStrictEqual(far.summary, here.summary)
        assert.deepStrictEqual(
          far.findings.map(({ fingerprint }) => fingerprint),
          here.findings.map(({ fingerprint }) => fingerprint),
        )
      }
    }).pipe(Effect.provide(reportThread)),
  )

  it.effect("costs this thread only part of the time; a small one needs no thread", () =>
    Effect.gen(function* () {
      const cpuOf = Effect.fnUntraced(function* <A>(work: Effect.Effect<A>) {
        const before = process.threadCpuUsage()
        const value = yield* work
        const { user, system } = process.threadCpuUsage(before)
        return { value, cpu: user + system }
      })
      const rendering = renderingOf(2_500, "x".repeat(500))
      const near = yield* cpuOf(renderHere(rendering))
      yield* render(rendering)
      const far = yield* cpuOf(render(rendering))
      assert.isBelow(far.cpu, near.cpu / 2)
      assert.isFalse("packed" in (yield* render(renderingOf(10))).reports)
    }).pipe(Effect.provide(reportThread)),
  )

  it.effect("is rendered in this thread if the other one fails", () =>
    Effect.gen(function* () {
      const rendering = renderingOf(300)
      const unclonable = { ...rendering, rules: [{ ...rule, examples: () => undefined } as unknown as typeof rule] }
      const { reports } = yield* render(unclonable)
      assert.isFalse("packed" in reports)
    }).pipe(Effect.provide(reportThread)),
  )
})
