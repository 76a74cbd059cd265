import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ExternalEngines } from "../../../application/analysis/ExternalEngines.ts"
import { examineRepository } from "../../../application/analysis/examineRepository.ts"
import { DetectionEngine } from "../../../application/ports/analysis/DetectionEngine.ts"
import { SourceFetcher } from "../../../application/ports/analysis/SourceFetcher.ts"
import { failedEngine } from "../../../domain/external/withExternal.ts"
import { UserId } from "../../../domain/ids/Ids.ts"

const services = Layer.mergeAll(
  Layer.succeed(SourceFetcher, {
    fetch: () =>
      Effect.succeed({ directory: "/fetched", branch: "main", commit: undefined, files: ["A.sol"], skipped: [] }),
  }),
  Layer.succeed(DetectionEngine, {
    detect: () => Effect.succeed(new Set(["evm"] as const)),
    examine: () =>
      Effect.succeed({
        findings: [],
        suppressed: [],
        coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [{ name: "assay", version: "1" }] },
      }),
  }),
)

const engines: ExternalEngines = {
  names: ["slither", "aderyn"],
  rules: [],
  run: (name, directory) =>
    Effect.succeed(
      name === "aderyn"
        ? { runs: [], failed: failedEngine("aderyn", "it is not there") }
        : {
            runs: [
              {
                engine: "slither",
                version: "0.11",
                notes: [],
                results: [
                  {
                    detector: "tx-origin",
                    title: "tx.origin",
                    message: `in ${directory}`,
                    remediation: "",
                    severity: "medium",
                    confidence: "medium",
                    file: "A.sol",
                    lineStart: 3,
                    lineEnd: 3,
                  },
                ],
              },
            ],
          },
    ),
}

const examined = Effect.fnUntraced(function* (analysisType: "full" | "quick") {
  const stages: Array<string> = []
  const examination = yield* examineRepository(
    {
      repositoryUrl: "https://example.test/r",
      branch: undefined,
      framework: "auto",
      review: { userId: UserId.make("u"), analysisType },
    },
    (stage) => void stages.push(stage),
  ).pipe(Effect.provideService(ExternalEngines, engines), Effect.provide(services))
  return { examination, stages }
})

describe("engines that an operator lets a worker run", () => {
  it.effect("add their findings to a full analysis, and are named if they fail", () =>
    Effect.gen(function* () {
      const { examination, stages } = yield* examined("full")
      expect(examination.findings.map(({ ruleId, engines: by }) => [ruleId, by])).toEqual([
        [expect.stringMatching(/^external\/slither\/.*\/tx-origin$/), ["slither"]],
      ])
      expect(examination.coverage.engines.map(({ name, note }) => [name, note])).toEqual([
        ["assay", undefined],
        ["slither", "1 result, 0 of them for known findings"],
        ["aderyn", "failed: it is not there"],
        ["ai", undefined],
      ])
      expect(stages).toContain("external_analysis")
    }),
  )

  it.effect("are not part of a quick one", () =>
    Effect.gen(function* () {
      const { examination, stages } = yield* examined("quick")
      expect(examination.findings).toEqual([])
      expect(stages).not.toContain("external_analysis")
    }),
  )
})
