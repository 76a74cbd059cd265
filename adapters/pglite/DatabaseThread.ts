import { Worker } from "node:worker_threads"
import type { Answer, Call, RowMode, Rows, ThreadData } from "./ThreadProtocol.ts"

/** The thread has ended, and the database with it. */
export class DatabaseThreadEnded extends Error {
  override readonly name = "DatabaseThreadEnded"
}

type Ask = Call extends infer C ? (C extends Call ? Omit<C, "id"> : never) : never

interface Waiting {
  readonly resolve: (rows: Rows | undefined) => void
  readonly reject: (error: Error) => void
}

/**
 * PGlite in a separate thread. It is entirely synchronous and blocks its thread while it works: 3 s for the result of a
 * large analysis, during which no probe would be answered.
 */
export class DatabaseThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Map<number, () => void>()
  readonly #opened: Promise<unknown>
  #lastId = 0
  #ended: DatabaseThreadEnded | undefined

  private constructor(data: ThreadData) {
    this.#worker = new Worker(new URL("./thread.ts", import.meta.url), { workerData: data })
    this.#opened = this.#answerTo(0)
    this.#worker
      .on("message", (answer: Answer) => this.#hear(answer))
      .on("error", (error) => this.#end(String(error)))
      .on("exit", (code) => this.#end(`it exited with code ${code}`))
  }

  static async open(data: ThreadData): Promise<DatabaseThread> {
    const thread = new DatabaseThread(data)
    try {
      await thread.#opened
      return thread
    } catch (error) {
      await thread.#worker.terminate()
      throw error
    }
  }

  async query(sql: string, params: ReadonlyArray<unknown>, rowMode: RowMode): Promise<Rows> {
    // A query returns rows.
    return (await this.#ask({ type: "query", sql, params, rowMode })) as Rows
  }

  /** Returns the function that ends it. */
  async listen(channel: string, onNotify: () => void): Promise<() => Promise<void>> {
    const answered = this.#ask({ type: "listen", channel })
    const id = this.#lastId
    this.#listeners.set(id, onNotify)
    await answered
    return async () => {
      this.#listeners.delete(id)
      await this.#ask({ type: "unlisten", listening: id })
    }
  }

  /** Has the database flush everything, if it still can. */
  async close(): Promise<void> {
    if (this.#ended === undefined) await this.#ask({ type: "close" })
    await this.#worker.terminate()
  }

  #answerTo(id: number): Promise<Rows | undefined> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #ask(call: Ask): Promise<Rows | undefined> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const id = ++this.#lastId
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      this.#worker.postMessage({ ...call, id } satisfies Call)
    } catch (error) {
      return Promise.reject(error)
    }
    return this.#answerTo(id)
  }

  #hear(answer: Answer): void {
    if (answer.type === "notified") return this.#listeners.get(answer.id)?.()
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (answer.type === "done") waiting?.resolve(answer.rows)
    else {
      const { name, message, fields } = answer.thrown
      waiting?.reject(Object.assign(new Error(message), fields, { name }))
    }
  }

  #end(why: string): void {
    this.#ended ??= new DatabaseThreadEnded(`The embedded database ended: ${why}`)
    for (const { reject } of this.#waiting.values()) reject(this.#ended)
    this.#waiting.clear()
  }
}
