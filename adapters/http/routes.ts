import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { Authenticator } from "./Authenticator.ts"
import { FailedAttempts } from "./FailedAttempts.ts"
import { accountRoutes, apiKeyRoutes, organizationRoutes } from "./handlers/account.ts"
import { analysisRoutes } from "./handlers/analysis.ts"
import { badgeRoutes } from "./handlers/badge.ts"
import { deliveriesRoutes } from "./handlers/deliveries.ts"
import { documentationRoutes } from "./handlers/documentation.ts"
import { healthRoutes } from "./handlers/health.ts"
import { repositoriesRoutes } from "./handlers/repositories.ts"
import { rulesRoutes } from "./handlers/rules.ts"
import { signInRoutes } from "./handlers/signIn.ts"
import { billingEventRoutes, subscriptionRoutes } from "./handlers/subscriptions.ts"
import { settingsRoutes } from "./handlers/settings.ts"

/** Every endpoint of the contract with its handler. */
export const routes = Layer.mergeAll(
  HttpRouter.addAll(analysisRoutes),
  HttpRouter.addAll(badgeRoutes),
  HttpRouter.addAll(deliveriesRoutes),
  HttpRouter.addAll(documentationRoutes),
  HttpRouter.addAll(healthRoutes),
  HttpRouter.addAll(repositoriesRoutes),
  HttpRouter.addAll(rulesRoutes),
  HttpRouter.addAll(subscriptionRoutes),
  HttpRouter.addAll(billingEventRoutes),
  HttpRouter.addAll(accountRoutes),
  HttpRouter.addAll(apiKeyRoutes),
  HttpRouter.addAll(organizationRoutes),
  HttpRouter.addAll(signInRoutes),
  HttpRouter.addAll(settingsRoutes),
).pipe(Layer.provide([Authenticator.layer, FailedAttempts.layer]))
