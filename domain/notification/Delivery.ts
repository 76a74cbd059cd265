import * as Schema from "effect/Schema"
import type { NotificationType } from "./Notification.ts"
import type { DeliveryId } from "../ids/Ids.ts"

/** `pending` waits for its next attempt, `sending` is in progress, `failed` has been given up. */
export const DeliveryStatus = Schema.Literals(["pending", "sending", "delivered", "failed"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/** One request to a receiver. */
export interface DeliveryAttempt {
  /** Counted from 1 over the delivery's lifetime. */
  readonly number: number
  readonly startedAt: Date
  /** Milliseconds. */
  readonly duration: number
  /** The status of the response; undefined if there was none. */
  readonly statusCode: number | undefined
  /** Why there was no response. */
  readonly error: string | undefined
}

/** Attempts kept in the log of a delivery, latest first. */
export const attemptsLogged = 20

/** One notification to one receiver. Its id is the `webhook-id` of every attempt. */
export interface Delivery {
  readonly deliveryId: DeliveryId
  readonly type: NotificationType
  readonly status: DeliveryStatus
  readonly url: string
  readonly createdAt: Date
  /** For a pending one. */
  readonly nextAttemptAt: Date | undefined
  /** Latest first. */
  readonly attempts: ReadonlyArray<DeliveryAttempt>
}
