import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { HttpMethod } from "effect/http/HttpMethod"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerError, RouteNotFound } from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { accountRoutes, apiKeyRoutes, invitationRoutes, organizationRoutes } from "./handlers/account.ts"
import { analysisRoutes } from "./handlers/analysis.ts"
import { badgeRoutes } from "./handlers/badge.ts"
import { deliveriesRoutes } from "./handlers/deliveries.ts"
import { documentationRoutes } from "./handlers/documentation.ts"
import { analysisFindingsRoutes, findingsRoutes } from "./handlers/findings.ts"
import { healthRoutes } from "./handlers/health.ts"
import { overviewRoutes } from "./handlers/overview.ts"
import { repositoriesRoutes } from "./handlers/repositories.ts"
import { rulesRoutes } from "./handlers/rules.ts"
import { signInRoutes } from "./handlers/signIn.ts"
import { billingEventRoutes, subscriptionRoutes } from "./handlers/subscriptions.ts"
import { settingsRoutes } from "./handlers/settings.ts"
import { shadowed } from "./request/methods.ts"

const notThere = (request: HttpServerRequest) =>
  Effect.fail(new HttpServerError({ reason: new RouteNotFound({ request }) }))

const shadowedRoutes = shadowed.flatMap(({ path, methods }) =>
  // Every one is a method of the contract, and its paths begin with a slash.
  [...methods].map((method) => HttpRouter.route(method as HttpMethod, path as HttpRouter.PathInput, notThere)),
)

/** Every endpoint of the contract with its handler. */
export const routes = Layer.mergeAll(
  HttpRouter.addAll(shadowedRoutes),
  HttpRouter.addAll(analysisRoutes),
  HttpRouter.addAll(badgeRoutes),
  HttpRouter.addAll(deliveriesRoutes),
  HttpRouter.addAll(documentationRoutes),
  HttpRouter.addAll(findingsRoutes),
  HttpRouter.addAll(analysisFindingsRoutes),
  HttpRouter.addAll(healthRoutes),
  HttpRouter.addAll(overviewRoutes),
  HttpRouter.addAll(repositoriesRoutes),
  HttpRouter.addAll(rulesRoutes),
  HttpRouter.addAll(subscriptionRoutes),
  HttpRouter.addAll(billingEventRoutes),
  HttpRouter.addAll(accountRoutes),
  HttpRouter.addAll(apiKeyRoutes),
  HttpRouter.addAll(organizationRoutes),
  HttpRouter.addAll(invitationRoutes),
  HttpRouter.addAll(signInRoutes),
  HttpRouter.addAll(settingsRoutes),
)
