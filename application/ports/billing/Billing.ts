import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { BilledSubscription } from "../../../domain/plan/Subscription.ts"
import type { PoolId, CustomerId, SubscriptionId, BillingEventId, CheckoutId } from "../../../domain/ids/Ids.ts"

/** Billing is not configured, or the payment service is unreachable or rejects our request. */
export class BillingUnavailable extends Schema.TaggedError<BillingUnavailable>()("BillingUnavailable", {
  cause: Schema.Defect(),
}) {}

/** The customer was deleted at the payment service. */
export class CustomerGone extends Schema.TaggedError<CustomerGone>()("CustomerGone", {}) {}

/** The event was not signed by the payment service, is too old, or cannot be read. */
export class EventRefused extends Schema.TaggedError<EventRefused>()("EventRefused", { message: Schema.String }) {}

/** What an event is about. Nothing else in it is used; the current state is fetched instead. */
export interface BillingEvent {
  readonly eventId: BillingEventId
  readonly type: string
  readonly customerId: CustomerId | undefined
  readonly subscriptionId: SubscriptionId | undefined
  readonly customerDeleted: boolean
}

export interface CheckoutRequest {
  readonly poolId: PoolId
  readonly customerId: CustomerId
  /** The minimum number of seats. */
  readonly seats: number
  /** Whether the account is eligible for a trial, if one is configured. */
  readonly trial: boolean
}

/** A payment page. */
export interface Checkout {
  readonly checkoutId: CheckoutId
  readonly url: string
}

export type CheckoutState =
  | { readonly state: "open"; readonly url: string }
  | { readonly state: "complete" }
  | { readonly state: "expired" }

/**
 * The payment service. Requests with the same `requestKey` take effect once. Return addresses come from
 * the configuration.
 */
export class Billing extends Context.Service<
  Billing,
  {
    readonly createCustomer: (
      poolId: PoolId,
      email: string | undefined,
      requestKey: string,
    ) => Effect.Effect<CustomerId, BillingUnavailable>
    readonly createCheckout: (
      request: CheckoutRequest,
      requestKey: string,
    ) => Effect.Effect<Checkout, CustomerGone | BillingUnavailable>
    /** The state of a payment page; an unknown one has expired. */
    readonly checkoutState: (checkoutId: CheckoutId) => Effect.Effect<CheckoutState, BillingUnavailable>
    readonly createPortal: (customerId: CustomerId) => Effect.Effect<string, CustomerGone | BillingUnavailable>
    /** Its current state; undefined if there is none with this id, or it is for something else. */
    readonly subscription: (
      subscriptionId: SubscriptionId,
    ) => Effect.Effect<(BilledSubscription & { readonly customerId: CustomerId }) | undefined, BillingUnavailable>
    /** Checks the signature over the body as it arrived. */
    readonly readEvent: (
      body: Uint8Array,
      signature: string,
    ) => Effect.Effect<BillingEvent, EventRefused | BillingUnavailable>
  }
>()("assay/application/Billing") {}
