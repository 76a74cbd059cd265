import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { freePort } from "../support/freePort.ts"
import { type LocalPostgres, startLocalPostgres } from "../support/postgresServer.ts"
import { startProgram } from "../support/program.ts"

const postgres = await startLocalPostgres()

describe.runIf(postgres !== undefined)(
  "a process that starts while Postgres is unavailable",
  { timeout: 120_000 },
  () => {
    const server = postgres as LocalPostgres
    const directory = mkdtempSync(join(tmpdir(), "assay-start-"))
    afterAll(async () => {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    })

    const start = (app: string, databaseUrl: string) =>
      startProgram(app, [], {
        DATABASE_URL: databaseUrl,
        PORT: "0",
        METRICS_PORT: "0",
        ASSAY_DATA_DIR: directory,
        ASSAY_WORK_DIR: join(directory, "jobs"),
        ASSAY_REQUEST_LOG: "none",
      })

    it("waits for it, logs that, and serves requests once it is available", async () => {
      const url = await server.createDatabase()
      await server.crash()
      const [migration, api, worker] = ["cli/migrate.ts", "api/main.ts", "worker/main.ts"].map((app) => start(app, url))
      const waiting = [migration!, api!, worker!].map((program) => program.errorLine(/waiting for the database/))
      for (const line of await Promise.all(waiting)) expect(line).toContain("ECONNREFUSED")
      await server.start()
      expect(await migration!.ended).toBe(0)
      const [, served] = /"(http:[^"]+)"/.exec(await api!.errorLine(/API server started/))!
      expect((await fetch(`${served}/health/ready`)).status).toBe(200)
      await worker!.errorLine(/worker started/)
      expect(await Promise.all([api!.stop(), worker!.stop()])).toEqual([0, 0])
    })

    it("shuts down cleanly when asked to while it is waiting", async () => {
      const api = start("api/main.ts", `postgres://postgres@127.0.0.1:${await freePort()}/assay`)
      await api.errorLine(/waiting for the database/)
      expect(await api.stop()).toBe(0)
    })

    it("exits if waiting cannot help", async () => {
      const unknown = new URL(await server.createDatabase())
      unknown.pathname = "/nowhere"
      const program = start("cli/migrate.ts", unknown.href)
      expect(await program.ended).toBe(2)
      expect(program.stderr()).toMatch(/Could not use the database: /)
    })
  },
)
