import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hashSecret } from "../../../application/identity/secret.ts"
import { openSession } from "../../../application/identity/session.ts"
import { issueTokens, revokeRefreshToken } from "../../../application/identity/refresh.ts"
import { Sessions } from "../../../application/ports/identity/Sessions.ts"
import { scopes } from "../../../domain/identity/Caller.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { bearer, created, send } from "../../support/client.ts"
import type { ApiKeyId } from "../../../domain/ids/Ids.ts"

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** The stream of an analysis that keeps waiting. */
const open = async (ownKey: string, headers: Record<string, string>) => {
  const analysisId = await created(app, ownKey)
  const response = await fetch(`${app.url}/api/v1/analysis/${analysisId}/events`, { headers })
  expect(response.status).toBe(200)
  return { analysisId, ended: response.text() }
}
const pending = '"status":"pending"'
const asKey = (key: string) => bearer(key)

/** Milliseconds: the checks are 2 s apart, and this machine may be busy. */
const patience = 20_000

// Each waits for the next check, and none needs another's.
describe.concurrent("a progress stream ends with", () => {
  it("its key", { timeout: patience }, async () => {
    const { userId, apiKey } = await app.newUser()
    const key = await app.newKey(userId, ["analysis:read"])
    const { ended } = await open(apiKey, asKey(key))
    await app.run(
      SqlClient.use((sql) => sql`UPDATE api_keys SET revoked_at = now() WHERE prefix = ${key.slice(0, 12)}`),
    )
    expect(await ended).toContain(pending)
  })

  it("the key that created its key", { timeout: patience }, async () => {
    const { apiKey } = await app.newUser()
    const create = async (by: string) => {
      const response = await fetch(`${app.url}/api/v1/api-keys`, {
        method: "POST",
        headers: { ...bearer(by), "content-type": "application/json" },
        body: JSON.stringify({ name: "x" }),
      })
      return (await response.json()) as { readonly apiKey: string; readonly apiKeyId: ApiKeyId } // what the endpoint answers
    }
    const parent = await create(apiKey)
    const { ended } = await open(apiKey, asKey((await create(parent.apiKey)).apiKey))
    expect((await send(app, "DELETE", `/api/v1/api-keys/${parent.apiKeyId}`, apiKey)).status).toBe(204)
    expect(await ended).toContain(pending)
  })

  it("the expiry of its key", { timeout: patience }, async () => {
    const { userId, apiKey } = await app.newUser()
    const key = await app.newKey(userId, scopes, new Date(Date.now() + 5_000))
    const { ended } = await open(apiKey, asKey(key))
    expect(await ended).toContain(pending)
  })

  it("the sign-in that its access token came from", { timeout: patience }, async () => {
    const { userId, apiKey } = await app.newUser()
    const { accessToken, refreshToken } = await app.run(issueTokens(userId, undefined))
    const { ended } = await open(apiKey, bearer(accessToken))
    await app.run(revokeRefreshToken(refreshToken))
    expect(await ended).toContain(pending)
  })

  it("its session", { timeout: patience }, async () => {
    const { userId, apiKey } = await app.newUser()
    const secret = await app.run(openSession(userId, undefined))
    const { ended } = await open(apiKey, { cookie: `assay_session=${secret}` })
    const hash = hashSecret(secret)
    await app.run(Sessions.use((sessions) => sessions.close(hash)))
    expect(await ended).toContain(pending)
  })

  it("its analysis, and continues otherwise", { timeout: patience }, async () => {
    const { userId, apiKey } = await app.newUser()
    const { analysisId, ended } = await open(apiKey, asKey(apiKey))
    // The other stream ends at a check that this one passes.
    const other = await app.newKey(userId, scopes, new Date(Date.now() + 5_000))
    await (
      await open(apiKey, asKey(other))
    ).ended
    let isOver = false
    void ended.then(() => (isOver = true))
    await new Promise(setImmediate)
    expect(isOver).toBe(false)
    await send(app, "DELETE", `/api/v1/analysis/${analysisId}`, apiKey)
    await ended
  })
})
