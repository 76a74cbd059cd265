import { hash } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { compositeKey } from "../../../application/compositeKey.ts"
import { RateLimiter } from "../../../application/ports/RateLimiter.ts"
import { count } from "./count.ts"
import type { Exchange } from "../request/Exchange.ts"

/** How many wrong credentials are remembered, over all addresses; a forgotten one counts once more. */
const mostRemembered = 10_000

/**
 * Counts the wrong credentials that an address tries, 30 an hour. Trying the same one again reveals nothing new to
 * somebody guessing, and is what a client with an expired key does, so it counts as any public request instead. The
 * counter is separate from that of sign-in: nothing stops a valid caller behind the same address.
 */
export class FailedAttempts extends Context.Service<
  FailedAttempts,
  {
    /** Whether the address may learn that the credential is wrong. */
    readonly admit: (exchange: Exchange, credential: string) => Effect.Effect<boolean>
  }
>()("assay/http/FailedAttempts") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(RateLimiter, (limiter) => {
      // Insertion order: the oldest is removed first.
      const told = new Set<string>()
      return {
        admit: (exchange, credential) => {
          const attempt = hash("sha256", compositeKey(exchange.address, credential), "base64url")
          if (told.has(attempt)) return Effect.succeed(true)
          return Effect.tap(
            count(limiter.consume, exchange, "authentication", `failed:${exchange.address}`, "basic"),
            (allowed) =>
              Effect.sync(() => {
                if (!allowed) return
                told.add(attempt)
                for (const oldest of told) {
                  if (told.size <= mostRemembered) break
                  told.delete(oldest)
                }
              }),
          )
        },
      }
    }),
  )
}
