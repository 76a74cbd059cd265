import * as Schema from "effect/Schema"

/**
 * Ids as distinct types for the compiler. Text becomes one on entry: in the contract's schemas, in the rows of a
 * statement, or by `make`. A brand checks nothing, so decoding costs no more than for plain text.
 */
export const UserId = Schema.String.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const OrganizationId = Schema.String.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/** The owner of scan counts, decisions and review costs: an organization, or a user without one. */
export const PoolId = Schema.String.pipe(Schema.brand("PoolId"))
export type PoolId = typeof PoolId.Type

export const InvitationId = Schema.String.pipe(Schema.brand("InvitationId"))
export type InvitationId = typeof InvitationId.Type

export const ApiKeyId = Schema.String.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** A sign-in, with the refresh tokens that follow from it. */
export const SignInId = Schema.String.pipe(Schema.brand("SignInId"))
export type SignInId = typeof SignInId.Type

export const AnalysisId = Schema.String.pipe(Schema.brand("AnalysisId"))
export type AnalysisId = typeof AnalysisId.Type

export const RepositoryId = Schema.String.pipe(Schema.brand("RepositoryId"))
export type RepositoryId = typeof RepositoryId.Type

/** A run of a repository sync. */
export const SyncId = Schema.String.pipe(Schema.brand("SyncId"))
export type SyncId = typeof SyncId.Type

/** A completion webhook: the `webhook-id` of all its attempts. */
export const DeliveryId = Schema.String.pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** The payment service's id for a customer. */
export const CustomerId = Schema.String.pipe(Schema.brand("CustomerId"))
export type CustomerId = typeof CustomerId.Type

/** The payment service's id for a subscription. */
export const SubscriptionId = Schema.String.pipe(Schema.brand("SubscriptionId"))
export type SubscriptionId = typeof SubscriptionId.Type

/** The payment service's id for a checkout session. */
export const CheckoutId = Schema.String.pipe(Schema.brand("CheckoutId"))
export type CheckoutId = typeof CheckoutId.Type

/** The payment service's id for an event. */
export const BillingEventId = Schema.String.pipe(Schema.brand("BillingEventId"))
export type BillingEventId = typeof BillingEventId.Type

/** The process that holds a lease, as shown to operators in logs and rows: host, process id and a random part. */
export const WorkerId = Schema.String.pipe(Schema.brand("WorkerId"))
export type WorkerId = typeof WorkerId.Type
