import { Worker } from "node:worker_threads"
import type { ExternalRun } from "../../domain/external/ExternalResult.ts"

export interface OutputToRead {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The folder that the engine ran on, if known. */
  readonly root?: string
}

export type ReadOutput = "empty" | { readonly runs: ReadonlyArray<ExternalRun> } | { readonly failure: string }

/** Lists and objects take at least 40 bytes, and there are three copies of the text itself. */
const memoryPerByte = 20
const leastMemoryMegabytes = 128
/** A report of 100 MB takes half of this, unless it was crafted to take more. */
const mostMemoryMegabytes = 1_000

/** A report of 100 MB takes some seconds. */
const longestSeconds = 60

/**
 * Reads a report in a separate thread. A program that runs code from a repository may write anything: 25 MB of `{},`
 * take half a second to parse and 20 times their memory, which must cost neither the request thread's time nor the
 * process.
 */
export const readOutput = (output: OutputToRead): Promise<ReadOutput> =>
  new Promise((resolve) => {
    const room = leastMemoryMegabytes + Math.ceil((output.bytes.byteLength * memoryPerByte) / 1_000_000)
    const worker = new Worker(new URL("./outputs.ts", import.meta.url), {
      workerData: output,
      transferList: [output.bytes.buffer],
      resourceLimits: { maxOldGenerationSizeMb: Math.min(mostMemoryMegabytes, room) },
      stdout: true,
      stderr: true,
    })
    const settle = (answer: ReadOutput): void => {
      clearTimeout(timer)
      resolve(answer)
      void worker.terminate()
    }
    const timer = setTimeout(() => settle({ failure: "takes too long to read" }), longestSeconds * 1_000)
    worker.on("message", settle)
    worker.on("error", () => settle({ failure: "takes too much memory to read" }))
    worker.on("exit", () => settle({ failure: "could not be read" }))
  })
