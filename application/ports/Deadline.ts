import * as Context from "effect/Context"

/**
 * When the caller stops waiting for the database, in milliseconds of `performance.now()`; Infinity for operations that
 * may take any time. Undefined leaves it to the database's adapter, which limits how long a server may stay silent.
 */
export const Deadline = Context.Reference<number | undefined>("assay/application/Deadline", {
  defaultValue: () => undefined,
})

/**
 * Milliseconds that a request may wait for the database in total: with the time for a rollback, it stays within 5 s.
 */
const requestTime = 4_200

/**
 * The time that remains for one request to wait for the database, over all of its statements, and the user it belongs
 * to. Operations that may take any time, such as a progress stream or a sync, have none, and wait a few seconds each
 * time.
 */
export class WaitingTime {
  left = requestTime
  /** The user, once known: a user's requests share a part of the database's connections. */
  caller: string | undefined = undefined

  spend(milliseconds: number): void {
    this.left -= milliseconds
  }
}

export const CurrentWaitingTime = Context.Reference<WaitingTime | undefined>("assay/application/CurrentWaitingTime", {
  defaultValue: () => undefined,
})
