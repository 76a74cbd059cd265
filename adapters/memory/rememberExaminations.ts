import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  DetectionEngine,
  type EngineInput,
  type EngineResult,
} from "../../application/ports/analysis/DetectionEngine.ts"

export interface ExaminationMemory {
  readonly results: number
  /** Limits over all of them: findings and skipped files, each about 2 KB, and files read, 20 to one. */
  readonly entries: number
}

const defaultMemory: ExaminationMemory = { results: 500, entries: 20_000 }

/** A result and the contents that it was derived from. */
interface Remembered {
  readonly result: EngineResult
  readonly contents: ReadonlyArray<readonly [path: string, id: string]>
}

/** Paths processed before the rest of the process gets its turn: 50,000 deep ones take 0.1 s in total. */
const inTurn = 2_000

/** Identifies everything in an input except the contents; undefined if the content of a file has no id. */
const shapeOf = Effect.fnUntraced(function* ({ files, contentIds, ecosystems, advisories }: EngineInput) {
  if (contentIds === undefined) return undefined
  const hash = createHash("sha256")
    .update(ecosystems.toSorted().join(","))
    .update(`\0${advisories?.version ?? ""}`)
  for (const [index, file] of files.toSorted().entries()) {
    if (index % inTurn === inTurn - 1) yield* Effect.yieldNow
    if (!contentIds.has(file)) return undefined
    // A path contains no NUL, so no two inputs have the same form.
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
  /** In order of use. */
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
 * Keeps this process's results in memory: sources in which nothing relevant to the engine has changed are not examined
 * again, whatever else has. A result is found only by requests with the same contents. Results affected by time or
 * memory limits are not kept.
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
