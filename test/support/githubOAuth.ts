import { createHash, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

interface Grant {
  readonly challenge: string
  readonly userId: number
  readonly scopes: string
}

/**
 * A GitHub that signs people in: like GitHub's, codes are good once, and only for the PKCE verifier that they were
 * requested with. A test plays the person by `authorize`.
 */
export const startGitHubOAuth = async () => {
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, number>()
  const scopes = new Map<string, string>()
  const users = new Map<number, ReadonlyArray<{ email: string; primary: boolean; verified: boolean }>>()
  const control: { down: boolean; elsewhere: string | undefined } = { down: false, elsewhere: undefined }

  let received = 0
  const server = createServer((request, response) => {
    received++
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    request.on("end", () => {
      const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
        response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
      if (control.down) return answer(503, { message: "down" })
      if (control.elsewhere !== undefined) return answer(307, {}, { location: control.elsewhere })
      if (request.method === "POST" && request.url === "/login/oauth/access_token") {
        const sent = JSON.parse(text) as Record<string, string> // octokit sends JSON
        const grant = grants.get(sent["code"] ?? "")
        grants.delete(sent["code"] ?? "")
        const challenge = createHash("sha256")
          .update(sent["code_verifier"] ?? "")
          .digest("base64url")
        if (grant === undefined || grant.challenge !== challenge || sent["client_secret"] !== "client-secret") {
          return answer(200, { error: "bad_verification_code", error_description: "wrong", error_uri: "" })
        }
        const token = `gho_${randomBytes(12).toString("hex")}`
        tokens.set(token, grant.userId)
        scopes.set(token, grant.scopes)
        return answer(200, { access_token: token, token_type: "bearer", scope: "read:user,user:email" })
      }
      const token = (request.headers.authorization ?? "").replace(/^(?:bearer|token) /i, "")
      const userId = tokens.get(token)
      if (userId === undefined) return answer(401, { message: "Bad credentials" })
      if (request.url === "/api/v3/user") {
        return answer(200, { id: userId, login: `user${userId}` }, { "x-oauth-scopes": scopes.get(token) ?? "" })
      }
      if (request.url === "/api/v3/user/emails") return answer(200, users.get(userId) ?? [])
      return answer(404, { message: "Not Found" })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // a TCP address

  return {
    url: `http://127.0.0.1:${port}`,
    control,
    tokens,
    received: () => received,
    /** The person agrees at the address that the browser was sent to; returns what the browser comes back with. */
    authorize: (location: string, userId: number, email?: string) => {
      const url = new URL(location)
      const code = randomBytes(10).toString("hex")
      grants.set(code, {
        challenge: url.searchParams.get("code_challenge") ?? "",
        userId,
        scopes: (url.searchParams.get("scope") ?? "").split(/[, ]/).join(", "),
      })
      users.set(userId, email === undefined ? [] : [{ email, primary: true, verified: true }])
      return { code, state: url.searchParams.get("state") ?? "", url }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type GitHubOAuth = Awaited<ReturnType<typeof startGitHubOAuth>>
