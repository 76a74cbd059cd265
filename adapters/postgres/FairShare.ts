import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"

interface Held {
  readonly semaphore: Semaphore.Semaphore
  users: number
}

/** Limits something per caller; work without a caller is unlimited. */
export class FairShare {
  private readonly callers = new Map<string, Held>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  private enter(caller: string): Held {
    const held = this.callers.get(caller) ?? { semaphore: Semaphore.makeUnsafe(this.most), users: 0 }
    held.users++
    this.callers.set(caller, held)
    return held
  }

  private leave(caller: string, held: Held): void {
    if (--held.users === 0) this.callers.delete(caller)
  }

  /** Waits until the caller is below its share, and counts until the scope closes. */
  take(caller: string | undefined): Effect.Effect<void, never, Scope.Scope> {
    if (caller === undefined) return Effect.void
    const held = Effect.acquireRelease(
      Effect.sync(() => this.enter(caller)),
      (held) => Effect.sync(() => this.leave(caller, held)),
    )
    return Effect.flatMap(held, ({ semaphore }) => Semaphore.takeScoped(semaphore, 1))
  }

  /** The same for as long as the effect runs. */
  within<A, E, R>(caller: string | undefined, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    if (caller === undefined) return effect
    return Effect.suspend(() => {
      const held = this.enter(caller)
      return Effect.ensuring(
        held.semaphore.withPermit(effect),
        Effect.sync(() => this.leave(caller, held)),
      )
    })
  }
}
