import type { PlanId } from "../plan/Plan.ts"
import type { UserId, OrganizationId, ApiKeyId } from "../ids/Ids.ts"

export const scopes = ["analysis:read", "analysis:write", "repositories", "billing"] as const
export type Scope = (typeof scopes)[number]

/** Who makes a request, once authenticated. */
export interface Caller {
  readonly userId: UserId
  readonly plan: PlanId
  /** The organization whose seats the user shares, if any. */
  readonly organizationId: OrganizationId | undefined
  readonly scopes: ReadonlyArray<Scope>
  /** The key whose credentials they are; absent for a person with a session or an access token. */
  readonly apiKeyId?: ApiKeyId
  /** Milliseconds from the lookup until the key or the plan ends by itself; absent if neither does. */
  readonly endsIn?: number
}

/** Whether the credentials have every scope, as a person's own have: what is about other people takes that. */
export const mayEverything = ({ scopes: granted }: Pick<Caller, "scopes">): boolean =>
  scopes.every((scope) => granted.includes(scope))
