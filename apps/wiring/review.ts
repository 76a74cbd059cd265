import { readFileSync } from "node:fs"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { programModels } from "../../adapters/engine/program/programModels.ts"
import { providers } from "../../adapters/model/ModelOptions.ts"
import { reviewerLayer } from "../../adapters/model/reviewerLayer.ts"
import { ProgramModels } from "../../application/ports/analysis/ProgramModels.ts"
import { Reviewer } from "../../application/ports/finding/Reviewer.ts"
import { ReviewStore } from "../../application/ports/finding/ReviewStore.ts"
import { programs } from "./engine.ts"
import { Reviewing } from "../../application/review/Reviewing.ts"
import { withoutTrailingSlashes } from "../../domain/network/withoutTrailingSlashes.ts"
import { type PlanId, planIds } from "../../domain/plan/Plan.ts"
import { Refusal } from "../runMain.ts"
import { wrongVariable } from "./wrongVariable.ts"

const count = (name: string, byDefault: number, maximum: number) =>
  Config.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum })), name).pipe(Config.withDefault(byDefault))

/** Dollars; 0 is a valid price, but no budget. */
const dollars = (name: string, byDefault: number) =>
  Config.schema(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })), name).pipe(
    Config.withDefault(byDefault),
  )

const variables = Config.all({
  provider: Config.Literals(["", ...providers], "ASSAY_AI_PROVIDER").pipe(Config.withDefault("" as const)),
  baseUrl: Config.String("ASSAY_AI_BASE_URL").pipe(Config.withDefault("")),
  model: Config.String("ASSAY_AI_MODEL").pipe(Config.withDefault("")),
  apiKey: Config.Redacted("ASSAY_AI_API_KEY").pipe(Config.withDefault(Redacted.make(""))),
  apiKeyFile: Config.String("ASSAY_AI_API_KEY_FILE").pipe(Config.withDefault("")),
  tiers: Config.String("ASSAY_AI_TIERS").pipe(Config.withDefault("pro")),
  requests: count("ASSAY_AI_MAX_REQUESTS", 400, 10_000),
  tokens: count("ASSAY_AI_MAX_TOKENS", 3_000_000, 1_000_000_000),
  time: Config.Duration("ASSAY_AI_MAX_TIME").pipe(Config.withDefault(Duration.minutes(15))),
  cost: dollars("ASSAY_AI_MAX_COST", 5),
  monthlyCost: dollars("ASSAY_AI_MONTHLY_COST", 100),
  inputPrice: dollars("ASSAY_AI_INPUT_PRICE", 0),
  outputPrice: dollars("ASSAY_AI_OUTPUT_PRICE", 0),
  concurrency: count("ASSAY_AI_CONCURRENCY", 8, 64),
  maxOutputTokens: count("ASSAY_AI_MAX_OUTPUT_TOKENS", 8_000, 200_000),
  timeout: Config.Duration("ASSAY_AI_TIMEOUT").pipe(Config.withDefault(Duration.minutes(2))),
})

type Variables = Effect.Success<typeof variables>

const keyOf = ({ apiKey, apiKeyFile }: Variables) =>
  Effect.gen(function* () {
    if (Redacted.value(apiKey).trim() !== "") return Redacted.make(Redacted.value(apiKey).trim())
    if (apiKeyFile === "") return undefined
    const text = yield* Effect.try({
      try: () => readFileSync(apiKeyFile, "utf8").trim(),
      catch: () => new Refusal(`ASSAY_AI_API_KEY_FILE: ${apiKeyFile} cannot be read.`),
    })
    return text === "" ? undefined : Redacted.make(text)
  })

const baseUrlOf = ({ provider, baseUrl }: Variables) => {
  if (baseUrl === "" && provider === "anthropic") return Effect.succeed("https://api.anthropic.com")
  return /^https?:\/\//.test(baseUrl) && URL.canParse(baseUrl)
    ? Effect.succeed(withoutTrailingSlashes(baseUrl))
    : Effect.fail(new Refusal("ASSAY_AI_BASE_URL: set the base URL of the model, such as http://127.0.0.1:11434/v1."))
}

/** A key sent unencrypted can be read in transit, except on this machine. */
const isInTheClear = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  return protocol === "http:" && !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

const micros = (amount: number): number => Math.round(amount * 1_000_000)

/** The model at `ASSAY_AI_PROVIDER` with the store of its answers; nothing if there is none. */
export const reviewing = Layer.effect(
  Reviewing,
  Effect.gen(function* () {
    const read = yield* variables
    const { provider } = read
    if (provider === "") return undefined
    if (read.model === "") return yield* Effect.fail(new Refusal("ASSAY_AI_MODEL: set the name of the model."))
    const tiers = read.tiers.split(/[\s,]+/).filter((tier) => tier !== "")
    const unknown = tiers.find((tier) => !planIds.some((id) => id === tier))
    if (unknown !== undefined) {
      return yield* Effect.fail(
        new Refusal(`ASSAY_AI_TIERS: unknown plan ${unknown}. Available plans: ${planIds.join(", ")}.`),
      )
    }
    const [baseUrl, apiKey] = [yield* baseUrlOf(read), yield* keyOf(read)]
    if (apiKey !== undefined && isInTheClear(baseUrl)) {
      return yield* Effect.fail(new Refusal("ASSAY_AI_BASE_URL: a key is sent only over https or to this machine."))
    }
    const { model, maxOutputTokens, timeout } = read
    const options = { provider, baseUrl, model, apiKey, maxOutputTokens, timeout }
    const services = yield* Layer.build(Layer.merge(reviewerLayer(options), programModels(programs)))
    return yield* Effect.gen(function* () {
      return {
        settings: {
          // Only plans are left.
          tiers: new Set(tiers as ReadonlyArray<PlanId>),
          budget: {
            requests: read.requests,
            tokens: read.tokens,
            time: read.time,
            micros: micros(read.cost),
          },
          monthlyMicros: micros(read.monthlyCost),
          prices: { input: micros(read.inputPrice), output: micros(read.outputPrice) },
          concurrency: read.concurrency,
          maxOutputTokens,
        },
        reviewer: yield* Reviewer,
        models: yield* ProgramModels,
        store: yield* ReviewStore,
      } satisfies Reviewing
    }).pipe(Effect.provide(services))
  }).pipe(Effect.catchTag("ConfigError", (error) => Effect.fail(wrongVariable(error)))),
)
