import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface DispatchLimits {
  /** Concurrent deliveries of this process. */
  readonly concurrent: number
  /**
   * Those to a single receiver that responds quickly. Any other receiver, including an unknown one, gets one at a time.
   */
  readonly perReceiver: number
  /** The total of those to receivers that were slow the last time. */
  readonly slow: number
}

/**
 * A receiver that hangs holds a place for 15 s. It costs no thread and no statement, but a connection: 170 kB with TLS.
 */
export const dispatchLimits: DispatchLimits = { concurrent: 1024, perReceiver: 4, slow: 512 }

/** Milliseconds after which an attempt was slow, whatever its outcome. */
const slowAfter = 5000

/** Receivers whose pace is remembered, most recent first; a forgotten one counts as unknown. */
const remembered = 4096

export interface ReceiverPlaces {
  /** The receivers whose deliveries are to be skipped for now. */
  readonly busy: () => ReadonlyArray<string>
  /** Takes a place for the receiver for as long as the effect runs. */
  readonly hold: <A, E, R>(receiver: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * Limits the concurrent deliveries per receiver, so that receivers that hang leave places for the others: a new one
 * shows its pace with a single delivery, a slow one never gets more, and slow ones together never occupy all places.
 */
export const receiverPlaces = ({ perReceiver, slow }: DispatchLimits): ReceiverPlaces => {
  const underWay = new Map<string, number>()
  const isSlow = new Map<string, boolean>()

  const change = (receiver: string, by: 1 | -1): void => {
    const count = (underWay.get(receiver) ?? 0) + by
    if (count === 0) underWay.delete(receiver)
    else underWay.set(receiver, count)
  }

  const learn = (receiver: string, duration: number): void => {
    isSlow.delete(receiver)
    isSlow.set(receiver, duration > slowAfter)
    if (isSlow.size > remembered) isSlow.delete(isSlow.keys().next().value!) // it has more than one
  }

  const places = (receiver: string): number => (isSlow.get(receiver) === false ? perReceiver : 1)

  return {
    busy: () => {
      const full = new Set<string>()
      let slowUnderWay = 0
      for (const [receiver, count] of underWay) {
        if (count >= places(receiver)) full.add(receiver)
        if (isSlow.get(receiver) === true) slowUnderWay += count
      }
      if (slowUnderWay >= slow) for (const [receiver, each] of isSlow) if (each) full.add(receiver)
      return [...full]
    },
    hold: (receiver, effect) =>
      Effect.suspend(() => {
        change(receiver, 1)
        return Clock.currentTimeMillis
      }).pipe(
        Effect.flatMap((startedAt) =>
          Effect.tap(effect, () => Effect.map(Clock.currentTimeMillis, (now) => learn(receiver, now - startedAt))),
        ),
        Effect.ensuring(Effect.sync(() => change(receiver, -1))),
      ),
  }
}
