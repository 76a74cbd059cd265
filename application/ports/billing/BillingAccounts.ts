import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Role } from "../../../domain/identity/Organization.ts"
import type { PlanId } from "../../../domain/plan/Plan.ts"
import type { QuotaUsage } from "../../../domain/plan/Quota.ts"
import type { BilledSubscription, SubscriptionStatus } from "../../../domain/plan/Subscription.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { UserId, PoolId, CustomerId, SubscriptionId, BillingEventId, CheckoutId } from "../../../domain/ids/Ids.ts"

/** What a user's pool, their own or the organization's, pays for and uses. */
export interface BillingView {
  readonly poolId: PoolId
  readonly plan: PlanId
  /** The payment service's status of the last subscription; undefined if there never was one. */
  readonly status: SubscriptionStatus | undefined
  readonly usage: QuotaUsage
  /** Their role in the organization; undefined outside of any. */
  readonly role: Role | undefined
}

/** What we know about a pool at the payment service. */
export interface BillingAccount {
  readonly poolId: PoolId
  /** Changes with every change of the account, so that an earlier read can be recognized as outdated. */
  readonly revision: string
  readonly customerId: CustomerId | undefined
  readonly checkoutId: CheckoutId | undefined
  /** Numbers the requests to the payment service, so that repeating one after a crash has no further effect. */
  readonly requests: number
  readonly trialUsed: boolean
  readonly subscriptionId: SubscriptionId | undefined
  readonly status: SubscriptionStatus | undefined
  /** Members, including the owner; 1 for a single user. */
  readonly members: number
  /** The owner's. */
  readonly email: string | undefined
}

export type AccountChange = Partial<Pick<BillingAccount, "customerId" | "checkoutId" | "requests">>

/** The account changed after it was read: nothing was written. Read it again. */
export class AccountChanged extends Schema.TaggedError<AccountChanged>()("AccountChanged", {}) {}

/** The payment service's answer, fetched after `account` was read. */
export interface SubscriptionNews {
  readonly account: BillingAccount
  /** The current one; undefined if there is none. */
  readonly subscription: BilledSubscription | undefined
  readonly customerDeleted: boolean
}

/**
 * Our records of who pays for what. They follow the payment service, which is queried between a read and a write, so
 * that no transaction waits for it. A write names the read that it is based on, and is rejected if that is outdated.
 */
export class BillingAccounts extends Context.Service<
  BillingAccounts,
  {
    readonly view: (userId: UserId) => Effect.Effect<BillingView, StoreUnavailable>
    /** A pool's account, created if there is none. */
    readonly account: (poolId: PoolId) => Effect.Effect<BillingAccount, StoreUnavailable>
    /** Returns the account with the change. */
    readonly update: (
      account: BillingAccount,
      change: AccountChange,
    ) => Effect.Effect<BillingAccount, AccountChanged | StoreUnavailable>
    readonly isRecorded: (eventId: BillingEventId) => Effect.Effect<boolean, StoreUnavailable>
    readonly ofCustomer: (customerId: CustomerId) => Effect.Effect<BillingAccount | undefined, StoreUnavailable>
    /**
     * Records an event once, with its consequences. Data fetched before another event of the same customer was recorded
     * is rejected, so that no event overwrites a later one. Without data, for an event that concerns nobody, it is only
     * recorded. False if the event was recorded before.
     */
    readonly record: (
      eventId: BillingEventId,
      news: SubscriptionNews | undefined,
    ) => Effect.Effect<boolean, AccountChanged | StoreUnavailable>
  }
>()("assay/application/BillingAccounts") {}
