import type { Redis } from "ioredis"

/**
 * Raises each counter, and starts its window if there is none. One script, so that two processes cannot let the same
 * request through. A counter without an end, for example from a restored dump, is given one.
 */
const raise = `
local answers = {}
for i, key in ipairs(KEYS) do
  redis.call('set', key, 0, 'EX', ARGV[1], 'NX')
  answers[2 * i - 1] = redis.call('incrby', key, ARGV[i + 1])
  local left = redis.call('pttl', key)
  if left == -1 then
    redis.call('expire', key, ARGV[1])
    left = 1000 * ARGV[1]
  end
  answers[2 * i] = left
end
return answers`

/** For each counter in turn, its current value and the milliseconds until its window ends. */
type Raised = ReadonlyArray<number>

/** `defineCommand` adds it to the client. */
interface Raise {
  readonly assayRaise: (keyCount: number, ...keysSecondsPoints: ReadonlyArray<string>) => Promise<Raised>
}

/**
 * The counters on `client` as RateLimiterRedis uses them: those that it raises before anything else happens are raised
 * by a single command, which costs about as much as one of several would.
 */
export const counters = (client: Redis) => {
  client.defineCommand("assayRaise", { lua: raise })
  let keys: Array<string> = []
  let points: Array<string> = []
  let raised: Promise<Raised> | undefined

  const send = (seconds: string): Promise<Raised> => {
    const sent = [...keys, seconds, ...points]
    const keyCount = keys.length
    keys = []
    points = []
    raised = undefined
    return (client as Redis & Raise).assayRaise(keyCount, ...sent)
  }

  return {
    multi: () => client.multi(),
    rlflxIncr: async ([key, point, seconds]: readonly [string, string, string]): Promise<Raised> => {
      const place = 2 * (keys.push(key) - 1)
      points.push(point)
      // All windows have the same length.
      raised ??= Promise.resolve(seconds).then(send)
      return (await raised).slice(place, place + 2)
    },
  }
}
