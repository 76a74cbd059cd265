import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { evaluateReview } from "../../../apps/cli/evaluateReview.ts"
import { DetectionEngine } from "../../../application/ports/analysis/DetectionEngine.ts"
import { SourceFetcher } from "../../../application/ports/analysis/SourceFetcher.ts"
import { ModelFailed } from "../../../application/ports/finding/Reviewer.ts"
import { Reviewing } from "../../../application/review/Reviewing.ts"
import { MemoryReviewStore, folderOf, settings } from "../../support/reviewed.ts"
import { exampleFinding } from "../../domain/report/arbitraries.ts"

const at = (line: number, fingerprint: string) => ({
  ...exampleFinding,
  fingerprint,
  severity: "medium" as const,
  location: { file: "src/V.sol", lineStart: line, lineEnd: line },
})

it("reports recall, precision, cost and time of each pass, with a scripted model", async () => {
  const repos = await folderOf({ "vault/src/V.sol": "" })
  const labels = join(tmpdir(), `labels-${process.pid}.json`)
  await writeFile(
    labels,
    JSON.stringify([
      { repo: "vault", file: "src/V.sol", lines: [10, 12] },
      { repo: "vault", file: "src/V.sol", lines: [50, 50] },
    ]),
  )
  const said: Array<string> = []
  const reviewing: Reviewing = {
    settings,
    store: new MemoryReviewStore().service,
    models: {
      open: () =>
        Effect.succeed({
          ask: (_, argument) =>
            Effect.succeed({ file: "src/V.sol", from: Number(argument?.split(/[:-]/)[1]), lines: ["a = b;"] }),
        }),
    },
    reviewer: {
      model: "scripted",
      reach: Effect.void,
      ask: ({ only }) =>
        only === "verdicts"
          ? Effect.succeed({
              text: "",
              calls: [
                {
                  id: "1",
                  name: "verdicts",
                  arguments: {
                    verdicts: [0, 1, 2].map((finding) => ({
                      finding,
                      verdict: finding === 0 ? "likely" : "unlikely",
                      reasoning: "r",
                      quotes: [{ line: 1, text: "a = b;" }],
                    })),
                  },
                },
              ],
              usage: { inputTokens: 100_000, outputTokens: 10_000 },
            })
          : Effect.fail(new ModelFailed({ reason: "refused", message: "not asked" })),
    },
  }
  try {
    await Effect.runPromise(
      evaluateReview(labels, repos.directory, (line) => said.push(line)).pipe(
        Effect.provideService(Reviewing, reviewing),
        Effect.provide([
          Layer.succeed(SourceFetcher, {
            fetch: () =>
              Effect.succeed({
                directory: repos.directory,
                branch: "",
                commit: undefined,
                files: ["src/V.sol"],
                skipped: [],
              }),
          }),
          Layer.succeed(DetectionEngine, {
            detect: () => Effect.succeed(new Set(["evm"] as const)),
            examine: () =>
              Effect.succeed({
                findings: [at(11, "a"), at(30, "b"), at(40, "c")],
                suppressed: [],
                coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [] },
              }),
          }),
        ]),
      ),
    )
  } finally {
    await Promise.all([repos.remove(), rm(labels)])
  }
  expect(said.slice(1)).toEqual([
    "rules   recall 50.0 % (1/2)  precision 33.3 % (1/3)",
    "triage  recall 50.0 % (1/2)  precision 100.0 % (1/1)",
    "hunt    recall 0.0 % (0/2)  precision - (0/0)",
    "all     recall 50.0 % (1/2)  precision 100.0 % (1/1)",
    expect.stringMatching(/^1 requests for \$0\.45; triage \d\.\d s, hunt and refutation 0\.0 s$/),
  ])
})
