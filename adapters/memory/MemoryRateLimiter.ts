import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { LocalRateLimiter, RateLimiter, type WindowState } from "../../application/ports/RateLimiter.ts"
import { type RateWindow, windowLength } from "../../domain/plan/RateLimit.ts"

/** Subjects counted individually; those beyond share counters, so that invented addresses cannot fill the memory. */
const mostSubjects = 100_000
const sharedCounters = 1024

/** Milliseconds by which two readings of the same window's end may differ because of transit time. */
const sameWindow = 1000

interface Counter {
  used: number
  readonly resetsAt: number
}

const sharedKey = (window: RateWindow, subject: string): string => {
  let hash = 0
  for (let i = 0; i < subject.length; i++) hash = (hash * 31 + subject.charCodeAt(i)) | 0
  // No subject contains a NUL.
  return `${window}:\0${Math.abs(hash) % sharedCounters}`
}

const state = (used: number, limit: number, resetsAt: number, allowed: boolean): WindowState => ({
  limit,
  remaining: Math.max(0, limit - used),
  resetsAt,
  allowed,
})

/** Counters of current windows, with a limited number of individual subjects. */
const counterTable = (capacity: number) => {
  // All windows have the same length: everything inserted before a current one began within the last hour.
  const counters = new Map<string, Counter>()

  const removeExpired = (now: number): void => {
    for (const [key, { resetsAt }] of counters) {
      if (resetsAt > now) return
      counters.delete(key)
    }
  }

  const current = (window: RateWindow, subject: string, now: number): readonly [string, Counter | undefined] => {
    const key = `${window}:${subject}`
    const counter = counters.get(key)
    if (counter !== undefined && counter.resetsAt > now) return [key, counter]
    counters.delete(key)
    removeExpired(now)
    if (counters.size < capacity) return [key, undefined]
    const shared = sharedKey(window, subject)
    const common = counters.get(shared)
    if (common !== undefined && common.resetsAt > now) return [shared, common]
    counters.delete(shared)
    return [shared, undefined]
  }

  return { counters, current }
}

const make = (capacity: number): LocalRateLimiter["Service"] => {
  const { counters, current } = counterTable(capacity)

  const consume: RateLimiter["Service"]["consume"] = (window, subject, limit) =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      const [key, found] = current(window, subject, now)
      const counter = found ?? { used: 0, resetsAt: now + windowLength }
      if (found === undefined) counters.set(key, counter)
      counter.used++
      return Effect.succeed(state(counter.used, limit, counter.resetsAt, counter.used <= limit))
    })

  const peek: RateLimiter["Service"]["peek"] = (window, subject, limit) =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      const [, counter] = current(window, subject, now)
      const used = counter?.used ?? 0
      return Effect.succeed(state(used, limit, counter?.resetsAt ?? now + windowLength, used < limit))
    })

  return {
    consume,
    consumeHere: consume,
    giveBack: (window, subject, limit) =>
      Effect.suspend(() => {
        const counter = counters.get(`${window}:${subject}`) ?? counters.get(sharedKey(window, subject))
        if (counter !== undefined && counter.used > 0) counter.used--
        return peek(window, subject, limit)
      }),
    peek,
    adopt: (window, subject, limit, used, resetsAt) =>
      Effect.sync(() => {
        const key = `${window}:${subject}`
        const known = counters.get(key)
        if (known !== undefined && Math.abs(known.resetsAt - resetsAt) < sameWindow) {
          known.used = Math.max(known.used, used)
          return state(used, limit, known.resetsAt, used <= limit)
        }
        counters.delete(key)
        if (counters.size < capacity) counters.set(key, { used, resetsAt })
        return state(used, limit, resetsAt, used <= limit)
      }),
    known: (window, subject) => counters.get(`${window}:${subject}`),
    counters: Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      return Effect.succeed(
        [...counters].flatMap(([key, { used, resetsAt }]) => (resetsAt > now ? [{ key, used, resetsAt }] : [])),
      )
    }),
  }
}

/**
 * Fixed windows in one process's memory, each starting with its subject's first request. `capacity` is for tests.
 *
 * A custom map: the memory limiter of rate-limiter-flexible returns a promise and keeps a timer per subject, neither of
 * them bounded; the promise alone took a tenth of the cost of a `/health` response.
 */
export const memoryRateLimiter = (capacity = mostSubjects) => Layer.sync(RateLimiter, () => make(capacity))

/** The same, as insurance for a shared limiter. */
export const localRateLimiter = (capacity = mostSubjects) => Layer.sync(LocalRateLimiter, () => make(capacity))
