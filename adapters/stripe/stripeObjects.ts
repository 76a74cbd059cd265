import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type BilledSubscription, SubscriptionStatus } from "../../domain/plan/Subscription.ts"
import { CustomerId, SubscriptionId } from "../../domain/ids/Ids.ts"

const referenceTo = <Id extends string>(id: Schema.Codec<Id, string>) => Schema.Union([id, Schema.Struct({ id })])
const CustomerReference = referenceTo(CustomerId)
const SubscriptionReference = referenceTo(SubscriptionId)

/** Seconds since the epoch. */
const Instant = Schema.Number
const dateOf = (seconds: number): Date => new Date(seconds * 1000)

const Item = Schema.Struct({
  quantity: Schema.optional(Schema.Int),
  price: Schema.Struct({ id: Schema.String }),
  current_period_start: Schema.optional(Instant),
  current_period_end: Schema.optional(Instant),
})

const LatestInvoice = Schema.Struct({
  created: Instant,
  status_transitions: Schema.optional(Schema.Struct({ finalized_at: Schema.NullOr(Instant) })),
})

/**
 * The fields of a subscription that we read; older API versions have the period on the subscription instead of its
 * items.
 */
const StripeSubscription = Schema.Struct({
  id: SubscriptionId,
  customer: CustomerReference,
  status: SubscriptionStatus,
  created: Instant,
  items: Schema.Struct({ data: Schema.Array(Item) }),
  current_period_start: Schema.optional(Instant),
  current_period_end: Schema.optional(Instant),
  cancel_at: Schema.optional(Schema.NullOr(Instant)),
  cancel_at_period_end: Schema.optional(Schema.Boolean),
  trial_start: Schema.optional(Schema.NullOr(Instant)),
  latest_invoice: Schema.optional(Schema.NullOr(Schema.Union([LatestInvoice, Schema.String]))),
})

const idOf = <Id extends string>(reference: Id | { readonly id: Id }): Id =>
  typeof reference === "string" ? reference : reference.id

/**
 * The subscription, if one of its items is the pro plan's price; undefined if it is for something else. A payment
 * counts as late from the time its invoice was finalized, which is when Stripe first tries to collect it.
 */
export const readSubscription = (
  object: unknown,
  pricePro: string,
): (BilledSubscription & { readonly customerId: CustomerId }) | undefined => {
  const read = Schema.decodeUnknownSync(StripeSubscription)(object)
  const item = read.items.data.find(({ price }) => price.id === pricePro)
  const start = item?.current_period_start ?? read.current_period_start
  const end = item?.current_period_end ?? read.current_period_end
  if (item === undefined || start === undefined || end === undefined) return undefined
  const invoice = typeof read.latest_invoice === "string" ? undefined : read.latest_invoice
  const cancelAt = read.cancel_at ?? (read.cancel_at_period_end === true ? end : undefined)
  return {
    subscriptionId: read.id,
    customerId: idOf(read.customer),
    status: read.status,
    seats: Math.max(1, item.quantity ?? 1),
    createdAt: dateOf(read.created),
    currentPeriod: { start: dateOf(start), end: dateOf(end) },
    pastDueSince:
      read.status === "past_due"
        ? dateOf(invoice?.status_transitions?.finalized_at ?? invoice?.created ?? start)
        : undefined,
    trialUsed: read.trial_start != null,
    cancelAt: cancelAt == null ? undefined : dateOf(cancelAt),
  }
}

const EventObject = Schema.Struct({
  object: Schema.String,
  id: Schema.optional(Schema.String),
  customer: Schema.optional(Schema.NullOr(CustomerReference)),
  subscription: Schema.optional(Schema.NullOr(SubscriptionReference)),
  parent: Schema.optional(
    Schema.NullOr(
      Schema.Struct({
        subscription_details: Schema.optional(
          Schema.NullOr(Schema.Struct({ subscription: Schema.optional(SubscriptionReference) })),
        ),
      }),
    ),
  ),
})

/** The customer and subscription that an event's object is about. */
export const readEventObject = (
  object: unknown,
): { readonly customerId: CustomerId | undefined; readonly subscriptionId: SubscriptionId | undefined } => {
  const decoded = Schema.decodeUnknownResult(EventObject)(object)
  if (Result.isFailure(decoded)) return { customerId: undefined, subscriptionId: undefined }
  const read = decoded.success
  if (read.object === "customer")
    return { customerId: read.id === undefined ? undefined : CustomerId.make(read.id), subscriptionId: undefined }
  const named = read.parent?.subscription_details?.subscription ?? read.subscription
  return {
    customerId: read.customer == null ? undefined : idOf(read.customer),
    subscriptionId:
      read.object !== "subscription"
        ? named == null
          ? undefined
          : idOf(named)
        : read.id === undefined
          ? undefined
          : SubscriptionId.make(read.id),
  }
}
