import { once } from "node:events"
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CatalogEntry, RuleCatalog } from "../../application/ports/analysis/RuleCatalog.ts"

/** Milliseconds that loading may take: a hundred times of what it takes on an idle machine. */
const longest = 60_000

/** Asks a thread that loads the rules, and ends. */
const read = async (): Promise<ReadonlyArray<CatalogEntry>> => {
  const thread = new Worker(new URL("./rules.ts", import.meta.url), { stdout: true, stderr: true })
  const ended = new AbortController()
  thread.once("exit", () => ended.abort())
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(longest)])
    const [entries] = await once(thread, "message", { signal })
    return entries
  } finally {
    await thread.terminate()
  }
}

/**
 * The catalog, read from the rules' own files when it is first asked for. With all that the checks import, these are 600
 * modules: a third of the CPU time in which a service starts, and a quarter of a second without an answer if its main
 * thread loaded them later.
 */
export const ruleCatalog: Layer.Layer<RuleCatalog> = Layer.sync(RuleCatalog, () => {
  let known: Promise<ReadonlyArray<CatalogEntry>> | undefined
  const again = (error: unknown): never => {
    known = undefined
    throw error
  }
  return Effect.promise(() => (known ??= read().catch(again)))
})
