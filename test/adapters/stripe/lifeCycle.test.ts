import { assert } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, afterEach } from "vitest"
import { WorkerId } from "../../../domain/ids/Ids.ts"
import * as SqlBillingAccounts from "../../../adapters/sql/billing/SqlBillingAccounts.ts"
import * as SqlOrganizations from "../../../adapters/sql/identity/SqlOrganizations.ts"
import { AnalysisQueue } from "../../../application/ports/analysis/AnalysisQueue.ts"
import * as SqlAnalysisQueue from "../../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import * as StripeBilling from "../../../adapters/stripe/StripeBilling.ts"
import { getSubscription } from "../../../application/billing/getSubscription.ts"
import { openPortal } from "../../../application/billing/openPortal.ts"
import { receiveEvent } from "../../../application/billing/receiveEvent.ts"
import { startCheckout } from "../../../application/billing/startCheckout.ts"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { Organizations } from "../../../application/ports/identity/Organizations.ts"
import type { Caller } from "../../../domain/identity/Caller.ts"
import type { PlanId } from "../../../domain/plan/Plan.ts"
import { onBothDatabases } from "../../support/bothDatabases.ts"
import {
  type FakeSubscription,
  invoiceOf,
  signed,
  startFakeStripe,
  type StripeEvent,
} from "../../support/fakeStripe.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const stripe = await startFakeStripe()
afterAll(stripe.close)
afterEach(() => {
  stripe.control.down = false
})

const settings = {
  secretKey: Redacted.make("sk_test_secret"),
  webhookSecret: Redacted.make(stripe.webhookSecret),
  pricePro: stripe.price,
  apiBase: stripe.url,
  publicUrl: "https://assay.example",
  trial: Duration.zero,
}
const services = Layer.mergeAll(
  StripeBilling.layer(settings),
  SqlBillingAccounts.layer,
  SqlAccounts.layer,
  SqlAnalysisStore.layer,
  SqlAnalysisQueue.layer,
  SqlOrganizations.layer,
)

let serial = 0
const newUser = (plan: PlanId = "basic") =>
  Effect.map(
    Accounts.use((accounts) => accounts.createUser(`payer-${++serial}@example.com`, plan)),
    (userId): Caller => ({ userId, plan, organizationId: undefined, scopes: [] }),
  )
const deliver = (event: StripeEvent, change: Partial<ReturnType<typeof signed>> = {}) => {
  const { body, signature } = { ...signed(event), ...change }
  return receiveEvent(new TextEncoder().encode(body), signature)
}
const status = getSubscription
const analyze = ({ userId }: Caller, count = 1) =>
  AnalysisStore.use((store) =>
    Effect.forEach(Array.from({ length: count }), () =>
      store.create(
        {
          userId,
          repositoryUrl: RepositoryUrl.make("https://github.com/example/vault"),
          branch: undefined,
          framework: "auto",
          analysisType: "full",
          webhookUrl: undefined,
        },
        undefined,
      ),
    ),
  )
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

/** A subscriber right after the first payment. */
const subscribe = Effect.fnUntraced(function* (caller: Caller, seats?: number, start?: Date) {
  yield* startCheckout(caller, "pro")
  const checkout = stripe.lastCheckout()
  const subscription = stripe.pay(checkout, start, seats)
  yield* deliver(stripe.event("checkout.session.completed", { ...checkout, subscription: subscription.id }))
  return subscription
})
const updated = (subscription: FakeSubscription) => deliver(stripe.event("customer.subscription.updated", subscription))
const day = 86_400_000
const ago = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - days * day)

const permutations = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

await onBothDatabases("billing", services, {
  "a user who never subscribed is active on basic until the end of the calendar month": Effect.gen(function* () {
    const now = new Date()
    assert.deepEqual(yield* status(yield* newUser()), {
      tier: "basic",
      status: "active",
      currentPeriodEnd: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
      monthlyAnalysesUsed: 0,
      monthlyAnalysesLimit: 10,
    })
  }),

  "a payment grants pro with the billing period's quota, whatever was used for free that month": Effect.gen(
    function* () {
      const caller = yield* newUser()
      yield* analyze(caller, 10)
      assert.strictEqual(yield* tagOf(analyze(caller)), "QuotaExceeded")
      const subscription = yield* subscribe(caller)
      assert.deepEqual(yield* status(caller), {
        tier: "pro",
        status: "active",
        currentPeriodEnd: new Date(subscription.items.data[0]!.current_period_end * 1000),
        monthlyAnalysesUsed: 0,
        monthlyAnalysesLimit: 60,
      })
      yield* analyze(caller, 60)
      assert.strictEqual(yield* tagOf(analyze(caller)), "QuotaExceeded")
    },
  ),

  "repeatedly subscribing and canceling resets neither the month nor the period": Effect.gen(function* () {
    const caller = yield* newUser()
    yield* analyze(caller, 10)
    for (const round of [1, 2, 3]) {
      const subscription = yield* subscribe(caller)
      assert.deepInclude(yield* status(caller), { tier: "pro", monthlyAnalysesUsed: round === 1 ? 0 : 70 })
      if (round === 1) yield* analyze(caller, 60)
      assert.strictEqual(yield* tagOf(analyze(caller)), "QuotaExceeded")
      subscription.status = "canceled"
      yield* deliver(stripe.event("customer.subscription.deleted", subscription))
      assert.deepInclude(yield* status(caller), { tier: "basic", monthlyAnalysesUsed: 70, monthlyAnalysesLimit: 10 })
      assert.strictEqual(yield* tagOf(analyze(caller)), "QuotaExceeded")
    }
  }),

  "a scan that fails after a plan change is still refunded": Effect.gen(function* () {
    const queue = yield* AnalysisQueue
    const caller = yield* newUser()
    yield* analyze(caller, 2)
    const subscription = yield* subscribe(caller)
    yield* analyze(caller, 1)
    subscription.status = "canceled"
    yield* deliver(stripe.event("customer.subscription.deleted", subscription))
    assert.strictEqual((yield* status(caller)).monthlyAnalysesUsed, 3)
    for (const used of [2, 1, 0]) {
      const job = Option.getOrThrow(yield* queue.claim(WorkerId.make("worker")))
      yield* queue.fail(job, { stage: "compilation", message: "nothing parses" }, false)
      assert.strictEqual((yield* status(caller)).monthlyAnalysesUsed, used)
    }
  }),

  "a checkout has the price, the customer, and the configured return addresses": Effect.gen(function* () {
    const caller = yield* newUser()
    const before = stripe.requests.length
    const url = yield* startCheckout(caller, "pro")
    assert.strictEqual(url, stripe.lastCheckout().url)
    const [customer, checkout] = stripe.requests.slice(before)
    assert.strictEqual(customer?.parameters["metadata[assay_pool]"], caller.userId)
    assert.deepInclude(checkout?.parameters, {
      mode: "subscription",
      customer: stripe.lastCheckout().customer,
      client_reference_id: caller.userId,
      "line_items[0][price]": stripe.price,
      "line_items[0][quantity]": "1",
      success_url: "https://assay.example/settings/billing?checkout=success",
      cancel_url: "https://assay.example/settings/billing?checkout=canceled",
    })
    for (const request of [customer, checkout]) {
      assert.strictEqual(request?.headers["stripe-version"], "2026-10-28.endive")
      assert.isString(request?.headers["idempotency-key"])
      assert.strictEqual(request?.headers.authorization, "Bearer sk_test_secret")
    }
  }),

  "two simultaneous checkouts share one page and one customer": Effect.gen(function* () {
    const caller = yield* newUser()
    const customers = stripe.customers.size
    const urls = yield* Effect.all(
      Array.from({ length: 5 }, () => startCheckout(caller, "pro")),
      { concurrency: "unbounded" },
    )
    assert.strictEqual(new Set(urls).size, 1)
    assert.strictEqual(stripe.customers.size, customers + 1)
  }),

  "a checkout that our database lost in a crash is recreated as the same one": Effect.gen(function* () {
    const caller = yield* newUser()
    const sql = yield* SqlClient
    const url = yield* startCheckout(caller, "pro")
    yield* sql`UPDATE billing_accounts SET customer_id = NULL, checkout_id = NULL, requests = 0`
    assert.strictEqual(yield* startCheckout(caller, "pro"), url)
  }),

  "an expired page is replaced, a paid one is not": Effect.gen(function* () {
    const caller = yield* newUser()
    const first = yield* startCheckout(caller, "pro")
    stripe.lastCheckout().status = "expired"
    const second = yield* startCheckout(caller, "pro")
    assert.notStrictEqual(second, first)
    stripe.pay(stripe.lastCheckout())
    assert.strictEqual(yield* tagOf(startCheckout(caller, "pro")), "AlreadySubscribed")
  }),

  "a subscriber cannot subscribe twice; basic and unknown plans are not for sale": Effect.gen(function* () {
    const caller = yield* newUser()
    for (const plan of ["basic", "gold", ""]) {
      assert.strictEqual(yield* tagOf(startCheckout(caller, plan)), "InvalidInput")
    }
    yield* subscribe(caller)
    assert.strictEqual(yield* tagOf(startCheckout(caller, "pro")), "AlreadySubscribed")
  }),

  "the portal opens for the customer, who is created if necessary": Effect.gen(function* () {
    const caller = yield* newUser()
    assert.match(yield* openPortal(caller), /^https:\/\/billing\.stripe\.example\//)
    const customers = stripe.customers.size
    yield* openPortal(caller)
    assert.strictEqual(stripe.customers.size, customers)
    assert.strictEqual(stripe.requests.at(-1)?.parameters["return_url"], "https://assay.example/settings/billing")
  }),

  "a trial is pro and granted once; paying afterwards starts a period": Effect.gen(function* () {
    const caller = yield* newUser()
    const withTrial = Effect.provide(
      startCheckout(caller, "pro"),
      StripeBilling.layer({ ...settings, trial: Duration.days(14) }),
    )
    yield* withTrial
    const subscription = stripe.pay(stripe.lastCheckout(), ago(3))
    yield* updated(subscription)
    assert.deepInclude(yield* status(caller), { tier: "pro", status: "trialing", monthlyAnalysesLimit: 60 })
    yield* analyze(caller, 2)
    const item = subscription.items.data[0]!
    Object.assign(subscription, { status: "active" })
    Object.assign(item, {
      current_period_start: Math.floor(Date.now() / 1000) - 60,
      current_period_end: Math.floor(Date.now() / 1000) + 30 * 86_400,
    })
    yield* updated(subscription)
    assert.deepInclude(yield* status(caller), { tier: "pro", status: "active", monthlyAnalysesUsed: 0 })
    Object.assign(subscription, { status: "canceled" })
    yield* updated(subscription)
    yield* withTrial
    assert.notProperty(stripe.requests.at(-1)?.parameters, "subscription_data[trial_period_days]")
  }),

  "a renewal resets usage; further events of the same period do not": Effect.gen(function* () {
    const caller = yield* newUser()
    const subscription = yield* subscribe(caller, 1, ago(30))
    yield* analyze(caller, 2)
    yield* deliver(stripe.event("invoice.paid", invoiceOf(subscription)))
    assert.strictEqual((yield* status(caller)).monthlyAnalysesUsed, 2)
    stripe.renew(subscription)
    yield* deliver(stripe.event("invoice.paid", invoiceOf(subscription)))
    assert.deepInclude(yield* status(caller), {
      monthlyAnalysesUsed: 0,
      currentPeriodEnd: new Date(subscription.items.data[0]!.current_period_end * 1000),
    })
  }),

  "a late renewal event finds the new period started and keeps its usage": Effect.gen(function* () {
    const caller = yield* newUser()
    const start = ago(0)
    start.setUTCMonth(start.getUTCMonth() - 1, Math.min(start.getUTCDate(), 28))
    const subscription = yield* subscribe(caller, 1, new Date(start.getTime() - day))
    const item = subscription.items.data[0]!
    assert.isBelow(item.current_period_end * 1000, Date.now())
    assert.strictEqual((yield* status(caller)).monthlyAnalysesUsed, 0)
    yield* analyze(caller, 4)
    // Another event of the old period, still unpaid: it changes nothing.
    yield* updated(subscription)
    assert.strictEqual((yield* status(caller)).monthlyAnalysesUsed, 4)
    stripe.renew(subscription)
    yield* deliver(stripe.event("invoice.paid", invoiceOf(subscription)))
    assert.deepInclude(yield* status(caller), {
      monthlyAnalysesUsed: 4,
      currentPeriodEnd: new Date(item.current_period_end * 1000),
    })
  }),

  "canceling at the period's end keeps pro until then; resuming keeps it": Effect.gen(function* () {
    const caller = yield* newUser()
    const subscription = yield* subscribe(caller)
    subscription.cancel_at_period_end = true
    yield* updated(subscription)
    assert.deepInclude(yield* status(caller), { tier: "pro", status: "active" })
    subscription.cancel_at_period_end = false
    yield* updated(subscription)
    assert.deepInclude(yield* status(caller), { tier: "pro", status: "active" })
    Object.assign(subscription, { status: "canceled" })
    yield* deliver(stripe.event("customer.subscription.deleted", subscription))
    assert.deepInclude(yield* status(caller), {
      tier: "basic",
      status: "active",
      lastStatus: "canceled",
      monthlyAnalysesLimit: 10,
      monthlyAnalysesUsed: 0,
    })
    const again = yield* subscribe(caller)
    assert.notStrictEqual(again.id, subscription.id)
    assert.deepInclude(yield* status(caller), { tier: "pro", status: "active" })
  }),

  "a failed payment leaves seven days, then basic; paying restores pro": Effect.gen(function* () {
    const caller = yield* newUser()
    const subscription = yield* subscribe(caller, 1, ago(10))
    const failed = (since: Date) => {
      subscription.status = "past_due"
      subscription.latest_invoice.status_transitions.finalized_at = since.getTime() / 1000
      return deliver(stripe.event("invoice.payment_failed", invoiceOf(subscription)))
    }
    const since = ago(6)
    yield* failed(since)
    assert.deepInclude(yield* status(caller), { tier: "pro", status: "past_due" })
    const sql = yield* SqlClient
    const [pool] = yield* sql<{ until: Date }>`SELECT plan_until AS until FROM pools WHERE id = ${caller.userId}::uuid`
    assert.strictEqual(pool?.until.getTime(), since.getTime() + 7 * day)
    // A week passes without further events.
    yield* sql`UPDATE pools SET plan_until = now() - interval '1 second'`
    assert.deepInclude(yield* status(caller), {
      tier: "basic",
      status: "active",
      lastStatus: "past_due",
      monthlyAnalysesLimit: 10,
    })
    yield* failed(ago(8))
    assert.deepInclude(yield* status(caller), { tier: "basic", status: "active", lastStatus: "past_due" })
    subscription.status = "active"
    yield* deliver(stripe.event("invoice.paid", invoiceOf(subscription)))
    assert.deepInclude(yield* status(caller), { tier: "pro", status: "active" })
  }),

  "an unpaid, paused or incomplete subscription is basic, under Stripe's term for it": Effect.gen(function* () {
    for (const word of ["unpaid", "paused", "incomplete", "incomplete_expired"] as const) {
      const caller = yield* newUser()
      const subscription = yield* subscribe(caller)
      subscription.status = word
      yield* updated(subscription)
      assert.deepInclude(yield* status(caller), {
        tier: "basic",
        status: "active",
        lastStatus: word,
        monthlyAnalysesLimit: 10,
      })
    }
  }),

  "a plan that resumes within its period keeps its usage": Effect.gen(function* () {
    const caller = yield* newUser()
    const subscription = yield* subscribe(caller)
    yield* analyze(caller, 12)
    for (const word of ["unpaid", "paused", "unpaid"]) {
      subscription.status = word
      yield* updated(subscription)
      assert.deepInclude(yield* status(caller), { tier: "basic", monthlyAnalysesUsed: 12 })
      subscription.status = "active"
      yield* updated(subscription)
      assert.deepInclude(yield* status(caller), { tier: "pro", monthlyAnalysesUsed: 12 })
    }
    subscription.status = "unpaid"
    yield* updated(subscription)
    // The period in which they were used is over, and another one has been paid for.
    yield* SqlClient.use((sql) => sql`UPDATE pools SET carried_until = now() WHERE id = ${caller.userId}::uuid`)
    subscription.status = "active"
    stripe.renew(subscription)
    yield* updated(subscription)
    assert.deepInclude(yield* status(caller), { tier: "pro", monthlyAnalysesUsed: 0 })
  }),

  "a refund alone changes nothing": Effect.gen(function* () {
    const caller = yield* newUser()
    const subscription = yield* subscribe(caller)
    const before = yield* status(caller)
    yield* deliver(stripe.event("charge.refunded", { id: "ch_1", object: "charge", customer: subscription.customer }))
    assert.deepEqual(yield* status(caller), before)
  }),

  "a deleted customer is on basic, and can subscribe again as a new one": Effect.gen(function* () {
    const caller = yield* newUser()
    const subscription = yield* subscribe(caller)
    subscription.status = "canceled"
    stripe.customers.get(subscription.customer)!.deleted = true
    yield* deliver(stripe.event("customer.deleted", { id: subscription.customer, object: "customer" }))
    assert.deepInclude(yield* status(caller), { tier: "basic", status: "active", lastStatus: "canceled" })
    const again = yield* subscribe(caller)
    assert.notStrictEqual(again.customer, subscription.customer)
    assert.deepInclude(yield* status(caller), { tier: "pro", status: "active" })
  }),

  "a customer deleted without an event is replaced at the next checkout and portal": Effect.gen(function* () {
    for (const ask of [(caller: Caller) => startCheckout(caller, "pro"), openPortal]) {
      const caller = yield* newUser()
      yield* startCheckout(caller, "pro")
      const { customer } = stripe.lastCheckout()
      stripe.lastCheckout().status = "expired"
      stripe.customers.get(customer)!.deleted = true
      assert.match(yield* ask(caller), /^https:/)
      assert.notStrictEqual(stripe.requests.at(-1)?.parameters["customer"], customer)
    }
  }),

  "the quantity is the number of seats: an organization has a quota of 60 per seat, a single user keeps 60": Effect.gen(
    function* () {
      const owner = yield* newUser()
      const subscription = yield* subscribe(owner, 3)
      assert.strictEqual((yield* status(owner)).monthlyAnalysesLimit, 60)
      yield* analyze(owner, 5)
      const organizations = yield* Organizations
      const organizationId = yield* organizations.create(owner.userId, "Example", undefined)
      assert.deepInclude(yield* status(owner), {
        tier: "pro",
        monthlyAnalysesLimit: 180,
        monthlyAnalysesUsed: 5,
      })
      subscription.items.data[0]!.quantity = 5
      yield* updated(subscription)
      assert.deepInclude(yield* status(owner), { monthlyAnalysesLimit: 300, monthlyAnalysesUsed: 5 })
      const member = yield* newUser()
      yield* organizations.addMember(organizationId, member.userId)
      assert.deepInclude(yield* status(member), { tier: "pro", monthlyAnalysesLimit: 300, monthlyAnalysesUsed: 5 })
    },
  ),

  "members and invitations never exceed seats: with fewer seats, invitations are withdrawn, then the last to join are removed":
    Effect.gen(function* () {
      const owner = yield* newUser()
      const subscription = yield* subscribe(owner, 3)
      const organizations = yield* Organizations
      const organizationId = yield* organizations.create(owner.userId, "Example", undefined)
      const [first, second] = [yield* newUser(), yield* newUser()]
      yield* organizations.addMember(organizationId, first.userId)
      yield* organizations.addMember(organizationId, second.userId)
      subscription.items.data[0]!.quantity = 4
      yield* updated(subscription)
      const { invitationId } = yield* organizations.invite(owner.userId, organizationId, (yield* newUser()).userId)
      subscription.items.data[0]!.quantity = 3
      yield* updated(subscription)
      assert.strictEqual(yield* tagOf(organizations.endInvitation(owner.userId, invitationId)), "InvitationNotFound")
      assert.lengthOf((yield* organizations.find(owner.userId, organizationId)).members, 3)
      subscription.items.data[0]!.quantity = 2
      yield* updated(subscription)
      const { members } = yield* organizations.find(owner.userId, organizationId)
      assert.deepEqual(
        members.map(({ userId }) => userId),
        [owner.userId, first.userId],
      )
      assert.deepInclude(yield* status(second), { tier: "basic" })
    }),

  "a member can neither pay for the organization nor see its payments": Effect.gen(function* () {
    const owner = yield* newUser()
    yield* subscribe(owner, 2)
    const organizations = yield* Organizations
    const organizationId = yield* organizations.create(owner.userId, "Example", undefined)
    const member = yield* newUser()
    yield* organizations.addMember(organizationId, member.userId)
    assert.strictEqual(yield* tagOf(startCheckout(member, "pro")), "OwnerRequired")
    assert.strictEqual(yield* tagOf(openPortal(member)), "OwnerRequired")
    assert.match(yield* openPortal(owner), /^https:/)
  }),

  "a member whose own subscription continues manages that one and no other": Effect.gen(function* () {
    const [owner, member] = [yield* newUser("pro"), yield* newUser()]
    yield* subscribe(member)
    const { customer } = stripe.lastCheckout()
    const organizations = yield* Organizations
    const organizationId = yield* organizations.create(owner.userId, "Example", 2)
    yield* organizations.addMember(organizationId, member.userId)
    assert.match(yield* openPortal(member), /^https:\/\/billing\.stripe\.example\//)
    assert.strictEqual(stripe.requests.at(-1)?.parameters["customer"], customer)
    assert.strictEqual(yield* tagOf(startCheckout(member, "pro")), "OwnerRequired")
  }),

  "an event counts once, even if it arrives five times simultaneously": Effect.gen(function* () {
    const caller = yield* newUser()
    const subscription = yield* subscribe(caller)
    const event = stripe.event("customer.subscription.updated", subscription)
    const outcomes = yield* Effect.all(
      Array.from({ length: 5 }, () => deliver(event)),
      { concurrency: "unbounded" },
    )
    assert.lengthOf(
      outcomes.filter(({ applied }) => applied),
      1,
    )
    const before = stripe.requests.length
    assert.isFalse((yield* deliver(event)).applied)
    assert.lengthOf(stripe.requests.slice(before), 0)
  }),

  "the body of an event is not trusted, only that something changed": Effect.gen(function* () {
    const caller = yield* newUser()
    const subscription = yield* subscribe(caller)
    const boast = structuredClone(subscription)
    boast.items.data[0]!.quantity = 1000
    boast.status = "canceled"
    yield* updated(boast)
    assert.deepInclude(yield* status(caller), { tier: "pro", status: "active", monthlyAnalysesLimit: 60 })
  }),

  "a forged, replayed or unsigned event changes nothing": Effect.gen(function* () {
    const caller = yield* newUser()
    const subscription = yield* subscribe(caller)
    subscription.status = "canceled"
    const event = stripe.event("customer.subscription.deleted", subscription)
    const genuine = signed(event)
    const refused = [
      signed(event, "whsec_another"),
      signed(event, stripe.webhookSecret, ago(365)),
      signed(event, stripe.webhookSecret, new Date(Date.now() - 301_000)),
      { ...genuine, body: genuine.body.replace("deleted", "updated") },
      { ...genuine, body: `${genuine.body} ` },
      { ...genuine, signature: "" },
      { ...genuine, signature: `t=${Math.floor(Date.now() / 1000)},v1=` },
      { ...genuine, signature: genuine.signature.replace("v1=", "v0=") },
    ]
    for (const change of refused) assert.strictEqual(yield* tagOf(deliver(event, change)), "EventRefused")
    assert.deepInclude(yield* status(caller), { tier: "pro", status: "active" })
    yield* deliver(event)
    assert.deepInclude(yield* status(caller), { tier: "basic", status: "active", lastStatus: "canceled" })
  }),

  "an event for another customer, or for somebody else's subscription, changes nothing": Effect.gen(function* () {
    const [ada, bob] = [yield* newUser(), yield* newUser()]
    const [hers, his] = [yield* subscribe(ada), yield* subscribe(bob)]
    his.status = "canceled"
    yield* updated({ ...his, customer: hers.customer })
    yield* updated({ ...his, customer: "cus_of_nobody" })
    assert.deepInclude(yield* status(ada), { tier: "pro", status: "active" })
    assert.deepInclude(yield* status(bob), { tier: "pro", status: "active" })
  }),

  "a subscription to something else grants nothing": Effect.gen(function* () {
    const caller = yield* newUser()
    yield* startCheckout(caller, "pro")
    const subscription = stripe.pay(stripe.lastCheckout())
    subscription.items.data[0]!.price.id = "price_of_a_t_shirt"
    yield* updated(subscription)
    assert.deepInclude(yield* status(caller), { tier: "basic", status: "active" })
  }),

  "an event that cannot be applied yet is not recorded, so that its repetition is applied": Effect.gen(function* () {
    const caller = yield* newUser()
    const subscription = yield* subscribe(caller)
    subscription.status = "canceled"
    const event = stripe.event("customer.subscription.deleted", subscription)
    stripe.control.down = true
    assert.strictEqual(yield* tagOf(deliver(event)), "BillingUnavailable")
    stripe.control.down = false
    assert.isTrue((yield* deliver(event)).applied)
    assert.deepInclude(yield* status(caller), { tier: "basic", status: "active", lastStatus: "canceled" })
  }),
})

/**
 * All 120 on Postgres. On the embedded database, which takes a tenth of a second of CPU time for each, those 20 in which
 * each event comes first with each other one after it.
 */
const orders = <A>(items: ReadonlyArray<A>, where: "PGlite" | "Postgres"): ReadonlyArray<ReadonlyArray<A>> =>
  permutations(items).filter((_, index) => where === "Postgres" || index % 6 === 0)

await onBothDatabases("billing", services, (where) => ({
  "whatever the order of five events, they lead to the same state": Effect.gen(function* () {
    const sql = yield* SqlClient
    const caller = yield* newUser()
    yield* startCheckout(caller, "pro")
    const checkout = stripe.lastCheckout()
    const old = stripe.pay(checkout, ago(20))
    const events = [stripe.event("checkout.session.completed", { ...checkout, subscription: old.id })]
    const current = stripe.pay(checkout, ago(2), 2)
    events.push(stripe.event("customer.subscription.created", current))
    events.push(stripe.event("customer.subscription.updated", old))
    old.status = "canceled"
    events.push(stripe.event("customer.subscription.deleted", old))
    current.items.data[0]!.quantity = 4
    events.push(stripe.event("invoice.paid", invoiceOf(current)))

    const [fresh] = yield* sql`SELECT * FROM billing_accounts WHERE pool_id = ${caller.userId}::uuid`
    const ends = new Set<string>()
    for (const order of orders(events, where)) {
      yield* sql`DELETE FROM billing_events`
      yield* sql`
        UPDATE billing_accounts SET subscription_id = NULL, status = NULL, seats = NULL, period_start = NULL,
          period_end = NULL, trial_used = false, checkout_id = ${String(fresh?.["checkoutId"] ?? checkout.id)}
        WHERE pool_id = ${caller.userId}::uuid`
      yield* sql`
        UPDATE pools SET plan = 'basic', billed = false, used = 3, carried = 0, carried_since = NULL,
          carried_until = NULL, carried_free = false, period_start = now() - interval '1 day', period_end = now() + interval '1 day'
        WHERE id = ${caller.userId}::uuid`
      for (const event of order) yield* deliver(event)
      const [account] = yield* sql`SELECT * FROM billing_accounts WHERE pool_id = ${caller.userId}::uuid`
      ends.add(JSON.stringify([account, yield* status(caller)]))
    }
    assert.strictEqual(ends.size, 1)
    const [, end] = JSON.parse([...ends][0]!) as [unknown, Record<string, unknown>] // as above
    assert.deepInclude(end, { tier: "pro", status: "active", monthlyAnalysesUsed: 0 })
  }),
}))
