import * as Layer from "effect/Layer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { callerAccess, publicAccess } from "./access.ts"
import { Authenticator } from "./Authenticator.ts"
import { Api } from "./contract/Api.ts"
import { analysisHandlers } from "./handlers/analysis.ts"
import { badgeHandlers } from "./handlers/badge.ts"
import { documentationHandlers } from "./handlers/documentation.ts"
import { healthHandlers } from "./handlers/health.ts"
import { rulesHandlers } from "./handlers/rules.ts"

/** Every endpoint of the contract with its handler. */
export const routes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([analysisHandlers, badgeHandlers, documentationHandlers, healthHandlers, rulesHandlers]),
  Layer.provide([callerAccess, publicAccess]),
  Layer.provide(Authenticator.layer),
)
