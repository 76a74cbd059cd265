import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { programModels } from "../../adapters/engine/program/programModels.ts"
import * as LocalSourceFetcher from "../../adapters/local/LocalSourceFetcher.ts"
import type { ModelOptions } from "../../adapters/model/ModelOptions.ts"
import { reviewerLayer } from "../../adapters/model/reviewerLayer.ts"
import { examineRepository, type OnStageProgress } from "../../application/analysis/examineRepository.ts"
import { StoreUnavailable } from "../../application/ports/StoreUnavailable.ts"
import type { DetectionEngine } from "../../application/ports/analysis/DetectionEngine.ts"
import { ProgramModels } from "../../application/ports/analysis/ProgramModels.ts"
import { Reviewer } from "../../application/ports/finding/Reviewer.ts"
import type { ReviewStore } from "../../application/ports/finding/ReviewStore.ts"
import { programs } from "../../apps/wiring/engine.ts"
import { Reviewing, type ReviewSettings } from "../../application/review/Reviewing.ts"
import { UserId, PoolId } from "../../domain/ids/Ids.ts"

/** A folder with these files, gone when `remove` is called. */
export const folderOf = async (files: Readonly<Record<string, string>>) => {
  const directory = await mkdtemp(join(tmpdir(), "assay-review-"))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** A store in memory, on a plan and within a month's budget. */
export class MemoryReviewStore {
  readonly answers = new Map<string, string>()
  micros = 0
  isDown = false
  plan: "basic" | "pro" = "pro"

  private readonly up = <A>(value: () => A) =>
    Effect.suspend(() => (this.isDown ? Effect.fail(new StoreUnavailable({ cause: "down" })) : Effect.sync(value)))

  readonly service: ReviewStore["Service"] = {
    account: () => Effect.sync(() => ({ id: PoolId.make("a"), plan: this.plan })),
    find: (_, key) => this.up(() => this.answers.get(key)),
    keep: (_, key, answer) => this.up(() => void this.answers.set(key, answer)),
    spend: (_, micros, limit) =>
      this.up(() => {
        if (this.micros + micros > limit) return false
        this.micros += micros
        return true
      }),
    giveBack: (_, micros) => this.up(() => void (this.micros -= micros)),
  }
}

export const settings: ReviewSettings = {
  tiers: new Set(["pro"]),
  budget: { requests: 500, tokens: 50_000_000, time: Duration.seconds(60), micros: 10_000_000_000 },
  monthlyMicros: 10_000_000_000,
  prices: { input: 3_000_000, output: 15_000_000 },
  concurrency: 8,
  maxOutputTokens: 500,
}

/** A folder examined, and reviewed by the model at an address. */
export const reviewed = (
  directory: string,
  url: string,
  store: MemoryReviewStore,
  engine: Layer.Layer<DetectionEngine>,
  change: {
    readonly settings?: Partial<ReviewSettings>
    readonly model?: Partial<ModelOptions>
    readonly analysisType?: "full" | "quick"
    readonly report?: OnStageProgress
    readonly models?: ProgramModels["Service"]
  } = {},
) =>
  Effect.gen(function* () {
    const reviewing: Reviewing = {
      settings: { ...settings, ...change.settings },
      reviewer: yield* Reviewer,
      models: change.models ?? (yield* ProgramModels),
      store: store.service,
    }
    return yield* examineRepository(
      {
        repositoryUrl: directory,
        branch: undefined,
        framework: "auto",
        access: true,
        review: { userId: UserId.make("u"), analysisType: change.analysisType ?? "full" },
      },
      change.report ?? (() => {}),
    ).pipe(Effect.provideService(Reviewing, reviewing))
  }).pipe(
    Effect.provide([
      engine,
      LocalSourceFetcher.layer(),
      programModels(programs),
      reviewerLayer({
        provider: "openai-compatible",
        baseUrl: url,
        model: "m-1",
        apiKey: undefined,
        maxOutputTokens: 500,
        timeout: Duration.seconds(5),
        retryAfter: Duration.millis(5),
        ...change.model,
      }),
    ]),
  )
