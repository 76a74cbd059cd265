import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { BilledSubscription } from "../../domain/plan/Subscription.ts"
import type { PoolId, CustomerId, SubscriptionId } from "../../domain/ids/Ids.ts"

/** Billing is not configured, or the payment service cannot be reached or refuses what we ask. */
export class BillingUnavailable extends Schema.TaggedError<BillingUnavailable>()("BillingUnavailable", {
  cause: Schema.Defect(),
}) {}

/** The customer was deleted at the payment service. */
export class CustomerGone extends Schema.TaggedError<CustomerGone>()("CustomerGone", {}) {}

/** The event was not signed by the payment service, is too old, or cannot be read. */
export class EventRefused extends Schema.TaggedError<EventRefused>()("EventRefused", { message: Schema.String }) {}

/** What an event is about. Nothing else of it is used: the state is asked for again. */
export interface BillingEvent {
  readonly eventId: string
  readonly type: string
  readonly customerId: CustomerId | undefined
  readonly subscriptionId: SubscriptionId | undefined
  readonly customerDeleted: boolean
}

export interface CheckoutRequest {
  readonly poolId: PoolId
  readonly customerId: CustomerId
  /** The least that may be bought. */
  readonly seats: number
  /** Whether a trial, where one is configured, may be had. */
  readonly trial: boolean
}

/** A payment page that was made. */
export interface Checkout {
  readonly checkoutId: string
  readonly url: string
}

export type CheckoutState =
  | { readonly state: "open"; readonly url: string }
  | { readonly state: "complete" }
  | { readonly state: "expired" }

/**
 * The payment service. What is sent with the same `requestKey` again takes effect once. Return addresses come from
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
    /** What became of a payment page; one that is not known has expired. */
    readonly checkoutState: (checkoutId: string) => Effect.Effect<CheckoutState, BillingUnavailable>
    readonly createPortal: (customerId: CustomerId) => Effect.Effect<string, CustomerGone | BillingUnavailable>
    /** As it is now; undefined when there is none of this id, or it is for something else. */
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
