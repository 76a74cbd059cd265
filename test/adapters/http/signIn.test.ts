import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as GitHubSignIn from "../../../adapters/github/GitHubSignIn.ts"
import { openApiDocument } from "../../../adapters/http/openapi/document.ts"
import { policies } from "../../../adapters/http/policy.ts"
import { makeStartToken } from "../../../application/identity/startLink.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { expectError } from "../../support/client.ts"
import { type GitHubOAuth, startGitHubOAuth } from "../../support/githubOAuth.ts"
import { endpointOf } from "../../support/endpointOf.ts"

const publicUrl = "https://assay.example"
const sessionName = "__Host-assay_session"
const pendingName = "__Host-assay_sign_in"

let github: GitHubOAuth
const signIn = (url: string) =>
  GitHubSignIn.layer({
    clientId: "client-id",
    clientSecret: Redacted.make("client-secret"),
    baseUrl: github.url,
    redirectUrl: `${url}/auth/github/callback`,
  })

let app: TestApp
/** Each test has an address of its own, with its 30 attempts. */
let address = 0
beforeAll(async () => {
  github = await startGitHubOAuth()
  app = await startApp({
    settings: { publicUrl, returnUrls: [`${publicUrl}/`, `${publicUrl}/welcome`], trustedProxies: 1 },
    accounts: { signIn: signIn(publicUrl) },
  })
})
beforeEach(async () => {
  address++
  github.control.down = false
  github.control.elsewhere = undefined
  await app.reset()
})
afterAll(async () => {
  await app.close()
  github.close()
})

/** A browser: keeps cookies, follows nothing. */
const newBrowser = () => {
  const cookies = new Map<string, string>()
  const set: Array<string> = []
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(app.url + path, {
      redirect: "manual",
      ...init,
      headers: { "x-forwarded-for": `10.0.0.${address}`, ...(cookie === "" ? {} : { cookie }), ...init.headers },
    })
    for (const header of response.headers.getSetCookie()) {
      set.push(header)
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!
      if (/max-age=0/i.test(header)) cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    return response
  }
  const signIn = async (userId: number, email?: string) => {
    const begun = await request("/auth/github")
    const { code, state } = github.authorize(begun.headers.get("location")!, userId, email)
    return request(`/auth/github/callback?code=${code}&state=${state}`)
  }
  const me = async () => (await (await request("/api/v1/me")).json()) as Record<string, string> // checked by its test
  return { cookies, set, request, signIn, me }
}

describe("signing in with GitHub", () => {
  it("leads to GitHub with state and a PKCE challenge, and back to the configured address with a session", async () => {
    const browser = newBrowser()
    const begun = await browser.request(`/auth/github?returnTo=${encodeURIComponent(`${publicUrl}/welcome`)}`)
    expect(begun.status).toBe(303)
    const { code, state, url } = github.authorize(begun.headers.get("location")!, 1, "ada@example.com")
    expect(url.origin + url.pathname).toBe(`${github.url}/login/oauth/authorize`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: "client-id",
      redirect_uri: `${publicUrl}/auth/github/callback`,
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      state: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    })
    const back = await browser.request(`/auth/github/callback?code=${code}&state=${state}`)
    expect(back.status).toBe(303)
    expect(back.headers.get("location")).toBe(`${publicUrl}/welcome`)
    expect(await browser.me()).toMatchObject({ email: "ada@example.com", tier: "basic", csrfToken: expect.any(String) })
  })

  it("sets cookies that scripts, other sites and plain http do not get", async () => {
    const browser = newBrowser()
    await browser.signIn(2)
    expect(new Set(browser.set.map((header) => header.slice(0, header.indexOf("="))))).toEqual(
      new Set([sessionName, pendingName]),
    )
    for (const cookie of browser.set) {
      for (const attribute of [/; *HttpOnly/i, /; *SameSite=Lax/i, /; *Secure/i, /; *Path=\/(;|$)/i]) {
        expect(cookie).toMatch(attribute)
      }
      expect(cookie).not.toMatch(/domain=/i)
    }
    expect(browser.cookies.has(pendingName)).toBe(false)
  })

  it("over plain http sets cookies that Safari keeps as well", async () => {
    const own = await startApp({
      settings: { publicUrl: "http://localhost:3000" },
      accounts: { signIn: signIn("http://localhost:3000") },
    })
    const [cookie] = (await fetch(`${own.url}/auth/github`, { redirect: "manual" })).headers.getSetCookie()
    expect(cookie).toMatch(/^assay_sign_in=[^;]+; /)
    expect(cookie).toMatch(/; *HttpOnly/i)
    expect(cookie).not.toMatch(/; *Secure/i)
    await own.close()
  })

  it("accepts a sign-in once, even if it returns twice simultaneously", async () => {
    const browser = newBrowser()
    const begun = await browser.request("/auth/github")
    const pending = browser.cookies.get(pendingName)!
    const location = begun.headers.get("location")!
    const back = () => {
      // A different code each time: GitHub accepts them all.
      const { code, state } = github.authorize(location, 20)
      const headers = { cookie: `${pendingName}=${pending}` }
      return fetch(`${app.url}/auth/github/callback?code=${code}&state=${state}`, { headers, redirect: "manual" })
    }
    const answers = await Promise.all([back(), back(), back()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400])
    await expectError(await back(), "VALIDATION_ERROR")
  })

  it("finds the same user again, and the one that an administrator created for the email", async () => {
    const userId = await app.run(Accounts.use((accounts) => accounts.createUser("ada@example.com", "pro")))
    const [first, second] = [newBrowser(), newBrowser()]
    await first.signIn(3, "Ada@example.com")
    await second.signIn(3, "new-address@example.com")
    expect([(await first.me())["userId"], (await second.me())["userId"]]).toEqual([userId, userId])
  })

  it.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    `${publicUrl}.evil.example/`,
    `${publicUrl}@evil.example/`,
    `${publicUrl}/welcome/../../x`,
    `${publicUrl}/WELCOME`,
    "javascript:alert(1)",
    "",
  ])("leads back to no other address: %j", async (returnTo) => {
    const response = await newBrowser().request(`/auth/github?returnTo=${encodeURIComponent(returnTo)}`)
    expect(response.headers.get("location")).toBeNull()
    await expectError(response, "VALIDATION_ERROR")
  })

  it("is rejected without the browser's cookie, with a different state, and when repeated", async () => {
    const browser = newBrowser()
    const begun = await browser.request("/auth/github")
    const { code, state } = github.authorize(begun.headers.get("location")!, 4)
    const callback = `/auth/github/callback?code=${code}&state=${state}`
    await expectError(await newBrowser().request(callback), "VALIDATION_ERROR")
    await expectError(
      await browser.request(callback.replace(/state=.*/, `state=${"A".repeat(43)}`)),
      "VALIDATION_ERROR",
    )
    await expectError(await browser.request("/auth/github/callback?error=access_denied"), "VALIDATION_ERROR")
    await expectError(await browser.request(`/auth/github/callback?state=${state}`), "VALIDATION_ERROR")
    expect((await browser.request(callback)).status).toBe(303)
    await expectError(await browser.request(callback), "VALIDATION_ERROR")
  })

  it("is rejected with a code requested with a different challenge", async () => {
    const [attacker, victim] = [newBrowser(), newBrowser()]
    const stolen = github.authorize((await attacker.request("/auth/github")).headers.get("location")!, 5)
    const own = github.authorize((await victim.request("/auth/github")).headers.get("location")!, 6)
    const response = await victim.request(`/auth/github/callback?code=${stolen.code}&state=${own.state}`)
    await expectError(response, "VALIDATION_ERROR")
    expect(victim.cookies.has(sessionName)).toBe(false)
  })

  it("is rejected with a cookie that is forged or belongs elsewhere", async () => {
    const browser = newBrowser()
    const begun = await browser.request("/auth/github")
    const { code, state } = github.authorize(begun.headers.get("location")!, 7)
    for (const forged of ["x", "a.b.c.d.e", btoa(JSON.stringify({ state })), "x".repeat(10_000)]) {
      browser.cookies.set(pendingName, forged)
      await expectError(await browser.request(`/auth/github/callback?code=${code}&state=${state}`), "VALIDATION_ERROR")
    }
  })

  it("reports that GitHub is unreachable", async () => {
    const browser = newBrowser()
    const begun = await browser.request("/auth/github")
    const { code, state } = github.authorize(begun.headers.get("location")!, 8)
    github.control.down = true
    const response = await browser.request(`/auth/github/callback?code=${code}&state=${state}`)
    const error = await expectError(response, "HOSTING_UNAVAILABLE")
    expect(JSON.stringify([error, app.logLines()])).not.toContain("client-secret")
  })

  it("sends the client's secret nowhere that GitHub redirects to", async () => {
    const other = await startGitHubOAuth()
    const browser = newBrowser()
    const { code, state } = github.authorize((await browser.request("/auth/github")).headers.get("location")!, 8)
    github.control.elsewhere = `${other.url}/login/oauth/access_token`
    const response = await browser.request(`/auth/github/callback?code=${code}&state=${state}`)
    await expectError(response, "HOSTING_UNAVAILABLE")
    expect(other.received()).toBe(0)
    other.close()
  })

  it("does not keep GitHub's token", async () => {
    await newBrowser().signIn(9)
    const rows = await app.run(SqlClient.use((sql) => sql`SELECT * FROM external_identities`))
    for (const token of github.tokens.keys()) expect(JSON.stringify([rows, app.logLines()])).not.toContain(token)
  })
})

describe("a session", () => {
  it("is never the one that the browser sent, which ends", async () => {
    const [attacker, victim] = [newBrowser(), newBrowser()]
    await attacker.signIn(10)
    const fixed = attacker.cookies.get(sessionName)!
    victim.cookies.set(sessionName, fixed)
    await victim.signIn(11)
    expect(victim.cookies.get(sessionName)).not.toBe(fixed)
    await expectError(await attacker.request("/api/v1/me"), "UNAUTHENTICATED")
  })

  it("is never accepted if invented by a client", async () => {
    const browser = newBrowser()
    browser.cookies.set(sessionName, "A".repeat(43))
    await expectError(await browser.request("/api/v1/me"), "UNAUTHENTICATED")
    await browser.signIn(12)
    expect(browser.cookies.get(sessionName)).not.toBe("A".repeat(43))
  })

  it("is not accepted if sent twice", async () => {
    const browser = newBrowser()
    await browser.signIn(13)
    const secret = browser.cookies.get(sessionName)!
    const response = await fetch(`${app.url}/api/v1/me`, {
      headers: { cookie: `${sessionName}=${secret}; ${sessionName}=${"A".repeat(43)}` },
    })
    await expectError(response, "UNAUTHENTICATED")
  })

  it("changes nothing without its CSRF token, at every state-changing endpoint", async () => {
    const [browser, other] = [newBrowser(), newBrowser()]
    await browser.signIn(14)
    await other.signIn(15)
    const foreign = (await other.me())["csrfToken"]!
    const changing = Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(
          ([method, { operationId = "" }]) =>
            method !== "get" && policies[endpointOf[operationId] ?? ""]?.auth === "caller",
        )
        .map(([method]) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, crypto.randomUUID()) })),
    )
    changing.push({ method: "POST", path: "/auth/logout" }, { method: "POST", path: "/auth/refresh" })
    expect(changing.length).toBeGreaterThan(10)
    for (const { method, path } of changing) {
      for (const headers of [{}, { "x-csrf-token": "" }, { "x-csrf-token": foreign }]) {
        await expectError(await browser.request(path, { method, headers }), "FORBIDDEN")
      }
    }
    expect((await browser.request("/api/v1/me")).status).toBe(200)
  })

  it("can make changes with its CSRF token", async () => {
    const browser = newBrowser()
    await browser.signIn(16)
    const csrf = (await browser.me())["csrfToken"]!
    const created = await browser.request("/api/v1/api-keys", {
      method: "POST",
      headers: { "x-csrf-token": csrf, "content-type": "application/json" },
      body: JSON.stringify({ name: "from the dashboard" }),
    })
    expect(created.status).toBe(201)
  })

  it("can issue tokens, all of which, including access tokens, end with it", async () => {
    const browser = newBrowser()
    await browser.signIn(17)
    const csrf = { "x-csrf-token": (await browser.me())["csrfToken"]! }
    const response = await browser.request("/auth/refresh", { method: "POST", headers: csrf })
    const tokens = (await response.json()) as Record<string, string> // checked by using them
    const me = () => fetch(`${app.url}/api/v1/me`, { headers: { authorization: `Bearer ${tokens["accessToken"]}` } })
    expect((await me()).status).toBe(200)
    expect((await browser.request("/auth/logout", { method: "POST", headers: csrf })).status).toBe(204)
    expect(browser.cookies.has(sessionName)).toBe(false)
    // The database announces it on a separate connection.
    await expect.poll(async () => (await me()).status).toBe(401)
    const refreshed = await fetch(`${app.url}/auth/refresh`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ refreshToken: tokens["refreshToken"] }),
    })
    await expectError(refreshed, "UNAUTHENTICATED")
  })
})

describe("sign-in without configuration", () => {
  it("does not exist", async () => {
    const own = await startApp()
    await expectError(await fetch(`${own.url}/auth/github`), "NOT_FOUND")
    await expectError(await fetch(`${own.url}/auth/github/callback?code=a&state=b`), "VALIDATION_ERROR")
    await own.close()
  })
})

describe("a session of an API key", () => {
  const open = (browser: ReturnType<typeof newBrowser>, apiKey: unknown) =>
    browser.request("/auth/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ apiKey }),
    })

  it("has the key's permissions while the key is valid, and gets no tokens", async () => {
    const browser = newBrowser()
    const { userId } = await app.newUser()
    const key = await app.newKey(userId, ["analysis:read"])
    const opened = await open(browser, key)
    expect(opened.status).toBe(201)
    const { csrfToken } = (await opened.json()) as { readonly csrfToken: string } // the contract suite validates it
    expect(browser.set.at(-1)).toMatch(/HttpOnly/i)
    expect(await (await browser.request("/api/v1/me")).json()).toMatchObject({
      userId,
      scopes: ["analysis:read"],
      csrfToken,
    })
    const list = await browser.request("/api/v1/analysis")
    expect([list.status, list.headers.get("x-ratelimit-limit")]).toEqual([200, "1500"])
    await expectError(await browser.request("/api/v1/repositories"), "FORBIDDEN")
    const headers = { "x-csrf-token": csrfToken }
    await expectError(await browser.request("/auth/refresh", { method: "POST", headers }), "FORBIDDEN")
    await app.run(SqlClient.use((sql) => sql`UPDATE api_keys SET revoked_at = now() WHERE user_id = ${userId}::uuid`))
    await expectError(await browser.request("/api/v1/analysis"), "UNAUTHENTICATED")
  })

  it("ends by signing out, which needs the CSRF token", async () => {
    const browser = newBrowser()
    const { apiKey } = await app.newUser()
    const { csrfToken } = (await (await open(browser, apiKey)).json()) as { readonly csrfToken: string }
    const cookie = { cookie: `${sessionName}=${browser.cookies.get(sessionName)}` }
    await expectError(await browser.request("/auth/logout", { method: "POST" }), "FORBIDDEN")
    const out = await browser.request("/auth/logout", { method: "POST", headers: { "x-csrf-token": csrfToken } })
    expect(out.status).toBe(204)
    await expectError(await fetch(`${app.url}/api/v1/me`, { headers: cookie }), "UNAUTHENTICATED")
  })

  it("cannot be opened with anything else", async () => {
    const browser = newBrowser()
    const { apiKey } = await app.newUser()
    for (const wrong of ["", "x", `${apiKey.slice(0, -1)}x`, "assay_".padEnd(42, "0")]) {
      await expectError(await open(browser, wrong), "UNAUTHENTICATED")
    }
    await expectError(await open(browser, 1), "VALIDATION_ERROR")
    expect(browser.cookies.has(sessionName)).toBe(false)
  })
})

describe("the link of an embedded start", () => {
  it("signs in once, within its lifetime, and cannot be forged", async () => {
    const { userId } = await app.newUser()
    const token = await app.run(makeStartToken(userId))
    const path = `/auth/start?token=${token}`
    const [first, second] = [newBrowser(), newBrowser()]
    const answers = await Promise.all([first.request(path), second.request(path)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400])
    const winner = answers[0]!.status === 303 ? first : second
    expect(answers.find(({ status }) => status === 303)!.headers.get("referrer-policy")).toBe("no-referrer")
    expect(await winner.me()).toMatchObject({ userId })
    for (const wrong of ["x", token.slice(0, -2), `${token}x`, ""]) {
      await expectError(await second.request(`/auth/start?token=${wrong}`), "VALIDATION_ERROR")
    }
    expect(second === winner ? first.cookies.size : second.cookies.size).toBe(0)
  })
})
