import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openApiDocument } from "../../../adapters/http/openapi/document.ts"
import { policies } from "../../../adapters/http/policy.ts"
import { apiKeyEntropy, formatApiKey } from "../../../domain/identity/ApiKey.ts"
import { type Scope, scopes } from "../../../domain/identity/Caller.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { bearer, create, created, expectError, get, repositoryUrl, send } from "../../support/client.ts"
import { endpointOf } from "../../support/endpointOf.ts"

let app: TestApp
/** The same behind a proxy: each test has addresses, and thus windows, of its own. */
let proxied: TestApp
let asked = 0
beforeAll(async () => {
  app = await startApp({ watchLookups: () => asked++ })
  proxied = await startApp({ settings: { trustedProxies: 1 } })
})
beforeEach(() => app.reset())
afterAll(async () => {
  await app.close()
  await proxied.close()
})

let addresses = 0
/** The header by which the proxy states a new address. */
const newAddress = () => ({ "x-forwarded-for": `10.0.0.${++addresses}` })

interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
}

const operations: ReadonlyArray<Operation> = Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId = "" }]) => ({
    operationId: endpointOf[operationId] ?? operationId,
    method: method.toUpperCase(),
    path: path
      .replace("{id}", "00000000-0000-0000-0000-000000000000")
      .replace("{userId}", "00000000-0000-0000-0000-000000000000")
      .replace("{framework}/{category}/{rule}", "evm/reentrancy/none"),
  })),
)
const guarded = operations.filter(({ operationId }) => policies[operationId]?.auth === "caller")

describe("the policy", () => {
  it("has an entry for every operation of the OpenAPI document, and no other", () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(policies).toSorted())
  })

  it("leaves only health, badges, rules, documentation, sign-in and Stripe's events public", () => {
    const open = operations.filter(({ operationId }) => policies[operationId]?.auth === "public")
    expect(new Set(open.map(({ operationId }) => operationId.split(".")[0]))).toEqual(
      new Set(["health", "badge", "rules", "documentation", "signIn", "billingEvents"]),
    )
  })

  it("requires a scope for every authenticated endpoint, except those that identify the caller and list the plans", () => {
    const open = guarded.filter(({ operationId }) => {
      const policy = policies[operationId]
      return policy?.auth === "caller" && policy.scope === undefined
    })
    expect(open.map(({ operationId }) => operationId).toSorted()).toEqual([
      "account.me",
      "organizations.find",
      "subscriptions.plans",
    ])
  })
})

describe("credentials", () => {
  const wrongChecksum = (key: string) => key.slice(0, -1) + (key.endsWith("0") ? "1" : "0")

  it("get a 401 with WWW-Authenticate from every guarded endpoint if missing or wrong", async () => {
    const { userId, apiKey } = await app.newUser()
    const expired = await app.newKey(userId, scopes, new Date(Date.now() - 1000))
    const unknown = `${apiKey.slice(0, 6)}${apiKey.slice(6).split("").toReversed().join("")}`
    const headers: ReadonlyArray<Record<string, string>> = [
      {},
      { authorization: "" },
      { authorization: "Bearer" },
      { authorization: `Basic ${btoa("a:b")}` },
      { authorization: apiKey },
      bearer("x"),
      bearer(unknown),
      bearer(wrongChecksum(apiKey)),
      bearer(`${apiKey} x`),
      bearer(expired),
      bearer("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0."),
    ]
    for (const { method, path } of guarded) {
      for (const header of headers) {
        const response = await fetch(app.url + path, { method, headers: header })
        expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/)
        await expectError(response, "UNAUTHENTICATED")
      }
    }
  })

  it("may spell the scheme in any case", async () => {
    const { apiKey } = await app.newUser()
    for (const scheme of ["bearer", "BEARER", "Bearer "]) {
      const response = await fetch(`${app.url}/api/v1/analysis`, { headers: { authorization: `${scheme} ${apiKey}` } })
      expect(response.status).toBe(200)
    }
  })

  it("are ignored in the query string", async () => {
    const { apiKey } = await app.newUser()
    await expectError(await get(app, `/api/v1/analysis?access_token=${apiKey}&api_key=${apiKey}`), "UNAUTHENTICATED")
  })

  it("get a 403 from every guarded endpoint without its scope, whatever the input", async () => {
    const { userId } = await app.newUser()
    for (const { operationId, method, path } of guarded) {
      const policy = policies[operationId]
      const needed = policy?.auth === "caller" ? policy.scope : undefined
      if (needed === undefined) continue
      const others = scopes.filter((scope): scope is Scope => scope !== (needed === "every" ? "repositories" : needed))
      const response = await send(app, method, path, await app.newKey(userId, others))
      expect((await expectError(response, "FORBIDDEN")).details).toEqual({ requiredScope: needed })
    }
  })

  it("are sufficient with the required scope", async () => {
    const { userId } = await app.newUser()
    const writer = await app.newKey(userId, ["analysis:write"])
    const reader = await app.newKey(userId, ["analysis:read"])
    expect((await create(app, writer, { repositoryUrl })).status).toBe(201)
    expect((await get(app, "/api/v1/analysis", reader)).status).toBe(200)
  })
})

describe("a wrong checksum", () => {
  it("is rejected without asking the database", async () => {
    const { apiKey } = await app.newUser()
    asked = 0
    await expectError(await get(app, "/api/v1/analysis", `${apiKey.slice(0, -1)}!`), "UNAUTHENTICATED")
    await expectError(
      await get(app, "/api/v1/analysis", apiKey.slice(0, -1) + (apiKey.endsWith("0") ? "1" : "0")),
      "UNAUTHENTICATED",
    )
    expect(asked).toBe(0)
    expect((await get(app, "/api/v1/analysis", apiKey)).status).toBe(200)
    expect(asked).toBe(1)
  })
})

/** A key that differs from this one only in the last of its 30 characters, and therefore in its checksum. */
const neighbor = (apiKey: string): string => {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  let value = 0n
  for (const digit of apiKey.slice(6, 36)) value = value * 62n + BigInt(digits.indexOf(digit))
  value += value % 62n === 61n ? -1n : 1n
  const bytes = new Uint8Array(apiKeyEntropy)
  for (let i = apiKeyEntropy - 1; i >= 0; i--, value >>= 8n) bytes[i] = Number(value & 255n)
  return formatApiKey(bytes)
}

describe("an unknown key", () => {
  // Keys are looked up by their SHA-256, and that of an almost correct guess has nothing in common with the real one.
  it("costs one lookup, however much of it is correct", async () => {
    const { apiKey } = await app.newUser()
    const [near, far] = [neighbor(apiKey), formatApiKey(new Uint8Array(apiKeyEntropy))]
    expect(near.slice(0, 35)).toBe(apiKey.slice(0, 35))
    for (const key of [near, far]) {
      asked = 0
      await expectError(await get(app, "/api/v1/analysis", key), "UNAUTHENTICATED")
      expect(asked).toBe(1)
    }
  })
})

describe("wrong credentials", () => {
  const unknown = (i: number) => formatApiKey(new Uint8Array(apiKeyEntropy).fill(i + 1))

  it("may be tried 30 times per hour and address, across all endpoints; a valid caller is never rejected", async () => {
    const address = newAddress()
    const { apiKey } = await proxied.newUser()
    const paths = ["/api/v1/analysis", "/api/v1/me", "/api/subscriptions/plans"]
    for (let i = 0; i < 30; i++) {
      const response = await get(
        proxied,
        paths[i % paths.length]!,
        i % 2 === 0 ? unknown(i) : `no.such.token${i}`,
        address,
      )
      expect(window(response)).toEqual({ limit: 30, remaining: 29 - i })
      await expectError(response, "UNAUTHENTICATED")
    }
    await expectLimited(await get(proxied, "/api/v1/analysis", unknown(99), address), 30)
    expect((await get(proxied, "/api/v1/analysis", apiKey, address)).status).toBe(200)
    const session = await fetch(`${proxied.url}/api/v1/me`, {
      headers: { ...address, cookie: `assay_session=${"x".repeat(43)}` },
    })
    expect(session.status).toBe(429)
    // Signing in and requests without credentials still work.
    expect((await fetch(`${proxied.url}/auth/logout`, { method: "POST", headers: address })).status).toBe(204)
    await expectError(await get(proxied, "/api/v1/analysis", undefined, address), "UNAUTHENTICATED")
  })

  it("count once if repeated, and after that like any request from their address", async () => {
    const address = newAddress()
    for (let i = 0; i < 50; i++)
      await expectError(await get(proxied, "/api/v1/me", unknown(0), address), "UNAUTHENTICATED")
    expect(window(await get(proxied, "/nope", undefined, address)).remaining).toBe(600 - 49 - 1)
    const next = await get(proxied, "/api/v1/me", unknown(1), address)
    expect(window(next)).toEqual({ limit: 30, remaining: 28 })
  })

  it("from one address do not count against another", async () => {
    const from = (address: string, i: number) => get(proxied, "/api/v1/me", unknown(i), { "x-forwarded-for": address })
    for (let i = 0; i < 31; i++) await from("203.0.113.1", i)
    await expectLimited(await from("203.0.113.1", 31), 30)
    await expectError(await from("203.0.113.2", 32), "UNAUTHENTICATED")
  })
})

const window = (response: Response) => ({
  limit: Number(response.headers.get("x-ratelimit-limit")),
  remaining: Number(response.headers.get("x-ratelimit-remaining")),
})

/** Checks that a response is exactly the 429 of `interface.md`. */
const expectLimited = async (response: Response, limit: number): Promise<void> => {
  expect(window(response)).toEqual({ limit, remaining: 0 })
  const reset = Number(response.headers.get("x-ratelimit-reset"))
  const wait = Number(response.headers.get("retry-after"))
  expect(Number.isInteger(wait) && wait > 0).toBe(true)
  expect(Math.abs(Date.now() / 1000 + wait - reset)).toBeLessThan(3)
  const error = await expectError(response, "RATE_LIMIT_EXCEEDED")
  expect(error.details).toBeUndefined()
}

describe("request windows", () => {
  it("allow a basic user exactly 100 reads across all keys and endpoints", async () => {
    const { userId, apiKey } = await app.newUser("basic")
    const second = await app.newKey(userId, scopes)
    const analysisId = await created(app, apiKey)
    const paths = ["", `/${analysisId}/status`, `/${analysisId}/result`, "?limit=0"]
    const responses = await Promise.all(
      Array.from({ length: 130 }, (_, i) =>
        get(app, `/api/v1/analysis${paths[i % paths.length]}`, i % 2 === 0 ? apiKey : second),
      ),
    )
    expect(responses.filter(({ status }) => status !== 429)).toHaveLength(100)
    await expectLimited(
      responses.find(({ status }) => status === 429)!,
      100,
    )
    expect((await create(app, apiKey, { repositoryUrl })).status).toBe(201)
  })

  it("allow a pro user 1,000 reads", async () => {
    const { apiKey } = await app.newUser("pro")
    expect(window(await get(app, "/api/v1/analysis", apiKey))).toEqual({ limit: 1000, remaining: 999 })
    expect(window(await get(app, "/api/v1/analysis", apiKey))).toEqual({ limit: 1000, remaining: 998 })
  })

  it("allow 60 creates and retries, counted separately from reads", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    expect(window(await send(app, "POST", `/api/v1/analysis/${analysisId}/retry`, apiKey))).toEqual({
      limit: 60,
      remaining: 58,
    })
    const responses = await Promise.all(Array.from({ length: 60 }, () => create(app, apiKey, "{")))
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(58)
    await expectLimited(
      responses.find(({ status }) => status === 429)!,
      60,
    )
  })

  it("are separate for each user", async () => {
    const [one, two] = [await app.newUser(), await app.newUser()]
    await get(app, "/api/v1/analysis", one.apiKey)
    expect(window(await get(app, "/api/v1/analysis", two.apiKey)).remaining).toBe(999)
  })

  it("allow 600 public requests from an address, including unknown routes and failed sign-ins; health still responds", async () => {
    const address = newAddress()
    const from = (path: string) => get(proxied, path, undefined, address)
    const paths = ["/nope", "/openapi.json", "/api/v1/analysis", "/health", "/api/v1/rules"]
    const statuses: Array<number> = []
    for (let i = 0; i < 600; i += 50) {
      const batch = await Promise.all(Array.from({ length: 50 }, (_, j) => from(paths[(i + j) % paths.length]!)))
      statuses.push(...batch.map(({ status }) => status))
      await Promise.all(batch.map((response) => response.arrayBuffer()))
    }
    expect(statuses.filter((status) => status === 429)).toEqual([])
    for (const path of ["/nope", "/openapi.json", "/api/v1/analysis", "/docs"])
      await expectLimited(await from(path), 600)
    for (const path of ["/health", "/health/detailed", "/health/ready"]) {
      const response = await from(path)
      expect(response.status).toBe(200)
      expect(window(response)).toEqual({ limit: 600, remaining: 0 })
    }
    const { apiKey } = await proxied.newUser()
    expect((await get(proxied, "/api/v1/analysis", apiKey, address)).status).toBe(200)
  })

  it("go by the socket's address, not by what a client claims", async () => {
    const own = await startApp()
    await get(own, "/nope", undefined, { "x-forwarded-for": "203.0.113.1" })
    const response = await get(own, "/nope", undefined, { "x-forwarded-for": "203.0.113.2" })
    expect(window(response).remaining).toBe(598)
    await own.close()
  })

  it("go by the address that a trusted proxy states", async () => {
    const from = (address: string) =>
      get(proxied, "/nope", undefined, { "x-forwarded-for": `198.51.100.9, ${address}` })
    await from("203.0.113.3")
    expect(window(await from("203.0.113.3")).remaining).toBe(598)
    expect(window(await from("203.0.113.4")).remaining).toBe(599)
  })
})

describe("the monthly scans", () => {
  it("allow exactly ten of 200 simultaneous creates if ten are left; the 429 describes the month", async () => {
    const { userId } = await app.newUser("basic")
    // Some go to the store directly, because creates are limited to 60 per hour and user, which is not tested here.
    const key = await app.newKey(userId, scopes)
    const overHttp = Array.from({ length: 50 }, () => create(app, key, { repositoryUrl }))
    const directly = Array.from({ length: 150 }, () => app.createDirectly(userId, repositoryUrl))
    const [responses, results] = await Promise.all([Promise.all(overHttp), Promise.all(directly)])
    const through = responses.filter(({ status }) => status === 201).length + results.filter((ok) => ok).length
    expect(through).toBe(10)
    // On a busy machine all others may have hit the database's time limit instead.
    const limited = responses.find(({ status }) => status === 429) ?? (await create(app, key, { repositoryUrl }))
    expect(limited.headers.get("ratelimit")).toMatch(/^"scans";r=0;/)
    const now = new Date()
    expect(Number(limited.headers.get("x-ratelimit-reset"))).toBe(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) / 1000,
    )
    await expectLimited(limited, 10)
  })

  it("are refunded for a failed analysis, not for a deleted one, and a retry charges one", async () => {
    const { apiKey } = await app.newUser("basic")
    const first = await created(app, apiKey)
    await app.failNext()
    for (let i = 0; i < 9; i++) await created(app, apiKey)
    expect((await send(app, "POST", `/api/v1/analysis/${first}/retry`, apiKey)).status).toBe(200)
    await send(app, "DELETE", `/api/v1/analysis/${first}`, apiKey)
    await expectLimited(await create(app, apiKey, { repositoryUrl }), 10)
  })

  it("are 60 on pro", async () => {
    const { userId } = await app.newUser("pro")
    const results = await Promise.all(Array.from({ length: 70 }, () => app.createDirectly(userId, repositoryUrl)))
    expect(results.filter((ok) => ok)).toHaveLength(60)
  })
})

describe("a limiter", () => {
  it("is queried once per request", async () => {
    const address = newAddress()
    const { apiKey } = await proxied.newUser()
    await get(proxied, "/nope", undefined, address)
    await get(proxied, "/health", undefined, address)
    await get(proxied, "/api/v1/analysis", apiKey, address)
    expect(window(await get(proxied, "/nope", undefined, address)).remaining).toBe(597)
    expect(window(await get(proxied, "/api/v1/analysis", apiKey, address)).remaining).toBe(998)
  })
})
