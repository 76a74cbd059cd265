import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as StripeBilling from "../../../adapters/stripe/StripeBilling.ts"
import { Billing } from "../../../application/ports/billing/Billing.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { get, send } from "../../support/client.ts"
import { embeddedDatabase, postgresDatabase } from "../../support/databases.ts"
import { type FakeStripe, signed, startFakeStripe } from "../../support/fakeStripe.ts"
import { type PostgresServer, startPostgres } from "../../support/postgresServer.ts"
import { CustomerId } from "../../../domain/ids/Ids.ts"

let stripe: FakeStripe
let server: PostgresServer | undefined
const apps: Array<TestApp> = []
beforeAll(async () => {
  stripe = await startFakeStripe()
  server = await startPostgres()
})
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()))
  stripe.close()
  await server?.stop()
})

const billing = () =>
  StripeBilling.layer({
    secretKey: Redacted.make("sk_test_secret"),
    webhookSecret: Redacted.make(stripe.webhookSecret),
    pricePro: stripe.price,
    apiBase: stripe.url,
    publicUrl: "https://assay.example",
    trial: Duration.zero,
  })

const start = async (): Promise<TestApp> => {
  const database = server === undefined ? embeddedDatabase : postgresDatabase(server)
  const app = await startApp({ accounts: { billing: billing() }, database })
  apps.push(app)
  return app
}

/** Holds back Stripe's responses while `meanwhile` runs, once `count` more requests have reached it. */
const whileStripeHangs = async <A>(count: number, meanwhile: () => Promise<A>): Promise<A> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const before = stripe.requests.length
  stripe.control.until = promise
  try {
    while (stripe.requests.length < before + count) await new Promise(setImmediate)
    return await meanwhile()
  } finally {
    stripe.control.until = undefined
    resolve()
  }
}

const idleInTransaction = (app: TestApp) =>
  app.run(
    SqlClient.use(
      (sql) => sql<{ state: string; query: string }>`
        SELECT state, query FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    ),
  )

describe("while Stripe does not respond", () => {
  it("no transaction is open, and other requests are served", async () => {
    const app = await start()
    const [payer, other] = [await app.newUser("basic"), await app.newUser("basic")]
    const portals = Promise.all(
      Array.from({ length: 19 }, () => send(app, "POST", "/api/subscriptions/portal", payer.apiKey)),
    )
    const [open, status] = await whileStripeHangs(19, async () => [
      await idleInTransaction(app),
      await get(app, "/api/subscriptions/status", other.apiKey),
    ])
    expect(open).toEqual([])
    expect(status.status).toBe(200)
    expect((await portals).map((response) => response.status)).toEqual(Array.from({ length: 19 }, () => 200))
    expect(stripe.customers.size).toBe(1)
  })

  it("neither a checkout nor an event holds a transaction", async () => {
    const app = await start()
    const { apiKey } = await app.newUser("basic")
    const checkout = () =>
      fetch(`${app.url}/api/subscriptions/checkout`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ planId: "pro" }),
      })
    const first = Promise.all([checkout(), checkout()])
    expect(await whileStripeHangs(2, () => idleInTransaction(app))).toEqual([])
    const answers = await Promise.all((await first).map((response) => response.json()))
    expect(answers).toEqual(Array.from({ length: 2 }, () => ({ checkoutUrl: stripe.lastCheckout().url })))

    const page = stripe.lastCheckout()
    const subscription = stripe.pay(page)
    const { body, signature } = signed(
      stripe.event("checkout.session.completed", { ...page, subscription: subscription.id }),
    )
    const delivered = fetch(`${app.url}/api/subscriptions/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": signature },
      body,
    })
    expect(await whileStripeHangs(1, () => idleInTransaction(app))).toEqual([])
    expect((await delivered).status).toBe(200)
    expect(await (await get(app, "/api/subscriptions/status", apiKey)).json()).toMatchObject({ tier: "pro" })
  })
})

describe("inside a transaction", () => {
  it("Stripe cannot be called at all", async () => {
    const app = await start()
    const before = stripe.requests.length
    const exit = await app.run(
      Effect.exit(
        Effect.flatMap(SqlClient, (sql) =>
          sql.withTransaction(Billing.use((billing) => billing.createPortal(CustomerId.make("cus_1")))),
        ),
      ),
    )
    expect(Exit.isFailure(exit) && exit.cause.reasons.map(({ _tag }) => _tag)).toEqual(["Die"])
    expect(stripe.requests.length).toBe(before)
  })
})
