import type { AlreadySubscribed } from "../../../application/billing/startCheckout.ts"
import type {
  ApiKeyNotFound,
  ApiKeyRotated,
  CredentialsEnded,
  GrantExceeded,
  TooManyApiKeys,
} from "../../../application/ports/identity/Accounts.ts"
import type { BillingUnavailable, EventRefused } from "../../../application/ports/billing/Billing.ts"
import type {
  InvitationNotFound,
  OrganizationNotFound,
  UserNotFound,
} from "../../../application/ports/identity/Organizations.ts"
import type { SecretUnreadable } from "../../../application/ports/identity/SecretVault.ts"
import type { RefreshRefused } from "../../../application/ports/identity/Sessions.ts"
import type { SignInFailed, SignInRefused, SignInUnavailable } from "../../../application/ports/identity/SignIn.ts"
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
      return invalidState("A subscription already exists. Change it with POST /api/subscriptions/portal.", {
        status: failure.status,
      })
    case "ApiKeyNotFound":
      return notFound("No such API key.")
    case "ApiKeyRotated":
      return invalidState("The key has already been rotated. Rotate its successor, or create a new key.", {
        successorId: failure.successorId,
      })
    case "BillingUnavailable":
      return {
        code: "BILLING_UNAVAILABLE",
        message: "Billing is not configured, or the payment service is unreachable.",
        headers: { "retry-after": "30" },
      }
    case "CredentialsEnded":
      return unauthenticated("The key was revoked or expired while the request was being processed.")
    case "EventRefused":
      return validationProblem(failure.message)
    case "GrantExceeded":
      return {
        code: "FORBIDDEN",
        message:
          "A key cannot rotate a key with more scopes or a longer lifetime. Rotate that key with itself, or sign in.",
      }
    case "InvitationNotFound":
      return notFound("No such invitation, or it has expired.")
    case "MemberNotFound":
      return notFound("No such member.")
    case "OrganizationNotFound":
      return notFound("No such organization.")
    case "OwnerRequired":
      return { code: "FORBIDDEN", message: "Only an owner of the organization can do this." }
    case "OwnerStays":
      return invalidState("The owner cannot be removed, because nobody could administer the organization.")
    case "RefreshRefused":
      return unauthenticated("This refresh token is unknown, expired, revoked or used. Sign in again.")
    case "SeatsExhausted":
      return invalidState(
        failure.seats === 0
          ? "The plan of the organization has no seats. Subscribe first."
          : `Members and pending invitations occupy all ${failure.seats} seats. Add seats in the billing portal, or free one.`,
        { seats: failure.seats },
      )
    case "SecretUnreadable":
      return internalError
    case "SignInFailed":
      return {
        code: "HOSTING_UNAVAILABLE",
        message: "GitHub is unreachable. Try again in a minute.",
        headers: { "retry-after": "60" },
      }
    case "SignInRefused":
      return validationProblem(failure.message)
    case "SignInUnavailable":
      return notFound("Sign-in with GitHub is not configured.")
    case "TooManyApiKeys":
      return invalidState(`You already have ${failure.limit} API keys, the maximum. Revoke one first.`, {
        limit: failure.limit,
      })
    case "UserNotFound":
      return notFound("No such user.")
  }
}
