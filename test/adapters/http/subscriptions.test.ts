import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as StripeBilling from "../../../adapters/stripe/StripeBilling.ts"
import { Organizations } from "../../../application/ports/identity/Organizations.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { bearer, create, expectError, get, repositoryUrl, send } from "../../support/client.ts"
import { type FakeStripe, signed, startFakeStripe, type StripeEvent } from "../../support/fakeStripe.ts"
import type { OrganizationId, AnalysisId } from "../../../domain/ids/Ids.ts"

let stripe: FakeStripe
let app: TestApp
beforeAll(async () => {
  stripe = await startFakeStripe()
  app = await startApp({
    accounts: {
      billing: StripeBilling.layer({
        secretKey: Redacted.make("sk_test_secret"),
        webhookSecret: Redacted.make(stripe.webhookSecret),
        pricePro: stripe.price,
        apiBase: stripe.url,
        publicUrl: "https://assay.example",
        trial: Duration.zero,
      }),
    },
  })
})
afterAll(async () => {
  await app.close()
  stripe.close()
})

const checkout = (apiKey: string, body: unknown = { planId: "pro" }) =>
  fetch(`${app.url}/api/subscriptions/checkout`, {
    method: "POST",
    headers: { ...bearer(apiKey), "content-type": "application/json" },
    body: JSON.stringify(body),
  })
const deliver = (event: StripeEvent, change: Partial<ReturnType<typeof signed>> = {}) => {
  const { body, signature } = { ...signed(event), ...change }
  return fetch(`${app.url}/api/subscriptions/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
    body,
  })
}
const statusOf = async (apiKey: string) => (await get(app, "/api/subscriptions/status", apiKey)).json()

describe("plans", () => {
  it("are basic and pro as the interface has them", async () => {
    const { apiKey } = await app.newUser("basic")
    const response = await get(app, "/api/subscriptions/plans", apiKey)
    const plans = await response.json()
    expect(plans).toEqual([
      { id: "basic", name: "Basic", monthlyAnalyses: 10, features: expect.any(Array) },
      { id: "pro", name: "Pro", monthlyAnalyses: 60, features: expect.any(Array) },
    ])
    expect(JSON.stringify(plans)).toContain("SARIF")
  })

  it("and the status are read in the window of reads; checkout and portal have 20 an hour of their own", async () => {
    const { apiKey } = await app.newUser("basic")
    const limits = async (response: Response) =>
      ["x-ratelimit-limit", "x-ratelimit-remaining"].map((name) => response.headers.get(name))
    expect(await limits(await get(app, "/api/subscriptions/plans", apiKey))).toEqual(["100", "99"])
    expect(await limits(await get(app, "/api/subscriptions/status", apiKey))).toEqual(["100", "98"])
    expect(await limits(await checkout(apiKey, {}))).toEqual(["20", "19"])
    const portal = await fetch(`${app.url}/api/subscriptions/portal`, { method: "POST", headers: bearer(apiKey) })
    expect(await limits(portal)).toEqual(["20", "18"])
  })
})

describe("a subscription over HTTP", () => {
  it("goes from basic over the payment page to pro, and SARIF with it", async () => {
    const { apiKey } = await app.newUser("basic")
    expect(await statusOf(apiKey)).toEqual({
      tier: "basic",
      status: "active",
      currentPeriodEnd: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
      monthlyAnalysesUsed: 0,
      monthlyAnalysesLimit: 10,
    })
    const { analysisId } = (await (await create(app, apiKey, { repositoryUrl })).json()) as { analysisId: AnalysisId }
    await app.completeNext()
    const sarif = `/api/v1/analysis/${analysisId}/export?format=sarif`
    await expectError(await get(app, sarif, apiKey), "SUBSCRIPTION_REQUIRED")

    const response = await checkout(apiKey)
    expect(await response.json()).toEqual({ checkoutUrl: stripe.lastCheckout().url })
    const page = stripe.lastCheckout()
    const subscription = stripe.pay(page)
    const event = stripe.event("checkout.session.completed", { ...page, subscription: subscription.id })
    const received = await deliver(event)
    expect([received.status, await received.json()]).toEqual([200, { received: true }])

    expect(await statusOf(apiKey)).toEqual({
      tier: "pro",
      status: "active",
      currentPeriodEnd: new Date(subscription.items.data[0]!.current_period_end * 1000).toISOString(),
      monthlyAnalysesUsed: 0,
      monthlyAnalysesLimit: 60,
    })
    expect((await get(app, sarif, apiKey)).status).toBe(200)
    expect((await get(app, "/api/v1/analysis", apiKey)).headers.get("x-ratelimit-limit")).toBe("1000")
    await expectError(await checkout(apiKey), "INVALID_STATE")
    const portal = await send(app, "POST", "/api/subscriptions/portal", apiKey)
    expect(await portal.json()).toEqual({ portalUrl: expect.stringMatching(/^https:\/\/billing\.stripe\.example\//) })

    subscription.status = "canceled"
    await deliver(stripe.event("customer.subscription.deleted", subscription))
    expect(await statusOf(apiKey)).toMatchObject({
      tier: "basic",
      status: "active",
      lastStatus: "canceled",
      monthlyAnalysesUsed: 1,
    })
  })

  it.each([{}, { planId: "" }, { planId: "basic" }, { planId: "gold" }, { planId: 1 }, { planId: "pro", tier: "pro" }])(
    "is refused for %j",
    async (body) => {
      const { apiKey } = await app.newUser("basic")
      await expectError(await checkout(apiKey, body), "VALIDATION_ERROR")
    },
  )

  it("returns to no address of the caller's", async () => {
    const { apiKey } = await app.newUser("basic")
    for (const extra of [{ successUrl: "https://evil.example" }, { success_url: "https://evil.example" }]) {
      await expectError(await checkout(apiKey, { planId: "pro", ...extra }), "VALIDATION_ERROR")
    }
    const response = await fetch(`${app.url}/api/subscriptions/checkout?success_url=https://evil.example`, {
      method: "POST",
      headers: {
        ...bearer(apiKey),
        "content-type": "application/json",
        host: "evil.example",
        origin: "https://evil.example",
      },
      body: JSON.stringify({ planId: "pro" }),
    })
    expect(response.status).toBe(200)
    expect(JSON.stringify(stripe.requests.at(-1))).not.toContain("evil.example")
  })

  it("is for the owner alone to change, and for every member to see", async () => {
    const [owner, member] = [await app.newUser("basic"), await app.newUser("basic")]
    await app.run(
      Organizations.use(function (organizations) {
        return organizations.create(owner.userId, "Example", 3)
      }),
    )
    const me = (await (await get(app, "/api/v1/me", owner.apiKey)).json()) as {
      organization: { organizationId: OrganizationId }
    }
    const { organizationId } = me.organization
    await app.run(Organizations.use((organizations) => organizations.addMember(organizationId, member.userId)))
    expect(await statusOf(member.apiKey)).toMatchObject({ tier: "pro", monthlyAnalysesLimit: 180 })
    await expectError(await checkout(member.apiKey), "FORBIDDEN")
    await expectError(await send(app, "POST", "/api/subscriptions/portal", member.apiKey), "FORBIDDEN")
  })

  it("is 503 BILLING_UNAVAILABLE while Stripe is down, and pays nothing twice afterwards", async () => {
    const { apiKey } = await app.newUser("basic")
    stripe.control.down = true
    const down = await checkout(apiKey)
    expect(down.headers.get("retry-after")).toBe("30")
    await expectError(down, "BILLING_UNAVAILABLE")
    stripe.control.down = false
    expect((await checkout(apiKey)).status).toBe(200)
  })
})

describe("Stripe's events over HTTP", () => {
  it("need Stripe's signature over the very bytes", async () => {
    const event = stripe.event("invoice.paid", { object: "invoice", customer: "cus_1" })
    const genuine = signed(event)
    const pretty = JSON.stringify(JSON.parse(genuine.body), null, 2)
    for (const change of [
      { signature: "" },
      { signature: "t=1,v1=00" },
      { body: pretty },
      signed(event, "whsec_other"),
      signed(event, stripe.webhookSecret, new Date(Date.now() - 365 * 86_400_000)),
    ]) {
      const refused = await expectError(await deliver(event, change), "VALIDATION_ERROR")
      expect(JSON.stringify(refused)).not.toContain(stripe.webhookSecret)
    }
    expect((await deliver(event)).status).toBe(200)
    expect((await deliver(event)).status).toBe(200)
  })

  it("of 1 MB and more, or of what is not an event, are refused", async () => {
    const huge = stripe.event("invoice.paid", { padding: "x".repeat(1_100_000) })
    await expectError(await deliver(huge), "PAYLOAD_TOO_LARGE")
    for (const body of ["", "null", "[]", "{}", "{", "\u0000"]) {
      const { signature } = signed(body as unknown as StripeEvent) // signs the JSON of it, so that none fits
      await expectError(
        await fetch(`${app.url}/api/subscriptions/webhook`, {
          method: "POST",
          headers: { "stripe-signature": signature },
          body,
        }),
        "VALIDATION_ERROR",
      )
    }
  })
})

describe("without Stripe", () => {
  it("plans and status work, checkout and portal are 503", async () => {
    const own = await startApp()
    const { apiKey } = await own.newUser("basic")
    expect((await get(own, "/api/subscriptions/plans", apiKey)).status).toBe(200)
    expect((await get(own, "/api/subscriptions/status", apiKey)).status).toBe(200)
    const request = { method: "POST", headers: { ...bearer(apiKey), "content-type": "application/json" } }
    const asked = await fetch(`${own.url}/api/subscriptions/checkout`, { ...request, body: `{"planId":"pro"}` })
    await expectError(asked, "BILLING_UNAVAILABLE")
    await expectError(await send(own, "POST", "/api/subscriptions/portal", apiKey), "BILLING_UNAVAILABLE")
    await own.close()
  })
})
