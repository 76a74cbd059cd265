import { setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import * as Result from "effect/Result"
import { asSarif } from "../../domain/external/jsonOutputs.ts"
import { readSarif } from "../../domain/external/readSarif.ts"
import { jsonShape } from "../../domain/network/jsonShape.ts"
import type { OutputToRead, ReadOutput } from "./readOutput.ts"

/** The thread of `readOutput`: reads one report and returns bounded data. */

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

/**
 * No report is nested this deeply or has this many values. The parser's own memory is not covered by a thread's limits,
 * and nothing interrupts it.
 */
const most = { depth: 200, values: 10_000_000 } as const

const read = (): ReadOutput => {
  if (text.trim() === "") return "empty"
  const { depth, values } = jsonShape(text)
  if (depth > most.depth) return { failure: `nests deeper than ${most.depth} levels` }
  if (values > most.values) return { failure: `has more than ${most.values} values` }
  const runs = readSarif(asSarif(text), root === undefined ? {} : { root })
  return Result.isFailure(runs) ? { failure: runs.failure } : { runs: runs.success }
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(read())
