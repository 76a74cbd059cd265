import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import { noAnswer, type SourceLimits, tooLarge } from "../../../domain/repository/SourceLimits.ts"

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
 * Fails when a transfer grows beyond the limit, or has not begun within the stall time: git connects without a limit of
 * its own. Once something came, be it bytes or words of git's (`hasSpoken`), curl notices when nothing more
 * does. A slow server is not a silent one: git passes a packet of up to 64 KB on only when it is whole.
 */
export const watchTransfer = (
  repository: string,
  hasSpoken: () => boolean,
  host: string,
  limits: SourceLimits,
): Effect.Effect<never, SourceError> =>
  Effect.gen(function* () {
    for (let waited = 0, begun = false; ; waited += interval) {
      const bytes = yield* Effect.promise(() => packedBytes(repository))
      if (bytes > limits.repositoryBytes) {
        return yield* new SourceError({ message: tooLarge(limits), retryable: false, byLimit: true })
      }
      begun ||= bytes > 0 || hasSpoken()
      if (!begun && waited >= Duration.toMillis(limits.stallTime)) {
        return yield* new SourceError({ message: noAnswer(host, limits), retryable: true })
      }
      yield* Effect.sleep(interval)
    }
  })
