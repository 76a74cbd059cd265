/** Examines what it is sent, writing into shared memory which part of the engine is at work. */
import { parentPort, workerData } from "node:worker_threads"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import { examiner } from "./axes/growth.ts"

const { ecosystem, part } = workerData as { ecosystem: Ecosystem; part: Uint8Array }
const run = await examiner(ecosystem, (name) => void new TextEncoder().encodeInto(name.padEnd(100), part))
// oxlint-disable unicorn/require-post-message-target-origin -- the main thread has none
parentPort!.on("message", (files: Readonly<Record<string, string>>) => parentPort!.postMessage(run(files)))
parentPort!.postMessage("ready")
