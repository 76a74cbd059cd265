import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { scopes } from "../../../domain/identity/Caller.ts"
import { longestName, Role } from "../../../domain/identity/Organization.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { callerFailures, failures } from "./errors.ts"
import { Instant, Text, Timestamp, Uuid } from "./text.ts"
import { UserId } from "../../../domain/ids/Ids.ts"
import { noContent, withStatus } from "./status.ts"

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const Scope = Schema.Literals(scopes)

/** Control characters, line separators, and characters that reverse text or take no room. Emoji and Persian need joiners. */
const unreadable = /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u

/** What other people read, such as those whom an organization invites. */
const Name = Text.check(
  Schema.isMaxLength(longestName),
  Schema.makeFilter((text) => !unreadable.test(text) || "must not contain control or invisible characters"),
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
      description: "For sessions only. Send it as `X-CSRF-Token` with requests that change data.",
    }),
  ),
}).annotate({ identifier: "Me" })

export class AccountGroup extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("me", "/api/v1/me", {
      success: MeView,
      error: failures(...callerFailures),
    }).annotateMerge(describe("Who you are", "User, organization, plan, and the rights of the credentials.")),
  )
  .annotateMerge(OpenApi.annotations({ title: "Account", description: "The owner of the credentials." })) {}

const ApiKeyFields = {
  apiKeyId: Uuid,
  name: Schema.String,
  prefix: Schema.String.annotate({ description: "The key's first characters, to identify it." }),
  scopes: Schema.Array(Scope),
  createdAt: Timestamp,
  expiresAt: Schema.NullOr(Timestamp),
  lastUsedAt: Schema.NullOr(Timestamp).annotate({ description: "Last use, rounded to the minute; null if never." }),
  createdBy: Schema.NullOr(Uuid).annotate({
    description: "The key that created it and with which it is revoked; null if a person did.",
  }),
}
const key = Schema.String.annotate({ description: "The key itself. It is not shown again." })

export const ApiKeyView = Schema.Struct(ApiKeyFields).annotate({ identifier: "ApiKey" })
export const NewApiKeyView = Schema.Struct({ ...ApiKeyFields, apiKey: key }).annotate({ identifier: "NewApiKey" })
export const RotatedApiKeyView = Schema.Struct({
  ...ApiKeyFields,
  apiKey: key,
  previousExpiresAt: Timestamp.annotate({ description: "When the old key expires: after 24 hours at the latest." }),
}).annotate({ identifier: "RotatedApiKey" })

export const CreateApiKey = Schema.Struct({
  name: Name.annotate({ description: "What the key is for." }),
  scopes: Schema.optionalKey(
    Schema.Array(Scope)
      .check(Schema.isMinLength(1), Schema.isMaxLength(scopes.length))
      .annotate({ description: "What the key may do. Defaults to the scopes of your own credentials." }),
  ),
  expiresAt: Schema.optionalKey(
    Instant.annotate({
      format: "date-time",
      description:
        "When the key expires, within three years. If absent, never or, if created with another key, with that key.",
    }),
  ),
}).annotate({ identifier: "CreateApiKey", examples: [{ name: "CI", scopes: ["analysis:read", "analysis:write"] }] })

const keyParams = { id: Uuid.annotate({ description: "The key's `apiKeyId`." }).pipe(Schema.brand("ApiKeyId")) }

export class ApiKeysGroup extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/api-keys", {
      success: Schema.Array(ApiKeyView),
      error: failures(...callerFailures),
    }).annotateMerge(describe("List your API keys", "Usable keys, newest first.")),
    HttpApiEndpoint.post("create", "/api/v1/api-keys", {
      payload: CreateApiKey,
      success: NewApiKeyView.pipe(withStatus(201)),
      error: failures(...callerFailures, "INVALID_STATE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
    }).annotateMerge(describe("Create an API key", "At most 100 for each user.")),
    HttpApiEndpoint.delete("revoke", "/api/v1/api-keys/:id", {
      params: keyParams,
      success: noContent("Done."),
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(
      describe(
        "Revoke an API key",
        "Takes effect immediately and also revokes all keys created with it, directly or indirectly.",
      ),
    ),
    HttpApiEndpoint.post("rotate", "/api/v1/api-keys/:id/rotate", {
      params: keyParams,
      success: RotatedApiKeyView,
      error: failures(...callerFailures, "NOT_FOUND", "INVALID_STATE"),
    }).annotateMerge(
      describe(
        "Rotate an API key",
        "Creates a successor with the same name, scopes and lifetime. Both keys work for 24 hours. A key can be rotated once, by itself or by a key with at least its rights.",
      ),
    ),
  )
  .annotateMerge(
    OpenApi.annotations({ title: "API keys", description: "Managing API keys requires credentials with every scope." }),
  ) {}

const ids = {
  organizationId: "0f4b1d4e-6f0a-4a53-9c53-7d0c3f0a6a10",
  owner: "5a0f3a52-8d2c-4a8e-b1f4-0b7f3c1f9a01",
  member: "c2a7c7de-3a4f-4b0f-8f53-2f6f1f1f7b02",
}

export const MemberView = Schema.Struct({
  userId: Uuid,
  email: Schema.NullOr(Schema.String).annotate({
    description: "Null if there is none, or if the credentials do not have every scope.",
  }),
  role: Role.annotate({ description: "Owners manage members and billing; members share the scans." }),
  joinedAt: Timestamp,
}).annotate({
  identifier: "Member",
  examples: [{ userId: ids.owner, email: "ada@example.com", role: "owner", joinedAt: "2026-11-02T09:30:00.000Z" }],
})

const invitation = {
  invitationId: "9e1f6c1c-52a5-4f0a-9d3b-6a1f0d2c8b03",
  organization: { organizationId: ids.organizationId, name: "Example" },
  userId: ids.member,
  createdAt: "2026-11-20T12:00:00.000Z",
  expiresAt: "2026-11-27T12:00:00.000Z",
}

export const InvitationView = Schema.Struct({
  invitationId: Uuid,
  organization: Schema.Struct({ organizationId: Uuid, name: Schema.String }),
  userId: Uuid.annotate({ description: "The invited user." }),
  createdAt: Timestamp,
  expiresAt: Timestamp.annotate({ description: "When the invitation expires: after seven days." }),
}).annotate({ identifier: "Invitation", examples: [invitation] })

export const OrganizationView = Schema.Struct({
  organizationId: Uuid,
  name: Schema.String,
  tier: PlanId,
  seats: Schema.Int.annotate({ description: "Maximum of members plus open invitations." }),
  createdAt: Timestamp,
  role: Role.annotate({ description: "Your role." }),
  sharing: Schema.Boolean.annotate({ description: "Whether members can read each other's analyses and repositories." }),
  members: Schema.Array(MemberView).annotate({ description: "Members, in the order in which they joined." }),
  invitations: Schema.optionalKey(
    Schema.Array(InvitationView).annotate({ description: "Open invitations. Visible to owners only." }),
  ),
}).annotate({
  identifier: "Organization",
  examples: [
    {
      organizationId: ids.organizationId,
      name: "Example",
      tier: "pro",
      seats: 5,
      createdAt: "2026-11-02T09:30:00.000Z",
      role: "owner",
      sharing: false,
      members: [{ userId: ids.owner, email: "ada@example.com", role: "owner", joinedAt: "2026-11-02T09:30:00.000Z" }],
      invitations: [invitation],
    },
  ],
})

export const CreateOrganization = Schema.Struct({
  name: Name.annotate({ description: "Display name, shown to members and to people you invite." }),
}).annotate({ identifier: "CreateOrganization", examples: [{ name: "Example" }] })
export const ChangeOrganization = Schema.Struct({ sharing: Schema.Boolean }).annotate({
  identifier: "ChangeOrganization",
  examples: [{ sharing: true }],
})
export const AddMember = Schema.Struct({
  userId: Uuid.annotate({ description: "The user's id, from `GET /api/v1/me`." }).pipe(Schema.brand("UserId")),
}).annotate({ identifier: "AddMember", examples: [{ userId: UserId.make(ids.member) }] })

const organizationParams = {
  id: Uuid.annotate({ description: "The `organizationId`." }).pipe(Schema.brand("OrganizationId")),
}

export class OrganizationsGroup extends HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/organizations", {
      payload: CreateOrganization,
      success: OrganizationView.pipe(withStatus(201)),
      error: failures(
        ...callerFailures,
        "SUBSCRIPTION_REQUIRED",
        "INVALID_STATE",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
      ),
    }).annotateMerge(describe("Create an organization", "Your subscription, seats and usage move to it.")),
    HttpApiEndpoint.get("find", "/api/v1/organizations/:id", {
      params: organizationParams,
      success: OrganizationView,
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(describe("Your organization", "With its members and, for owners, its open invitations.")),
    HttpApiEndpoint.patch("change", "/api/v1/organizations/:id", {
      params: organizationParams,
      payload: ChangeOrganization,
      success: OrganizationView,
      error: failures(...callerFailures, "NOT_FOUND", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
    }).annotateMerge(describe("Share analyses", "Whether members can read each other's analyses. Owners only.")),
    HttpApiEndpoint.post("addMember", "/api/v1/organizations/:id/members", {
      params: organizationParams,
      payload: AddMember,
      success: InvitationView.pipe(withStatus(201)),
      error: failures(...callerFailures, "NOT_FOUND", "INVALID_STATE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
    }).annotateMerge(
      describe(
        "Invite a member",
        "For owners, while a seat is free. The invitee becomes a member by accepting within seven days; inviting again restarts that period.",
      ),
    ),
    HttpApiEndpoint.delete("removeMember", "/api/v1/organizations/:id/members/:userId", {
      params: {
        ...organizationParams,
        userId: Uuid.annotate({ description: "The member." }).pipe(Schema.brand("UserId")),
      },
      success: noContent("Done."),
      error: failures(...callerFailures, "NOT_FOUND", "INVALID_STATE"),
    }).annotateMerge(describe("Remove a member", "Owners, or the member. Analyses stay with the user.")),
  )
  .annotateMerge(OpenApi.annotations({ title: "Organizations", description: "Members share 60 scans per seat." })) {}

const invitationParams = {
  id: Uuid.annotate({ description: "The `invitationId`." }).pipe(Schema.brand("InvitationId")),
}

export class InvitationsGroup extends HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/invitations", {
      success: Schema.Array(InvitationView),
      error: failures(...callerFailures),
    }).annotateMerge(describe("List your invitations", "Your open invitations, newest first; at most 100.")),
    HttpApiEndpoint.post("accept", "/api/v1/invitations/:id/accept", {
      params: invitationParams,
      success: OrganizationView,
      error: failures(...callerFailures, "NOT_FOUND", "INVALID_STATE"),
    }).annotateMerge(
      describe(
        "Accept an invitation",
        "You share the organization's scans, and its members can see your e-mail address. If you belong to another organization, leave it first.",
      ),
    ),
    HttpApiEndpoint.delete("end", "/api/v1/invitations/:id", {
      params: invitationParams,
      success: noContent("Done."),
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(describe("Decline or withdraw an invitation", "The invited person or an owner.")),
  )
  .annotateMerge(OpenApi.annotations({ title: "Invitations", description: "Invitations to join an organization." })) {}
