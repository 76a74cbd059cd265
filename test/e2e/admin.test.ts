import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { layOutDatabase } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"
import { jsonOf, type Program, startProgram, startService } from "../support/program.ts"

const work = mkdtempSync(join(tmpdir(), "assay-admin-"))
afterAll(() => rmSync(work, { recursive: true, force: true }))

type Environment = Readonly<Record<string, string>>

const admin = async (environment: Environment, ...call: ReadonlyArray<string>) => {
  const program = startProgram("cli/admin.ts", call, environment)
  const code = await program.ended
  return { code, stdout: program.stdout(), stderr: program.stderr() }
}

/** The fields of the single JSON line that a call prints. */
const json = async (environment: Environment, ...call: ReadonlyArray<string>): Promise<Record<string, string>> => {
  const { code, stdout, stderr } = await admin(environment, ...call, "--json")
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout.split("\n")).toHaveLength(2)
  return JSON.parse(stdout) as Record<string, string> // each test checks the fields it reads
}

const me = async (url: string, token: string | undefined) =>
  jsonOf<Record<string, unknown>>(await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } }))

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe("npm run admin on the embedded database", () => {
  const environment = { ASSAY_DATA_DIR: join(work, "embedded") }

  it(
    "makes the first user, key and token before the service ever ran, which accepts them",
    { timeout: 240_000 },
    async () => {
      // The database itself, as `start.test.ts` lets a newcomer's start create it, for 5 s of CPU time.
      await layOutDatabase(environment.ASSAY_DATA_DIR)
      const user = await json(environment, "user", "create", "--email", "ada@example.com", "--plan", "basic")
      expect(user).toEqual({ userId: expect.stringMatching(uuid) })
      const key = await json(
        environment,
        "key",
        "create",
        "--user",
        user["userId"]!,
        "--scopes",
        "analysis:read,billing",
        "--expires",
        "30d",
      )
      expect(key).toEqual({ apiKeyId: expect.stringMatching(uuid), apiKey: expect.stringMatching(/^assay_\w{36}$/) })
      const token = await json(environment, "token", "issue", "--user", user["userId"]!)
      expect(Object.keys(token)).toEqual(["accessToken"])

      const service = await startService(environment.ASSAY_DATA_DIR)
      try {
        expect(await me(service.url, key["apiKey"])).toMatchObject({ ...user, scopes: ["analysis:read", "billing"] })
        expect(await me(service.url, token["accessToken"])).toMatchObject({ ...user, tier: "basic" })
        const keys = await fetch(`${service.url}/api/v1/api-keys`, {
          headers: { authorization: `Bearer ${token["accessToken"]}` },
        })
        const [listed] = await jsonOf<ReadonlyArray<{ readonly expiresAt: string }>>(keys)
        expect((Date.parse(listed!.expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)

        // The service holds the database, so it carries these out.
        const member = await json(environment, "user", "create", "--email", "bob@example.com", "--plan", "basic")
        const organization = await json(
          environment,
          "org",
          "create",
          "--owner",
          user["userId"]!,
          "--name",
          "Example",
          "--seats",
          "2",
        )
        expect(organization).toEqual({ organizationId: expect.stringMatching(uuid) })
        await json(environment, "org", "add", "--org", organization["organizationId"]!, "--user", member["userId"]!)
        expect(await me(service.url, token["accessToken"])).toMatchObject({ tier: "pro", organization })
        const full = await admin(
          environment,
          "org",
          "add",
          "--org",
          organization["organizationId"]!,
          "--user",
          member["userId"]!,
        )
        expect(full).toMatchObject({
          code: 2,
          stdout: "",
          stderr: expect.stringContaining("belongs to an organization"),
        })

        const rotated = await json(environment, "keys", "rotate")
        expect(rotated).toMatchObject({ reencrypted: 1, unreadable: 0 })
        expect(await me(service.url, token["accessToken"])).toMatchObject(user)
        const renewed = await json(environment, "token", "issue", "--user", user["userId"]!)
        expect(await me(service.url, renewed["accessToken"])).toMatchObject(user)
      } finally {
        await service.stop()
      }
      const after = await startService(environment.ASSAY_DATA_DIR)
      expect(await me(after.url, token["accessToken"])).toMatchObject(user)
      await after.stop()
    },
  )

  it("waits for another command that has the database, instead of failing", { timeout: 120_000 }, async () => {
    const users = await Promise.all(
      ["kim", "lee"].map((name) =>
        json(environment, "user", "create", "--email", `${name}@example.com`, "--plan", "basic"),
      ),
    )
    expect(new Set(users.map(({ userId }) => userId)).size).toBe(2)
  })
})

const server = await startPostgres()

describe("npm run admin, asked for something impossible", () => {
  // Opening the embedded database costs each call 2 s of CPU time.
  const environment =
    server === undefined
      ? Promise.resolve<Environment>({ ASSAY_DATA_DIR: join(work, "refused") })
      : server
          .createDatabase()
          .then((url): Environment => ({ DATABASE_URL: url, ASSAY_DATA_DIR: join(work, "unused") }))

  it.each([
    [["user", "create", "--email", "ada", "--plan", "pro"], "not an email address"],
    [["user", "create", "--email", "x@example.com", "--plan", "gold"], "gold"],
    [["key", "create", "--user", crypto.randomUUID()], "No user has the id"],
    [["key", "create", "--user", "nobody"], "No user has the id"],
    [["key", "create", "--user", crypto.randomUUID(), "--scopes", "root"], "Unknown scope"],
    [["key", "create", "--user", crypto.randomUUID(), "--expires", "soon"], "30d"],
    [["org", "create", "--owner", crypto.randomUUID(), "--name", "x", "--seats", "0"], "--seats"],
    [["org", "add", "--org", crypto.randomUUID(), "--user", crypto.randomUUID()], "No such organization"],
  ])("says in a sentence why %j is refused, and exits with 2", { timeout: 30_000 }, async (call, reason) => {
    const { code, stdout, stderr } = await admin(await environment, ...call)
    expect(code).toBe(2)
    expect(stdout + stderr).toContain(reason)
    expect(stderr).not.toContain("    at ")
  })

  it("refuses key material that cannot be used, without repeating it", { timeout: 30_000 }, async () => {
    const { code, stderr } = await admin(
      { ...(await environment), ASSAY_SECRET_KEYS: "k1:not-a-key-but-secret" },
      "keys",
      "rotate",
    )
    expect(code).toBe(2)
    expect(stderr).toContain("ASSAY_SECRET_KEYS")
    expect(stderr).not.toContain("not-a-key-but-secret")
  })
})

describe("npm run admin on Postgres", () => {
  if (server === undefined) {
    it("is tested on the embedded database alone, because this machine has no Postgres", () => {
      expect(process.env["CI"]).not.toBe("true")
    })
    return
  }
  let api: Program
  let url: string
  let environment: Environment
  beforeAll(async () => {
    environment = {
      DATABASE_URL: await server.createDatabase(),
      ASSAY_DATA_DIR: join(work, "unused"),
      ASSAY_SECRET_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64url")}`,
      PORT: "0",
    }
    api = startProgram("api/main.ts", [], environment)
    const line = await api.errorLine(/API server started/)
    url = /http:\/\/[\d.]+:\d+/.exec(line)![0]
  })
  afterAll(async () => {
    await api.stop()
    await server.stop()
  })

  it("works alongside a running API, which verifies its tokens", { timeout: 60_000 }, async () => {
    const user = await json(environment, "user", "create", "--email", "ada@example.com", "--plan", "pro")
    const token = await json(environment, "token", "issue", "--user", user["userId"]!)
    expect(await me(url, token["accessToken"])).toMatchObject({ ...user, tier: "pro" })
    expect(await json(environment, "keys", "rotate")).toMatchObject({ encryptionKeyId: "k1", reencrypted: 0 })
    expect(await me(url, token["accessToken"])).toMatchObject(user)
  })

  it(
    "re-encrypts with a key that was added in front, and names the missing one otherwise",
    { timeout: 60_000 },
    async () => {
      const [old, renewed] = [environment["ASSAY_SECRET_KEYS"]!, `k2:${Buffer.alloc(32, 8).toString("base64url")}`]
      const user = await json(environment, "user", "create", "--email", "bob@example.com", "--plan", "pro")
      const both = { ...environment, ASSAY_SECRET_KEYS: `${renewed},${old}` }
      const rotated = await json(both, "keys", "rotate")
      expect(rotated).toMatchObject({ encryptionKeyId: "k2", unreadable: 0 })
      expect(Number(rotated["reencrypted"])).toBeGreaterThan(0)
      await json({ ...environment, ASSAY_SECRET_KEYS: renewed }, "token", "issue", "--user", user["userId"]!)
      const wrong = await admin(environment, "token", "issue", "--user", user["userId"]!)
      expect(wrong).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("k2") })
      // A signing key that the API cannot read would end all signing.
      const rotatedWrong = await admin(environment, "keys", "rotate", "--json")
      expect(rotatedWrong).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--keys-lost") })
      await json({ ...environment, ASSAY_SECRET_KEYS: renewed }, "token", "issue", "--user", user["userId"]!)
      const recovered = await json(environment, "keys", "rotate", "--keys-lost")
      expect(Number(recovered["unreadable"])).toBeGreaterThan(0)
      await json(environment, "token", "issue", "--user", user["userId"]!)
    },
  )
})
