import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DetectionEngine, type EngineInput, type EngineResult } from "../../application/ports/DetectionEngine.ts"

export interface ExaminationMemory {
  readonly results: number
  /** Findings and skipped files in all of them together, one of which is about 2 KB, and files read, 20 for one. */
  readonly entries: number
}

const defaultMemory: ExaminationMemory = { results: 500, entries: 20_000 }

/** A result and the contents that it was derived from. */
interface Remembered {
  readonly result: EngineResult
  readonly contents: ReadonlyArray<readonly [path: string, id: string]>
}

/** Paths that are looked at before everything else in the process has its turn: of 50,000 deep ones all take 0.1 s. */
const inTurn = 2_000

/** Names everything of an input but the contents; undefined if the content of a file has no id. */
const shapeOf = Effect.fnUntraced(function* ({ files, contentIds, ecosystems, advisories }: EngineInput) {
  if (contentIds === undefined) return undefined
  const hash = createHash("sha256")
    .update(ecosystems.toSorted().join(","))
    .update(`\0${advisories?.version ?? ""}`)
  for (const [index, file] of files.toSorted().entries()) {
    if (index % inTurn === inTurn - 1) yield* Effect.yieldNow
    if (!contentIds.has(file)) return undefined
    // A path holds no NUL, so that no two inputs are written alike.
    hash.update(`\0${file}`)
  }
  return hash.digest("hex")
})

const contentsOf = Effect.fnUntraced(function* ({ files, contentIds }: EngineInput, { filesRead }: EngineResult) {
  const contents: Array<readonly [path: string, id: string]> = []
  for (const path of filesRead ?? files) {
    if (contents.push([path, contentIds?.get(path) ?? ""]) % inTurn === 0) yield* Effect.yieldNow
  }
  return contents
})

const sizeOf = ({ result: { findings, suppressed, coverage }, contents }: Remembered): number =>
  1 + findings.length + suppressed.length + coverage.filesSkipped.length + Math.floor(contents.length / 20)

/** Results by the shape of their input; the least recently used are evicted first. */
class Memory {
  /** In the order of their use. */
  private readonly kept = new Map<Remembered, string>()
  private readonly byShape = new Map<string, Set<Remembered>>()
  private readonly limits: ExaminationMemory
  private entries = 0

  constructor(limits: ExaminationMemory) {
    this.limits = limits
  }

  find(shape: string, { contentIds }: EngineInput): EngineResult | undefined {
    for (const remembered of this.byShape.get(shape) ?? []) {
      if (!remembered.contents.every(([path, id]) => contentIds?.get(path) === id)) continue
      this.kept.delete(remembered)
      this.kept.set(remembered, shape)
      return remembered.result
    }
    return undefined
  }

  keep(shape: string, remembered: Remembered): void {
    const alike = this.byShape.get(shape) ?? new Set()
    this.byShape.set(shape, alike.add(remembered))
    this.kept.set(remembered, shape)
    this.entries += sizeOf(remembered)
    for (const [oldest, of] of this.kept) {
      if (this.kept.size <= this.limits.results && this.entries <= this.limits.entries) break
      this.forget(oldest, of)
    }
  }

  private forget(remembered: Remembered, shape: string): void {
    this.kept.delete(remembered)
    this.entries -= sizeOf(remembered)
    const alike = this.byShape.get(shape)
    alike?.delete(remembered)
    if (alike?.size === 0) this.byShape.delete(shape)
  }
}

/**
 * Keeps the results of this process in memory: sources of which nothing changed that the engine reads are not examined
 * again, whatever else changed beside them. A result is found only by whoever has the contents that it is about. One
 * that limits of time or memory had a part in is not kept.
 */
export const rememberExaminations = (memory: Partial<ExaminationMemory> = {}) =>
  Layer.effect(
    DetectionEngine,
    Effect.map(DetectionEngine, (engine) => {
      const results = new Memory({ ...defaultMemory, ...memory })
      return DetectionEngine.of({
        detect: engine.detect,
        examine: (input, onProgress) =>
          Effect.gen(function* () {
            const shape = yield* shapeOf(input)
            if (shape === undefined) return yield* engine.examine(input, onProgress)
            const known = results.find(shape, input)
            if (known !== undefined) {
              onProgress({ stage: "static_analysis", done: 1, total: 1 })
              return known
            }
            const result = yield* engine.examine(input, onProgress)
            if (result.cutShort !== true) results.keep(shape, { result, contents: yield* contentsOf(input, result) })
            return result
          }),
      })
    }),
  )
