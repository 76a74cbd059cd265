import type { Scope } from "../../domain/identity/Caller.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import type { RateWindow } from "../../domain/plan/RateLimit.ts"

/** `every` is for anything by which credentials could extend their own rights. */
export type RequiredScope = Scope | "every"

/** Who may call an endpoint, and in which window the call is counted. */
export type Policy =
  | {
      readonly auth: "caller"
      /** The scope that the credentials need; undefined if any will do. */
      readonly scope: RequiredScope | undefined
      readonly window: RateWindow
      /** The lowest plan that may call it at all. */
      readonly plan: PlanId
    }
  | {
      readonly auth: "public"
      readonly window: RateWindow
      /** Answered even if the window is used up: a probe must not mistake a busy service for a dead one. */
      readonly exempt: boolean
    }

const caller = (scope: RequiredScope | undefined, window: RateWindow, plan: PlanId = "basic"): Policy => ({
  auth: "caller",
  scope,
  window,
  plan,
})
const everybody: Policy = { auth: "public", window: "public", exempt: false }
const signingIn: Policy = { auth: "public", window: "authentication", exempt: false }
const exemptPublic: Policy = { auth: "public", window: "public", exempt: true }

/**
 * Every endpoint by its operation id, `<group>.<endpoint>`. The store decides whose resource it is: every lookup names
 * the user, and what belongs to someone else does not exist. The SARIF format of `analysis.export` requires pro, which
 * the use case checks.
 */
export const policies: Readonly<Record<string, Policy>> = {
  "analysis.create": caller("analysis:write", "create"),
  "analysis.list": caller("analysis:read", "read"),
  "analysis.status": caller("analysis:read", "read"),
  "analysis.events": caller("analysis:read", "read"),
  "analysis.result": caller("analysis:read", "read"),
  "analysis.export": caller("analysis:read", "read"),
  "analysis.access": caller("analysis:read", "read"),
  "analysis.retry": caller("analysis:write", "create"),
  "analysis.remove": caller("analysis:write", "read"),

  "deliveries.list": caller("analysis:read", "read"),
  "deliveries.redeliver": caller("analysis:write", "administration"),

  "badge.data": everybody,
  "badge.svg": everybody,
  "badge.shields": everybody,

  "repositories.list": caller("repositories", "read"),
  "repositories.stats": caller("repositories", "read"),
  "repositories.one": caller("repositories", "read"),
  "repositories.sync": caller("repositories", "sync"),
  "repositories.quickSync": caller("repositories", "sync"),

  // Selected by the findings of analyses, whoever owns the repositories.
  "findings.list": caller("analysis:read", "read"),
  "findings.one": caller("analysis:read", "read"),
  "findings.decide": caller("analysis:write", "decisions"),
  "findings.decideSeveral": caller("analysis:write", "decisions"),
  "analysisFindings.list": caller("analysis:read", "read"),
  "analysisFindings.one": caller("analysis:read", "read"),
  "analysisFindings.decide": caller("analysis:write", "decisions"),
  "analysisFindings.decideSeveral": caller("analysis:write", "decisions"),

  "overview.overview": caller("analysis:read", "read"),
  "overview.compare": caller("analysis:read", "read"),
  "overview.source": caller("analysis:read", "read"),

  "settings.hostingToken": caller("repositories", "read"),
  "settings.setHostingToken": caller("repositories", "administration"),
  "settings.removeHostingToken": caller("repositories", "administration"),
  "settings.webhookSecret": caller("analysis:read", "read"),
  // Anyone who knows it can forge notifications.
  "settings.rotateWebhookSecret": caller("every", "administration"),

  "rules.list": everybody,
  "rules.one": everybody,

  "account.me": caller(undefined, "read"),
  "apiKeys.list": caller("every", "read"),
  "apiKeys.create": caller("every", "administration"),
  "apiKeys.revoke": caller("every", "administration"),
  "apiKeys.rotate": caller("every", "administration"),

  "organizations.create": caller("every", "administration", "pro"),
  "organizations.find": caller(undefined, "read"),
  "organizations.change": caller("every", "administration"),
  "organizations.addMember": caller("every", "administration"),
  "organizations.removeMember": caller("every", "administration"),
  "invitations.list": caller("every", "read"),
  "invitations.accept": caller("every", "administration"),
  "invitations.end": caller("every", "administration"),

  // Reads like any other; the billing window is for requests that make Stripe do something.
  "subscriptions.plans": caller(undefined, "read"),
  "subscriptions.checkout": caller("billing", "billing"),
  "subscriptions.status": caller("billing", "read"),
  "subscriptions.portal": caller("billing", "billing"),
  // Stripe's signature decides; a limit must not lose its deliveries.
  "billingEvents.stripe": exemptPublic,

  "signIn.github": signingIn,
  "signIn.callback": signingIn,
  "signIn.refresh": signingIn,
  "signIn.logout": signingIn,
  "signIn.session": signingIn,
  "signIn.start": signingIn,
  "signIn.publicKeys": everybody,

  "health.basic": exemptPublic,
  "health.detailed": exemptPublic,
  "health.ready": exemptPublic,

  "documentation.openapi": everybody,
  "documentation.docs": everybody,
}

/** The policy of an endpoint; an endpoint without an entry must not be served. */
export const policyOf = (operationId: string): Policy => {
  const policy = policies[operationId]
  if (policy === undefined) throw new Error(`adapters/http/policy.ts has no entry for ${operationId}`)
  return policy
}
