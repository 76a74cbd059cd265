import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Role } from "../../domain/identity/Organization.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import type { QuotaUsage } from "../../domain/plan/Quota.ts"
import type { BilledSubscription, SubscriptionStatus } from "../../domain/plan/Subscription.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { UserId, PoolId, CustomerId, SubscriptionId, BillingEventId, CheckoutId } from "../../domain/ids/Ids.ts"

/** What a user's pool, their own or the organization's, pays and uses. */
export interface BillingView {
  readonly poolId: PoolId
  readonly plan: PlanId
  /** The payment service's word for the last subscription; undefined if there never was one. */
  readonly status: SubscriptionStatus | undefined
  readonly usage: QuotaUsage
  /** In the organization; undefined outside of any. */
  readonly role: Role | undefined
}

/** What we know of a pool at the payment service. */
export interface BillingAccount {
  readonly poolId: PoolId
  /** Differs after every change of the account: what was read before is then out of date. */
  readonly revision: string
  readonly customerId: CustomerId | undefined
  readonly checkoutId: CheckoutId | undefined
  /** Numbers what is asked for, so that asking again after a crash asks for the same thing. */
  readonly requests: number
  readonly trialUsed: boolean
  readonly subscriptionId: SubscriptionId | undefined
  readonly status: SubscriptionStatus | undefined
  /** Members, the owner among them; 1 for a single user. */
  readonly members: number
  /** Of the owner. */
  readonly email: string | undefined
}

export type AccountChange = Partial<Pick<BillingAccount, "customerId" | "checkoutId" | "requests">>

/** Somebody else changed the account since it was read: nothing was written. Read it again. */
export class AccountChanged extends Schema.TaggedError<AccountChanged>()("AccountChanged", {}) {}

/** What the payment service said after `account` was read. */
export interface SubscriptionNews {
  readonly account: BillingAccount
  /** The one that counts now; undefined if there is none. */
  readonly subscription: BilledSubscription | undefined
  readonly customerDeleted: boolean
}

/**
 * Our records of who pays what. They follow the payment service, which is asked between a reading and a writing, so that
 * no transaction waits for it. A writing names the reading that it is based on, and is refused when that is out of date.
 */
export class BillingAccounts extends Context.Service<
  BillingAccounts,
  {
    readonly view: (userId: UserId) => Effect.Effect<BillingView, StoreUnavailable>
    /** A pool's account, begun where there was none. */
    readonly account: (poolId: PoolId) => Effect.Effect<BillingAccount, StoreUnavailable>
    /** Returns the account with the change. */
    readonly update: (
      account: BillingAccount,
      change: AccountChange,
    ) => Effect.Effect<BillingAccount, AccountChanged | StoreUnavailable>
    readonly isRecorded: (eventId: BillingEventId) => Effect.Effect<boolean, StoreUnavailable>
    readonly ofCustomer: (customerId: CustomerId) => Effect.Effect<BillingAccount | undefined, StoreUnavailable>
    /**
     * Records an event once, with what it is about. News that was fetched before another event of the customer's was
     * recorded is refused, so that none overwrites what a later one saw. Without news, an event of nobody's, it is
     * recorded only. False if the event was recorded before.
     */
    readonly record: (
      eventId: BillingEventId,
      news: SubscriptionNews | undefined,
    ) => Effect.Effect<boolean, AccountChanged | StoreUnavailable>
  }
>()("assay/application/BillingAccounts") {}
