import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Layer from "effect/Layer"
import { WorkerId } from "../../domain/ids/Ids.ts"
import { reportThread } from "../../adapters/engine/ReportThread.ts"
import { ruleCatalog } from "../../adapters/engine/ruleCatalog.ts"
import * as GitSourceFetcher from "../../adapters/git/GitSourceFetcher.ts"
import { rememberExaminations } from "../../adapters/memory/rememberExaminations.ts"
import { consumeQueue } from "../../application/analysis/consumeQueue.ts"
import { hostingCredentials } from "../../application/repositories/sourceCredentials.ts"
import { withAdvisories } from "./advisories.ts"
import { codeHost } from "./codeHost.ts"
import type { Configuration } from "./configuration.ts"
import { engine } from "./engine.ts"
import { externalEngines } from "./externalEngines.ts"
import { dispatcher } from "./notifications.ts"
import { reviewing } from "./review.ts"

/**
 * Claims analyses from the store and runs them while the layer lives, plus the grace period; also sends notifications.
 */
export const worker = (configuration: Configuration) => {
  const { allowedHosts, workDirectory, workerConcurrency, gracePeriod } = configuration
  const id = WorkerId.make(`${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`)
  return Layer.effectDiscard(consumeQueue(id, workerConcurrency, gracePeriod)).pipe(
    Layer.provide([
      GitSourceFetcher.layer({ allowedHosts, workDirectory, launcher: true }),
      withAdvisories.pipe(Layer.provide(rememberExaminations()), Layer.provide(engine(workerConcurrency, true))),
      hostingCredentials.pipe(Layer.provide(codeHost)),
      ruleCatalog,
      reviewing,
      externalEngines,
      reportThread,
    ]),
    Layer.merge(dispatcher(id, configuration)),
  )
}
