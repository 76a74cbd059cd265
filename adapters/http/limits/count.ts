import * as Effect from "effect/Effect"
import type { RateLimiter } from "../../../application/ports/RateLimiter.ts"
import type { PlanId } from "../../../domain/plan/Plan.ts"
import { type RateWindow, windowLength, windowLimit } from "../../../domain/plan/RateLimit.ts"
import type { Exchange } from "../request/Exchange.ts"

/** Reads by a browser session are counted separately from those by keys and tokens. */
export const windowOf = (exchange: Exchange, window: RateWindow): RateWindow =>
  window === "read" && exchange.session !== undefined ? "session" : window

/** Counts the request of `subject` and says whether it is let through; afterwards the exchange knows its window. */
export const count = (
  consume: RateLimiter["Service"]["consume"],
  exchange: Exchange,
  window: RateWindow,
  subject: string,
  plan: PlanId,
): Effect.Effect<boolean> => {
  const limit = windowLimit(window, plan)
  return Effect.map(consume(window, subject, limit), (state) => {
    exchange.window = { ...state, name: window, length: windowLength }
    exchange.charge = { window, subject, limit }
    return state.allowed
  })
}

/** Refunds a request that failed through our fault; afterwards the exchange knows its window. */
export const uncharge = (limiter: RateLimiter["Service"], exchange: Exchange): Effect.Effect<void> => {
  const { charge } = exchange
  const window = charge?.window ?? "public"
  const subject = charge?.subject ?? exchange.address
  const limit = charge?.limit ?? windowLimit("public", "basic")
  const state = charge === undefined ? limiter.peek(window, subject, limit) : limiter.giveBack(window, subject, limit)
  return Effect.map(state, (state) => {
    exchange.window = { ...state, name: window, length: windowLength }
  })
}
