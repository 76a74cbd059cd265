import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PlanId } from "../../../domain/plan/Plan.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { UserId, PoolId } from "../../../domain/ids/Ids.ts"

/** Who pays: the user's organization, or the user. */
export interface ReviewAccount {
  readonly id: PoolId
  readonly plan: PlanId
}

/** Answers of models, so that none is paid for twice, and what was spent on them. */
export class ReviewStore extends Context.Service<
  ReviewStore,
  {
    readonly account: (userId: UserId) => Effect.Effect<ReviewAccount, StoreUnavailable>
    /** An answer stored for the account, if there is one. */
    readonly find: (accountId: PoolId, key: string) => Effect.Effect<string | undefined, StoreUnavailable>
    readonly keep: (accountId: PoolId, key: string, answer: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * Charges millionths of a dollar to the account's calendar month (UTC); false if that would exceed `limit`.
     * Holds for concurrent charges, too.
     */
    readonly spend: (accountId: PoolId, micros: number, limit: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Refunds what was charged but not used. */
    readonly giveBack: (accountId: PoolId, micros: number) => Effect.Effect<void, StoreUnavailable>
  }
>()("assay/application/ReviewStore") {}
