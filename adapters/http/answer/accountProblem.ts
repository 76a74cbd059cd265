import type { AlreadySubscribed } from "../../../application/billing/startCheckout.ts"
import type {
  ApiKeyNotFound,
  ApiKeyRotated,
  CredentialsEnded,
  GrantExceeded,
  TooManyApiKeys,
} from "../../../application/ports/Accounts.ts"
import type { BillingUnavailable, EventRefused } from "../../../application/ports/Billing.ts"
import type {
  InvitationNotFound,
  OrganizationNotFound,
  UserNotFound,
} from "../../../application/ports/Organizations.ts"
import type { SecretUnreadable } from "../../../application/ports/SecretVault.ts"
import type { RefreshRefused } from "../../../application/ports/Sessions.ts"
import type { SignInFailed, SignInRefused, SignInUnavailable } from "../../../application/ports/SignIn.ts"
import type {
  AlreadyMember,
  MemberNotFound,
  OwnerRequired,
  OwnerStays,
  SeatsExhausted,
} from "../../../domain/identity/Membership.ts"
import { internalError, type Problem, unauthenticated, validationProblem } from "../request/Problem.ts"

/** What requests about accounts, organizations and payments can fail with by design. */
export type AccountFailure =
  | AlreadyMember
  | AlreadySubscribed
  | ApiKeyNotFound
  | ApiKeyRotated
  | BillingUnavailable
  | CredentialsEnded
  | EventRefused
  | GrantExceeded
  | InvitationNotFound
  | MemberNotFound
  | OrganizationNotFound
  | OwnerRequired
  | OwnerStays
  | RefreshRefused
  | SeatsExhausted
  | SecretUnreadable
  | SignInFailed
  | SignInRefused
  | SignInUnavailable
  | TooManyApiKeys
  | UserNotFound

const invalidState = (message: string, details?: Problem["details"]): Problem => ({
  code: "INVALID_STATE",
  message,
  ...(details === undefined ? {} : { details }),
})
const notFound = (message: string): Problem => ({ code: "NOT_FOUND", message })

export const accountProblem = (failure: AccountFailure): Problem => {
  switch (failure._tag) {
    case "AlreadyMember":
      return invalidState("The user already belongs to an organization and can belong to only one at a time.")
    case "AlreadySubscribed":
      return invalidState("There is a subscription already. POST /api/subscriptions/portal changes it.", {
        status: failure.status,
      })
    case "ApiKeyNotFound":
      return notFound("There is no such API key.")
    case "ApiKeyRotated":
      return invalidState("The key was rotated already. Rotate its successor, or create a new key.", {
        successorId: failure.successorId,
      })
    case "BillingUnavailable":
      return {
        code: "BILLING_UNAVAILABLE",
        message: "Billing is not configured here, or the payment service cannot be reached.",
        headers: { "retry-after": "30" },
      }
    case "CredentialsEnded":
      return unauthenticated("The key was revoked, or expired, while the request was on its way.")
    case "EventRefused":
      return validationProblem(failure.message)
    case "GrantExceeded":
      return {
        code: "FORBIDDEN",
        message: "A key cannot rotate one that may do more, or lasts longer. Use that key itself, or sign in.",
      }
    case "InvitationNotFound":
      return notFound("There is no such invitation, or it is over.")
    case "MemberNotFound":
      return notFound("There is no such member.")
    case "OrganizationNotFound":
      return notFound("There is no such organization.")
    case "OwnerRequired":
      return { code: "FORBIDDEN", message: "Only an owner of the organization may do this." }
    case "OwnerStays":
      return invalidState("An owner cannot be removed: nobody could administer the organization.")
    case "RefreshRefused":
      return unauthenticated("This refresh token is unknown, expired, revoked or used. Sign in again.")
    case "SeatsExhausted":
      return invalidState(
        failure.seats === 0
          ? "The organization's plan has no seats. Subscribe first."
          : `Members and open invitations take all ${failure.seats} seats. Add seats in the billing portal, or free one.`,
        { seats: failure.seats },
      )
    case "SecretUnreadable":
      return internalError
    case "SignInFailed":
      return {
        code: "HOSTING_UNAVAILABLE",
        message: "GitHub cannot be reached. Try again in a minute.",
        headers: { "retry-after": "60" },
      }
    case "SignInRefused":
      return validationProblem(failure.message)
    case "SignInUnavailable":
      return notFound("Signing in with GitHub is not configured here.")
    case "TooManyApiKeys":
      return invalidState(`There are ${failure.limit} API keys already. Revoke one first.`, { limit: failure.limit })
    case "UserNotFound":
      return notFound("There is no such user.")
  }
}
