import * as Effect from "effect/Effect"
import { empty, json } from "../answer/answer.ts"
import { createApiKey, rotateApiKey } from "../../../application/identity/manageApiKeys.ts"
import { csrfTokenOf } from "../../../application/identity/session.ts"
import { Accounts, type ApiKeyItem } from "../../../application/ports/identity/Accounts.ts"
import { type Invitation, type Member, Organizations } from "../../../application/ports/identity/Organizations.ts"
import { type Caller, mayEverything } from "../../../domain/identity/Caller.ts"
import {
  AccountGroup,
  AddMember,
  ApiKeysGroup,
  ChangeOrganization,
  CreateApiKey,
  CreateOrganization,
  InvitationsGroup,
  OrganizationsGroup,
} from "../contract/AccountGroups.ts"
import { callerEndpoints } from "../serving/endpoints.ts"
import { exchangeOf } from "../request/Exchange.ts"
import { jsonBody } from "../request/jsonBody.ts"
import type { OrganizationId } from "../../../domain/ids/Ids.ts"

const noContent = empty(204)

export const accountRoutes = callerEndpoints(AccountGroup, {
  me: Effect.fnUntraced(function* ({ caller, request }) {
    const profile = yield* Accounts.use((accounts) => accounts.profile(caller.userId))
    const { email, organization } = profile._tag === "Some" ? profile.value : {}
    const { session } = exchangeOf(request)
    return json({
      userId: caller.userId,
      email: email ?? null,
      organization:
        organization === undefined
          ? null
          : { organizationId: organization.id, name: organization.name, role: organization.role },
      tier: caller.plan,
      scopes: caller.scopes,
      ...(session === undefined ? {} : { csrfToken: csrfTokenOf(session) }),
    })
  }),
})

const keyView = ({ apiKeyId, name, prefix, scopes, createdAt, expiresAt, lastUsedAt, parentId }: ApiKeyItem) => ({
  apiKeyId,
  name,
  prefix,
  scopes,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  createdBy: parentId ?? null,
})

const readKey = jsonBody(CreateApiKey)

export const apiKeyRoutes = callerEndpoints(ApiKeysGroup, {
  list: ({ caller }) =>
    Effect.map(
      Accounts.use((accounts) => accounts.apiKeys(caller.userId)),
      (items) => json(items.map(keyView)),
    ),

  create: Effect.fnUntraced(function* ({ caller, request }) {
    const { name, scopes, expiresAt } = yield* readKey(request)
    const created = yield* createApiKey(caller, {
      name,
      scopes: scopes ?? caller.scopes,
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
    })
    return json({ ...keyView(created), apiKey: created.apiKey }, 201)
  }),

  revoke: ({ caller, params }) =>
    Effect.as(
      Accounts.use((accounts) => accounts.revokeApiKey(caller.userId, params.id, caller.apiKeyId)),
      noContent,
    ),

  rotate: ({ caller, params }) =>
    Effect.map(rotateApiKey(caller, params.id), (rotated) =>
      json({
        ...keyView(rotated),
        apiKey: rotated.apiKey,
        previousExpiresAt: rotated.previousExpiresAt.toISOString(),
      }),
    ),
})

const memberView =
  (caller: Caller) =>
  ({ userId, email, role, joinedAt }: Member) => ({
    userId,
    email: (mayEverything(caller) ? email : undefined) ?? null,
    role,
    joinedAt: joinedAt.toISOString(),
  })

const invitationView = ({ invitationId, createdAt, expiresAt, userId, ...of }: Invitation) => ({
  invitationId,
  organization: { organizationId: of.organizationId, name: of.organizationName },
  userId,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})

const organizationView = Effect.fnUntraced(function* (caller: Caller, organizationId: OrganizationId) {
  const found = yield* Organizations.use((organizations) => organizations.find(caller.userId, organizationId))
  return {
    organizationId: found.organizationId,
    name: found.name,
    tier: found.plan,
    seats: found.seats,
    createdAt: found.createdAt.toISOString(),
    role: found.role,
    sharing: found.sharing,
    members: found.members.map(memberView(caller)),
    ...(found.invitations === undefined ? {} : { invitations: found.invitations.map(invitationView) }),
  }
})

const readOrganization = jsonBody(CreateOrganization)
const readChange = jsonBody(ChangeOrganization)
const readMember = jsonBody(AddMember)

export const organizationRoutes = callerEndpoints(OrganizationsGroup, {
  create: Effect.fnUntraced(function* ({ caller, request }) {
    const { name } = yield* readOrganization(request)
    const organizationId = yield* Organizations.use((organizations) =>
      organizations.create(caller.userId, name, undefined),
    )
    return json(yield* organizationView(caller, organizationId), 201)
  }),

  find: ({ caller, params }) => Effect.map(organizationView(caller, params.id), (view) => json(view)),

  change: Effect.fnUntraced(function* ({ caller, params, request }) {
    const { sharing } = yield* readChange(request)
    yield* Organizations.use((organizations) => organizations.share(caller.userId, params.id, sharing))
    return json(yield* organizationView(caller, params.id))
  }),

  addMember: Effect.fnUntraced(function* ({ caller, params, request }) {
    const { userId } = yield* readMember(request)
    const invitation = yield* Organizations.use((organizations) =>
      organizations.invite(caller.userId, params.id, userId),
    )
    return json(invitationView(invitation), 201)
  }),

  removeMember: ({ caller, params }) =>
    Effect.as(
      Organizations.use((organizations) => organizations.removeMember(caller.userId, params.id, params.userId)),
      noContent,
    ),
})

export const invitationRoutes = callerEndpoints(InvitationsGroup, {
  list: ({ caller }) =>
    Effect.map(
      Organizations.use((organizations) => organizations.invitations(caller.userId)),
      (invitations) => json(invitations.map(invitationView)),
    ),

  accept: Effect.fnUntraced(function* ({ caller, params }) {
    const organizationId = yield* Organizations.use((organizations) => organizations.accept(caller.userId, params.id))
    return json(yield* organizationView(caller, organizationId))
  }),

  end: ({ caller, params }) =>
    Effect.as(
      Organizations.use((organizations) => organizations.endInvitation(caller.userId, params.id)),
      noContent,
    ),
})
