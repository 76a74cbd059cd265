import type { ServerResponse } from "node:http"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { type Exchange } from "./Exchange.ts"
import { HttpSettings } from "./HttpSettings.ts"
import type { Problem } from "./Problem.ts"

/** Bytes from which an answer counts as large: what is smaller is mostly in the system's buffers at once. */
const large = 128 * 1024
/** Seconds after which somebody who was refused may find room. */
const comeBack = 5
/** What a reader has at least, and what it must read a second beyond that: one who does hardly read holds nothing for good. */
const shortest = 60_000
const slowest = 16 * 1024

const tooMany: Problem = {
  code: "SERVICE_UNAVAILABLE",
  message: "As many large reports as this process can send at a time are on their way. Try again in a few seconds.",
  headers: { "retry-after": String(comeBack) },
}

/**
 * The large answers that are on their way to their readers, over which nobody can use up this process: each caller may
 * have some, and all of them together hold a number of bytes. What several are sent is counted once, as it is held once.
 */
export class LargeAnswers extends Context.Service<
  LargeAnswers,
  {
    /** Counts an answer until it is sent or its connection gone, or says why it cannot be sent now. */
    readonly admit: (exchange: Exchange, response: ServerResponse, bytes: Uint8Array) => Problem | undefined
  }
>()("assay/http/LargeAnswers") {
  static readonly layer = Layer.effect(
    this,
    HttpSettings.useSync(({ largeAnswersPerCaller, largeAnswerBytes }) => {
      const callers = new Map<string, number>()
      const held = new Map<Uint8Array, number>()
      let total = 0

      const count = <K>(counts: Map<K, number>, key: K, change: 1 | -1): number => {
        const now = (counts.get(key) ?? 0) + change
        if (now === 0) counts.delete(key)
        else counts.set(key, now)
        return now
      }

      return {
        admit: (exchange, response, bytes) => {
          if (bytes.length < large) return undefined
          const caller = exchange.userId ?? exchange.address
          if ((callers.get(caller) ?? 0) >= largeAnswersPerCaller) {
            const resetsAt = Date.now() + comeBack * 1_000
            exchange.window = {
              name: "downloads",
              length: comeBack * 1_000,
              limit: largeAnswersPerCaller,
              remaining: 0,
              resetsAt,
              allowed: false,
            }
            return {
              code: "RATE_LIMIT_EXCEEDED",
              message: `At most ${largeAnswersPerCaller} large reports are sent to a caller at a time. Read one to its end first.`,
              headers: { "retry-after": String(comeBack) },
            }
          }
          if (!held.has(bytes) && total + bytes.length > largeAnswerBytes) return tooMany
          count(callers, caller, 1)
          if (count(held, bytes, 1) === 1) total += bytes.length
          const deadline = setTimeout(() => response.destroy(), shortest + (bytes.length / slowest) * 1_000)
          response.once("close", () => {
            clearTimeout(deadline)
            count(callers, caller, -1)
            if (count(held, bytes, -1) === 0) total -= bytes.length
          })
          return undefined
        },
      }
    }),
  )
}
