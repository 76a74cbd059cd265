import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startApp, type TestApp } from "../../support/app.ts"
import { bearer, created, expectEveryHeader, expectError, get, send } from "../../support/client.ts"
import {
  type FakeRepository,
  type GithubServer,
  manyRepositories,
  startGithubServer,
} from "../../support/githubServer.ts"

const token = `ghp_${"t".repeat(36)}`

let github: GithubServer
let app: TestApp
beforeAll(async () => {
  github = await startGithubServer()
  app = await startApp({ hostingUrl: github.url })
})
afterAll(async () => {
  await app.close()
  await github.close()
})
beforeEach(() => {
  github.intercept = undefined
  github.tokens.clear()
})

const settings = "/api/v1/settings/hosting-token"

const put = (apiKey: string, body: unknown) =>
  fetch(app.url + settings, {
    method: "PUT",
    headers: { ...bearer(apiKey), "content-type": "application/json" },
    body: JSON.stringify(body),
  })

const give = (repositories: ReadonlyArray<FakeRepository>, scopes = "repo") =>
  void github.tokens.set(token, { login: "octo", scopes, repositories })

/** A user whose token gives access to these repositories. */
const connected = async (repositories: ReadonlyArray<FakeRepository>) => {
  give(repositories)
  const user = await app.newUser()
  expect((await put(user.apiKey, { token })).status).toBe(200)
  return user
}

const sync = (apiKey: string, how = "sync") => send(app, "POST", `/api/v1/repositories/${how}`, apiKey)

// The types are what the tests look at.
const list = async (apiKey: string) =>
  (await (await get(app, "/api/v1/repositories", apiKey)).json()) as Array<Record<string, unknown>>

describe("the hosting token", () => {
  it("can be set, described without being revealed, and removed", async () => {
    const { apiKey } = await app.newUser()
    expect(await (await get(app, settings, apiKey)).json()).toEqual({ configured: false })
    give([])
    const set = await put(apiKey, { token })
    expectEveryHeader(set)
    const view = await set.json()
    expect(view).toEqual({
      configured: true,
      kind: "personal",
      account: "octo",
      scopes: ["repo"],
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(await (await get(app, settings, apiKey)).json()).toEqual(view)
    const other = await app.newUser()
    expect(await (await get(app, settings, other.apiKey)).json()).toEqual({ configured: false })
    expect((await send(app, "DELETE", settings, apiKey)).status).toBe(204)
    expect((await send(app, "DELETE", settings, apiKey)).status).toBe(204)
    expect(await (await get(app, settings, apiKey)).json()).toEqual({ configured: false })
  })

  it("is rejected if wrong, and never repeated", async () => {
    const { apiKey } = await app.newUser()
    for (const body of [{ token }, { token: "a b" }, { token: "" }, { token: 1 }, {}, { token, kind: "oauth" }]) {
      const error = await expectError(await put(apiKey, body), "VALIDATION_ERROR")
      expect(JSON.stringify(error)).not.toContain(token)
      expect(JSON.stringify(error.details)).toMatch(/token|kind/)
    }
    expect(JSON.stringify(app.logLines())).not.toContain(token)
  })

  it("needs the repositories scope", async () => {
    const { userId } = await app.newUser()
    const key = await app.newKey(userId, ["analysis:read"])
    await expectError(await get(app, settings, key), "FORBIDDEN")
    await expectError(await put(key, { token }), "FORBIDDEN")
    await expectError(await get(app, "/api/v1/repositories", key), "FORBIDDEN")
    await expectError(await get(app, settings), "UNAUTHENTICATED")
  })
})

describe("syncing", () => {
  it("fills the list", async () => {
    const { apiKey } = await connected(manyRepositories(2))
    const response = await sync(apiKey)
    expect(response.status).toBe(200)
    expectEveryHeader(response)
    expect(response.headers.get("x-ratelimit-limit")).toBe("10")
    expect(await response.json()).toEqual({
      synced: 2,
      added: 2,
      updated: 0,
      syncedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect((await list(apiKey))[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      githubId: 1,
      name: "repository-1",
      fullName: "octo/repository-1",
      url: `${github.url}/octo/repository-1`,
      defaultBranch: "main",
      language: "Solidity",
      private: false,
      archived: false,
      lastSyncedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(await (await sync(apiKey, "quick-sync")).json()).toMatchObject({ synced: 0, added: 0, updated: 0 })
    const stranger = await app.newUser()
    expect(await list(stranger.apiKey)).toEqual([])
  })

  it("needs a token that still works", async () => {
    const { apiKey } = await app.newUser()
    for (const how of ["sync", "quick-sync"]) {
      const error = await expectError(await sync(apiKey, how), "HOSTING_TOKEN_REQUIRED")
      expect(error.message).toContain("/api/v1/settings/hosting-token")
    }
    const user = await connected([])
    github.tokens.clear()
    expect((await expectError(await sync(user.apiKey), "HOSTING_TOKEN_REQUIRED")).message).toContain("revoked")
    give([], "gist")
    expect((await expectError(await sync(user.apiKey), "HOSTING_TOKEN_REQUIRED")).message).toContain("public_repo")
  })

  it("reports when the hosting service's rate limit resets, and that it is down", async () => {
    const { apiKey } = await connected(manyRepositories(1))
    github.intercept = () => ({
      status: 403,
      body: { message: "secondary rate limit" },
      headers: { "retry-after": "42" },
    })
    const limited = await sync(apiKey)
    expect(limited.headers.get("retry-after")).toBe("42")
    await expectError(limited, "HOSTING_UNAVAILABLE")
    github.intercept = () => ({ status: 500 })
    const down = await sync(apiKey, "quick-sync")
    expect(Number(down.headers.get("retry-after"))).toBeGreaterThan(0)
    await expectError(down, "HOSTING_UNAVAILABLE")
    expect(await list(apiKey)).toEqual([])
  })

  it("is limited to ten per hour, both kinds together", async () => {
    const { apiKey } = await connected([])
    for (let count = 0; count < 10; count++) {
      expect((await sync(apiKey, count % 2 === 0 ? "sync" : "quick-sync")).status).toBe(200)
    }
    const refused = await sync(apiKey)
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0")
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    await expectError(refused, "RATE_LIMIT_EXCEEDED")
    expect((await get(app, "/api/v1/repositories", apiKey)).status).toBe(200)
  })
})

describe("one repository", () => {
  it("lists its scans, oldest first, and stays after it has vanished upstream", async () => {
    const { apiKey } = await connected(
      manyRepositories(2).map((one) => ({ ...one, html_url: `https://github.com/${one.full_name}` })),
    )
    await sync(apiKey)
    const [first] = await list(apiKey)
    const before = await created(app, apiKey, "https://github.com/octo/repository-1")
    await app.completeNext()
    const after = await created(app, apiKey, "https://github.com/Octo/Repository-1")
    const response = await get(app, `/api/v1/repositories/${first!["id"]}`, apiKey)
    const detail = (await response.json()) as { readonly scans: ReadonlyArray<Record<string, unknown>> }
    expect(detail).toMatchObject(first!)
    expect(detail.scans.map((scan) => scan["analysisId"])).toEqual([before, after])
    expect(detail.scans[0]).toMatchObject({
      status: "completed",
      branch: "main",
      framework: "evm",
      summary: { totalFindings: 1, highFindings: 1, analysisTime: 1200 },
    })
    expect(detail.scans[1]).toMatchObject({ status: "pending", branch: "HEAD" })
    expect(detail.scans[1]).not.toHaveProperty("summary")

    give([])
    await sync(apiKey)
    expect(await list(apiKey)).toEqual([])
    const gone = await (await get(app, `/api/v1/repositories/${first!["id"]}`, apiKey)).json()
    expect(gone).toMatchObject({ vanishedAt: expect.any(String), scans: [{}, {}] })
    await app.failNext()
  })

  it("is not found if another user's; a malformed id is an error", async () => {
    const { apiKey } = await connected(manyRepositories(1))
    await sync(apiKey)
    const [first] = await list(apiKey)
    const other = await app.newUser()
    await expectError(await get(app, `/api/v1/repositories/${first!["id"]}`, other.apiKey), "NOT_FOUND")
    await expectError(await get(app, `/api/v1/repositories/${crypto.randomUUID()}`, apiKey), "NOT_FOUND")
    await expectError(await get(app, "/api/v1/repositories/nonsense", apiKey), "VALIDATION_ERROR")
  })
})

describe("statistics", () => {
  it("count repositories, scans and findings", async () => {
    const { apiKey } = await connected(
      manyRepositories(3).map((one) => ({ ...one, html_url: `https://github.com/${one.full_name}` })),
    )
    await sync(apiKey)
    const analyzed = (await list(apiKey)).find((one) => one["fullName"] === "octo/repository-1")
    const analysisId = await created(app, apiKey, "https://github.com/octo/repository-1")
    await app.completeNext()
    await created(app, apiKey, "https://github.com/octo/elsewhere")
    await app.failNext()
    expect(await (await get(app, "/api/v1/repositories/stats", apiKey)).json()).toEqual({
      totalRepositories: 3,
      scannedRepositories: 1,
      scanResults: { critical: 0, high: 1, medium: 0, low: 0, informational: 0 },
      analysesByStatus: { pending: 0, running: 0, completed: 1, failed: 1 },
      repositories: [{ id: analyzed!["id"], analysisId, completedAt: expect.any(String), openFindings: 1 }],
    })
  })
})
