import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { WorkerId } from "../../../domain/ids/Ids.ts"
import { DeliveryStore } from "../../../application/ports/notification/DeliveryStore.ts"
import type { Verdict } from "../../../domain/notification/RetrySchedule.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { create, expectError, get, repositoryUrl, send } from "../../support/client.ts"
import { documented, validator } from "../../support/openApi.ts"

let app: TestApp
beforeAll(async () => {
  app = await startApp({ unlimited: true })
})
afterAll(() => app.close())

const webhookUrl = "https://hooks.example.com/assay?x=1"
const secretPath = "/api/v1/settings/webhook-secret"
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

interface Delivery {
  readonly deliveryId: string
  readonly status: string
  readonly attempts: ReadonlyArray<object>
}

const submit = async (apiKey: string, url: string | undefined = webhookUrl): Promise<string> => {
  const response = await create(app, apiKey, { repositoryUrl, ...(url === "" ? {} : { webhookUrl: url }) })
  expect(response.status).toBe(201)
  const { analysisId } = (await response.json()) as { readonly analysisId: string } // as its contract says
  return analysisId
}

const list = async (apiKey: string, analysisId: string): Promise<ReadonlyArray<Delivery>> => {
  const response = await get(app, `/api/v1/analysis/${analysisId}/deliveries`, apiKey)
  expect(response.status).toBe(200)
  return (await response.json()) as ReadonlyArray<Delivery> // compared below
}

const redeliver = (apiKey: string, analysisId: string, deliveryId: string) =>
  send(app, "POST", `/api/v1/analysis/${analysisId}/deliveries/${deliveryId}/redeliver`, apiKey)

/** Claims the delivery that is due, as a worker does. */
const claim = () =>
  app.run(
    DeliveryStore.use((store) => Effect.map(store.claim(WorkerId.make("test"), []), (job) => Option.getOrThrow(job))),
  )

const attempt = async (verdict: Verdict, statusCode: number | undefined, error?: string) => {
  const job = await claim()
  await app.run(DeliveryStore.use((store) => store.record(job, { duration: 31, statusCode, error }, verdict)))
}

describe("deliveries", () => {
  it("are none until an analysis ends, then one per end, with its attempts", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await submit(apiKey)
    expect(await list(apiKey, analysisId)).toEqual([])
    await app.completeNext()
    const pending = {
      deliveryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "analysis.completed",
      status: "pending",
      url: webhookUrl,
      createdAt: timestamp,
      nextAttemptAt: timestamp,
      attempts: [],
    }
    expect(await list(apiKey, analysisId)).toEqual([pending])
    await attempt({ outcome: "retried", delay: Duration.seconds(5) }, undefined, "The connection was refused.")
    expect((await redeliver(apiKey, analysisId, (await list(apiKey, analysisId))[0]!.deliveryId)).status).toBe(202)
    await attempt({ outcome: "delivered" }, 204)
    const { nextAttemptAt: _, ...over } = pending
    expect(await list(apiKey, analysisId)).toEqual([
      {
        ...over,
        status: "delivered",
        attempts: [
          { number: 2, startedAt: timestamp, duration: 31, statusCode: 204 },
          { number: 1, startedAt: timestamp, duration: 31, error: "The connection was refused." },
        ],
      },
    ])
  })

  it("report a failed analysis", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await submit(apiKey)
    await app.failNext()
    expect(await list(apiKey, analysisId)).toMatchObject([{ type: "analysis.failed", status: "pending" }])
    await attempt({ outcome: "given_up" }, 410)
    expect(await list(apiKey, analysisId)).toMatchObject([{ status: "failed", attempts: [{ statusCode: 410 }] }])
  })

  it("do not exist without a webhookUrl", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await submit(apiKey, "")
    await app.completeNext()
    expect(await list(apiKey, analysisId)).toEqual([])
  })

  it("are deleted with their analysis", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await submit(apiKey)
    await app.completeNext()
    const [delivery] = await list(apiKey, analysisId)
    expect((await send(app, "DELETE", `/api/v1/analysis/${analysisId}`, apiKey)).status).toBe(204)
    await expectError(await get(app, `/api/v1/analysis/${analysisId}/deliveries`, apiKey), "NOT_FOUND")
    await expectError(await redeliver(apiKey, analysisId, delivery!.deliveryId), "NOT_FOUND")
    expect(await app.run(DeliveryStore.use((store) => store.claim(WorkerId.make("test"), [])))).toEqual(Option.none())
  })
})

describe("the OpenAPI document", () => {
  it("describes what receivers are sent", async () => {
    const { apiKey } = await app.newUser()
    const schema = documented("webhooks", "notification", "post", "requestBody", "content", "application/json")[
      "schema"
    ]
    const validate = validator(schema)
    for (const end of [app.completeNext, app.failNext]) {
      await submit(apiKey)
      await end()
      const { payload } = await claim()
      validate(JSON.parse(payload))
      expect(validate.errors).toBeNull()
    }
    validate({ type: "analysis.completed" })
    expect(validate.errors).not.toBeNull()
  })
})

describe("a redelivery", () => {
  it("makes a finished delivery due again; a second click, or one in progress, changes nothing", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await submit(apiKey)
    await app.completeNext()
    await attempt({ outcome: "given_up" }, 500)
    const [delivery] = await list(apiKey, analysisId)
    const again = async () => {
      const response = await redeliver(apiKey, analysisId, delivery!.deliveryId)
      expect(response.status).toBe(202)
      return (await response.json()) as Delivery // compared below
    }
    const clicks = await Promise.all([again(), again(), again()])
    for (const click of clicks) {
      expect(click).toMatchObject({ deliveryId: delivery!.deliveryId, status: "pending", attempts: [{ number: 1 }] })
    }
    const job = await claim()
    expect(job).toMatchObject({ deliveryId: delivery!.deliveryId, attempt: 1 })
    expect(await again()).toMatchObject({ status: "sending" })
    await app.run(
      DeliveryStore.use((store) =>
        store.record(job, { duration: 1, statusCode: 200, error: undefined }, { outcome: "delivered" }),
      ),
    )
    expect(await app.run(DeliveryStore.use((store) => store.claim(WorkerId.make("test"), [])))).toEqual(Option.none())
    expect((await list(apiKey, analysisId))[0]!.attempts).toHaveLength(2)
  })

  it("is 404 for another user, another analysis's delivery or a missing one, and 400 for an invalid id", async () => {
    const [ada, bob] = [await app.newUser(), await app.newUser()]
    const hers = await submit(ada.apiKey)
    await app.completeNext()
    await attempt({ outcome: "delivered" }, 200)
    const other = await submit(ada.apiKey, "")
    const [delivery] = await list(ada.apiKey, hers)
    const { deliveryId } = delivery!
    await expectError(await redeliver(bob.apiKey, hers, deliveryId), "NOT_FOUND")
    await expectError(await get(app, `/api/v1/analysis/${hers}/deliveries`, bob.apiKey), "NOT_FOUND")
    await expectError(await redeliver(ada.apiKey, other, deliveryId), "NOT_FOUND")
    await expectError(await redeliver(ada.apiKey, hers, crypto.randomUUID()), "NOT_FOUND")
    await expectError(await redeliver(ada.apiKey, hers, "x"), "VALIDATION_ERROR")
    expect((await list(ada.apiKey, hers))[0]!.status).toBe("delivered")
    await app.failNext()
  })

  it("needs the write scope; the list needs the read scope", async () => {
    const { userId, apiKey } = await app.newUser()
    const analysisId = await submit(apiKey)
    await app.completeNext()
    await attempt({ outcome: "delivered" }, 200)
    const [delivery] = await list(apiKey, analysisId)
    const reader = await app.newKey(userId, ["analysis:read"])
    expect(await list(reader, analysisId)).toHaveLength(1)
    await expectError(await redeliver(reader, analysisId, delivery!.deliveryId), "FORBIDDEN")
  })
})

describe("the webhook secret", () => {
  const settings = async (apiKey: string) => (await get(app, secretPath, apiKey)).json()

  it("is shown once, on creation, and its predecessor signs for another 24 hours", async () => {
    const { apiKey } = await app.newUser()
    expect(await settings(apiKey)).toEqual({ configured: false })
    const first = await send(app, "POST", secretPath, apiKey)
    expect(first.status).toBe(201)
    expect(first.headers.get("cache-control")).toBe("no-store")
    const made = (await first.json()) as { readonly secret: string } // compared next
    expect(made).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      configured: true,
      createdAt: timestamp,
    })
    expect(await settings(apiKey)).toEqual({ configured: true, createdAt: timestamp })
    const second = (await (await send(app, "POST", secretPath, apiKey)).json()) as typeof made & {
      readonly previousValidUntil: string
    } // compared next
    expect(second.secret).not.toBe(made.secret)
    expect(Date.parse(second.previousValidUntil) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    const shown = JSON.stringify(await settings(apiKey))
    expect(shown).not.toContain("whsec_")
    expect(shown).toContain(second.previousValidUntil)
  })

  it("is separate for each user", async () => {
    const [ada, bob] = [await app.newUser(), await app.newUser()]
    await send(app, "POST", secretPath, ada.apiKey)
    expect(await settings(bob.apiKey)).toEqual({ configured: false })
  })

  it("requires credentials with every scope", async () => {
    const { userId } = await app.newUser()
    const key = await app.newKey(userId, ["analysis:read", "analysis:write"])
    await expectError(await send(app, "POST", secretPath, key), "FORBIDDEN")
    expect(await settings(key)).toEqual({ configured: false })
  })

  it("never appears in the log", async () => {
    const { apiKey } = await app.newUser()
    const { secret } = (await (await send(app, "POST", secretPath, apiKey)).json()) as { readonly secret: string } // above
    expect(JSON.stringify(app.logLines())).not.toContain(secret.slice(6, 20))
  })
})
