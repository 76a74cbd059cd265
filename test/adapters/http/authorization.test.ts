import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openApiDocument } from "../../../adapters/http/openapi/document.ts"
import { policies } from "../../../adapters/http/policy.ts"
import { AccessTokens } from "../../../application/ports/identity/AccessTokens.ts"
import { Organizations } from "../../../application/ports/identity/Organizations.ts"
import { scopes } from "../../../domain/identity/Caller.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { bearer, create, created, expectError, get, repositoryUrl, send } from "../../support/client.ts"
import { endpointOf } from "../../support/endpointOf.ts"
import type { UserId, OrganizationId, ApiKeyId, AnalysisId, DeliveryId } from "../../../domain/ids/Ids.ts"

interface Endpoint {
  readonly operationId: string
  readonly method: string
  readonly path: string
}

/** Endpoints that require a caller. */
const guarded: ReadonlyArray<Endpoint> = Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .map(([method, { operationId = "" }]) => ({
      operationId: endpointOf[operationId] ?? operationId,
      method: method.toUpperCase(),
      path,
    }))
    .filter(({ operationId }) => policies[operationId]?.auth === "caller"),
)

/** Of the only finding that a completed analysis has here. */
const fingerprint = "0123456789abcdef"
const decision = { decision: "accepted_risk", reason: "Known." }

/** Valid bodies, so that a refusal can only be due to the caller. */
const bodies: Readonly<Record<string, unknown>> = {
  "analysis.create": { repositoryUrl: "https://github.com/example/vault" },
  "apiKeys.create": { name: "x" },
  "organizations.create": { name: "x" },
  "organizations.addMember": { userId: crypto.randomUUID() },
  "subscriptions.checkout": { planId: "pro" },
  "settings.setHostingToken": { token: "ghp_x" },
  "organizations.change": { sharing: true },
  ...Object.fromEntries(
    ["findings", "analysisFindings"].flatMap((group) => [
      [`${group}.decide`, decision],
      [`${group}.decideSeveral`, { ...decision, findings: [{ fingerprint, etag: `"${fingerprint}.0"` }] }],
    ]),
  ),
}

const queries: Readonly<Record<string, string>> = {
  "analysis.export": "?format=json",
  "overview.source": "?path=src/Vault.sol",
}

let app: TestApp
/** The user whose data the others try to reach, with every id there is. */
let ada: { readonly userId: UserId; readonly apiKey: string }
let ids: ReadonlyArray<string>
let organizationId: OrganizationId
/** Of her completed analysis; the only id whose owner the path does not reveal. */
let deliveryId: DeliveryId
let member: { readonly userId: UserId; readonly apiKey: string }

beforeAll(async () => {
  app = await startApp({ unlimited: true })
  ada = await app.newUser("pro")
  member = await app.newUser("basic")
  const submitted = await create(app, ada.apiKey, { repositoryUrl, webhookUrl: "https://hooks.example.com/" })
  const { analysisId: completed } = (await submitted.json()) as { readonly analysisId: AnalysisId } // checked by its use
  await app.completeNext()
  const deliveries = await get(app, `/api/v1/analysis/${completed}/deliveries`, ada.apiKey)
  ;[{ deliveryId }] = (await deliveries.json()) as [{ readonly deliveryId: DeliveryId }] // an analysis that ended has one
  const pending = await created(app, ada.apiKey)
  const [key] = (await (await get(app, "/api/v1/api-keys", ada.apiKey)).json()) as ReadonlyArray<{ apiKeyId: ApiKeyId }>
  organizationId = await app.run(
    Organizations.use((organizations) => organizations.create(ada.userId, "Secret Name", 5)),
  )
  await app.run(Organizations.use((organizations) => organizations.addMember(organizationId, member.userId)))
  const guest = await app.newUser("basic")
  const { invitationId } = await app.run(
    Organizations.use((organizations) => organizations.invite(ada.userId, organizationId, guest.userId)),
  )
  ids = [completed, pending, key!.apiKeyId, organizationId, invitationId, ada.userId]
})
afterAll(() => app.close())

const call = ({ operationId, method, path }: Endpoint, id: string, token: string) => {
  const body = bodies[operationId]
  const others: Readonly<Record<string, string>> = {
    "{id}": id,
    "{otherId}": id,
    "{userId}": ada.userId,
    "{deliveryId}": deliveryId,
    "{fingerprint}": fingerprint,
  }
  const address = path.replaceAll(/\{\w+\}/g, (name) => others[name] ?? name)
  return fetch(app.url + address + (queries[operationId] ?? ""), {
    method,
    headers: {
      ...bearer(token),
      "if-match": "*",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Ada's data that nobody else may read. */
const hers = () => new RegExp([ada.userId, "Secret Name", ada.apiKey, 'example/vault","branch'].join("|"))

const withId = guarded.filter(({ path }) => path.includes("{id}"))
const withoutId = guarded.filter(({ path }) => !path.includes("{id}"))

describe("another user's data", () => {
  it("exists, so that the attempts below prove something", () => {
    expect(withId.length).toBeGreaterThan(9)
    expect(ids).toHaveLength(6)
  })

  it.each(withId)("does not exist for a second user: $method $path", async (endpoint) => {
    const { apiKey } = await app.newUser("pro")
    for (const id of ids) {
      const response = await call(endpoint, id, apiKey)
      expect(await response.clone().text()).not.toMatch(hers())
      await expectError(response, "NOT_FOUND")
    }
  })

  it.each(withId)("does not exist for a former member: $method $path", async (endpoint) => {
    const former = await app.newUser("basic")
    await app.run(Organizations.use((organizations) => organizations.addMember(organizationId, former.userId)))
    await app.run(
      Organizations.use((organizations) => organizations.removeMember(ada.userId, organizationId, former.userId)),
    )
    for (const id of ids) await expectError(await call(endpoint, id, former.apiKey), "NOT_FOUND")
  })

  it.each(withId)("does not exist for a member unless it is the organization's: $method $path", async (endpoint) => {
    for (const id of ids.filter((id) => id !== organizationId)) {
      await expectError(await call(endpoint, id, member.apiKey), "NOT_FOUND")
    }
  })

  it("does not show up in any list, statistic or usage of a second user", async () => {
    const { apiKey } = await app.newUser("basic")
    for (const { method, path } of withoutId.filter(({ method }) => method === "GET")) {
      const response = await fetch(app.url + path, { method, headers: bearer(apiKey) })
      expect(await response.text()).not.toMatch(hers())
    }
    const usage = await (await get(app, "/api/subscriptions/status", apiKey)).json()
    expect(usage).toMatchObject({ tier: "basic", monthlyAnalysesUsed: 0, monthlyAnalysesLimit: 10 })
  })

  it("is unchanged after all attempts", async () => {
    expect((await get(app, `/api/v1/analysis/${ids[0]}/result`, ada.apiKey)).status).toBe(200)
    expect((await get(app, `/api/v1/analysis/${ids[1]}/status`, ada.apiKey)).status).toBe(200)
    const organization = await (await get(app, `/api/v1/organizations/${organizationId}`, ada.apiKey)).json()
    expect(organization).toMatchObject({ members: [{ userId: ada.userId }, { userId: member.userId }] })
  })
})

describe("a member", () => {
  it("can read the organization, but change nothing except by leaving", async () => {
    const path = `/api/v1/organizations/${organizationId}`
    expect((await get(app, path, member.apiKey)).status).toBe(200)
    const { userId } = await app.newUser()
    const added = await fetch(`${app.url}${path}/members`, {
      method: "POST",
      headers: { ...bearer(member.apiKey), "content-type": "application/json" },
      body: JSON.stringify({ userId }),
    })
    await expectError(added, "FORBIDDEN")
    await expectError(await send(app, "DELETE", `${path}/members/${ada.userId}`, member.apiKey), "FORBIDDEN")
  })
})

describe("credentials that are no longer valid", () => {
  const over: Readonly<Record<string, () => Promise<string>>> = {
    "an expired key": () => app.newKey(ada.userId, scopes, new Date(Date.now() - 1000)),
    "a revoked key": async () => {
      const key = await app.newKey(ada.userId, scopes)
      await app.run(
        SqlClient.use((sql) => sql`UPDATE api_keys SET revoked_at = now() WHERE prefix = ${key.slice(0, 12)}`),
      )
      return key
    },
    "a token of a deleted user": async () => {
      const { userId } = await app.newUser()
      const { accessToken } = await app.run(AccessTokens.use((tokens) => tokens.issue(userId)))
      await app.run(SqlClient.use((sql) => sql`DELETE FROM users WHERE id = ${userId}::uuid`))
      return accessToken
    },
  }

  it.each(Object.keys(over))("give access to nothing: %s", async (name) => {
    const token = await over[name]!()
    for (const endpoint of guarded) {
      for (const id of endpoint.path.includes("{id}") ? ids : [""]) {
        await expectError(await call(endpoint, id, token), "UNAUTHENTICATED")
      }
    }
  })
})

describe("a key without the scope", () => {
  it.each(
    guarded.filter(({ operationId }) => {
      const policy = policies[operationId]
      return policy?.auth === "caller" && policy.scope !== undefined
    }),
  )("is 403 with the owner's own ids: $method $path", async (endpoint) => {
    const policy = policies[endpoint.operationId]
    const needed = policy?.auth === "caller" && policy.scope !== "every" ? policy.scope : "analysis:read"
    const key = await app.newKey(
      ada.userId,
      scopes.filter((scope) => scope !== needed),
    )
    for (const id of endpoint.path.includes("{id}") ? ids : [""]) {
      await expectError(await call(endpoint, id, key), "FORBIDDEN")
    }
  })
})
