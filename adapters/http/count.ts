import * as Effect from "effect/Effect"
import type { RateLimiter } from "../../application/ports/RateLimiter.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import { type RateWindow, windowLength, windowLimit } from "../../domain/plan/RateLimit.ts"
import type { Exchange } from "./Exchange.ts"

/** Counts the request of `subject` and says whether it is let through; afterwards the exchange knows its window. */
export const count = (
  consume: RateLimiter["Service"]["consume"],
  exchange: Exchange,
  window: RateWindow,
  subject: string,
  plan: PlanId,
): Effect.Effect<boolean> =>
  Effect.map(consume(window, subject, windowLimit(window, plan)), (state) => {
    exchange.window = { ...state, name: window, length: windowLength }
    return state.allowed
  })
