import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { engineLayer } from "../../adapters/engine/engineLayer.ts"
import * as GitSourceFetcher from "../../adapters/git/GitSourceFetcher.ts"
import { rememberReports } from "../../adapters/memory/rememberReports.ts"
import { consumeQueue } from "../../application/analysis/consumeQueue.ts"
import { hostingCredentials } from "../../application/repositories/sourceCredentials.ts"
import { codeHost } from "./codeHost.ts"
import type { Configuration } from "./configuration.ts"
import { version } from "./version.ts"

/** The engine with every rule, `threads` analyses at a time. */
export const engine = (threads: number) =>
  engineLayer({
    frontEnds: new URL("../engine/frontEnds.ts", import.meta.url),
    version,
    threads,
    compileCache: join(import.meta.dirname, "../../node_modules/.cache/assay/code"),
  })

/** Claims analyses from the store and runs them, for as long as the layer lives. */
export const worker = ({ allowedHosts, workDirectory, workerConcurrency }: Configuration) =>
  Layer.effectDiscard(
    Effect.forkScoped(consumeQueue(`${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`, workerConcurrency)),
  ).pipe(
    Layer.provide([
      GitSourceFetcher.layer({ allowedHosts, workDirectory }),
      rememberReports().pipe(Layer.provide(engine(workerConcurrency))),
      hostingCredentials.pipe(Layer.provide(codeHost)),
    ]),
  )
