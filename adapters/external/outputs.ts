import { setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import * as Result from "effect/Result"
import { asSarif } from "../../domain/external/jsonOutputs.ts"
import { readSarif } from "../../domain/external/readSarif.ts"
import type { OutputToRead, ReadOutput } from "./readOutput.ts"

/** The thread of `readOutput`: one report, of which the answer holds what is bounded. */

// Only Linux has a priority for each thread.
if (process.platform === "linux") {
  try {
    setPriority(10)
  } catch {
    // A sandbox may forbid it: nothing depends on it.
  }
}

// `workerData` is what `readOutput` passed.
const { bytes, root } = workerData as OutputToRead
const text = new TextDecoder().decode(bytes)
const runs = text.trim() === "" ? undefined : readSarif(asSarif(text), { root })
const answer: ReadOutput =
  runs === undefined ? "empty" : Result.isFailure(runs) ? { failure: runs.failure } : { runs: runs.success }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(answer)
