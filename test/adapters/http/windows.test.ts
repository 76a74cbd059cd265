import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { memoryRateLimiter } from "../../../adapters/memory/MemoryRateLimiter.ts"
import { openSession } from "../../../application/identity/session.ts"
import { StoreUnavailable } from "../../../application/ports/StoreUnavailable.ts"
import { RateLimiter } from "../../../application/ports/RateLimiter.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { create, expectError, get, repositoryUrl, send } from "../../support/client.ts"
import type { UserId } from "../../../domain/ids/Ids.ts"

const id = "00000000-0000-0000-0000-000000000000"

let app: TestApp
let apiKey: string
let userId: UserId
beforeAll(async () => {
  app = await startApp()
  ;({ apiKey, userId } = await app.newUser())
})
afterAll(() => app.close())

/** The window's name, its quota and what is left of it. */
const window = ({ headers }: Response) => {
  const [, name, quota] = /^"(\w+)";q=(\d+)/.exec(headers.get("ratelimit-policy") ?? "") ?? []
  return [name, Number(quota), Number(headers.get("x-ratelimit-remaining"))] as const
}

describe("windows", () => {
  it("administration has 60 an hour of its own, apart from analyses", async () => {
    const changes: ReadonlyArray<readonly [string, string]> = [
      ["POST", "/api/v1/organizations"],
      ["POST", `/api/v1/organizations/${id}/members`],
      ["DELETE", `/api/v1/organizations/${id}/members/${id}`],
      ["POST", "/api/v1/api-keys"],
      ["POST", `/api/v1/api-keys/${id}/rotate`],
      ["DELETE", `/api/v1/api-keys/${id}`],
      ["POST", "/api/v1/settings/webhook-secret"],
      ["POST", `/api/v1/analysis/${id}/deliveries/${id}/redeliver`],
    ]
    for (const [index, [method, path]] of changes.entries()) {
      expect(window(await send(app, method, path, apiKey))).toEqual(["administration", 60, 59 - index])
    }
    expect(window(await create(app, apiKey, { repositoryUrl }))).toEqual(["create", 60, 59])
    expect(window(await send(app, "POST", `/api/v1/analysis/${id}/retry`, apiKey))).toEqual(["create", 60, 58])
  })

  it("a browser's session reads in a window of its own", async () => {
    const own = await app.newUser("basic")
    const secret = await app.run(openSession(own.userId, undefined))
    const cookie = { cookie: `assay_session=${secret}` }
    expect(window(await get(app, "/api/v1/analysis", undefined, cookie))).toEqual(["session", 1500, 1499])
    expect(window(await get(app, "/api/v1/analysis", own.apiKey, cookie))).toEqual(["read", 100, 99])
    expect(window(await get(app, "/nope", undefined, cookie))).toEqual(["session", 1500, 1498])
  })

  it("an unknown route counts for the key that asks, and for the address without a valid one", async () => {
    const own = await app.newUser("basic")
    const [, , before] = window(await get(app, "/nope"))
    expect(window(await get(app, "/nope", own.apiKey))).toEqual(["read", 100, 99])
    expect(window(await send(app, "PATCH", "/health", own.apiKey))).toEqual(["read", 100, 98])
    expect(window(await get(app, "/nope"))).toEqual(["public", 600, before - 1])
  })

  it("guessing keys at unknown routes counts as guessing them anywhere", async () => {
    const own = await startApp()
    const guess = () => get(own, "/nope", `x.${crypto.randomUUID()}.y`)
    for (let i = 0; i < 30; i++) expect(window(await guess())[0]).toBe("authentication")
    await expectError(await guess(), "RATE_LIMIT_EXCEEDED")
    await own.close()
  })

  it("a key beyond its window is told so at unknown routes, too", async () => {
    const own = await app.newUser("basic")
    for (let i = 0; i < 100; i++) await get(app, "/nope", own.apiKey)
    await expectError(await get(app, "/nope", own.apiKey), "RATE_LIMIT_EXCEEDED")
    expect(own.userId).not.toBe(userId)
  })
})

describe("a failure of ours", () => {
  it("is charged to nobody: neither to the address before it is known who asks, nor to the caller after", async () => {
    let down = false
    const gone = new StoreUnavailable({ cause: "away" })
    const own = await startApp({
      wrapStore: (store) => ({
        ...store,
        list: (...asked) => (down ? Effect.fail(gone) : store.list(...asked)),
        find: (...asked) => (down ? Effect.die(new Error("a defect")) : store.find(...asked)),
      }),
      failLookups: () => (down ? gone : undefined),
    })
    const [known, unknown] = [await own.newUser("basic"), await own.newUser("basic")]
    expect(window(await get(own, "/api/v1/analysis", known.apiKey))).toEqual(["read", 100, 99])
    const [, , left] = window(await get(own, "/api/v1/rules"))

    down = true
    for (let i = 0; i < 5; i++) {
      const early = await get(own, "/api/v1/analysis", unknown.apiKey)
      expect(window(early)).toEqual(["public", 600, left])
      await expectError(early, "SERVICE_UNAVAILABLE")
      const late = await get(own, "/api/v1/analysis", known.apiKey)
      expect(window(late)).toEqual(["read", 100, 99])
      await expectError(late, "SERVICE_UNAVAILABLE")
      const broken = await get(own, `/api/v1/analysis/${id}/result`, known.apiKey)
      expect(window(broken)).toEqual(["read", 100, 99])
      await expectError(broken, "INTERNAL_ERROR")
    }

    down = false
    expect(window(await get(own, "/api/v1/analysis", known.apiKey))).toEqual(["read", 100, 98])
    expect(window(await get(own, "/api/v1/rules"))).toEqual(["public", 600, left - 1])
    await own.close()
  })
})

describe("health", () => {
  it("shows the window and waits for nothing while the shared counts hang", async () => {
    const hanging = Layer.effect(
      RateLimiter,
      Effect.map(RateLimiter, (limiter) => ({
        ...limiter,
        consume: () => Effect.never,
        peek: () => Effect.never,
        giveBack: () => Effect.never,
      })),
    ).pipe(Layer.provide(memoryRateLimiter()))
    const own = await startApp({ limiter: hanging })
    expect(window(await get(own, "/health"))).toEqual(["public", 600, 599])
    expect(window(await get(own, "/health"))).toEqual(["public", 600, 598])
    await own.close()
  })
})
