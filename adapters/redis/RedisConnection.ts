import type { ConnectionOptions } from "node:tls"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Redis, ReplyError } from "ioredis"
import type { Connection } from "../../application/ports/HealthProbe.ts"
import { outsideTransaction } from "../../application/ports/InTransaction.ts"
import { supervise } from "../../application/supervise.ts"
import { keyPrefix } from "./keyPrefix.ts"
import type { RedisSettings } from "./RedisSettings.ts"

/** A Redis command failed: Redis is unavailable, too slow, or refused it. */
export class RedisUnavailable extends Data.TaggedError("RedisUnavailable")<{
  readonly reason: string
  /** Redis responded with an error: the connection is still usable. */
  readonly answered: boolean
}> {}

export interface ConnectionOptionsOfRedis {
  /** Milliseconds that a command may take. */
  readonly patience: number
  /** Names the connection in the log and in Redis's `CLIENT LIST`. */
  readonly purpose: string
  /** For a server with a self-signed certificate. */
  readonly tls?: ConnectionOptions
}

/** Milliseconds for TCP, TLS, AUTH and the question whether Redis has loaded its data. */
const handshake = 2_000
/** Milliseconds that the preparation of a new connection may take. */
const preparing = 5_000
const shortestPause = 50
const longestPause = 1_000
/** A connection that lasted less than this, in milliseconds, counts as failed: the next pause is longer. */
const lasting = 10_000

/**
 * States in which a server answers but is of no use: a replica after a failover, one that is starting, or one that
 * cannot write because its memory or disk is full or its replicas are gone. A script's error contains them in its
 * middle.
 */
const useless = /(?:^| -)(?:READONLY|LOADING|MASTERDOWN|NOAUTH|OOM|MISCONF|NOREPLICAS|CLUSTERDOWN|BUSY)\b/

const refusalOf = (error: unknown): RedisUnavailable => {
  const reason = error instanceof Error ? error.message : String(error)
  return new RedisUnavailable({ reason, answered: error instanceof ReplyError && !useless.test(reason) })
}

const absent = new RedisUnavailable({ reason: "not connected", answered: false })

const clientOf = (settings: RedisSettings, { purpose, tls }: ConnectionOptionsOfRedis): Redis =>
  new Redis({
    host: settings.host,
    port: settings.port,
    db: settings.db,
    ...(settings.username === undefined ? {} : { username: settings.username }),
    ...(settings.password === undefined ? {} : { password: Redacted.value(settings.password) }),
    ...(settings.tls ? { tls: tls ?? {} } : {}),
    connectionName: `assay-${purpose}`,
    lazyConnect: true,
    connectTimeout: handshake,
    // Nothing waits for an unavailable Redis, and nothing is sent twice: a count must not be counted again.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => null,
    // A hanging server never closes its end.
    disconnectTimeout: 1,
  })

/**
 * One connection to Redis, kept up for as long as its scope lives. It is its own circuit breaker: a command that is not
 * answered in time ends the connection, and until a new connection has answered a PING in time, every command fails
 * immediately. Only the background task ever waits for a hanging or slow Redis. We reconnect ourselves because
 * ioredis's `ready` does not say how fast the server is.
 */
export class RedisConnection extends Context.Service<
  RedisConnection,
  {
    /** Runs one command. Fails immediately without a connection, and otherwise after the connection's timeout. */
    readonly run: <A>(command: (client: Redis) => Promise<A>) => Effect.Effect<A, RedisUnavailable>
    /** Asks the server now. */
    readonly state: Effect.Effect<Connection>
    /** What is done first on each further connection. */
    readonly prepare: (task: (client: Redis) => Effect.Effect<void, RedisUnavailable>) => Effect.Effect<void>
  }
>()("assay/redis/RedisConnection") {
  static readonly layer = (settings: RedisSettings, options: ConnectionOptionsOfRedis) =>
    Layer.effect(this, keepConnected(settings, options))
}

/** The command's answer, or why there was none within `patience` milliseconds. */
const ask = <A>(
  client: Redis,
  command: (client: Redis) => Promise<A>,
  patience: number,
): Effect.Effect<A, RedisUnavailable> =>
  Effect.callback((resume) => {
    const late = () =>
      resume(Effect.fail(new RedisUnavailable({ reason: `no answer within ${patience} ms`, answered: false })))
    // What arrived while this process was busy is read first: being late ourselves must not end a good connection.
    const timer = setTimeout(() => setImmediate(late), patience)
    command(client).then(
      (answer) => {
        clearTimeout(timer)
        resume(Effect.succeed(answer))
      },
      (error: unknown) => {
        clearTimeout(timer)
        resume(Effect.fail(refusalOf(error)))
      },
    )
    return Effect.sync(() => clearTimeout(timer))
  })

/** Connects a client and makes sure that the server answers and can write; fails with the reason. */
const shakeHands = Effect.fnUntraced(function* (
  client: Redis,
  { patience, purpose }: ConnectionOptionsOfRedis,
  seen: { readonly error: string },
) {
  yield* ask(client, () => client.connect(), handshake).pipe(
    Effect.mapError(({ reason }) => (reason.startsWith("Connection is closed") ? seen.error : reason)),
  )
  yield* ask(client, () => client.ping(), patience).pipe(Effect.mapError(({ reason }) => reason))
  // A write that changes nothing, since a server that cannot write answers every PING.
  yield* ask(client, () => client.set(`${keyPrefix}:probe`, purpose, "XX"), patience).pipe(
    Effect.catchIf(
      ({ answered }) => answered,
      () => Effect.void,
    ),
    Effect.mapError(({ reason }) => reason),
  )
})

/** Logs once for each change whether there is a connection. */
const changeLogger = (purpose: string) => {
  let reported: Connection | undefined
  return (state: Connection, reason = "") => {
    if (reported === state) return Effect.void
    reported = state
    return state === "connected"
      ? Effect.logInfo("Redis connected", { purpose })
      : Effect.logWarning("Redis unavailable", { purpose, reason })
  }
}

/** A client that is not connected yet, with its last error and its end. */
const openedClient = (settings: RedisSettings, options: ConnectionOptionsOfRedis) => {
  const client = clientOf(settings, options)
  const seen = { error: "the connection was closed" }
  const closed = new Promise<void>((resolve) => client.once("end", () => resolve()))
  // Without a listener, ioredis writes each error to the console.
  client.on("error", (error: Error) => (seen.error = error.message))
  return { client, seen, closed }
}

type Preparation = (client: Redis) => Effect.Effect<void, RedisUnavailable>

/** A connection that could not be prepared in time is used all the same. */
const prepared = (client: Redis, preparations: ReadonlyArray<Preparation>) =>
  Effect.forEach(preparations, (task) => task(client), { discard: true }).pipe(
    Effect.timeout(preparing),
    Effect.catch((error) => Effect.logWarning("could not initialize a new connection to Redis", error)),
  )

/**
 * Reconnects again and again, with longer pauses as long as that fails; `once` returns how long the connection served.
 */
const reconnecting = (once: Effect.Effect<number>) =>
  Effect.gen(function* () {
    for (let failures = 0; ;) {
      const served = yield* once
      failures = served > lasting ? 0 : Math.min(failures + 1, 10)
      const pause = Math.min(longestPause, shortestPause * 2 ** failures)
      yield* Effect.sleep(pause * (0.5 + Math.random() / 2))
    }
  })

const keepConnected = Effect.fnUntraced(function* (settings: RedisSettings, options: ConnectionOptionsOfRedis) {
  const { patience, purpose } = options
  const preparations: Array<Preparation> = []
  let current: Redis | undefined

  const logChange = changeLogger(purpose)
  /** Why we ended the last connection, if we did. */
  let dropped: string | undefined
  const drop = (client: Redis, reason: string): void => {
    if (current !== client) return
    current = undefined
    dropped = reason
    client.disconnect()
  }

  const run = <A>(command: (client: Redis) => Promise<A>): Effect.Effect<A, RedisUnavailable> =>
    Effect.suspend(() => {
      const client = current
      if (client === undefined) return Effect.fail(absent)
      return Effect.tapError(ask(client, command, patience), ({ answered, reason }) =>
        Effect.sync(() => {
          if (!answered) drop(client, reason)
        }),
      )
    }).pipe(outsideTransaction)

  /** Connects, serves until the connection is lost, and returns how long it served, in milliseconds. */
  const once = (settled: Effect.Effect<unknown>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => openedClient(settings, options)),
      ({ client, seen, closed }) =>
        Effect.gen(function* () {
          yield* shakeHands(client, options, seen)
          yield* prepared(client, preparations)
          const since = performance.now()
          dropped = undefined
          current = client
          yield* logChange("connected")
          yield* settled
          yield* Effect.promise(() => closed)
          return performance.now() - since
        }).pipe(
          Effect.catch((reason) => Effect.as(Effect.andThen(logChange("disconnected", reason), settled), 0)),
          Effect.tap((served) => (served > 0 ? logChange("disconnected", dropped ?? seen.error) : Effect.void)),
        ),
      ({ client }) =>
        Effect.sync(() => {
          drop(client, "the process ends")
          client.disconnect()
        }),
    )

  const first = yield* Deferred.make<void>()
  yield* Effect.forkScoped(
    supervise(`connection to Redis for the ${purpose}`, reconnecting(once(Deferred.succeed(first, undefined)))),
  )
  // A process that starts beside its Redis shares its counts from the first request on, and starts without it all the
  // same.
  yield* Effect.timeoutOption(Deferred.await(first), handshake)

  return RedisConnection.of({
    run,
    state: run((client) => client.ping()).pipe(
      Effect.as<Connection>("connected"),
      Effect.catch(() => Effect.succeed<Connection>("disconnected")),
    ),
    prepare: (task) => Effect.sync(() => void preparations.push(task)),
  })
})
