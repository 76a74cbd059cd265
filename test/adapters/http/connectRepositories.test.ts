import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as GitHubSignIn from "../../../adapters/github/GitHubSignIn.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { expectError } from "../../support/client.ts"
import { type GitHubOAuth, startGitHubOAuth } from "../../support/githubOAuth.ts"

const publicUrl = "https://assay.example"

let github: GitHubOAuth
let app: TestApp
beforeAll(async () => {
  github = await startGitHubOAuth()
  app = await startApp({
    hostingUrl: `${github.url}/api/v3`,
    settings: { publicUrl, returnUrls: [`${publicUrl}/`] },
    accounts: {
      signIn: GitHubSignIn.layer({
        clientId: "client-id",
        clientSecret: Redacted.make("client-secret"),
        baseUrl: github.url,
        redirectUrl: `${publicUrl}/auth/github/callback`,
      }),
    },
  })
})
afterAll(async () => {
  await app.close()
  github.close()
})

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((header) => header.split(";", 1)[0]!)
    .join("; ")

let users = 0
/** Signs in a new user; returns the requested scopes and the settings of the hosting token. */
const signIn = async (query: string) => {
  const begun = await fetch(`${app.url}/auth/github${query}`, { redirect: "manual" })
  expect(begun.status).toBe(303)
  const { code, state, url } = github.authorize(begun.headers.get("location")!, ++users)
  const back = await fetch(`${app.url}/auth/github/callback?code=${code}&state=${state}`, {
    redirect: "manual",
    headers: { cookie: cookiesOf(begun) },
  })
  expect(back.status).toBe(303)
  const settings = await fetch(`${app.url}/api/v1/settings/hosting-token`, { headers: { cookie: cookiesOf(back) } })
  return { scopes: (url.searchParams.get("scope") ?? "").split(/[, ]/), token: await settings.json() }
}

describe("connecting the account at sign-in", () => {
  it("requests the matching scope and keeps the token", async () => {
    for (const [repositories, scope] of [
      ["public", "public_repo"],
      ["all", "repo"],
    ] as const) {
      const { scopes, token } = await signIn(`?repositories=${repositories}`)
      expect(scopes).toContain(scope)
      expect(token).toMatchObject({ configured: true, kind: "oauth", scopes: expect.arrayContaining([scope]) })
    }
  })

  it("happens only on request", async () => {
    const { scopes, token } = await signIn("")
    expect(scopes.toSorted()).toEqual(["read:user", "user:email"])
    expect(token).toEqual({ configured: false })
    await expectError(await fetch(`${app.url}/auth/github?repositories=mine`), "VALIDATION_ERROR")
  })
})
