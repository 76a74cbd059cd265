import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PlanId } from "../../domain/plan/Plan.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { UserId, PoolId } from "../../domain/ids/Ids.ts"

/** Who pays: the organization of a user, or the user. */
export interface ReviewAccount {
  readonly id: PoolId
  readonly plan: PlanId
}

/** What models answered, so that nothing is paid for twice, and what was spent on them. */
export class ReviewStore extends Context.Service<
  ReviewStore,
  {
    readonly account: (userId: UserId) => Effect.Effect<ReviewAccount, StoreUnavailable>
    /** An answer that was kept for the account; undefined where there is none. */
    readonly find: (accountId: PoolId, key: string) => Effect.Effect<string | undefined, StoreUnavailable>
    readonly keep: (accountId: PoolId, key: string, answer: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * Counts millionths of a dollar to the account's calendar month (UTC), unless more than `limit` would be spent then: false.
     * Of several at once none goes beyond it.
     */
    readonly spend: (accountId: PoolId, micros: number, limit: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Gives back what was counted and not used. */
    readonly giveBack: (accountId: PoolId, micros: number) => Effect.Effect<void, StoreUnavailable>
  }
>()("assay/application/ReviewStore") {}
