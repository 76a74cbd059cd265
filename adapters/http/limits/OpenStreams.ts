import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { UserId } from "../../../domain/ids/Ids.ts"

/** How many progress streams each user has open. */
export class OpenStreams extends Context.Service<
  OpenStreams,
  {
    /** Counts one more until the scope closes, unless the user already has `limit`. */
    readonly acquire: (userId: UserId, limit: number) => Effect.Effect<boolean, never, Scope.Scope>
  }
>()("assay/http/OpenStreams") {
  static readonly layer = Layer.sync(this, () => {
    const open = new Map<string, number>()
    const release = (userId: UserId) =>
      Effect.sync(() => {
        const left = open.get(userId)! - 1
        if (left === 0) open.delete(userId)
        else open.set(userId, left)
      })
    return {
      acquire: (userId, limit) =>
        Effect.suspend(() => {
          const count = open.get(userId) ?? 0
          if (count >= limit) return Effect.succeed(false)
          open.set(userId, count + 1)
          return Effect.as(
            Effect.addFinalizer(() => release(userId)),
            true,
          )
        }),
    }
  })
}
