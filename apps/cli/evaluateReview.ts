import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { examineRepository } from "../../application/analysis/examineRepository.ts"
import { dollars } from "../../domain/review/Budget.ts"
import { Refusal } from "../runMain.ts"
import { added, passes, type Score, scoreLine, scoreReview } from "./scoreReview.ts"
import { UserId } from "../../domain/ids/Ids.ts"

const Labels = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      repo: Schema.String,
      file: Schema.String,
      lines: Schema.Tuple([Schema.Int, Schema.Int]),
      category: Schema.optionalKey(Schema.String),
    }),
  ),
)

const readLabels = (path: string) =>
  Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: (error) =>
      new Refusal(
        error instanceof Error && "code" in error && error.code === "ENOENT"
          ? `There is no file ${path}.`
          : `The labels in ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      ),
  }).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Labels)),
    Effect.catchTag("SchemaError", () =>
      Effect.fail(new Refusal(`${path} is not a list of {"repo", "file", "lines": [from, to], "category"}.`)),
    ),
  )

const nothing: Score = { found: 0, labels: 0, findings: 0, right: 0 }

/** Reviews the labeled repositories, and reports the findings, cost and time of each pass. */
export const evaluateReview = Effect.fn("evaluateReview")(function* (
  labelFile: string,
  directory: string,
  tell: (line: string) => void,
) {
  const labels = yield* readLabels(labelFile)
  const there = new Set(readdirSync(directory))
  const sums = { rules: nothing, triage: nothing, hunt: nothing, all: nothing }
  let [micros, requests, triage, hunt] = [0, 0, 0, 0]
  for (const [repo, own] of Map.groupBy(labels, (label) => label.repo)) {
    if (!there.has(repo)) return yield* Effect.fail(new Refusal(`${directory} has no folder ${repo}.`))
    const examination = yield* examineRepository(
      {
        repositoryUrl: join(directory, repo),
        branch: undefined,
        framework: "auto",
        access: true,
        review: { userId: UserId.make("local"), analysisType: "full" },
      },
      () => {},
    ).pipe(Effect.mapError(({ message }) => new Refusal(`${repo}: ${message}`)))
    const scores = scoreReview(own, examination.findings)
    for (const pass of passes) sums[pass] = added(sums[pass], scores[pass])
    const { review, coverage } = examination
    const run = coverage.engines.find(({ name }) => name === "ai")
    tell(`${repo}: ${run?.note ?? run?.version ?? "not reviewed"}`)
    if (review === undefined) continue
    micros += review.micros
    requests += review.requests
    triage += review.milliseconds.triage
    hunt += review.milliseconds.hunt
  }
  for (const pass of passes) tell(scoreLine(pass, sums[pass]))
  const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`
  tell(`${requests} requests for ${dollars(micros)}; triage ${seconds(triage)}, hunt and refutation ${seconds(hunt)}`)
})
