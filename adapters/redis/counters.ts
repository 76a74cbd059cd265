import type { Redis } from "ioredis"

/**
 * Raises each counter, and starts its window where there is none. One script, so that no two processes let the same
 * request through. A counter without an end, as from a dump that was restored, is given one.
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

/** For each counter in turn what it is at now, and the milliseconds until its window ends. */
type Raised = ReadonlyArray<number>

/** `defineCommand` adds it to the client. */
interface Raise {
  readonly assayRaise: (keyCount: number, ...keysSecondsPoints: ReadonlyArray<string>) => Promise<Raised>
}

/**
 * The counters on `client` as RateLimiterRedis uses them: those that it raises before anything else happens are raised
 * by one command, which costs about as much as one for each of them would.
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
      // All windows are of one length.
      raised ??= Promise.resolve(seconds).then(send)
      return (await raised).slice(place, place + 2)
    },
  }
}
