import { SqlClient } from "effect/sql/SqlClient"
import { inspect } from "node:util"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"
import { SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { issueTokens } from "../../../application/identity/refresh.ts"
import { AccessTokens } from "../../../application/ports/identity/AccessTokens.ts"
import { Organizations } from "../../../application/ports/identity/Organizations.ts"
import { scopes } from "../../../domain/identity/Caller.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { bearer, expectError, get, send } from "../../support/client.ts"
import type { UserId } from "../../../domain/ids/Ids.ts"

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Sends JSON; the response body has whatever type the test then checks. */
const post = (path: string, token: string | undefined, body: unknown) =>
  fetch(app.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token === undefined ? {} : bearer(token)) },
    body: JSON.stringify(body),
  })
type Json = Record<string, unknown>
const jsonOf = async <A = Json>(response: Response | Promise<Response>): Promise<A> =>
  (await (await response).json()) as A // each test checks the fields it reads

const accessToken = async (userId: UserId) =>
  (await app.run(AccessTokens.use((tokens) => tokens.issue(userId)))).accessToken

const organizationOf = async (seats: number) => {
  const owner = await app.newUser("basic")
  const organizationId = await app.run(
    Organizations.use((organizations) => organizations.create(owner.userId, "Example", seats)),
  )
  return { owner, organizationId }
}

describe("the caller's profile", () => {
  it("has the user, plan and scopes, but no CSRF token outside a session", async () => {
    const { userId, apiKey } = await app.newUser("pro")
    const me = await jsonOf(get(app, "/api/v1/me", apiKey))
    expect(me).toEqual({
      userId,
      email: expect.stringMatching(/@example\.test$/),
      organization: null,
      tier: "pro",
      scopes: ["analysis:read", "analysis:write", "repositories", "billing"],
    })
  })

  it("is the same with an access token", async () => {
    const { userId, apiKey } = await app.newUser()
    const byKey = await jsonOf(get(app, "/api/v1/me", apiKey))
    expect(await jsonOf(get(app, "/api/v1/me", await accessToken(userId)))).toEqual(byKey)
  })

  it("names the organization and the role", async () => {
    const { owner, organizationId } = await organizationOf(2)
    const me = await jsonOf(get(app, "/api/v1/me", owner.apiKey))
    expect(me).toMatchObject({ tier: "pro", organization: { organizationId, name: "Example", role: "owner" } })
  })
})

describe("access tokens over HTTP", () => {
  it("count in the same window as the user's keys", async () => {
    const { userId, apiKey } = await app.newUser()
    await get(app, "/api/v1/me", apiKey)
    const response = await get(app, "/api/v1/me", await accessToken(userId))
    expect(response.headers.get("x-ratelimit-remaining")).toBe("998")
  })

  it("get a 401 like any wrong credential if forged, foreign or malformed", async () => {
    const { userId } = await app.newUser()
    const token = await accessToken(userId)
    const [header, payload] = token.split(".")
    const self = await new SignJWT({ sub: userId, iss: "https://assay.example", aud: "https://assay.example" })
      .setProtectedHeader({ alg: "HS256", typ: "at+jwt" })
      .setExpirationTime("5m")
      .sign(new TextEncoder().encode("x".repeat(32)))
    const none = Buffer.from(JSON.stringify({ alg: "none", typ: "at+jwt" })).toString("base64url")
    for (const forged of [`${none}.${payload}.`, `${header}.${payload}.AAAA`, self, `${token}x`, "a.b.c"]) {
      const response = await get(app, "/api/v1/me", forged)
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/)
      await expectError(response, "UNAUTHENTICATED")
    }
  })

  it("can be verified with the published keys, which have no private part", async () => {
    const { userId } = await app.newUser()
    await accessToken(userId)
    const response = await get(app, "/.well-known/jwks.json")
    expect(response.headers.get("cache-control")).toBe("public, max-age=300")
    const { keys } = await jsonOf<{ readonly keys: ReadonlyArray<Json> }>(response)
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) expect(Object.keys(key).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x"])
  })
})

describe("API keys", () => {
  it("are created, listed, rotated and revoked", async () => {
    const { apiKey } = await app.newUser()
    const created = await post("/api/v1/api-keys", apiKey, { name: "CI 👩‍🚀", scopes: ["analysis:read"] })
    expect(created.status).toBe(201)
    const key = await jsonOf<Record<string, string>>(created)
    expect(key).toMatchObject({ name: "CI 👩‍🚀", scopes: ["analysis:read"], expiresAt: null, lastUsedAt: null })
    expect(key["apiKey"]).toMatch(/^assay_[0-9A-Za-z]{36}$/)
    expect((await get(app, "/api/v1/analysis", key["apiKey"])).status).toBe(200)

    const rotated = await jsonOf<Record<string, string>>(post(`/api/v1/api-keys/${key["apiKeyId"]}/rotate`, apiKey, {}))
    expect(rotated).toMatchObject({ name: "CI 👩‍🚀", scopes: ["analysis:read"] })
    for (const one of [key, rotated]) expect((await get(app, "/api/v1/analysis", one["apiKey"])).status).toBe(200)

    const again = await post(`/api/v1/api-keys/${key["apiKeyId"]}/rotate`, apiKey, {})
    expect(await again.clone().json()).toMatchObject({ error: { details: { successorId: rotated["apiKeyId"] } } })
    await expectError(again, "INVALID_STATE")

    const listed = await jsonOf<ReadonlyArray<Json>>(get(app, "/api/v1/api-keys", apiKey))
    expect(listed.map(({ name }) => name)).toEqual(["CI 👩‍🚀", "CI 👩‍🚀", "test"])
    expect(JSON.stringify(listed)).not.toContain(key["apiKey"])

    expect((await send(app, "DELETE", `/api/v1/api-keys/${key["apiKeyId"]}`, apiKey)).status).toBe(204)
    await expectError(await get(app, "/api/v1/analysis", key["apiKey"]), "UNAUTHENTICATED")
    expect((await get(app, "/api/v1/analysis", rotated["apiKey"])).status).toBe(200)
    await expectError(await send(app, "DELETE", `/api/v1/api-keys/${key["apiKeyId"]}`, apiKey), "NOT_FOUND")
  })

  it("inherit the scopes of the credentials if none are requested", async () => {
    const { apiKey } = await app.newUser()
    const key = await jsonOf(post("/api/v1/api-keys", apiKey, { name: "all" }))
    expect(key["scopes"]).toHaveLength(4)
  })

  it.each([
    {},
    { name: "" },
    { name: "  " },
    { name: "two\nlines" },
    { name: "Example\u200b" },
    { name: "\u202eelpmaxE" },
    { name: "x".repeat(101) },
    { name: "x", scopes: [] },
    { name: "x", scopes: ["admin"] },
    { name: "x", expiresAt: "tomorrow" },
    { name: "x", expiresAt: "2020-01-01T00:00:00Z" },
    { name: "x", expiresAt: "12/31/2027" },
    { name: "x", expiresAt: "2027-01-31T12:00:00" },
    { name: "x", expiresAt: "2027-02-30T12:00:00Z" },
    { name: "x", userId: "00000000-0000-0000-0000-000000000000" },
    { name: "x", plan: "pro" },
    { name: "x", hash: "0".repeat(64) },
  ])("are refused as %j", async (body) => {
    const { apiKey } = await app.newUser()
    await expectError(await post("/api/v1/api-keys", apiKey, body), "VALIDATION_ERROR")
  })
})

describe("API keys created by API keys", () => {
  it("expire with the key that created them, and are revoked with it", async () => {
    const { userId } = await app.newUser()
    const end = new Date(Date.now() + 3_600_000)
    const root = await app.newKey(userId, scopes, end)
    const child = await jsonOf<Record<string, string>>(post("/api/v1/api-keys", root, { name: "child" }))
    expect(new Date(child["expiresAt"]!)).toEqual(end)
    const later = { name: "x", expiresAt: new Date(end.getTime() + 1000).toISOString() }
    const refused = await expectError(await post("/api/v1/api-keys", root, later), "VALIDATION_ERROR")
    expect(refused.details).toMatchObject({ fields: [{ field: "expiresAt" }] })

    const token = await accessToken(userId)
    const listed = await jsonOf<ReadonlyArray<Record<string, string>>>(get(app, "/api/v1/api-keys", token))
    const rootId = child["createdBy"]
    expect(listed.find(({ apiKeyId }) => apiKeyId === rootId)).toMatchObject({ name: "test", createdBy: null })
    expect((await send(app, "DELETE", `/api/v1/api-keys/${rootId}`, token)).status).toBe(204)
    await expectError(await get(app, "/api/v1/me", child["apiKey"]), "UNAUTHENTICATED")
  })

  it("cannot rotate a key that outlives them", async () => {
    const { userId, apiKey } = await app.newUser()
    const short = await app.newKey(userId, scopes, new Date(Date.now() + 3_600_000))
    const lasting = await jsonOf(post("/api/v1/api-keys", apiKey, { name: "lasting" }))
    await expectError(await post(`/api/v1/api-keys/${lasting["apiKeyId"]}/rotate`, short, {}), "FORBIDDEN")
  })
})

describe("organizations", () => {
  it("are created on the pro plan, and their owner invites and removes members", async () => {
    const owner = await app.newUser("pro")
    const created = await post("/api/v1/organizations", owner.apiKey, { name: "Example" })
    expect(created.status).toBe(201)
    const organization = await jsonOf(created)
    expect(organization).toMatchObject({ name: "Example", tier: "pro", seats: 1, role: "owner" })
    const path = `/api/v1/organizations/${organization["organizationId"]}/members`
    const { userId, apiKey } = await app.newUser()
    const full = await expectError(await post(path, owner.apiKey, { userId }), "INVALID_STATE")
    expect(full.details).toEqual({ seats: 1 })
    await app.run(
      SqlClient.use(
        (sql) => sql`UPDATE pools SET seats = 2 WHERE id = ${String(organization["organizationId"])}::uuid`,
      ),
    )
    const invited = await post(path, owner.apiKey, { userId })
    expect(invited.status).toBe(201)
    const invitation = await jsonOf(invited)
    expect(invitation).toEqual({
      invitationId: expect.any(String),
      organization: { organizationId: organization["organizationId"], name: "Example" },
      userId,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    })
    expect(await jsonOf(get(app, "/api/v1/invitations", apiKey))).toEqual([invitation])
    expect((await jsonOf(get(app, "/api/v1/me", apiKey)))["organization"]).toBeNull()
    const own = `/api/v1/organizations/${organization["organizationId"]}`
    expect(await jsonOf(get(app, own, owner.apiKey))).toMatchObject({ invitations: [invitation] })
    await expectError(await get(app, own, apiKey), "NOT_FOUND")

    const accept = `/api/v1/invitations/${invitation["invitationId"]}/accept`
    await expectError(await send(app, "POST", accept, owner.apiKey), "NOT_FOUND")
    const joined = await send(app, "POST", accept, apiKey)
    expect(joined.status).toBe(200)
    const members = [expect.objectContaining({ role: "owner" }), expect.objectContaining({ userId, role: "member" })]
    expect(await jsonOf(joined)).toMatchObject({ role: "member", members })
    expect(await jsonOf(get(app, own, apiKey))).not.toHaveProperty("invitations")
    await expectError(await send(app, "POST", accept, apiKey), "NOT_FOUND")
    await expectError(await post(path, owner.apiKey, { userId }), "INVALID_STATE")
    expect((await send(app, "DELETE", `${path}/${userId}`, owner.apiKey)).status).toBe(204)
    await expectError(await send(app, "DELETE", `${path}/${userId}`, owner.apiKey), "NOT_FOUND")
    await expectError(await send(app, "DELETE", `${path}/${owner.userId}`, owner.apiKey), "INVALID_STATE")
  })

  it("have invitations that only the invitee can decline and only the owner can withdraw", async () => {
    const { owner, organizationId } = await organizationOf(3)
    const [guest, stranger] = [await app.newUser(), await app.newUser()]
    for (const actor of [guest, owner]) {
      const invited = await post(`/api/v1/organizations/${organizationId}/members`, owner.apiKey, {
        userId: guest.userId,
      })
      const path = `/api/v1/invitations/${(await jsonOf(invited))["invitationId"]}`
      await expectError(await send(app, "DELETE", path, stranger.apiKey), "NOT_FOUND")
      expect((await send(app, "DELETE", path, actor.apiKey)).status).toBe(204)
      await expectError(await send(app, "DELETE", path, actor.apiKey), "NOT_FOUND")
      await expectError(await send(app, "POST", `${path}/accept`, guest.apiKey), "NOT_FOUND")
    }
    expect(await jsonOf(get(app, "/api/v1/invitations", guest.apiKey))).toEqual([])
  })

  it("reveal members' e-mail addresses only to credentials with every scope", async () => {
    const { owner, organizationId } = await organizationOf(3)
    const member = await app.newUser()
    await app.run(Organizations.use((organizations) => organizations.addMember(organizationId, member.userId)))
    const emails = async (apiKey: string) => {
      const { members } = await jsonOf<{ readonly members: ReadonlyArray<{ readonly email: string | null }> }>(
        get(app, `/api/v1/organizations/${organizationId}`, apiKey),
      )
      return members.map(({ email }) => email)
    }
    const shown = [expect.stringContaining("@"), expect.stringContaining("@")]
    expect(await emails(member.apiKey)).toEqual(shown)
    expect(await emails(await accessToken(owner.userId))).toEqual(shown)
    for (const missing of scopes) {
      const key = await app.newKey(
        owner.userId,
        scopes.filter((scope) => scope !== missing),
      )
      expect(await emails(key)).toEqual([null, null])
    }
  })

  it("require the pro plan, and a user has only one at a time", async () => {
    const basic = await app.newUser("basic")
    await expectError(await post("/api/v1/organizations", basic.apiKey, { name: "Example" }), "SUBSCRIPTION_REQUIRED")
    const { owner } = await organizationOf(2)
    await expectError(await post("/api/v1/organizations", owner.apiKey, { name: "Second" }), "INVALID_STATE")
  })

  it.each([
    {},
    { name: "" },
    { name: "x", seats: 1000 },
    { name: "x", plan: "pro" },
    { name: "x", ownerId: "00000000-0000-0000-0000-000000000000" },
  ])("are refused as %j", async (body) => {
    const { apiKey } = await app.newUser("pro")
    await expectError(await post("/api/v1/organizations", apiKey, body), "VALIDATION_ERROR")
  })

  it("never grant the owner role on request", async () => {
    const { owner, organizationId } = await organizationOf(3)
    const { userId } = await app.newUser()
    const path = `/api/v1/organizations/${organizationId}/members`
    await expectError(await post(path, owner.apiKey, { userId, role: "owner" }), "VALIDATION_ERROR")
  })
})

describe("refresh tokens over HTTP", () => {
  const refresh = (refreshToken: unknown) => post("/auth/refresh", undefined, { refreshToken })

  it("can be exchanged once; a second exchange revokes everything that the first one issued", async () => {
    const { userId } = await app.newUser()
    const { refreshToken } = await app.run(issueTokens(userId, undefined))
    const first = await jsonOf<Record<string, string>>(refresh(refreshToken))
    expect(first).toMatchObject({ tokenType: "Bearer", expiresIn: 900 })
    expect(await jsonOf(get(app, "/api/v1/me", first["accessToken"]))).toMatchObject({ userId })
    await expectError(await refresh(refreshToken), "UNAUTHENTICATED")
    await expectError(await refresh(first["refreshToken"]), "UNAUTHENTICATED")
  })

  it("are revoked by signing out with them", async () => {
    const { userId } = await app.newUser()
    const { refreshToken } = await app.run(issueTokens(userId, undefined))
    expect((await post("/auth/logout", undefined, { refreshToken })).status).toBe(204)
    await expectError(await refresh(refreshToken), "UNAUTHENTICATED")
  })

  it("share the limit of 30 sign-ins per hour and address", async () => {
    const own = await startApp()
    const attempt = () =>
      fetch(`${own.url}/auth/refresh`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ refreshToken: `assay_rt_${"A".repeat(43)}` }),
      })
    const responses = await Promise.all(Array.from({ length: 40 }, attempt))
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(30)
    const limited = responses.find(({ status }) => status === 429)!
    expect(limited.headers.get("x-ratelimit-limit")).toBe("30")
    expect((await expectError(limited, "RATE_LIMIT_EXCEEDED")).details).toBeUndefined()
    expect((await get(own, "/auth/github")).status).toBe(429)
    await own.close()
  })
})

describe("secrets", () => {
  it("never appear in a log line, error, trace or stored row, whatever happened to the request that contained them", async () => {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    })
    const own = await startApp({ tracer })
    const { userId, apiKey } = await own.newUser()
    const tokens = await own.run(issueTokens(userId, undefined))
    const send = (method: string, path: string, body?: unknown) =>
      fetch(own.url + path, {
        method,
        headers: { ...bearer(apiKey), "content-type": "application/json", cookie: "assay_session=cookie-secret-1" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const shown = await jsonOf<Record<string, string>>(send("POST", "/api/v1/api-keys", { name: "x" }))
    const texts = await Promise.all(
      [
        await send("POST", "/auth/refresh", { refreshToken: tokens.refreshToken, extra: 1 }),
        await send("POST", "/auth/refresh", { refreshToken: `${tokens.refreshToken}x` }),
        await get(own, "/api/v1/me", tokens.accessToken),
        await get(own, `/api/v1/nothing/${"x".repeat(20)}`, shown["apiKey"]),
        await send("GET", "/api/v1/api-keys"),
        await get(own, "/auth/github/callback?code=sign-in-code-1&state=sign-in-state-1"),
        await send("PUT", "/api/v1/settings/hosting-token", { token: "hosting-token-1" }),
      ].map((response) => response.text()),
    )
    // What an exporter sends of a span; of its exit, only the failure.
    const exported = spans.map(({ name, attributes, events, status }) => {
      const failure = status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
      return [name, [...attributes], events, failure]
    })
    const traces = inspect(exported, { depth: 20, maxStringLength: null, maxArrayLength: null })
    expect(traces).toContain("GET /api/v1/me")
    const tables = ["api_keys", "sessions", "refresh_tokens", "refresh_families", "signing_keys", "users"]
    const rows = await own.run(
      SqlClient.use((sql) => Effect.forEach(tables, (table) => sql`SELECT * FROM ${sql(table)}`)),
    )
    const kept = JSON.stringify([own.logLines(), texts, rows, traces])
    const secrets = [apiKey, shown["apiKey"]!, tokens.accessToken, tokens.refreshToken, "cookie-secret-1"]
    const sent = ["sign-in-code-1", "sign-in-state-1", "hosting-token-1"]
    for (const secret of [...secrets, ...sent]) expect(kept).not.toContain(secret)
    expect(kept).not.toMatch(/"d\\?"/)
    await own.close()
  })
})
