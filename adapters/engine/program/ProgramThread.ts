import { Worker } from "node:worker_threads"
import type { ModelAnswer, ModelQuery } from "../../../application/ports/analysis/ProgramModels.ts"
import type { CombinedAnswers } from "../../../domain/detection/ask/combined.ts"
import type { SourceFile } from "../../../domain/detection/SourceFile.ts"

export interface ThreadInput {
  readonly directory: string
  readonly files: ReadonlyArray<string>
  /** A module that exports `loadPrograms`. */
  readonly programs: string
}

/** The programs in some files; `read` returns the text of one, or nothing. */
export type LoadPrograms = (
  paths: ReadonlyArray<string>,
  read: (path: string) => ReadonlyArray<SourceFile>,
) => Promise<CombinedAnswers>

export interface Asked {
  readonly id: number
  readonly query: ModelQuery
  readonly argument: string | undefined
}

export interface Said {
  readonly id: number
  readonly answer: ModelAnswer
}

/** Milliseconds; a query takes a few, whatever it asks, and a model of 70,000 lines takes some seconds. */
const patience = { build: 180_000, question: 10_000 } as const

/**
 * The program of a folder's files in a thread of its own, for as long as it is queried: a file that stalls or exhausts
 * the thread costs the model, not the server.
 */
export class ProgramThread {
  private readonly worker: Worker
  private readonly waiting = new Map<number, (answer: ModelAnswer) => void>()
  private readonly built: Promise<ModelAnswer>
  private next = 1

  constructor(input: ThreadInput) {
    this.worker = new Worker(new URL("./answer.ts", import.meta.url), {
      workerData: input,
      resourceLimits: { maxOldGenerationSizeMb: 4_096, stackSizeMb: 8 },
      // Standard output belongs to whoever runs this.
      stdout: true,
      stderr: true,
    })
    this.built = this.answerTo(0, patience.build)
    this.worker.on("message", ({ id, answer }: Said) => this.waiting.get(id)?.(answer))
    this.worker.on("error", (error) => this.give(`The model could not be built: ${String(error).slice(0, 200)}`))
    this.worker.on("exit", () => this.give("The model is no longer available. Call scan to build it again."))
  }

  /** An answer or, in `error`, why there is none. */
  async ask(query: ModelQuery, argument: string | undefined): Promise<ModelAnswer> {
    const built = await this.built
    if ("error" in built) return built
    const id = this.next++
    const answer = this.answerTo(id, patience.question)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.worker.postMessage({ id, query, argument } satisfies Asked)
    return await answer
  }

  /** Resolves when queries can be answered immediately, even if only with the reason why there is no model. */
  async whenBuilt(): Promise<void> {
    await this.built
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }

  private give(error: string): void {
    for (const answer of this.waiting.values()) answer({ error })
  }

  private answerTo(id: number, milliseconds: number): Promise<ModelAnswer> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.get(id)?.({
          error: `No answer within ${milliseconds / 1_000} s. Call scan to build the model again.`,
        })
        void this.close()
      }, milliseconds)
      this.waiting.set(id, (answer) => {
        clearTimeout(timer)
        this.waiting.delete(id)
        resolve(answer)
      })
    })
  }
}
