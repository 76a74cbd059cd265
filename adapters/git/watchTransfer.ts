import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { SourceError } from "../../application/ports/SourceFetcher.ts"
import { type SourceLimits, tooLarge } from "../../domain/repository/SourceLimits.ts"

const interval = 100

/** Bytes of the packs of a bare repository; a running transfer writes its pack there. */
const packedBytes = async (repository: string): Promise<number> => {
  const folder = join(repository, "objects", "pack")
  let bytes = 0
  for (const name of await readdir(folder).catch(() => [])) {
    bytes += await stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes
}

/**
 * Fails when a transfer grows beyond the limit, or when neither its bytes nor `heard`, a count of what git said, moved
 * for the stall time: curl notices a slow body, but neither a silent connection nor git at work on a packed bomb.
 */
export const watchTransfer = (
  repository: string,
  heard: () => number,
  host: string,
  limits: SourceLimits,
): Effect.Effect<never, SourceError> =>
  Effect.gen(function* () {
    let last = ""
    let silentFor = 0
    while (true) {
      const bytes = yield* Effect.promise(() => packedBytes(repository))
      if (bytes > limits.repositoryBytes) {
        return yield* new SourceError({ message: tooLarge(limits), retryable: false })
      }
      const state = `${bytes} ${heard()}`
      silentFor = state === last ? silentFor + interval : 0
      last = state
      if (silentFor >= limits.stallSeconds * 1000) {
        return yield* new SourceError({
          message: `${host} sent nothing for ${limits.stallSeconds} seconds. Retry later.`,
          retryable: true,
        })
      }
      yield* Effect.sleep(interval)
    }
  })
