import * as Effect from "effect/Effect"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import type { Stage } from "../../domain/analysis/Stage.ts"
import type { ProgressBar } from "../terminal/progressBar.ts"
import { Refusal } from "../runMain.ts"

interface Api {
  readonly url: string
  readonly apiKey: string
}

/** One request to our own API, as any client would make it. */
const call = <A>({ url, apiKey }: Api, method: string, path: string, body?: unknown) =>
  Effect.tryPromise({
    try: async (signal): Promise<A> => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
      })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      // The contract defines a successful response.
      return (await response.json()) as A
    },
    catch: (error) => new Refusal(`${method} ${path}: ${error instanceof Error ? error.message : String(error)}`),
  })

/** Submits a repository, follows its progress, and returns the result; fails with the reason if there is none. */
export const analyzeSample = Effect.fnUntraced(function* (api: Api, repositoryUrl: string, bar: ProgressBar) {
  const { analysisId } = yield* call<{ analysisId: string }>(api, "POST", "/api/v1/analysis", { repositoryUrl })
  const path = `/api/v1/analysis/${analysisId}`
  const poll = Effect.gen(function* () {
    while (true) {
      const { status, currentStage, progress } = yield* call<{ status: string; currentStage: Stage; progress: number }>(
        api,
        "GET",
        `${path}/status`,
      )
      bar.update(currentStage, progress)
      if (status === "completed" || status === "failed") return
      // Often enough for a smooth progress bar, and at most 120 of the 1,000 requests per hour.
      yield* Effect.sleep("500 millis")
    }
  })
  yield* poll.pipe(
    Effect.timeoutOrElse({
      duration: "60 seconds",
      orElse: () => Effect.fail(new Refusal("The sample was not analyzed within a minute.")),
    }),
    Effect.ensuring(Effect.sync(bar.done)),
  )
  return yield* call<AnalysisResult>(api, "GET", `${path}/result`)
})
