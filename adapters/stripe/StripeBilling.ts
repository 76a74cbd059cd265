import { hash } from "node:crypto"
import { Stripe } from "stripe"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import {
  Billing,
  BillingUnavailable,
  type CheckoutRequest,
  CustomerGone,
  EventRefused,
} from "../../application/ports/billing/Billing.ts"
import { outsideTransaction } from "../../application/ports/InTransaction.ts"
import { readEventObject, readSubscription } from "./stripeObjects.ts"
import type { StripeSettings } from "./StripeSettings.ts"
import { CustomerId, BillingEventId, CheckoutId } from "../../domain/ids/Ids.ts"

/** The only API version that this adapter supports. The account's webhook endpoint should use it, too. */
const apiVersion = "2026-10-28.endive"

/** Milliseconds, for each of the two attempts. */
const timeout = 6_000
const retries = 1

/** Maximum age in seconds of an event's signature: Stripe's own default. */
const tolerance = 300

/** More seats than anyone buys through a payment page. */
const mostSeats = 10_000

/** Stripe stores an idempotency key with its parameters: different parameters need a different key. */
const keyFor = (requestKey: string, parameters: unknown): string =>
  `assay:${requestKey}:${hash("sha256", JSON.stringify(parameters)).slice(0, 24)}`

/** A missing price is a configuration mistake; a missing customer was deleted. */
const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === "resource_missing" &&
  (error.param === undefined || ["customer", "id", "subscription", "session"].includes(error.param))

/** Only the message: the error itself contains the request, and with it the key. */
const unavailable = (error: unknown): BillingUnavailable =>
  new BillingUnavailable({ cause: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })

/** The same request of ours, with the same idempotency key, is still in progress. */
const isUnderWay = (error: unknown): boolean => error instanceof Stripe.errors.StripeError && error.statusCode === 409

/** Waits for the response to the request in progress; the client has already waited half a second each time. */
const untilAnswered = { while: isUnderWay, schedule: Schedule.spaced("250 millis"), times: 12 }

const ask = <A>(request: () => Promise<A>): Effect.Effect<A, BillingUnavailable> =>
  Effect.tryPromise({ try: request, catch: (error) => error }).pipe(
    Effect.retry(untilAnswered),
    Effect.mapError(unavailable),
    outsideTransaction,
  )

/** Undefined if it does not exist. */
const askForExisting = <A>(request: () => Promise<A>): Effect.Effect<A | undefined, BillingUnavailable> =>
  ask(() =>
    request().catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    }),
  )

const clientOf = ({ secretKey, apiBase }: StripeSettings): Stripe =>
  new Stripe(Redacted.value(secretKey), {
    apiVersion,
    timeout,
    maxNetworkRetries: retries,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(),
    ...(apiBase === undefined
      ? {}
      : {
          protocol: apiBase.protocol === "http:" ? "http" : "https",
          host: apiBase.hostname,
          port: apiBase.port === "" ? (apiBase.protocol === "http:" ? 80 : 443) : Number(apiBase.port),
        }),
  })

const checkoutOf = (
  { pricePro, publicUrl, trial }: StripeSettings,
  { poolId, customerId, seats, trial: allowsTrial }: CheckoutRequest,
): Stripe.Checkout.SessionCreateParams => ({
  mode: "subscription",
  customer: customerId,
  client_reference_id: poolId,
  line_items: [
    {
      price: pricePro,
      quantity: seats,
      adjustable_quantity: { enabled: true, minimum: seats, maximum: Math.max(seats, mostSeats) },
    },
  ],
  subscription_data: {
    metadata: { assay_pool: poolId },
    ...(allowsTrial && Duration.isPositive(trial) ? { trial_period_days: Duration.toDays(trial) } : {}),
  },
  success_url: `${publicUrl}/settings/billing?checkout=success`,
  cancel_url: `${publicUrl}/settings/billing?checkout=canceled`,
})

/** Reads a webhook event once its signature has been verified as Stripe's and recent. */
const eventReader = (stripe: Stripe, secret: StripeSettings["webhookSecret"]): Billing["Service"]["readEvent"] =>
  Effect.fn("Billing.readEvent")(function* (body, signature) {
    const now = yield* Clock.currentTimeMillis
    const event = yield* Effect.tryPromise({
      try: () =>
        stripe.webhooks.constructEventAsync(
          new TextDecoder().decode(body),
          signature,
          Redacted.value(secret),
          tolerance,
          Stripe.createSubtleCryptoProvider(),
          now,
        ),
      catch: () => new EventRefused({ message: "The signature is missing, not Stripe's, or older than five minutes." }),
    })
    if (typeof event.id !== "string" || typeof event.type !== "string") {
      return yield* new EventRefused({ message: "The body is not an event." })
    }
    return {
      eventId: BillingEventId.make(event.id),
      type: event.type,
      ...readEventObject(event.data?.object),
      customerDeleted: event.type === "customer.deleted",
    }
  })

const make = (settings: StripeSettings): Billing["Service"] => {
  const stripe = clientOf(settings)
  const { pricePro, publicUrl } = settings

  return {
    createCustomer: Effect.fn("Billing.createCustomer")((poolId, email, requestKey) =>
      ask(async () => {
        const parameters = { metadata: { assay_pool: poolId }, ...(email === undefined ? {} : { email }) }
        const idempotencyKey = keyFor(requestKey, parameters)
        return CustomerId.make((await stripe.customers.create(parameters, { idempotencyKey })).id)
      }),
    ),
    createCheckout: Effect.fn("Billing.createCheckout")(function* (request, requestKey) {
      const parameters = checkoutOf(settings, request)
      const session = yield* askForExisting(async () =>
        stripe.checkout.sessions.create(parameters, { idempotencyKey: keyFor(requestKey, parameters) }),
      )
      if (session === undefined) return yield* new CustomerGone()
      if (session.url === null) return yield* unavailable("a payment page has no address")
      return { checkoutId: CheckoutId.make(session.id), url: session.url }
    }),
    checkoutState: Effect.fn("Billing.checkoutState")((checkoutId) =>
      Effect.map(
        askForExisting(() => stripe.checkout.sessions.retrieve(checkoutId)),
        (session) => {
          if (session?.status === "complete") return { state: "complete" }
          return session?.status === "open" && session.url !== null
            ? { state: "open", url: session.url }
            : { state: "expired" }
        },
      ),
    ),
    createPortal: Effect.fn("Billing.createPortal")(function* (customerId) {
      const session = yield* askForExisting(() =>
        stripe.billingPortal.sessions.create(
          { customer: customerId, return_url: `${publicUrl}/settings/billing` },
          // A portal page is for one visit: each request creates its own, and a retry of ours gets the same.
          { idempotencyKey: `assay:portal:${crypto.randomUUID()}` },
        ),
      )
      return session === undefined ? yield* new CustomerGone() : session.url
    }),
    subscription: Effect.fn("Billing.subscription")(function* (subscriptionId) {
      const object = yield* askForExisting(() =>
        stripe.subscriptions.retrieve(subscriptionId, { expand: ["latest_invoice"] }),
      )
      return object === undefined
        ? undefined
        : yield* Effect.try({ try: () => readSubscription(object, pricePro), catch: unavailable })
    }),
    readEvent: eventReader(stripe, settings.webhookSecret),
  }
}

/** Stripe, with the account that the secret key belongs to. */
export const layer = (settings: StripeSettings) => Layer.sync(Billing, () => make(settings))
