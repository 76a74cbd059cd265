import { Worker } from "node:worker_threads"
import type { ProgramQueries } from "../../domain/detection/solidity/ask/programQueries.ts"

export interface ThreadInput {
  readonly directory: string
  readonly files: ReadonlyArray<string>
}

export type Query = keyof ProgramQueries

export interface Asked {
  readonly id: number
  readonly query: Query
  readonly argument: string | undefined
}

export type Answer = Readonly<Record<string, unknown>>

export interface Said {
  readonly id: number
  readonly answer: Answer
}

/** Milliseconds; a question takes a few, whatever is asked, and a model of 70,000 lines some seconds. */
const patience = { build: 180_000, question: 10_000 } as const

/**
 * The program of a folder's Solidity files in a thread of its own, for as long as it is asked: a file that stalls or
 * exhausts the thread costs the model, not the server.
 */
export class Model {
  private readonly worker: Worker
  private readonly waiting = new Map<number, (answer: Answer) => void>()
  private readonly built: Promise<Answer>
  private next = 1

  constructor(input: ThreadInput) {
    this.worker = new Worker(new URL("./modelThread.ts", import.meta.url), {
      workerData: input,
      resourceLimits: { maxOldGenerationSizeMb: 4_096, stackSizeMb: 8 },
      // The pipe is the protocol's.
      stdout: true,
      stderr: true,
    })
    this.built = this.answerTo(0, patience.build)
    this.worker.on("message", ({ id, answer }: Said) => this.waiting.get(id)?.(answer))
    this.worker.on("error", (error) => this.give(`The model could not be built: ${String(error).slice(0, 200)}`))
    this.worker.on("exit", () => this.give("The model is gone. Call scan to build it again."))
  }

  /** An answer, or in `error` why there is none. */
  async ask(query: Query, argument: string | undefined): Promise<Answer> {
    const built = await this.built
    if ("error" in built) return built
    const id = this.next++
    const answer = this.answerTo(id, patience.question)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.worker.postMessage({ id, query, argument } satisfies Asked)
    return await answer
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }

  private give(error: string): void {
    for (const answer of this.waiting.values()) answer({ error })
  }

  private answerTo(id: number, milliseconds: number): Promise<Answer> {
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
