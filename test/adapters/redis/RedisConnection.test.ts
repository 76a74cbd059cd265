import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { Redis } from "ioredis"
import { afterAll, describe, expect, it, vi } from "vitest"
import { RedisConnection } from "../../../adapters/redis/RedisConnection.ts"
import { redisSettings, type RedisServer, startRedis } from "../../support/redisServer.ts"

const directory = mkdtempSync(join(tmpdir(), "assay-redis-tls-"))
const [certificate, key] = [join(directory, "certificate.pem"), join(directory, "key.pem")]
const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
execFileSync("openssl", [...request.split(" "), ...names, "-out", certificate, "-keyout", key], { stdio: "ignore" })
const ca = readFileSync(certificate, "utf8")
const redis = await startRedis({ tls: { certificate, key }, flags: ["--requirepass", "p@ss word%"] })
const password = encodeURIComponent("p@ss word%")

describe.runIf(redis !== undefined)("a connection to a Redis with TLS and a password", () => {
  const server = redis as RedisServer
  afterAll(async () => {
    await server.stop()
    rmSync(directory, { recursive: true })
  })

  /** The state of a connection to this URL, and what it logged. */
  const connect = async (url: string, tls?: { readonly ca: string }) => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    const state = await Effect.runPromise(
      RedisConnection.use((connection) =>
        Effect.andThen(Effect.exit(connection.run((client) => client.set("where", "here"))), connection.state),
      ).pipe(
        Effect.provide(
          RedisConnection.layer(redisSettings(url), {
            purpose: "test",
            patience: 1_000,
            ...(tls === undefined ? {} : { tls }),
          }),
        ),
        Effect.provide(Logger.layer([logger])),
      ),
    )
    return { state, log: lines.join("\n") }
  }

  it("writes to the database that the URL names", async () => {
    const { state } = await connect(`rediss://:${password}@127.0.0.1:${server.port}/3`, { ca })
    expect(state).toBe("connected")
    const admin = new Redis({ port: server.port, host: "127.0.0.1", password: "p@ss word%", tls: { ca } })
    expect(await admin.dbsize()).toBe(0)
    await admin.select(3)
    expect(await admin.get("where")).toBe("here")
    admin.disconnect()
  })

  it("is not abandoned because this process was busy when the reply arrived", async () => {
    const settings = redisSettings(`rediss://:${password}@127.0.0.1:${server.port}`)
    const busy = RedisConnection.use(({ run, state }) =>
      Effect.gen(function* () {
        const answer = yield* run((client) => {
          const asked = client.ping()
          // After it was sent, 300 ms in which nothing can be read.
          setImmediate(() => {
            for (const end = performance.now() + 300; performance.now() < end;);
          })
          return asked
        })
        return [answer, yield* state]
      }),
    )
    const connection = RedisConnection.layer(settings, { purpose: "test", patience: 150, tls: { ca } })
    const [answer, state] = await Effect.runPromise(
      busy.pipe(Effect.provide(connection), Effect.provide(Logger.layer([]))),
    )
    expect([answer, state]).toEqual(["PONG", "connected"])
  })

  it("is reestablished after a defect in its setup", async () => {
    const settings = redisSettings(`rediss://:${password}@127.0.0.1:${server.port}`)
    let prepared = 0
    const task = () => Effect.suspend(() => (++prepared === 1 ? Effect.die(new Error("a defect")) : Effect.void))
    await Effect.runPromise(
      RedisConnection.use((connection) =>
        Effect.gen(function* () {
          yield* connection.prepare(task)
          yield* Effect.ignore(connection.run((client) => client.quit()))
          yield* Effect.promise(() => vi.waitFor(() => expect(prepared).toBe(2), 5_000))
          yield* Effect.promise(() =>
            vi.waitFor(async () => expect(await Effect.runPromise(connection.state)).toBe("connected"), 5_000),
          )
        }),
      ).pipe(
        Effect.provide(RedisConnection.layer(settings, { purpose: "test", patience: 1_000, tls: { ca } })),
        Effect.provide(Logger.layer([])),
      ),
    )
  })

  it("is abandoned if it hangs, which is logged", async () => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    const settings = redisSettings(`rediss://:${password}@127.0.0.1:${server.port}`)
    await Effect.runPromise(
      RedisConnection.use((connection) =>
        Effect.gen(function* () {
          expect(yield* connection.state).toBe("connected")
          server.pause()
          expect(yield* connection.state).toBe("disconnected")
          yield* Effect.promise(() => vi.waitFor(() => expect(lines.join("\n")).toContain("no answer within 200 ms")))
        }),
      ).pipe(
        Effect.ensuring(Effect.sync(() => server.resume())),
        Effect.provide(RedisConnection.layer(settings, { purpose: "test", patience: 200, tls: { ca } })),
        Effect.provide(Logger.layer([logger])),
      ),
    )
  })

  it.each([
    ["the password is wrong", "rediss://:hunter2@127.0.0.1", { ca }, /WRONGPASS|invalid/],
    ["the password is missing", "rediss://127.0.0.1", { ca }, /NOAUTH|Authentication/],
    ["nobody vouches for the certificate", `rediss://:${password}@127.0.0.1`, undefined, /self-signed/],
    ["the server speaks TLS and the URL does not", `redis://:${password}@127.0.0.1`, undefined, /clos|reset/i],
  ])("is none where %s, and the log says why without the password", async (_case, url, tls, reason) => {
    const { state, log } = await connect(`${url}:${server.port}`, tls)
    expect(state).toBe("disconnected")
    expect(log).toMatch(reason)
    expect(log).not.toMatch(/hunter2|p@ss|p%40ss/)
  })
})
