import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { scopes } from "../../../domain/identity/Caller.ts"
import { longestName, Role } from "../../../domain/identity/Organization.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { callerFailures, failures } from "./errors.ts"
import { Text, Timestamp, Uuid } from "./text.ts"

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const Scope = Schema.Literals(scopes)

const Name = Text.check(
  Schema.isMaxLength(longestName),
  Schema.makeFilter((text) => text.trim() !== "" || "must not be blank"),
)

export const MeView = Schema.Struct({
  userId: Uuid,
  email: Schema.NullOr(Schema.String),
  organization: Schema.NullOr(Schema.Struct({ organizationId: Uuid, name: Schema.String, role: Role })),
  tier: PlanId,
  scopes: Schema.Array(Scope),
  csrfToken: Schema.optionalKey(
    Schema.String.annotate({
      description: "With a session only: what its state-changing requests must send as `X-CSRF-Token`.",
    }),
  ),
}).annotate({ identifier: "Me" })

export class AccountGroup extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("me", "/api/v1/me", {
      success: MeView,
      error: failures(...callerFailures),
    }).annotateMerge(describe("Who you are", "User, organization, plan, and what the credentials may do.")),
  )
  .annotateMerge(OpenApi.annotations({ title: "Account" })) {}

const ApiKeyFields = {
  apiKeyId: Uuid,
  name: Schema.String,
  prefix: Schema.String.annotate({ description: "The key's first characters, to tell keys apart." }),
  scopes: Schema.Array(Scope),
  createdAt: Timestamp,
  expiresAt: Schema.NullOr(Timestamp),
  lastUsedAt: Schema.NullOr(Timestamp).annotate({ description: "To the minute." }),
}
const key = Schema.String.annotate({ description: "The key itself, shown this once." })

export const ApiKeyView = Schema.Struct(ApiKeyFields).annotate({ identifier: "ApiKey" })
export const NewApiKeyView = Schema.Struct({ ...ApiKeyFields, apiKey: key }).annotate({ identifier: "NewApiKey" })
export const RotatedApiKeyView = Schema.Struct({
  ...ApiKeyFields,
  apiKey: key,
  previousExpiresAt: Timestamp.annotate({ description: "When the old key ends: in 24 hours at the latest." }),
}).annotate({ identifier: "RotatedApiKey" })

/**
 * A day, at 0:00 UTC, or an instant with its offset. `Date.parse` alone takes 12/31/2027 as well, in the time zone of
 * the server, and makes March of February 30th.
 */
const isInstant = (text: string): boolean => {
  const [, year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? []
  if (year === undefined || Number.isNaN(Date.parse(text))) return false
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
}

export const CreateApiKey = Schema.Struct({
  name: Name.annotate({ description: "What the key is for." }),
  scopes: Schema.optionalKey(
    Schema.Array(Scope)
      .check(Schema.isMinLength(1), Schema.isMaxLength(scopes.length))
      .annotate({ description: "What it may do; all that your own credentials may when absent." }),
  ),
  expiresAt: Schema.optionalKey(
    Text.check(
      Schema.isMaxLength(40),
      Schema.makeFilter((text) => isInstant(text) || "must be an ISO 8601 timestamp, such as 2027-01-31T12:00:00Z"),
    ).annotate({ format: "date-time", description: "When it ends, within three years; never when absent." }),
  ),
}).annotate({ identifier: "CreateApiKey", examples: [{ name: "CI", scopes: ["analysis:read", "analysis:write"] }] })

const keyParams = { id: Uuid.annotate({ description: "The key's `apiKeyId`." }) }

export class ApiKeysGroup extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/api-keys", {
      success: Schema.Array(ApiKeyView),
      error: failures(...callerFailures),
    }).annotateMerge(describe("List your API keys", "Those that can be used now, newest first.")),
    HttpApiEndpoint.post("create", "/api/v1/api-keys", {
      payload: CreateApiKey,
      success: NewApiKeyView.pipe(HttpApiSchema.status(201)),
      error: failures(...callerFailures, "INVALID_STATE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
    }).annotateMerge(describe("Create an API key", "At most 100 for each user.")),
    HttpApiEndpoint.delete("revoke", "/api/v1/api-keys/:id", {
      params: keyParams,
      success: HttpApiSchema.NoContent.annotate({ description: "Revoked." }),
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(describe("Revoke an API key", "At once.")),
    HttpApiEndpoint.post("rotate", "/api/v1/api-keys/:id/rotate", {
      params: keyParams,
      success: RotatedApiKeyView,
      error: failures(...callerFailures, "NOT_FOUND", "INVALID_STATE"),
    }).annotateMerge(
      describe(
        "Rotate an API key",
        "A successor with the same name, scopes and lifetime; both work for 24 hours. Once: then its successor can be.",
      ),
    ),
  )
  .annotateMerge(
    OpenApi.annotations({ title: "API keys", description: "Managing them takes credentials with every scope." }),
  ) {}

export const MemberView = Schema.Struct({
  userId: Uuid,
  email: Schema.NullOr(Schema.String),
  role: Role,
  joinedAt: Timestamp,
}).annotate({ identifier: "Member" })

export const OrganizationView = Schema.Struct({
  organizationId: Uuid,
  name: Schema.String,
  tier: PlanId,
  seats: Schema.Int,
  createdAt: Timestamp,
  role: Role.annotate({ description: "Yours." }),
  members: Schema.Array(MemberView),
}).annotate({ identifier: "Organization" })

export const CreateOrganization = Schema.Struct({ name: Name }).annotate({ identifier: "CreateOrganization" })
export const AddMember = Schema.Struct({
  userId: Uuid.annotate({ description: "As the user reads it in `GET /api/v1/me`." }),
}).annotate({ identifier: "AddMember" })

const organizationParams = { id: Uuid.annotate({ description: "The `organizationId`." }) }

export class OrganizationsGroup extends HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/organizations", {
      payload: CreateOrganization,
      success: OrganizationView.pipe(HttpApiSchema.status(201)),
      error: failures(
        ...callerFailures,
        "SUBSCRIPTION_REQUIRED",
        "INVALID_STATE",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
      ),
    }).annotateMerge(describe("Found an organization", "Your subscription, its seats and its use become its own.")),
    HttpApiEndpoint.get("find", "/api/v1/organizations/:id", {
      params: organizationParams,
      success: OrganizationView,
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(describe("Your organization", "With its members, in the order in which they joined.")),
    HttpApiEndpoint.post("addMember", "/api/v1/organizations/:id/members", {
      params: organizationParams,
      payload: AddMember,
      success: MemberView.pipe(HttpApiSchema.status(201)),
      error: failures(...callerFailures, "NOT_FOUND", "INVALID_STATE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
    }).annotateMerge(describe("Add a member", "By an owner, while a seat is free.")),
    HttpApiEndpoint.delete("removeMember", "/api/v1/organizations/:id/members/:userId", {
      params: { ...organizationParams, userId: Uuid.annotate({ description: "The member." }) },
      success: HttpApiSchema.NoContent.annotate({ description: "Removed." }),
      error: failures(...callerFailures, "NOT_FOUND", "INVALID_STATE"),
    }).annotateMerge(describe("Remove a member", "By an owner, or by the member itself. Analyses stay their user's.")),
  )
  .annotateMerge(OpenApi.annotations({ title: "Organizations", description: "Members share 60 scans a seat." })) {}
