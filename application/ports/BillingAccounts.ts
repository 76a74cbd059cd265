import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Role } from "../../domain/identity/Organization.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import type { QuotaUsage } from "../../domain/plan/Quota.ts"
import type { BilledSubscription, SubscriptionStatus } from "../../domain/plan/Subscription.ts"
import type { StoreUnavailable } from "./AnalysisStore.ts"

/** What a user's pool, their own or the organization's, pays and uses. */
export interface BillingView {
  readonly poolId: string
  readonly plan: PlanId
  /** The payment service's word for the last subscription; undefined when there never was one. */
  readonly status: SubscriptionStatus | undefined
  readonly usage: QuotaUsage
  /** In the organization; undefined outside of any. */
  readonly role: Role | undefined
}

/** What we know of a pool at the payment service. */
export interface BillingAccount {
  readonly poolId: string
  readonly customerId: string | undefined
  readonly checkoutId: string | undefined
  /** Numbers what is asked for, so that asking again after a crash asks for the same thing. */
  readonly requests: number
  readonly trialUsed: boolean
  readonly subscriptionId: string | undefined
  readonly status: SubscriptionStatus | undefined
  /** Members, the owner among them; 1 for a single user. */
  readonly members: number
  /** Of the owner. */
  readonly email: string | undefined
}

export type AccountChange = Partial<Pick<BillingAccount, "customerId" | "checkoutId" | "requests">>

/** Our records of who pays what. They follow the payment service. */
export class BillingAccounts extends Context.Service<
  BillingAccounts,
  {
    readonly view: (userId: string) => Effect.Effect<BillingView, StoreUnavailable>
    /**
     * Works with a pool's account while nobody else can, and records what changed, all in one transaction: of two
     * checkouts at once the second one finds the first one's page.
     */
    readonly withAccount: <A, E>(
      poolId: string,
      use: (account: BillingAccount) => Effect.Effect<readonly [A, AccountChange], E>,
    ) => Effect.Effect<A, E | StoreUnavailable>
    /**
     * Records an event once, with what `fetch` finds out about the account, all in one transaction: events of one
     * customer follow one another, so that none overwrites what a later one saw. An event of nobody's is recorded
     * only. False when the event was recorded before.
     */
    readonly applyEvent: <E>(
      event: { readonly eventId: string; readonly customerId: string | undefined },
      fetch: (account: BillingAccount) => Effect.Effect<SubscriptionNews, E>,
    ) => Effect.Effect<boolean, E | StoreUnavailable>
  }
>()("assay/application/BillingAccounts") {}

/** The subscription that counts now; undefined when there is none. */
export interface SubscriptionNews {
  readonly subscription: BilledSubscription | undefined
  readonly customerDeleted: boolean
}
