import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../support/freePort.ts"
import { type GitServer, startGitServer } from "../support/gitServer.ts"
import { type PostgresServer, startPostgres } from "../support/postgresServer.ts"
import { jsonOf, waitFor } from "../support/program.ts"
import { debianBase } from "./debianBase.ts"
import { buildContext } from "./buildContext.ts"
import { type Container, runContainer } from "./container.ts"
import { buildImage, type Image } from "./image.ts"
import { manifestsOf } from "./manifests.ts"
import { openScratch, type Scratch } from "./scratch.ts"
import { AnalysisId } from "../../domain/ids/Ids.ts"

const project = join(import.meta.dirname, "../..")
const contract = "pragma solidity 0.8.26;\ncontract A { function f() external { require(tx.origin == msg.sender); } }\n"

/** The SQL statements below a heading of a document; the test's server ignores passwords. */
const statementsOf = (file: string, heading: string): ReadonlyArray<string> => {
  const text = readFileSync(join(project, file), "utf8")
  const [, block] = /```sql\n([\s\S]*?)```/.exec(text.slice(text.indexOf(heading))) ?? []
  const statements = (block ?? "").split(";").map((statement) => statement.trim())
  return statements.filter((statement) => statement !== "")
}

const size = (folder: string): number =>
  Number(execFileSync("du", ["-s", "-B1", folder], { encoding: "utf8" }).split("\t")[0])

const listed = (folder: string): ReadonlyArray<string> =>
  execFileSync("find", [".", "-printf", "%P\n"], { cwd: folder, encoding: "utf8", maxBuffer: 1e8 }).split("\n")

/** Mounting and changing users requires root, as a container engine would. */
describe("the image", () => {
  let scratch: Scratch
  const running: Array<Container> = []
  let containers = 0
  let image: Image
  let server: PostgresServer
  let git: GitServer
  let adminUrl = ""
  let ownerUrl = ""
  let appUrl = ""
  let queueUrl = ""

  const start = (environment: Readonly<Record<string, string>>, command = image.command): Container => {
    const container = runContainer(
      {
        layers: image.layers,
        directory: image.directory,
        environment: { ...image.environment, HOME: "/", ...environment },
        command: [...image.entryPoint, ...command],
      },
      scratch,
      `container-${containers++}`,
    )
    running.push(container)
    return container
  }

  const query = (url: string, statement: string) =>
    Effect.runPromise(
      Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement)).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
      ),
    )

  beforeAll(async () => {
    expect(process.getuid?.(), "this test mounts and changes users: run it as root on Linux").toBe(0)
    const [started, base] = await Promise.all([startPostgres(), debianBase()])
    if (started === undefined) throw new Error("this test needs Postgres")
    server = started
    git = await startGitServer()
    scratch = await openScratch()
    console.info(`The image's base for this test: ${base.description}`)
    image = await buildImage(project, base.folder, scratch)
    adminUrl = await server.createDatabase()
    for (const statement of statementsOf("docs/operations.md", "### Two database roles")) {
      const name = new URL(adminUrl).pathname.slice(1)
      await query(adminUrl, statement.replaceAll("DATABASE assay", `DATABASE ${name}`))
    }
    const as = (user: string) => Object.assign(new URL(adminUrl), { username: user }).href
    ownerUrl = as("assay_owner")
    appUrl = as("assay_app")
    queueUrl = as("assay_queue")
  }, 300_000)
  afterAll(async () => {
    await Promise.all(running.map((container) => container.stop("SIGKILL")))
    await git?.close()
    await server?.stop()
    await scratch?.close()
  })

  it("contains only what the processes need, owned by root and writable by nobody else", async () => {
    const app = join(image.own, "app")
    const files = listed(app)
    expect(files.filter((file) => /^(?:test|docs|k8s|\.git|\.env|\.assay)(?:\/|$)/.test(file))).toEqual([])
    const { devDependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"))
    const present = Object.keys(devDependencies).filter((name) => existsSync(join(app, "node_modules", name)))
    // @types/node is a dependency of others.
    expect(present.filter((name) => !name.startsWith("@types/"))).toEqual([])
    expect(files.filter((file) => /node_modules\/node-(?:linux|darwin)/.test(file))).toEqual([])
    expect(files.filter((file) => file.startsWith("apps/dashboard/src"))).toEqual([])
    expect(files).toContain("apps/dashboard/dist/index.html")
    const writable = execFileSync(
      "find",
      [".", "!", "-type", "l", "(", "!", "-user", "root", "-o", "-perm", "/022", ")"],
      {
        cwd: app,
        encoding: "utf8",
      },
    )
    expect(writable).toBe("")
    const found = start({}, ["--eval", "process.exit(require('node:fs').existsSync('/usr/local/bin/npm') ? 1 : 0)"])
    expect(await found.ended, "npm is in the image").toBe(0)
    console.info(`/app: ${Math.round(size(app) / 1e6)} MB`)
    expect(size(app)).toBeLessThan(150e6)
  })

  it("includes no tests, documents or secrets from the build context", () => {
    const tops = new Set(buildContext(project).map((file) => file.split("/")[0]))
    expect([...tops].toSorted()).toEqual(
      [
        ".npmrc",
        "LICENSE",
        "adapters",
        "application",
        "apps",
        "domain",
        "package-lock.json",
        "package.json",
        "tsconfig.json",
      ].toSorted(),
    )
  })

  it("runs API and worker unprivileged and read-only, waits for the migration, analyzes, and ends on SIGTERM", async () => {
    expect(image.user).toBe("65532:65532")
    const [port, apiMetrics, workerMetrics] = await Promise.all([freePort(), freePort(), freePort()])
    const settings = {
      DATABASE_URL: appUrl,
      HOST: "127.0.0.1",
      ASSAY_MIGRATE: "false",
      ASSAY_SECRET_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64url")}`,
      ASSAY_ALLOWED_HOSTS: git.host,
      ASSAY_WORKER_CONCURRENCY: "1",
    }
    const api = start({ ...settings, PORT: String(port), METRICS_PORT: String(apiMetrics) })
    const worker = start({ ...settings, METRICS_PORT: String(workerMetrics) }, ["apps/worker/main.ts"])
    await Promise.all([api.line(/waiting for schema migrations/), worker.line(/waiting for schema migrations/)])

    const migrate = () => start({ DATABASE_URL: ownerUrl }, ["apps/cli/migrate.ts"])
    const first = migrate()
    expect(await first.ended, first.output()).toBe(0)
    await api.line(/API server started/)
    const second = migrate()
    expect(await second.ended).toBe(0)
    expect(second.output()).toContain("up to date")

    const check = (metricsPort: number) =>
      start({ METRICS_PORT: String(metricsPort) }, image.healthCheck.slice(1)).ended
    expect(image.healthCheck[0]).toBe("node")
    expect(await check(apiMetrics)).toBe(0)
    expect(await check(workerMetrics)).toBe(0)
    expect(await check(await freePort())).toBe(1)

    const admin = async (...words: ReadonlyArray<string>) => {
      const container = start(settings, ["apps/cli/admin.ts", ...words, "--json"])
      const line = await container.line(/^\{/)
      expect(await container.ended).toBe(0)
      return JSON.parse(line)
    }
    const { userId } = await admin("user", "create", "--email", "ada@example.com", "--plan", "pro")
    const { apiKey } = await admin("key", "create", "--user", userId, "--scopes", "analysis:read,analysis:write")
    const request = (method: string, path: string, body?: unknown) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const repository = await git.create("image", { branches: { main: { "A.sol": contract } } })
    const created = await request("POST", "/api/v1/analysis", { repositoryUrl: repository.url })
    expect(created.status).toBe(201)
    const { analysisId } = await jsonOf<{ readonly analysisId: string }>(created)
    expect((await waitFor({ request }, AnalysisId.make(analysisId))).status, worker.output()).toBe("completed")

    await expect(query(appUrl, "CREATE TABLE mine (id int)")).rejects.toThrow()
    const keda = manifestsOf(readFileSync(join(project, "k8s/components/worker-keda/worker-keda.yaml"), "utf8"))
    const [{ metadata }] = keda.find(({ kind }) => kind === "ScaledObject")!.spec.triggers
    for (const statement of statementsOf("k8s/README.md", "### Scaling workers by queue depth"))
      await query(adminUrl, statement)
    expect(await query(queueUrl, metadata.query)).toEqual([{ coalesce: 0 }])
    await query(adminUrl, "UPDATE pools SET waiting = 9, running = 1")
    expect(await query(queueUrl, metadata.query)).toEqual([{ coalesce: 4 }])
    await query(adminUrl, "UPDATE pools SET waiting = 0, running = 0")
    await expect(query(queueUrl, "SELECT * FROM analyses")).rejects.toThrow()

    expect(await worker.stop("SIGTERM"), worker.output()).toBe(0)
    expect(await api.stop("SIGTERM"), api.output()).toBe(0)
  }, 120_000)
})
