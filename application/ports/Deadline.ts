import * as Context from "effect/Context"

/**
 * When whoever asked stops waiting for the database, in milliseconds of `performance.now()`; Infinity for what takes as
 * long as it takes. Undefined leaves it to the database's adapter, for which a server can only be silent for so long.
 */
export const Deadline = Context.Reference<number | undefined>("assay/application/Deadline", {
  defaultValue: () => undefined,
})

/** Milliseconds that a request may wait for the database in all: with what a rollback takes, 5 s are not exceeded. */
const requestTime = 4_200

/**
 * What is left of the time that one request may wait for the database, over all that it asks of it, and whose it is. What runs for as
 * long as it takes, a stream of progress or a sync, has none, and waits a few seconds each time.
 */
export class WaitingTime {
  left = requestTime
  /** The user, once known: the requests of one share a part of the database's connections. */
  caller: string | undefined = undefined

  spend(milliseconds: number): void {
    this.left -= milliseconds
  }
}

export const CurrentWaitingTime = Context.Reference<WaitingTime | undefined>("assay/application/CurrentWaitingTime", {
  defaultValue: () => undefined,
})
