import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as GitHubCodeHost from "../../../adapters/github/GitHubCodeHost.ts"
import { observeServices } from "../../../adapters/memory/observeServices.ts"
import { unconfigured } from "../../../adapters/stripe/unconfigured.ts"
import { Billing, BillingUnavailable } from "../../../application/ports/billing/Billing.ts"
import { CodeHost } from "../../../application/ports/repositories/CodeHost.ts"
import { type Connection, HealthProbe } from "../../../application/ports/HealthProbe.ts"
import { type GithubServer, manyRepositories, startGithubServer } from "../../support/githubServer.ts"
import { CustomerId } from "../../../domain/ids/Ids.ts"

const token = `ghp_${"h".repeat(36)}`
const secret = Redacted.make(token)

let github: GithubServer
beforeAll(async () => {
  github = await startGithubServer()
})
afterAll(() => github.close())
beforeEach(() => {
  github.intercept = undefined
  github.requests.length = 0
  github.tokens.set(token, { login: "octo", scopes: "repo", repositories: manyRepositories(150) })
})

const probe = Layer.succeed(HealthProbe, {
  writes: Effect.succeed("possible" as const),
  database: Effect.succeed<Connection>("connected"),
  redis: Effect.succeed<Connection>("connected"),
  externalServices: Effect.succeed({ other: "connected" }),
})

/** Billing that always responds with this. */
const answering = (effect: Effect.Effect<never, BillingUnavailable> | Effect.Effect<string>) =>
  Layer.effect(
    Billing,
    Effect.map(Billing, (billing) => ({ ...billing, createPortal: () => effect })),
  ).pipe(Layer.provide(unconfigured))

const observed = (billing: Layer.Layer<Billing> = unconfigured) =>
  observeServices.pipe(
    Layer.provide([
      probe,
      billing,
      Layer.suspend(() =>
        GitHubCodeHost.layer({ apiUrl: github.url, retryDelay: Duration.millis(1), requestTime: Duration.seconds(5) }),
      ),
    ]),
  )

const services = Effect.flatMap(HealthProbe, (probe) => probe.externalServices)
const describeToken = CodeHost.use((host) => Effect.ignore(host.describeToken(secret)))
const readAll = CodeHost.use((host) =>
  Effect.ignore(Effect.flatMap(host.repositories(secret, "personal"), ({ pages }) => Stream.runDrain(pages))),
)

describe("external services in the detailed health", () => {
  it.effect("the hosting service is unknown before the first request, and never contacted for its health", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* services, { other: "connected", github: "unknown" })
      assert.deepEqual(github.requests, [])
    }).pipe(Effect.provide(observed())),
  )

  it.effect("it is the outcome of the last request; a rejected token counts as a response", () =>
    Effect.gen(function* () {
      const github_ = () => Effect.map(services, (all) => all["github"])
      yield* describeToken
      assert.strictEqual(yield* github_(), "connected")
      github.intercept = () => ({ status: 503 })
      yield* describeToken
      assert.strictEqual(yield* github_(), "disconnected")
      github.intercept = () => ({ status: 429, headers: { "retry-after": "60" } })
      yield* describeToken
      assert.strictEqual(yield* github_(), "limited")
      github.intercept = () => ({ status: 401, body: { message: "Bad credentials" } })
      yield* describeToken
      assert.strictEqual(yield* github_(), "connected")
    }).pipe(Effect.provide(observed())),
  )

  it.effect("an outage in the middle of a list is noticed, too", () =>
    Effect.gen(function* () {
      github.intercept = (_path, request) => (request.url?.includes("&page=2&") === true ? { status: 502 } : undefined)
      yield* readAll
      assert.strictEqual((yield* services)["github"], "disconnected")
      github.intercept = undefined
      yield* readAll
      assert.strictEqual((yield* services)["github"], "connected")
    }).pipe(Effect.provide(observed())),
  )

  it.effect("the payment service is reported after its first request, if configured", () =>
    Effect.gen(function* () {
      const ask = Effect.andThen(
        Billing.use((billing) => Effect.ignore(billing.createPortal(CustomerId.make("cus_1")))),
        services,
      )
      const states = (billing: Layer.Layer<Billing>) => Effect.provide(ask, observed(billing))
      assert.notProperty(yield* states(unconfigured), "stripe")
      assert.propertyVal(yield* states(answering(Effect.succeed("https://pay.example"))), "stripe", "connected")
      const down = Effect.fail(new BillingUnavailable({ cause: "ECONNREFUSED" }))
      assert.propertyVal(yield* states(answering(down)), "stripe", "disconnected")
    }),
  )
})
