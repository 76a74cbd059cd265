import { parentPort } from "node:worker_threads"
import type { CatalogEntry } from "../../application/ports/analysis/RuleCatalog.ts"
import { catalog } from "../../domain/detection/catalog.ts"

/** The thread of `ruleCatalog`: says what readers are shown of each rule. A request or an analysis waits for it. */

const entries = catalog.map(({ meta, examples: { vulnerable, safe } }): CatalogEntry => ({
  ...meta,
  examples: { vulnerable: vulnerable[0], safe: safe[0] },
}))

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(entries)
