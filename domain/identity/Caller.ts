import type { PlanId } from "../plan/Plan.ts"
import type { UserId, OrganizationId, ApiKeyId } from "../ids/Ids.ts"

export const scopes = ["analysis:read", "analysis:write", "repositories", "billing"] as const
export type Scope = (typeof scopes)[number]

/** The authenticated caller of a request. */
export interface Caller {
  readonly userId: UserId
  readonly plan: PlanId
  /** The organization whose seats the user shares, if any. */
  readonly organizationId: OrganizationId | undefined
  readonly scopes: ReadonlyArray<Scope>
  /** The key used as credentials; absent for a person with a session or an access token. */
  readonly apiKeyId?: ApiKeyId
  /** Milliseconds from the lookup until the key or the plan expires; absent if neither does. */
  readonly endsIn?: number
}

/** Whether the credentials have every scope, as a person's own do: operations on other people require that. */
export const mayEverything = ({ scopes: granted }: Pick<Caller, "scopes">): boolean =>
  scopes.every((scope) => granted.includes(scope))
