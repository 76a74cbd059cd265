import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Result from "effect/Result"
import { parseRedisUrl, type RedisSettings } from "../../adapters/redis/RedisSettings.ts"
import { freePort } from "./freePort.ts"

/** A real, empty Redis that a test started on loopback; it keeps nothing on disk. */
export interface RedisServer {
  /** What is running, for the test's output. */
  readonly description: string
  readonly port: number
  readonly url: string
  readonly settings: RedisSettings
  /** Ends it by SIGKILL, losing everything that it held. */
  readonly kill: () => Promise<void>
  /** Starts it again on the same port after it was killed. */
  readonly start: () => Promise<void>
  /** Its connections stay open, but get no responses. */
  readonly pause: () => void
  readonly resume: () => void
  readonly stop: () => Promise<void>
}

const ready = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = ""
    server.stdout?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-4000)
      if (/ready to accept connections/i.test(log)) resolve()
    })
    server.once("error", reject)
    server.once("exit", (code) => reject(new Error(`redis-server exited with ${code}: ${log}`)))
  })

export interface RedisOptions {
  /** Further options of `redis-server`. */
  readonly flags?: ReadonlyArray<string>
  /** Speaks only TLS, with the certificate and the key in these files. */
  readonly tls?: { readonly certificate: string; readonly key: string }
}

const listenOn = (port: number, { tls }: RedisOptions): ReadonlyArray<string> =>
  tls === undefined
    ? ["--port", String(port)]
    : [
        "--port",
        "0",
        "--tls-port",
        String(port),
        "--tls-auth-clients",
        "no",
        "--tls-cert-file",
        tls.certificate,
        "--tls-key-file",
        tls.key,
        "--tls-ca-cert-file",
        tls.certificate,
      ]

/** The settings in a URL. */
export const redisSettings = (url: string): RedisSettings => Result.getOrThrow(parseRedisUrl(url))

/**
 * Debian's `redis-server`, which the test may kill and pause; undefined, with the reason printed, if none is installed.
 * In CI (`CI=true`) that is an error: the suite must not pass there without Redis.
 */
export const startRedis = async (options: RedisOptions = {}): Promise<RedisServer | undefined> => {
  const version = spawnSync("redis-server", ["--version"], { encoding: "utf8" })
  if (version.error !== undefined) {
    const message = `No Redis for this test (${version.error.message}): install Debian's package redis-server`
    if (process.env["CI"] === "true") throw new Error(message)
    console.warn(message)
    return undefined
  }
  const port = await freePort()
  const directory = mkdtempSync(join(tmpdir(), "assay-redis-"))
  const kept = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", directory]
  const launch = () =>
    spawn("redis-server", [...listenOn(port, options), ...kept, ...(options.flags ?? [])], {
      stdio: ["ignore", "pipe", "ignore"],
    })
  let server = launch()
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill("SIGKILL")
    await once(server, "exit")
  }
  const killed = () => server.kill("SIGKILL")
  process.once("exit", killed)
  await ready(server)
  const url = `${options.tls === undefined ? "redis" : "rediss"}://127.0.0.1:${port}`
  const description = /v=[\d.]+/.exec(version.stdout)?.[0].replace("v=", "redis-server ") ?? "redis-server"
  console.info(`Redis for this test: ${description}`)
  return {
    description,
    port,
    url,
    settings: redisSettings(url),
    kill,
    start: () => {
      server = launch()
      return ready(server)
    },
    pause: () => void server.kill("SIGSTOP"),
    resume: () => void server.kill("SIGCONT"),
    stop: async () => {
      process.off("exit", killed)
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
