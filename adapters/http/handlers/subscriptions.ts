import * as Effect from "effect/Effect"
import { getSubscription } from "../../../application/billing/getSubscription.ts"
import { openPortal } from "../../../application/billing/openPortal.ts"
import { receiveEvent } from "../../../application/billing/receiveEvent.ts"
import { startCheckout } from "../../../application/billing/startCheckout.ts"
import { plans } from "../../../domain/plan/Plan.ts"
import { json } from "../answer/answer.ts"
import { BillingEventsGroup, CheckoutRequest, SubscriptionsGroup } from "../contract/SubscriptionsGroup.ts"
import { callerEndpoints, publicEndpoints } from "../serving/endpoints.ts"
import { jsonBody } from "../request/jsonBody.ts"
import { readBody } from "../request/readBody.ts"

const readCheckout = jsonBody(CheckoutRequest)

const planViews = Object.values(plans).map(({ id, name, monthlyAnalyses, features }) => ({
  id,
  name,
  monthlyAnalyses,
  features,
}))

export const subscriptionRoutes = callerEndpoints(SubscriptionsGroup, {
  plans: () => Effect.succeed(json(planViews)),

  checkout: Effect.fnUntraced(function* ({ caller, request }) {
    const { planId } = yield* readCheckout(request)
    return json({ checkoutUrl: yield* startCheckout(caller, planId) })
  }),

  status: ({ caller }) =>
    Effect.map(getSubscription(caller), ({ currentPeriodEnd, ...status }) =>
      json({ ...status, currentPeriodEnd: currentPeriodEnd.toISOString() }),
    ),

  portal: ({ caller }) => Effect.map(openPortal(caller), (portalUrl) => json({ portalUrl })),
})

export const billingEventRoutes = publicEndpoints(BillingEventsGroup, {
  // The signature is over the bytes as they arrive.
  stripe: Effect.fnUntraced(function* ({ request }) {
    const body = yield* readBody(request)
    yield* receiveEvent(body, request.headers["stripe-signature"] ?? "")
    return json({ received: true })
  }),
})
