import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { KeptReports } from "../../application/ports/analysis/PackedReport.ts"
import { renderHere, type Rendered, type Rendering, ResultRenderer } from "../../application/analysis/renderResult.ts"
import type { ResultSummary } from "../../domain/finding/ResultSummary.ts"

export interface RenderingOrder {
  readonly id: number
  readonly rendering: Rendering
}

export interface RenderedFar {
  readonly id: number
  readonly summary: ResultSummary
  /** Fingerprints of the findings that the result has room for; undefined if that is all of them. */
  readonly listed: ReadonlyArray<string> | undefined
  readonly reports: KeptReports
}

/** After this many milliseconds without work, the thread ends and releases its memory. */
const idleTime = 10_000

/** Results with at most this many entries are rendered in a few milliseconds and need no thread. */
const few = 200

const isSmall = ({ assembly }: Rendering): boolean => {
  const { suppressed, coverage, access = [] } = assembly.examination
  return assembly.findings.length + suppressed.length + coverage.filesSkipped.length + access.length <= few
}

/** What a thread needs of the result: rules that no finding names, and the rest of an examination, stay here. */
const needed = ({ assembly, rules }: Rendering): Rendering => {
  const { branch, commit, framework, path, suppressed, coverage, access } = assembly.examination
  const named = new Set([...assembly.findings, ...suppressed].map(({ ruleId }) => ruleId))
  return {
    assembly: {
      ...assembly,
      examination: {
        branch,
        commit,
        framework,
        path,
        suppressed,
        coverage,
        ...(access === undefined ? {} : { access }),
      },
    },
    rules: rules.filter(({ id }) => named.has(id)),
  }
}

/** A thread that renders results, started when needed and restarted if it ended. */
class ReportThread {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, (answer: RenderedFar | undefined) => void>()
  private count = 0
  private rest: NodeJS.Timeout | undefined

  /** Undefined if the thread ended before it responded. */
  render(rendering: Rendering): Promise<RenderedFar | undefined> {
    const id = ++this.count
    clearTimeout(this.rest)
    return new Promise((resolve) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      this.running().postMessage({ id, rendering } satisfies RenderingOrder)
      this.waiting.set(id, resolve)
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.rest)
    await this.worker?.terminate()
  }

  private running(): Worker {
    if (this.worker !== undefined) return this.worker
    const worker = new Worker(new URL("./reports.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 1_024 },
      stdout: true,
      stderr: true,
    })
    worker.on("message", (answer: RenderedFar) => {
      this.waiting.get(answer.id)?.(answer)
      this.waiting.delete(answer.id)
      if (this.waiting.size === 0) this.rest = setTimeout(() => void worker.terminate(), idleTime).unref()
    })
    worker.on("error", () => {})
    worker.on("exit", () => {
      if (this.worker === worker) this.worker = undefined
      for (const resolve of this.waiting.values()) resolve(undefined)
      this.waiting.clear()
    })
    worker.unref()
    this.worker = worker
    return worker
  }
}

/**
 * Has a low-priority thread render and compress large results: half a second of CPU time for 8 MB in five forms, during
 * which the main thread answers requests and renews leases. If the thread fails, the result is rendered here.
 */
export const reportThread: Layer.Layer<never> = Layer.effect(
  ResultRenderer,
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new ReportThread()),
      (thread) => Effect.promise(() => thread.close()),
    ),
    (thread) =>
      Effect.fn("renderResult")(function* (rendering: Rendering) {
        if (isSmall(rendering)) return yield* renderHere(rendering)
        const answer = yield* Effect.promise(() => thread.render(needed(rendering)).catch(() => undefined))
        if (answer === undefined) return yield* renderHere(rendering)
        const { summary, listed, reports } = answer
        const { findings } = rendering.assembly
        const kept = listed === undefined ? undefined : new Set(listed)
        return {
          summary,
          findings: kept === undefined ? findings : findings.filter(({ fingerprint }) => kept.has(fingerprint)),
          reports,
        } satisfies Rendered
      }),
  ),
)
