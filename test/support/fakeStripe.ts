import { createHmac, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** Seconds since the epoch. */
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

export interface FakeSubscription {
  id: string
  object: "subscription"
  customer: string
  status: string
  created: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  trial_start: number | null
  latest_invoice: {
    id: string
    object: "invoice"
    created: number
    status_transitions: { finalized_at: number | null }
  }
  items: {
    object: "list"
    data: Array<{
      id: string
      quantity: number
      price: { id: string }
      current_period_start: number
      current_period_end: number
    }>
  }
}

interface FakeCheckout {
  readonly id: string
  readonly object: "checkout.session"
  status: "open" | "complete" | "expired"
  url: string | null
  readonly customer: string
  readonly quantity: number
  readonly trialDays: number
}

export interface StripeEvent {
  readonly id: string
  readonly object: "event"
  readonly type: string
  readonly created: number
  readonly data: { readonly object: unknown }
}

export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
  readonly headers: IncomingMessage["headers"]
}

const price = "price_pro"
const webhookSecret = "whsec_test"

const id = (prefix: string): string => `${prefix}_${randomBytes(9).toString("hex")}`

/**
 * A payment service over HTTP that remembers requests, handles idempotency keys as Stripe does, and signs events. To
 * simulate subscribers or the passing of time, a test changes a subscription and creates an event.
 */
export const startFakeStripe = async () => {
  const customers = new Map<string, { email?: string; deleted: boolean }>()
  const checkouts = new Map<string, FakeCheckout>()
  const subscriptions = new Map<string, FakeSubscription>()
  const answers = new Map<string, { readonly request: string; readonly status: number; readonly body: unknown }>()
  const requests: Array<SentRequest> = []
  /** `until` delays every response after the request was read. */
  const control: { down: boolean; until: Promise<unknown> | undefined } = { down: false, until: undefined }
  const underWay = new Set<string>()

  const missing = (param: string, what: string) => ({
    status: param === "customer" ? 400 : 404,
    body: { error: { type: "invalid_request_error", code: "resource_missing", param, message: `No such ${what}` } },
  })

  const respond = ({ method, path, parameters }: SentRequest): { readonly status: number; readonly body: unknown } => {
    const [, , kind = "", ...rest] = path.split("/")
    const customer = customers.get(parameters["customer"] ?? "")
    const customerMissing = customer === undefined || customer.deleted
    if (method === "POST" && path === "/v1/customers") {
      const customerId = id("cus")
      customers.set(customerId, {
        deleted: false,
        ...(parameters["email"] === undefined ? {} : { email: parameters["email"] }),
      })
      return { status: 200, body: { id: customerId, object: "customer" } }
    }
    if (method === "POST" && path === "/v1/checkout/sessions") {
      if (customerMissing) return missing("customer", "customer")
      const checkout: FakeCheckout = {
        id: id("cs_test"),
        object: "checkout.session",
        status: "open",
        url: `https://checkout.stripe.example/${id("pay")}`,
        customer: parameters["customer"]!,
        quantity: Number(parameters["line_items[0][quantity]"]),
        trialDays: Number(parameters["subscription_data[trial_period_days]"] ?? 0),
      }
      checkouts.set(checkout.id, checkout)
      return { status: 200, body: checkout }
    }
    if (method === "GET" && kind === "checkout") {
      const checkout = checkouts.get(rest[1] ?? "")
      return checkout === undefined ? missing("session", "checkout session") : { status: 200, body: checkout }
    }
    if (method === "POST" && path === "/v1/billing_portal/sessions") {
      if (customerMissing) return missing("customer", "customer")
      return {
        status: 200,
        body: { object: "billing_portal.session", url: `https://billing.stripe.example/${id("bps")}` },
      }
    }
    if (method === "GET" && kind === "subscriptions") {
      const subscription = subscriptions.get(rest[0] ?? "")
      return subscription === undefined ? missing("id", "subscription") : { status: 200, body: subscription }
    }
    return {
      status: 404,
      body: { error: { type: "invalid_request_error", message: `Unrecognized request ${method} ${path}` } },
    }
  }

  const handle = (request: SentRequest) => {
    const key = request.headers["idempotency-key"]
    if (typeof key !== "string") return respond(request)
    const text = JSON.stringify([request.path, request.parameters])
    const before = answers.get(key)
    if (before === undefined) {
      const answer = respond(request)
      answers.set(key, { request: text, ...answer })
      return answer
    }
    return before.request === text
      ? before
      : { status: 400, body: { error: { type: "idempotency_error", message: "Keys for idempotent requests differ" } } }
  }

  /** Like Stripe, asks the second of two simultaneous requests with the same key to retry. */
  const inTurn = async (request: SentRequest) => {
    const key = String(request.headers["idempotency-key"] ?? randomBytes(9).toString("hex"))
    if (underWay.has(key)) {
      const error = { type: "invalid_request_error", code: "idempotency_key_in_use", message: "Key in use" }
      return { status: 409, body: { error } }
    }
    underWay.add(key)
    await control.until
    underWay.delete(key)
    return handle(request)
  }

  const server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    request.on("end", async () => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1")
      const parameters = Object.fromEntries(new URLSearchParams(text === "" ? url.search : text))
      const sent = { method: request.method ?? "", path: url.pathname, parameters, headers: request.headers }
      requests.push(sent)
      const { status, body } = control.down
        ? { status: 500, body: { error: { type: "api_error", message: "down" } } }
        : await inTurn(sent)
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // a TCP address

  return {
    url: new URL(`http://127.0.0.1:${port}`),
    price,
    webhookSecret,
    requests,
    control,
    customers,
    subscriptions,
    /** The page that is currently open, or the last one. */
    lastCheckout: (): FakeCheckout => [...checkouts.values()].at(-1)!,
    checkouts,
    /** The customer pays: creates the resulting subscription, for a month from `start` on. */
    pay: (checkout: FakeCheckout, start = new Date(), seats = checkout.quantity): FakeSubscription => {
      checkout.status = "complete"
      checkout.url = null
      const end = new Date(start)
      if (checkout.trialDays > 0) end.setUTCDate(end.getUTCDate() + checkout.trialDays)
      else end.setUTCMonth(end.getUTCMonth() + 1)
      const subscription: FakeSubscription = {
        id: id("sub"),
        object: "subscription",
        customer: checkout.customer,
        status: checkout.trialDays > 0 ? "trialing" : "active",
        created: seconds(start),
        cancel_at: null,
        cancel_at_period_end: false,
        trial_start: checkout.trialDays > 0 ? seconds(start) : null,
        latest_invoice: {
          id: id("in"),
          object: "invoice",
          created: seconds(start),
          status_transitions: { finalized_at: seconds(start) },
        },
        items: {
          object: "list",
          data: [
            {
              id: id("si"),
              quantity: seats,
              price: { id: price },
              current_period_start: seconds(start),
              current_period_end: seconds(end),
            },
          ],
        },
      }
      subscriptions.set(subscription.id, subscription)
      return subscription
    },
    /** The next period begins. */
    renew: (subscription: FakeSubscription): void => {
      const item = subscription.items.data[0]!
      const end = new Date(item.current_period_end * 1000)
      end.setUTCMonth(end.getUTCMonth() + 1)
      item.current_period_start = item.current_period_end
      item.current_period_end = seconds(end)
    },
    event: (type: string, object: unknown, created = new Date()): StripeEvent => ({
      id: id("evt"),
      object: "event",
      type,
      created: seconds(created),
      // Its current state: what the service knows of it later may differ.
      data: { object: structuredClone(object) },
    }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>

/**
 * An event's body and its `Stripe-Signature`, as Stripe creates them. https://docs.stripe.com/webhooks#verify-manually
 */
export const signed = (
  event: StripeEvent,
  secret: string = webhookSecret,
  at: Date = new Date(),
): { readonly body: string; readonly signature: string } => {
  const body = JSON.stringify(event)
  const timestamp = seconds(at)
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")
  return { body, signature: `t=${timestamp},v1=${signature}` }
}

/** The part of an invoice that says what it is for, as in API versions since 2025-03-31. */
export const invoiceOf = (subscription: FakeSubscription) => ({
  ...subscription.latest_invoice,
  customer: subscription.customer,
  parent: { type: "subscription_details", subscription_details: { subscription: subscription.id } },
})
