import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { DetectionEngine } from "../../application/ports/analysis/DetectionEngine.ts"
import { AdvisoriesUnreadable, type AdvisoryReading, readAdvisories } from "./readAdvisories.ts"

/** Milliseconds after which the directory is checked again. */
const refreshAfter = 60_000

const shownProblems = 3

const read = (directory: string, known: AdvisoryReading | undefined) =>
  Effect.tryPromise({
    try: () => readAdvisories(directory, known),
    catch: (error) => (error instanceof AdvisoriesUnreadable ? error : new AdvisoriesUnreadable(String(error))),
  })

const tell = (directory: string, { advisories, problems }: AdvisoryReading) => {
  const more = problems.length > shownProblems ? [`and ${problems.length - shownProblems} more`] : []
  const all = [...problems.slice(0, shownProblems), ...more].join("; ")
  return problems.length === 0
    ? Effect.logDebug("advisories loaded", { directory, advisories: advisories.length })
    : Effect.logWarning("advisories partially loaded", { directory, advisories: advisories.length, problems: all })
}

/**
 * Supplies the engine with the current advisories of a directory when an analysis begins: changes are noticed within a
 * minute. Fails if the directory cannot be read at startup; later, the last successful read stays in effect.
 */
export const refreshedAdvisories = (
  directory: string,
): Layer.Layer<DetectionEngine, AdvisoriesUnreadable, DetectionEngine> =>
  Layer.effect(
    DetectionEngine,
    Effect.gen(function* () {
      const engine = yield* DetectionEngine
      const turn = yield* Semaphore.make(1)
      let reading = yield* read(directory, undefined)
      let lookedAt = yield* Clock.currentTimeMillis
      yield* tell(directory, reading)

      const current = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now - lookedAt < refreshAfter) return reading
        lookedAt = now
        const next = yield* read(directory, reading)
        if (next !== reading) yield* tell(directory, next)
        reading = next
        return reading
      }).pipe(
        Effect.catch(({ message }) =>
          Effect.as(Effect.logWarning("could not reload advisories", { message }), reading),
        ),
        turn.withPermit,
      )

      return DetectionEngine.of({
        detect: engine.detect,
        examine: (input, onProgress) =>
          Effect.flatMap(current, ({ version, advisories }) =>
            engine.examine({ ...input, advisories: { version, advisories } }, onProgress),
          ),
      })
    }),
  )
