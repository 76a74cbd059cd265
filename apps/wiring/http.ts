import * as Layer from "effect/Layer"
import { defaultHttpSettings, HttpSettings } from "../../adapters/http/HttpSettings.ts"
import { httpServer, type ListenOptions } from "../../adapters/http/server.ts"
import { memoryRateLimiter } from "../../adapters/memory/MemoryRateLimiter.ts"
import { SubmissionRules } from "../../application/analysis/SubmissionRules.ts"
import { RuleCatalogue } from "../../application/ports/RuleCatalogue.ts"
import { ruleMetas } from "../../domain/detection/catalogue.ts"
import { codeHost } from "./codeHost.ts"
import type { Configuration } from "./configuration.ts"

/** The API on its port; what it serves comes from the stores. */
export const http = (configuration: Configuration, listen: ListenOptions) =>
  httpServer(listen).pipe(
    Layer.provide([
      memoryRateLimiter(),
      codeHost,
      Layer.succeed(RuleCatalogue, ruleMetas),
      Layer.succeed(SubmissionRules, configuration),
      Layer.succeed(HttpSettings, { ...defaultHttpSettings, ...configuration }),
    ]),
  )
