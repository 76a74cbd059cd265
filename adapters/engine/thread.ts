import { enableCompileCache } from "node:module"
import { workerData } from "node:worker_threads"
import { behindOthers } from "./behindOthers.ts"
import type { ThreadData } from "./ThreadProtocol.ts"

// `workerData` is what `AnalysisThread` passed.
const data = workerData as ThreadData

// Stripping the types of the catalog costs 190 ms of CPU, or 28 from the cache (Node 24.21). The cache must be on
// before anything imports the catalog, hence the dynamic imports.
if (data.compileCache !== undefined) enableCompileCache(data.compileCache)

if (data.behindOthers) behindOthers()

const { serve } = await import("./serve.ts")
await serve(data)
