import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { SubscriptionStatus } from "../../../domain/plan/Subscription.ts"
import { callerFailures, failures, publicFailures } from "./errors.ts"
import { Text, Timestamp } from "./text.ts"

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export const PlanView = Schema.Struct({
  id: PlanId,
  name: Schema.String,
  monthlyAnalyses: Schema.Int,
  features: Schema.Array(Schema.String),
}).annotate({ identifier: "Plan" })

export const CheckoutRequest = Schema.Struct({
  planId: Text.check(Schema.isMaxLength(100)).annotate({ description: "The plan to subscribe to: `pro`." }),
}).annotate({ identifier: "CheckoutRequest", examples: [{ planId: "pro" }] })

export const CheckoutView = Schema.Struct({ checkoutUrl: Schema.String }).annotate({ identifier: "CheckoutSession" })
export const PortalView = Schema.Struct({ portalUrl: Schema.String }).annotate({ identifier: "PortalSession" })

export const SubscriptionView = Schema.Struct({
  tier: PlanId,
  status: SubscriptionStatus.annotate({ description: "Status of the subscription at Stripe; `active` on basic." }),
  lastStatus: Schema.optionalKey(
    SubscriptionStatus.annotate({ description: "On basic: the final status of the previous subscription." }),
  ),
  currentPeriodEnd: Timestamp,
  monthlyAnalysesUsed: Schema.Int,
  monthlyAnalysesLimit: Schema.Int.annotate({ description: "Scans of the whole organization: 60 per seat on pro." }),
}).annotate({ identifier: "SubscriptionStatus" })

export class SubscriptionsGroup extends HttpApiGroup.make("subscriptions")
  .add(
    HttpApiEndpoint.get("plans", "/api/subscriptions/plans", {
      success: Schema.Array(PlanView),
      error: failures(...callerFailures),
    }).annotateMerge(describe("Plans", "What can be subscribed to.")),
    HttpApiEndpoint.post("checkout", "/api/subscriptions/checkout", {
      payload: CheckoutRequest,
      success: CheckoutView,
      error: failures(
        ...callerFailures,
        "INVALID_STATE",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "BILLING_UNAVAILABLE",
      ),
    }).annotateMerge(describe("Subscribe", "A hosted payment page, the same one until it is paid. Owners only.")),
    HttpApiEndpoint.get("status", "/api/subscriptions/status", {
      success: SubscriptionView,
      error: failures(...callerFailures),
    }).annotateMerge(
      describe("Subscription status", "Plan and usage in the current period; the organization's, for its members."),
    ),
    HttpApiEndpoint.post("portal", "/api/subscriptions/portal", {
      success: PortalView,
      error: failures(...callerFailures, "BILLING_UNAVAILABLE"),
    }).annotateMerge(
      describe("Billing portal", "A hosted page to change how you pay, see invoices and cancel. Owners only."),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Subscriptions", description: "Plans and payments." })) {}

export class BillingEventsGroup extends HttpApiGroup.make("billingEvents")
  .add(
    HttpApiEndpoint.post("stripe", "/api/subscriptions/webhook", {
      success: Schema.Struct({ received: Schema.Boolean }).annotate({ identifier: "ReceivedEvent" }),
      error: failures(...publicFailures, "VALIDATION_ERROR", "PAYLOAD_TOO_LARGE", "BILLING_UNAVAILABLE"),
    }).annotateMerge(
      describe("Stripe events", "For Stripe only: the request must carry its signature. Answered beyond the limit."),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Billing events", description: "Events from the payment service." })) {}
