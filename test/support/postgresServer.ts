import { PgClient } from "@effect/sql-pg"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { execFile, spawn, type ChildProcess } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "./freePort.ts"

/** A real, empty Postgres that a test started on loopback. */
export interface PostgresServer {
  /** What is running, for the test's output. */
  readonly description: string
  /** Of the database `postgres`, as a superuser. */
  readonly url: string
  /** Creates a database, empty or a copy of another one of the server's, and returns its URL. */
  readonly createDatabase: (template?: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** A server whose process the test controls. */
export interface LocalPostgres extends PostgresServer {
  /** Ends it as `pg_ctl stop -m immediate` does: without a checkpoint, cutting off every session. */
  readonly crash: () => Promise<void>
  /** Starts it again on the same data and port after a crash; it recovers from its log. */
  readonly start: () => Promise<void>
  /** Runs a statement in the database behind the URL. */
  readonly execute: (url: string, statement: string) => Promise<void>
}

/** The environment variable with the URL of the server that all tests of a run share. */
export const sharedServer = "TEST_POSTGRES_URL"

/** The environment variable with the name of a migrated database on it, which nobody is connected to. */
export const sharedTemplate = "TEST_POSTGRES_TEMPLATE"

const run = promisify(execFile)

/** A new database on the server behind `url`, whose user may create one. */
const createDatabaseOn =
  (url: string) =>
  async (template = "template1"): Promise<string> => {
    const name = `assay_${randomUUID().replaceAll("-", "")}`
    const create = PgClient.PgClient.use((sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`)
    await Effect.runPromise(create.pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url) }))))
    const created = new URL(url)
    created.pathname = `/${name}`
    return created.href
  }

const container = async (): Promise<PostgresServer> => {
  const { PostgreSqlContainer } = await import("@testcontainers/postgresql")
  const started = await new PostgreSqlContainer("postgres:17-alpine").start()
  const url = started.getConnectionUri()
  return {
    description: "postgres:17-alpine in a container",
    url,
    createDatabase: createDatabaseOn(url),
    stop: async () => {
      await started.stop()
    },
  }
}

/** Debian keeps the server's binaries off the path, in one folder per version. */
const binaries = (): string | undefined => {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  return [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ].find((folder) => existsSync(join(folder, "postgres")) && existsSync(join(folder, "initdb")))
}

/** Postgres refuses to run as root, so it runs as its own user or nobody. */
const unprivileged = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const users = new Map(
    readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  )
  return users.get("postgres") ?? users.get("nobody")
}

const ready = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = ""
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-4000)
      if (log.includes("ready to accept connections")) resolve()
    })
    server.once("error", reject)
    server.once("exit", (code) => reject(new Error(`postgres exited with ${code}: ${log}`)))
  })

/** Runs the server's process inside something, such as a mount namespace: the prefix of its command line. */
export type Wrapper = (user: { readonly uid: number; readonly gid: number } | undefined) => ReadonlyArray<string>

interface LocalOptions {
  readonly settings: ReadonlyArray<string>
  /** The wrapper then changes to the user, instead of this process. */
  readonly wrapper?: Wrapper
  /** Called with the server's process id. */
  readonly onStart?: (pid: number) => void
}

const execute = (url: string, statement: string): Promise<void> =>
  Effect.runPromise(
    PgClient.PgClient.use((sql) => Effect.asVoid(sql.unsafe(statement))).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
    ),
  )

const local = async ({ settings, wrapper, onStart }: LocalOptions): Promise<LocalPostgres> => {
  const folder = binaries()
  if (folder === undefined) throw new Error("no Postgres server is installed")
  const user = unprivileged()
  const directory = mkdtempSync(join(tmpdir(), "assay-postgres-"))
  if (user !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, "data")
  await run(
    join(folder, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
    { cwd: directory, timeout: 60_000, ...user },
  )
  const port = await freePort()
  const options = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "max_connections=200"]
  const [program, ...programArguments] = [
    ...(wrapper?.(user) ?? []),
    join(folder, "postgres"),
    "-D",
    data,
    ...[...options, ...settings].flatMap((setting) => ["-c", setting]),
  ]
  const launch = () =>
    spawn(program!, programArguments, {
      cwd: directory,
      stdio: ["ignore", "ignore", "pipe"],
      ...(wrapper === undefined ? user : {}),
    })
  let server = launch()
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill(signal)
    await once(server, "exit")
  }
  const killed = () => server.kill("SIGQUIT")
  process.once("exit", killed)
  await ready(server)
  onStart?.(server.pid!)
  const { stdout } = await run(join(folder, "postgres"), ["--version"])
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return {
    description: `${stdout.trim()} from ${folder}`,
    url,
    createDatabase: createDatabaseOn(url),
    crash: () => end("SIGQUIT"),
    start: () => {
      server = launch()
      return ready(server)
    },
    execute,
    stop: async () => {
      process.off("exit", killed)
      await end("SIGINT")
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** What a test writes need not survive a power failure. */
const fast = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]

/**
 * The server that the tests of this run share, if there is one. Otherwise, or with settings of its own, a container if
 * Docker is running, else a local server; undefined, with the reasons printed, if there is neither. In CI (`CI=true`)
 * that is an error: the suite must not pass there without Postgres.
 */
export const startPostgres = async (settings: ReadonlyArray<string> = fast): Promise<PostgresServer | undefined> => {
  const url = process.env[sharedServer]
  if (url !== undefined && settings === fast)
    return { description: "shared", url, createDatabase: createDatabaseOn(url), stop: () => Promise.resolve() }
  const reasons: Array<string> = []
  for (const start of [container, () => local({ settings })]) {
    try {
      const server = await start()
      console.info(`Postgres for this test: ${server.description}`)
      return server
    } catch (error) {
      reasons.push(error instanceof Error ? error.message.split("\n")[0]! : String(error))
    }
  }
  const message = `No Postgres for this test (${reasons.join("; ")}): it runs on PGlite only`
  if (process.env["CI"] === "true") throw new Error(message)
  console.warn(message)
  return undefined
}

/**
 * A local server whose process the test may crash. What it commits survives the end of its processes, which is all that
 * a test does to it. Undefined, with the reason printed, if none is installed; an error in CI.
 */
export const startLocalPostgres = async (options: Partial<LocalOptions> = {}): Promise<LocalPostgres | undefined> => {
  try {
    return await local({ settings: ["fsync=off"], ...options })
  } catch (error) {
    if (process.env["CI"] === "true" || binaries() !== undefined) throw error
    console.warn("Not tested here: no Postgres server is installed that this test could crash")
    return undefined
  }
}
