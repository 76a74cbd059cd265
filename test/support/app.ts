import { randomBytes } from "node:crypto"
import type { AddressInfo } from "node:net"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Tracer from "effect/Tracer"
import * as HttpServer from "effect/http/HttpServer"
import type { SqlClient } from "effect/sql/SqlClient"
import { hashSecret } from "../../application/identity/secret.ts"
import { defaultHttpSettings, HttpSettings } from "../../adapters/http/HttpSettings.ts"
import { type ConnectionLimits, connectionLimits, httpServer } from "../../adapters/http/server.ts"
import { httpTracing } from "../../adapters/http/telemetry/tracing.ts"
import { memoryRateLimiter } from "../../adapters/memory/MemoryRateLimiter.ts"
import * as GitHubCodeHost from "../../adapters/github/GitHubCodeHost.ts"
import * as JoseSecretVault from "../../adapters/jose/JoseSecretVault.ts"
import { generateSecretKey } from "../../adapters/jose/SecretKey.ts"
import { configuredKeys } from "../../adapters/jose/SecretKeyFile.ts"
import type { Notifications } from "../../adapters/sql/Notifications.ts"
import * as SqlFindingStore from "../../adapters/sql/finding/SqlFindingStore.ts"
import * as SqlOverviews from "../../adapters/sql/finding/SqlOverviews.ts"
import * as SqlDeliveryStore from "../../adapters/sql/notification/SqlDeliveryStore.ts"
import * as SqlWebhookSecrets from "../../adapters/sql/notification/SqlWebhookSecrets.ts"
import * as SqlHostingTokens from "../../adapters/sql/repositories/SqlHostingTokens.ts"
import * as SqlRepositoryStore from "../../adapters/sql/repositories/SqlRepositoryStore.ts"
import * as SqlAnalysisQueue from "../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../adapters/sql/SqlAnalysisStore.ts"
import { renderReports } from "../../application/analysis/renderReports.ts"
import { SubmissionRules } from "../../application/analysis/SubmissionRules.ts"
import { Callers } from "../../application/ports/identity/Callers.ts"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import { AnalysisQueue, type ClaimedAnalysis } from "../../application/ports/analysis/AnalysisQueue.ts"
import type { StoreUnavailable } from "../../application/ports/StoreUnavailable.ts"
import type { DeliveryStore } from "../../application/ports/notification/DeliveryStore.ts"
import { HealthProbe } from "../../application/ports/HealthProbe.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import { RateLimiter } from "../../application/ports/RateLimiter.ts"
import { RuleCatalog } from "../../application/ports/analysis/RuleCatalog.ts"
import type { AccessRow } from "../../domain/access/AccessTable.ts"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import type { RuleMeta } from "../../domain/detection/Rule.ts"
import { type Scope, scopes } from "../../domain/identity/Caller.ts"
import { apiKeyEntropy, apiKeyPrefix, formatApiKey } from "../../domain/identity/ApiKey.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import { type AccountOptions, accountServices } from "./accounts.ts"
import { anyDatabase, clear } from "./databases.ts"
import { type UserId, type AnalysisId, WorkerId } from "../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

export const sampleRule: RuleMeta = {
  id: "evm/reentrancy/state-change-after-call",
  class: "reentrancy-eth",
  title: "State changed after an external call",
  severity: "high",
  confidence: "high",
  cwe: [841],
  swc: 107,
  description: "The callee can enter again before the state is written.",
  remediation: "Write the state before the call.",
  references: ["https://swcregistry.io/docs/SWC-107"],
}

export const sampleExamples = {
  vulnerable: '(bool ok, ) = to.call{value: 1}(""); // FINDING\npaid = true;',
  safe: 'paid = true;\n(bool ok, ) = to.call{value: 1}("");',
}

/** A completed result with one finding. */
export const sampleResult = (analysisId: AnalysisId, repositoryUrl: string): AnalysisResult => ({
  analysisId,
  status: "completed",
  repository: { url: repositoryUrl, branch: "main", framework: "evm", commit: "0".repeat(40) },
  summary: {
    totalFindings: 1,
    criticalFindings: 0,
    highFindings: 1,
    mediumFindings: 0,
    lowFindings: 0,
    analysisTime: 1200,
  },
  findings: [
    {
      id: "f_0123456789abcdef",
      ruleId: sampleRule.id,
      title: sampleRule.title,
      description: sampleRule.description,
      severity: "high",
      confidence: "high",
      category: "reentrancy",
      location: { file: "src/Vault.sol", lineStart: 12, lineEnd: 14 },
      remediation: sampleRule.remediation,
      trace: [],
      references: [...sampleRule.references],
      fingerprint: "0123456789abcdef",
      status: "new",
    },
  ],
  suppressed: [],
  coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [{ name: "assay", version: "0.1.0" }] },
  completedAt: "2026-01-31T12:00:00.000Z",
  markdownReport: "# Security Analysis Report\n\nüñí\n",
})

/** What the composed layers provide to a test. */
type Services =
  | AnalysisStore
  | AnalysisQueue
  | Accounts
  | DeliveryStore
  | HttpServer.HttpServer
  | SqlClient
  | Layer.Success<ReturnType<typeof accountServices>>

export interface TestApp {
  readonly url: string
  readonly port: number
  /** The lines in which requests were logged. */
  readonly logLines: () => ReadonlyArray<Record<string, unknown>>
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
  readonly newUser: (plan?: PlanId) => Promise<{ readonly userId: UserId; readonly apiKey: string }>
  readonly newKey: (userId: UserId, scopes: ReadonlyArray<Scope>, expiresAt?: Date) => Promise<string>
  /** Creates an analysis in the store, bypassing the limits of HTTP; false if the quota is used up. */
  readonly createDirectly: (userId: UserId, repositoryUrl: string) => Promise<boolean>
  /** Claims the next analysis and completes it. */
  readonly completeNext: (change?: Partial<AnalysisResult>, access?: ReadonlyArray<AccessRow>) => Promise<string>
  /** Claims the next analysis and fails it for good. */
  readonly failNext: (message?: string) => Promise<string>
  /** Empties the database: no user, key or analysis of an earlier test is left. */
  readonly reset: () => Promise<void>
  readonly close: () => Promise<void>
}

type Database = Layer.Layer<SqlClient | Notifications, unknown>

export interface AppOptions {
  readonly accounts?: AccountOptions
  readonly settings?: Partial<HttpSettings>
  readonly rules?: SubmissionRules
  readonly limits?: Partial<ConnectionLimits>
  readonly drainDelay?: Duration.Duration
  readonly probe?: HealthProbe["Service"]
  /** The API of the code hosting service. */
  readonly hostingUrl?: string
  /** Replaces its own database; migrated. */
  readonly database?: Database
  /** Called with every key that is looked up in the database. */
  readonly watchLookups?: () => void
  /** Why keys cannot be looked up, for as long as that is so. */
  readonly failLookups?: () => StoreUnavailable | undefined
  /** Counts requests against windows that never fill up; for measuring. */
  readonly unlimited?: boolean
  /** Replaces counting in memory. */
  readonly limiter?: Layer.Layer<RateLimiter>
  /** None if absent. */
  readonly cache?: Layer.Layer<never>
  /** Receives every span. */
  readonly tracer?: Tracer.Tracer
  /** Wraps the real store, to let it fail. */
  readonly wrapStore?: (store: AnalysisStore["Service"]) => AnalysisStore["Service"]
}

const healthy: HealthProbe["Service"] = {
  database: Effect.succeed("connected"),
  writes: Effect.succeed("possible"),
  redis: Effect.succeed("connected"),
  externalServices: Effect.succeed({}),
}

const wrap = (wrapStore: AppOptions["wrapStore"]) =>
  Layer.effect(
    AnalysisStore,
    Effect.map(AnalysisStore, (store) => (wrapStore === undefined ? store : wrapStore(store))),
  )

const watch = ({ watchLookups, failLookups }: AppOptions) =>
  Layer.effect(
    Callers,
    Effect.map(Callers, (callers) => ({
      ...callers,
      ofKey: (hash: string) => {
        watchLookups?.()
        const failure = failLookups?.()
        return failure === undefined ? callers.ofKey(hash) : Effect.fail(failure)
      },
    })),
  )

/** A real limiter with a window that is never full. */
export const unlimited = Layer.effect(
  RateLimiter,
  Effect.map(RateLimiter, (limiter) => ({
    consume: (window, subject) => limiter.consume(window, subject, Number.MAX_SAFE_INTEGER),
    consumeHere: (window, subject) => limiter.consumeHere(window, subject, Number.MAX_SAFE_INTEGER),
    giveBack: (window, subject) => limiter.giveBack(window, subject, Number.MAX_SAFE_INTEGER),
    peek: (window, subject) => limiter.peek(window, subject, Number.MAX_SAFE_INTEGER),
  })),
)

/** Nothing listens there. */
const nowhere = "http://127.0.0.1:1"

/** The whole HTTP interface on a free loopback port, with a separate database. */
export const startApp = async (options: AppOptions = {}): Promise<TestApp> => {
  let log = ""
  const limiter = options.limiter ?? memoryRateLimiter()
  const stores = Layer.mergeAll(
    wrap(options.wrapStore).pipe(Layer.provide(SqlAnalysisStore.layer)),
    SqlAnalysisQueue.layer,
    SqlRepositoryStore.layer,
    SqlHostingTokens.layer,
    SqlDeliveryStore.layer,
    SqlFindingStore.layer,
    SqlOverviews.layer,
    SqlWebhookSecrets.layer,
  ).pipe(Layer.provideMerge(options.database ?? (await anyDatabase())))
  const app = httpServer(
    {
      host: "127.0.0.1",
      port: 0,
      limits: { ...connectionLimits, ...options.limits },
      ...(options.drainDelay === undefined ? {} : { drainDelay: options.drainDelay }),
    },
    (lines) => {
      log += lines
    },
  ).pipe(
    Layer.provideMerge(Layer.provideMerge(watch(options), accountServices(options.accounts))),
    Layer.provideMerge(stores),
    Layer.provide([
      options.unlimited === true ? unlimited.pipe(Layer.provide(limiter)) : limiter,
      options.cache ?? Layer.empty,
      JoseSecretVault.layer(configuredKeys([generateSecretKey(new Date())])),
      GitHubCodeHost.layer({ apiUrl: options.hostingUrl ?? nowhere, retryDelay: Duration.millis(1) }),
      Layer.succeed(RuleCatalog, Effect.succeed([{ ...sampleRule, examples: sampleExamples }])),
      Layer.succeed(HealthProbe, options.probe ?? healthy),
      Layer.succeed(HttpSettings, { ...defaultHttpSettings, streamInterval: Duration.millis(20), ...options.settings }),
      ...(options.rules === undefined ? [] : [Layer.succeed(SubmissionRules, options.rules)]),
    ]),
    Layer.provide(Logger.layer([])),
    Layer.provide(
      options.tracer === undefined
        ? Layer.empty
        : Layer.mergeAll(httpTracing, Layer.succeed(Tracer.Tracer, options.tracer)),
    ),
  )
  const runtime = ManagedRuntime.make(app)
  const address = await runtime.runPromise(Effect.map(HttpServer.HttpServer, (server) => server.address))
  const { port } = address as unknown as AddressInfo // a TCP address: the host is one
  const run: TestApp["run"] = (effect) => runtime.runPromise(effect)

  const claim = Effect.gen(function* () {
    const queue = yield* AnalysisQueue
    const job: ClaimedAnalysis = yield* Effect.fromOption(yield* queue.claim(WorkerId.make("test-worker")))
    return { queue, job }
  })
  const newKey: TestApp["newKey"] = async (userId, scopes, expiresAt) => {
    const apiKey = formatApiKey(randomBytes(apiKeyEntropy))
    await run(
      Accounts.use((accounts) =>
        accounts.createApiKey(
          {
            userId,
            name: "test",
            hash: hashSecret(apiKey),
            prefix: apiKeyPrefix(apiKey),
            scopes,
            expiresAt,
          },
          undefined,
        ),
      ),
    )
    return apiKey
  }

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    logLines: () =>
      log
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    run,
    newKey,
    newUser: async (plan = "pro") => {
      const userId = await run(
        Accounts.use((accounts) => accounts.createUser(`${randomBytes(6).toString("hex")}@example.test`, plan)),
      )
      return { userId, apiKey: await newKey(userId, scopes) }
    },
    createDirectly: (userId, repositoryUrl) =>
      run(
        AnalysisStore.use((store) =>
          store.create(
            {
              userId,
              repositoryUrl: RepositoryUrl.make(repositoryUrl),
              branch: undefined,
              framework: "auto",
              analysisType: "full",
              webhookUrl: undefined,
            },
            undefined,
          ),
        ).pipe(
          Effect.as(true),
          Effect.catchTag("QuotaExceeded", () => Effect.succeed(false)),
        ),
      ),
    completeNext: (change = {}, access = []) =>
      run(
        Effect.gen(function* () {
          const { queue, job } = yield* claim
          const result = { ...sampleResult(job.analysisId, job.repositoryUrl), ...change }
          yield* queue.complete(job, {
            reports: yield* renderReports(result, [sampleRule], access),
            summary: result.summary,
            informational: 0,
            fingerprints: result.findings.map(({ fingerprint }) => fingerprint),
            findings: result.findings,
            branch: "main",
            framework: "evm",
            commit: result.repository.commit,
          })
          return job.analysisId
        }),
      ),
    failNext: (message = "Nothing could be parsed.") =>
      run(
        Effect.gen(function* () {
          const { queue, job } = yield* claim
          yield* queue.fail(job, { stage: "compilation", message }, false)
          return job.analysisId
        }),
      ),
    reset: () => run(Effect.asVoid(clear)),
    close: () => runtime.dispose(),
  }
}
