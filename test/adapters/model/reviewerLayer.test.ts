import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ModelOptions, Provider } from "../../../adapters/model/ModelOptions.ts"
import { reviewerLayer } from "../../../adapters/model/reviewerLayer.ts"
import { type ModelRequest, Reviewer } from "../../../application/ports/finding/Reviewer.ts"
import { FakeModel } from "../../support/fakeModel.ts"

let model: FakeModel
beforeAll(async () => {
  model = await FakeModel.start()
})
afterAll(() => model.stop())

const call = { id: "c1", name: "read_function", arguments: { function: "Vault.take" } }
const request: ModelRequest = {
  messages: [
    { role: "system", text: "You review." },
    { role: "user", text: "Look at this." },
    { role: "assistant", calls: [call, { ...call, id: "c2" }] },
    { role: "tool", call, text: "its code" },
    { role: "tool", call: { ...call, id: "c2" }, text: "the same" },
  ],
  tools: [
    { name: "read_function", description: "Reads.", parameters: Schema.Struct({ function: Schema.String }) },
    { name: "report", description: "Ends.", parameters: Schema.Struct({ claims: Schema.Array(Schema.String) }) },
  ],
}

const optionsOf = (provider: Provider, change: Partial<ModelOptions> = {}): ModelOptions => ({
  provider,
  baseUrl: provider === "anthropic" ? model.url : `${model.url}/v1`,
  model: "m-1",
  apiKey: Redacted.make("sk-secret"),
  maxOutputTokens: 500,
  timeout: Duration.seconds(2),
  retryAfter: Duration.millis(5),
  ...change,
})

const asking = (options: ModelOptions, asked: ModelRequest = request, times = 1) =>
  Effect.runPromise(
    Reviewer.use((reviewer) =>
      Effect.forEach(Array.from({ length: times }), () => Effect.result(reviewer.ask(asked))),
    ).pipe(Effect.provide(reviewerLayer(options))),
  )

const failureOf = async (options: ModelOptions) => {
  const [result] = await asking(options)
  return result?._tag === "Failure" ? result.failure : undefined
}

describe.each(["openai-compatible", "anthropic"] as const)("a model that speaks %s", (provider) => {
  it("gets the whole conversation and the key, and its calls arrive unchanged", async () => {
    model.begin(() => ({
      calls: [
        { call: "report", with: { claims: ["a"] } },
        { call: "no_such_tool", with: { x: 1 } },
      ],
    }))
    const [result] = await asking(optionsOf(provider))
    const reply = result?._tag === "Success" ? result.success : undefined
    expect(reply?.calls.map(({ name, arguments: given }) => [name, given])).toEqual([
      ["report", { claims: ["a"] }],
      ["no_such_tool", { x: 1 }],
    ])
    expect(reply?.usage).toEqual({ inputTokens: 1_000, outputTokens: 100 })
    const [heard] = model.heard
    expect(heard).toMatchObject({
      protocol: provider,
      system: "You review.",
      said: ["Look at this.", "its code", "the same"],
      calls: ["read_function", "read_function"],
      tools: ["read_function", "report"],
      only: undefined,
    })
    expect(JSON.stringify(heard?.headers)).toContain("sk-secret")
    expect(JSON.stringify(heard?.body)).not.toContain("sk-secret")
    expect(JSON.stringify(heard?.body)).toContain(`"required":["function"]`)
  })

  it("is restricted to a single tool on request", async () => {
    model.begin(() => ({ text: `{"claims":[]}` }))
    const [result] = await asking(optionsOf(provider), { ...request, only: "report" })
    expect(result).toMatchObject({ _tag: "Success", success: { text: `{"claims":[]}`, calls: [] } })
    expect(model.heard[0]?.only).toBe("report")
  })

  it.each([
    ["answers 500 twice", (index: number) => (index < 2 ? { status: 500 } : { text: "ok" }), 3],
    [
      "returns 429 and says when to retry",
      (index: number) => (index < 1 ? { status: 429, headers: { "retry-after": "0" } } : { text: "ok" }),
      2,
    ],
    ["cuts its answer short", (index: number) => (index < 1 ? ("cut" as const) : { text: "ok" }), 2],
    ["answers nonsense once", (index: number) => (index < 1 ? { raw: "<html>" } : { text: "ok" }), 2],
    ["answers in another form once", (index: number) => (index < 1 ? { raw: "[]" } : { text: "ok" }), 2],
  ])("is asked again where it %s", async (_, says, requests) => {
    model.begin((_heard, index) => says(index))
    const [result] = await asking(optionsOf(provider))
    expect(result).toMatchObject({ _tag: "Success", success: { text: "ok" } })
    expect(model.heard.length).toBe(requests)
  })
})

describe("a model that does not answer", () => {
  it.each([
    ["refuses the key", { status: 401 }, "unavailable", "the model rejected the key", 1],
    ["does not take the request", { status: 400 }, "refused", "status 400", 1],
    ["asks for a pause of a day", { status: 429, headers: { "retry-after": "86400" } }, "unavailable", "429", 1],
    ["answers 503 forever", { status: 503 }, "unavailable", "status 503", 4],
    ["writes a megabyte of nonsense", { raw: "x".repeat(1_100_000) }, "unavailable", "longer than a megabyte", 2],
    ["sends elsewhere", { status: 302, headers: { location: "http://127.0.0.1:9/" } }, "unavailable", "", 2],
    ["says nothing", "nothing" as const, "unavailable", "no answer within", 2],
  ])("because it %s, is given up", async (_, says, reason, message, requests) => {
    model.begin(() => says)
    const failure = await failureOf(optionsOf("openai-compatible", { timeout: Duration.millis(150) }))
    expect(failure?.reason).toBe(reason)
    expect(failure?.message).toContain(message)
    expect(failure?.message).not.toContain("sk-secret")
    expect(model.heard.length).toBe(requests)
  })

  it("is left alone for a while after three failed requests in a row", async () => {
    model.begin(() => ({ status: 401 }))
    const results = await asking(optionsOf("anthropic"), request, 6)
    expect(results.every(({ _tag }) => _tag === "Failure")).toBe(true)
    expect(model.heard.length).toBe(3)
  })

  it("is counted by kind of failure, and its output by tokens", async () => {
    model.begin((_heard, index) => (index === 0 ? { raw: "[]" } : index === 1 ? { status: 503 } : { text: "ok" }))
    const snapshot = await Effect.runPromise(
      Effect.gen(function* () {
        yield* (yield* Reviewer).ask(request)
        return yield* Metric.snapshot
      }).pipe(
        Effect.provide(reviewerLayer(optionsOf("anthropic"))),
        Effect.provideService(Metric.MetricRegistry, new Map()),
      ),
    )
    const counts = snapshot.flatMap(({ id, attributes, state }) =>
      "count" in state && typeof state.count === "number"
        ? [[id, Object.values(attributes ?? {})[0], state.count] as const]
        : [],
    )
    expect(counts).toEqual(
      expect.arrayContaining([
        ["assay_model_requests_total", "server_error", 1],
        ["assay_model_requests_total", "unreadable", 1],
        ["assay_model_requests_total", "answered", 1],
        ["assay_model_tokens_total", "input", 1_000],
        ["assay_model_tokens_total", "output", 100],
        ["assay_model_request_duration_seconds", undefined, 3],
      ]),
    )
  })

  it("is found to be listening by a connection that then ends", async () => {
    const listening = createServer()
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
    const { port } = listening.address() as AddressInfo
    const heard = new Promise<number>((resolve) =>
      listening.once("connection", (socket) => socket.resume().once("close", () => resolve(socket.bytesRead))),
    )
    const options = optionsOf("openai-compatible", { baseUrl: `http://127.0.0.1:${port}/v1` })
    await Effect.runPromise(Reviewer.use(({ reach }) => reach).pipe(Effect.provide(reviewerLayer(options))))
    expect(await heard).toBe(0)
    await new Promise((resolve) => listening.close(resolve))
  })

  it("is detected immediately if nothing is listening", async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const options = optionsOf("openai-compatible", { baseUrl: `http://127.0.0.1:${port}/v1` })
    const startedAt = performance.now()
    const reached = await Effect.runPromise(
      Reviewer.use(({ reach }) => Effect.result(reach)).pipe(Effect.provide(reviewerLayer(options))),
    )
    expect(reached).toMatchObject({ _tag: "Failure", failure: { reason: "unavailable" } })
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect((await failureOf(options))?.message).toContain("ECONNREFUSED")
  })
})
