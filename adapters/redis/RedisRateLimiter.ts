import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { Redis } from "ioredis"
import { RateLimiterRedis, type RateLimiterRes } from "rate-limiter-flexible"
import { type LocalCounter, LocalRateLimiter, RateLimiter } from "../../application/ports/RateLimiter.ts"
import { windowLength } from "../../domain/plan/RateLimit.ts"
import { counters } from "./counters.ts"
import { keyPrefix } from "./keyPrefix.ts"
import { RedisConnection, RedisUnavailable } from "./RedisConnection.ts"

const fallbacks = Metric.counter("assay_rate_limiter_fallbacks_total", {
  description: "Requests counted by this process itself because Redis did not respond.",
  incremental: true,
})

const prefix = `${keyPrefix}:limit`

const limiterOn = (client: Redis): RateLimiterRedis =>
  new RateLimiterRedis({
    storeClient: counters(client),
    keyPrefix: prefix,
    duration: windowLength / 1000,
    // The limit depends on the caller's plan: the library counts, and we compare.
    points: Number.MAX_SAFE_INTEGER,
  })

/**
 * Raises a counter to what a process knows of it, if that is the same window. The ends of windows are compared, with a
 * tolerance of 5 s, so that what is known of an old window never counts in the next one.
 */
const raise = `
local used = tonumber(redis.call('get', KEYS[1]) or '-1')
if used < 0 then
  redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
elseif used < tonumber(ARGV[1]) and math.abs(redis.call('pttl', KEYS[1]) - tonumber(ARGV[2])) < 5000 then
  redis.call('set', KEYS[1], ARGV[1], 'KEEPTTL')
end`

/**
 * Restores a counter that Redis has lost, emptied or replaced by an older copy of itself while the connection held: to
 * what a process knows of it plus this one request, unless another process has already reported more.
 */
const putBack = `
local used = tonumber(redis.call('get', KEYS[1]) or '0')
if used < tonumber(ARGV[1]) then
  redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return {tonumber(ARGV[1]), tonumber(ARGV[2])}
end
return {used, redis.call('pttl', KEYS[1])}`

/** A window that is about to end is not worth restoring, and might be over when the script runs. */
const worthRestoring = 5_000
const restoredAtOnce = 1_000

/** How often a subject was counted in its window, including this time, and the milliseconds until the window ends. */
interface Counted {
  readonly used: number
  readonly resetsIn: number
}

/** Whether less was counted than is known of a window that continues: one with an earlier end is a different one. */
const isLost = ({ used, resetsIn }: Counted, known: Omit<LocalCounter, "key">, now: number): boolean => {
  const left = known.resetsAt - now
  return used < known.used && left > worthRestoring && resetsIn > left - worthRestoring
}

type Resume = (counted: Effect.Effect<Counted, RedisUnavailable>) => void

/** How many subjects one command counts: bounds how long it keeps Redis busy. */
const mostSubjects = 500

/**
 * Counts requests. Those that arrive in one turn of the event loop are sent in one command, each subject once with as
 * many points as it has requests, and each request is told its own count: under load, a command for each would cost
 * more than half of what reading a status costs otherwise.
 */
const countTogether = (
  consumeAll: (points: ReadonlyMap<string, number>) => Effect.Effect<ReadonlyArray<RateLimiterRes>, RedisUnavailable>,
): ((key: string) => Effect.Effect<Counted, RedisUnavailable>) => {
  let waiting = new Map<string, Array<Resume>>()

  const flush = () => {
    const waiters = [...waiting.values()]
    const points = new Map([...waiting].map(([key, { length }]) => [key, length]))
    waiting = new Map()
    if (waiters.length === 0) return
    Effect.runFork(
      Effect.matchCause(consumeAll(points), {
        onSuccess: (counted) =>
          waiters.forEach((requests, subject) => {
            const { consumedPoints, msBeforeNext } = counted[subject]!
            const before = consumedPoints - requests.length
            requests.forEach((resume, place) =>
              resume(Effect.succeed({ used: before + place + 1, resetsIn: msBeforeNext })),
            )
          }),
        onFailure: (cause) => waiters.flat().forEach((resume) => resume(Effect.failCause(cause))),
      }),
    )
  }

  return (key) =>
    Effect.callback((resume) => {
      const others = waiting.get(key)
      if (others !== undefined) {
        others.push(resume)
        return
      }
      waiting.set(key, [resume])
      if (waiting.size === 1) setImmediate(flush)
      else if (waiting.size === mostSubjects) flush()
    })
}

const answerOf = <A>(command: () => Promise<A>) =>
  Effect.tryPromise({
    try: command,
    catch: (error) => new RedisUnavailable({ reason: String(error), answered: false }),
  })

/** One limiter for each client. */
const limitersOfClients = () => {
  const limiters = new WeakMap<Redis, RateLimiterRedis>()
  return (client: Redis): RateLimiterRedis => {
    const known = limiters.get(client)
    if (known !== undefined) return known
    const made = limiterOn(client)
    limiters.set(client, made)
    return made
  }
}

/** Tells a new connection's server what this process has counted in the meantime. */
const raiseAll = Effect.fnUntraced(function* (client: Redis, local: LocalRateLimiter["Service"]) {
  const counters = yield* local.counters
  const now = yield* Effect.clockWith((clock) => Effect.succeed(clock.currentTimeMillisUnsafe()))
  const left = counters.filter(({ resetsAt }) => resetsAt - now > worthRestoring)
  if (left.length === 0) return
  const script = yield* answerOf(() => client.script("LOAD", raise))
  for (let from = 0; from < left.length; from += restoredAtOnce) {
    const commands = client.pipeline()
    for (const { key, used, resetsAt } of left.slice(from, from + restoredAtOnce)) {
      commands.evalsha(String(script), 1, `${prefix}:${key}`, used, Math.ceil(resetsAt - now))
    }
    yield* answerOf(() => commands.exec())
  }
})

const restore = (
  connection: RedisConnection["Service"],
  key: string,
  used: number,
  left: number,
): Effect.Effect<Counted, RedisUnavailable> =>
  Effect.map(
    connection.run((client) => client.eval(putBack, 1, `${prefix}:${key}`, used, Math.ceil(left))),
    (answer) => {
      // What the script returns.
      const [counted, resetsIn] = answer as readonly [number, number]
      return { used: counted, resetsIn }
    },
  )

const orLocally = <A>(shared: Effect.Effect<A, RedisUnavailable>, locally: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.catch(shared, () => Effect.andThen(Metric.update(fallbacks, 1), locally))

/**
 * Windows shared by all processes on one Redis. While Redis does not answer, each process continues counting from the
 * shared count; when it is back, perhaps empty, it is first told what was counted.
 */
export const layer = Layer.effect(
  RateLimiter,
  Effect.gen(function* () {
    const local = yield* LocalRateLimiter
    const connection = yield* RedisConnection
    yield* Metric.update(fallbacks, 0)

    const limiter = limitersOfClients()
    const count = countTogether((points) =>
      connection.run((client) => {
        const counter = limiter(client)
        return Promise.all([...points].map(([key, point]) => counter.consume(key, point)))
      }),
    )

    yield* connection.prepare((client) => raiseAll(client, local))

    return RateLimiter.of({
      consume: (window, subject, limit) =>
        orLocally(
          Effect.flatMap(count(`${window}:${subject}`), (counted) =>
            Effect.clockWith((clock) => {
              const now = clock.currentTimeMillisUnsafe()
              const adopt = ({ used, resetsIn }: Counted) => local.adopt(window, subject, limit, used, now + resetsIn)
              const known = local.known(window, subject)
              return known !== undefined && isLost(counted, known, now)
                ? Effect.flatMap(
                    restore(connection, `${window}:${subject}`, known.used + 1, known.resetsAt - now),
                    adopt,
                  )
                : adopt(counted)
            }),
          ),
          local.consume(window, subject, limit),
        ),
      consumeHere: local.consume,
      giveBack: (window, subject, limit) =>
        Effect.andThen(
          local.giveBack(window, subject, limit),
          orLocally(
            Effect.flatMap(
              connection.run((client) => limiter(client).reward(`${window}:${subject}`)),
              ({ consumedPoints, msBeforeNext }) =>
                Effect.clockWith((clock) => {
                  const resetsAt = clock.currentTimeMillisUnsafe() + msBeforeNext
                  return local.adopt(window, subject, limit, Math.max(0, consumedPoints), resetsAt)
                }),
            ),
            local.peek(window, subject, limit),
          ),
        ),
      peek: (window, subject, limit) =>
        orLocally(
          Effect.flatMap(
            connection.run((client) => limiter(client).get(`${window}:${subject}`)),
            (found) =>
              Effect.clockWith((clock) => {
                const used = found?.consumedPoints ?? 0
                return Effect.succeed({
                  limit,
                  remaining: Math.max(0, limit - used),
                  resetsAt: clock.currentTimeMillisUnsafe() + (found?.msBeforeNext ?? windowLength),
                  allowed: used < limit,
                })
              }),
          ),
          local.peek(window, subject, limit),
        ),
    })
  }),
)
