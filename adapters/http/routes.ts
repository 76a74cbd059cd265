import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { Authenticator } from "./Authenticator.ts"
import { analysisRoutes } from "./handlers/analysis.ts"
import { badgeRoutes } from "./handlers/badge.ts"
import { documentationRoutes } from "./handlers/documentation.ts"
import { healthRoutes } from "./handlers/health.ts"
import { rulesRoutes } from "./handlers/rules.ts"

/** Every endpoint of the contract with its handler. */
export const routes = Layer.mergeAll(
  HttpRouter.addAll(analysisRoutes),
  HttpRouter.addAll(badgeRoutes),
  HttpRouter.addAll(documentationRoutes),
  HttpRouter.addAll(healthRoutes),
  HttpRouter.addAll(rulesRoutes),
).pipe(Layer.provide(Authenticator.layer))
