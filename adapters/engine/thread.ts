import { enableCompileCache } from "node:module"
import { workerData } from "node:worker_threads"
import { behindOthers } from "./behindOthers.ts"
import type { ThreadData } from "./ThreadProtocol.ts"

// `workerData` is what `AnalysisThread` passed.
const data = workerData as ThreadData

// Stripping the types of the catalog costs 190 ms of CPU, from the cache 28 (Node 24.21). The cache
// must be on before the first import of it, hence the dynamic ones.
if (data.compileCache !== undefined) enableCompileCache(data.compileCache)

if (data.behindOthers) behindOthers()

const { serve } = await import("./serve.ts")
await serve(data)
