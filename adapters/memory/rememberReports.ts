import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DetectionEngine, type EngineInput, type EngineReport } from "../../application/ports/DetectionEngine.ts"

export interface ReportMemory {
  readonly reports: number
  /** Findings and skipped files in all of them together; one is about 2 KB. */
  readonly entries: number
}

const defaultMemory: ReportMemory = { reports: 500, entries: 20_000 }

/** Names the engine's whole input by its content; undefined where the content of a file has no id. */
const inputKey = ({ files, contentIds, ecosystems }: EngineInput): string | undefined => {
  if (contentIds === undefined) return undefined
  const hash = createHash("sha256").update(ecosystems.toSorted().join(","))
  for (const file of files.toSorted()) {
    const id = contentIds.get(file)
    if (id === undefined) return undefined
    // A path holds no NUL, so that no two inputs are written alike.
    hash.update(`\0${file}\0${id}`)
  }
  return hash.digest("hex")
}

const sizeOf = ({ findings, suppressed, coverage }: EngineReport): number =>
  1 + findings.length + suppressed.length + coverage.filesSkipped.length

/**
 * Keeps the reports of this process in memory, the least recently used go first: sources that did not change are not
 * examined again. A report is found only by whoever has the contents that it is about. One that limits of time or
 * memory had a part in is not kept.
 */
export const rememberReports = (memory: Partial<ReportMemory> = {}) =>
  Layer.effect(
    DetectionEngine,
    Effect.map(DetectionEngine, (engine) => {
      const limits = { ...defaultMemory, ...memory }
      const kept = new Map<string, EngineReport>()
      let entries = 0

      const forget = (key: string): void => {
        const report = kept.get(key)
        if (report === undefined) return
        kept.delete(key)
        entries -= sizeOf(report)
      }
      const keep = (key: string, report: EngineReport): void => {
        forget(key)
        kept.set(key, report)
        entries += sizeOf(report)
        for (const oldest of kept.keys()) {
          if (kept.size <= limits.reports && entries <= limits.entries) break
          forget(oldest)
        }
      }

      return DetectionEngine.of({
        examine: (input, onProgress) =>
          Effect.suspend(() => {
            const key = inputKey(input)
            const known = key === undefined ? undefined : kept.get(key)
            if (key !== undefined && known !== undefined) {
              keep(key, known)
              onProgress({ stage: "static_analysis", done: 1, total: 1 })
              return Effect.succeed(known)
            }
            return Effect.tap(engine.examine(input, onProgress), (report) =>
              Effect.sync(() => {
                if (key !== undefined && report.cutShort !== true) keep(key, report)
              }),
            )
          }),
      })
    }),
  )
