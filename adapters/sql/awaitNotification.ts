import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import { supervise } from "../../application/supervise.ts"
import { Notifications } from "./Notifications.ts"

/**
 * Notifications received while nobody was waiting, kept so that work announced between a claim and the wait is not
 * missed.
 */
const remembered = 16

/** After a lost connection, listening resumes after 1 s, 2 s and so on up to 30 s; polling continues meanwhile. */
const reconnect = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")])

/**
 * An effect that resolves at the next notification on `channel`, one waiter per notification, or after `pollInterval`.
 * The first waiter opens the connection for listening, so a process that only serves requests has none.
 */
export const awaitNotification = Effect.fnUntraced(function* (channel: string, pollInterval: Duration.Duration) {
  const notifications = yield* Notifications
  const scope = yield* Effect.scope
  const pending = yield* Queue.sliding<void>(remembered)

  const listen = notifications
    .listen(channel, () => Queue.offerUnsafe(pending, undefined))
    .pipe(
      Effect.tapError((error) => Effect.logDebug("listening for notifications failed", error)),
      Effect.retry(reconnect),
    )
  const listening = yield* supervise(`listening to ${channel}`, listen).pipe(Effect.forkIn(scope), Effect.cached)
  return Effect.andThen(listening, Effect.asVoid(Effect.timeoutOption(Queue.take(pending), pollInterval)))
})
