import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ruleCatalog } from "../../adapters/engine/ruleCatalog.ts"
import { defaultHttpSettings, HttpSettings } from "../../adapters/http/HttpSettings.ts"
import { loadSite } from "../../adapters/http/pages/StaticSite.ts"
import { httpServer, type ListenOptions } from "../../adapters/http/server.ts"
import { observeServices } from "../../adapters/memory/observeServices.ts"
import { SubmissionRules } from "../../application/analysis/SubmissionRules.ts"
import type { HealthProbe } from "../../application/ports/HealthProbe.ts"
import type { RateLimiter } from "../../application/ports/RateLimiter.ts"
import { isPage } from "../dashboard/addresses.ts"
import { builtFiles } from "../dashboard/build/ensureBuilt.ts"
import { codeHost } from "./codeHost.ts"
import type { Configuration } from "./configuration.ts"
import { offers } from "./payments.ts"
import { ownLimits } from "./redis.ts"

/** The API on its port, serving from the stores. */
export const http = <E = never>(
  configuration: Configuration,
  listen: ListenOptions,
  limits: Layer.Layer<RateLimiter | HealthProbe, E, HealthProbe> = ownLimits,
) =>
  httpServer(listen).pipe(
    Layer.provide(observeServices),
    Layer.provide([
      limits,
      codeHost,
      ruleCatalog,
      Layer.succeed(SubmissionRules, configuration),
      Layer.effect(
        HttpSettings,
        Effect.map(offers, (offered) => ({
          ...defaultHttpSettings,
          ...configuration,
          requestLog: configuration.requestLog ?? defaultHttpSettings.requestLog,
          site: loadSite(builtFiles, isPage, offered),
        })),
      ),
    ]),
  )
