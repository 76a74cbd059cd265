import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"
import { setFlagsFromString } from "node:v8"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Authenticator } from "./session/Authenticator.ts"
import { answerMalformed } from "./answer/answerMalformed.ts"
import { capConnections } from "./limits/capConnections.ts"
import { Draining } from "./Draining.ts"
import { cutSlowReaders } from "./limits/cutSlowReaders.ts"
import { edge } from "./serving/edge.ts"
import { endUnreadBodies } from "./limits/endUnreadBodies.ts"
import { FailedAttempts } from "./limits/FailedAttempts.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { LargeAnswers } from "./limits/LargeAnswers.ts"
import { onRequest, oneAtATime } from "./limits/oneAtATime.ts"
import { OpenStreams } from "./limits/OpenStreams.ts"
import { PlainReports } from "./answer/PlainReports.ts"
import { RequestLog } from "./telemetry/RequestLog.ts"
import { routes } from "./routes.ts"

/** What a slow or hostile client may hold, in milliseconds and bytes. */
export interface ConnectionLimits {
  readonly headersTimeout: number
  readonly requestTimeout: number
  /** Longer than the 60 s after which load balancers close: we must not close first. */
  readonly keepAliveTimeout: number
  readonly connectionsCheckingInterval: number
  readonly maxHeaderSize: number
  /** How long a client may read nothing of an answer that waits for it. */
  readonly writeTimeout: number
}

export const connectionLimits: ConnectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  writeTimeout: 30_000,
}

export interface ListenOptions {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  readonly limits?: ConnectionLimits
  /**
   * How long requests are still taken once the server is to end and says that it is not ready: what balances the load
   * learns of it by its next probe only. Where nothing has asked for the readiness, just long enough that clients which
   * are at work hear on their connections that these end. 0 when absent.
   */
  readonly drainDelay?: Duration.Duration
}
const mostConnections = 10_000
const drainFor = "20 seconds"
const farewell = Duration.millis(500)

/** One spelling for each path, as a proxy before us takes it: by default the router knows `/HEALTH` and `//health`, too. */
const exact = { caseSensitive: true, ignoreDuplicateSlashes: false }

const makeServer = (limits: ConnectionLimits): Server => {
  // V8 concludes from start-up, whose objects stay, that what a request allocates will stay as well, and puts it where
  // only a full collection finds it: 35 µs instead of 23 for a request of `/health`.
  setFlagsFromString("--no-allocation-site-pretenuring")
  // Answered in the envelope by the edge: without a Host Node answers by itself, and what is beyond its count of
  // headers it leaves out without a word, credentials among them. There is no protocol to upgrade to: as an upgrade, a
  // request with a chunked body got a bare 411.
  const server = createServer({ ...limits, requireHostHeader: false, shouldUpgradeCallback: () => false })
  oneAtATime(server)
  cutSlowReaders(server, limits.writeTimeout)
  server.maxConnections = mostConnections
  server.maxHeadersCount = 0
  // An `Expect` that is not 100-continue: answer the request itself instead of Node's bare 417.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}

/**
 * Closes the connections that nothing is under way on, until the server is closed. Node's own way, which closing a
 * server takes as well, counts a response as over once all of it was written to a buffer, and would cut it off; and it
 * leaves a connection alone on which no request was ever made, as browsers open them.
 */
const closeIdleConnections = (server: Server) => {
  const answering = new WeakMap<Socket, number>()
  const idle = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    idle.add(socket)
    socket.once("close", () => idle.delete(socket))
  })
  onRequest(server, ({ socket }, response) => {
    idle.delete(socket)
    answering.set(socket, (answering.get(socket) ?? 0) + 1)
    // Its last byte has left, or its connection is gone.
    response.once("close", () => {
      const left = answering.get(socket)! - 1
      answering.set(socket, left)
      if (left === 0 && !socket.destroyed) idle.add(socket)
    })
  })
  server.closeIdleConnections = () => {
    for (const socket of idle) socket.destroy()
  }
  return Effect.sync(() => {
    server.closeIdleConnections()
    const timer = setInterval(() => server.closeIdleConnections(), 50)
    server.once("close", () => clearInterval(timer))
  })
}

/**
 * Serves the routes until the scope closes. Then it drains: it answers on, closing each connection after a response,
 * so that clients move to another process; refuses new ones after the delay; and cuts what is left in the end.
 */
const serve = (server: Server, drainDelay: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const draining = yield* Draining
      const settings = yield* HttpSettings
      // A proxy's connections are those of everybody behind it.
      if (settings.trustedProxies === 0) capConnections(server, settings.connectionsPerAddress)
      endUnreadBodies(server, Duration.toMillis(settings.bodyTimeout))
      const closeIdle = closeIdleConnections(server)
      const app = yield* edge(
        yield* Effect.provideService(HttpRouter.toHttpEffect(routes), HttpRouter.RouterConfig, exact),
      )
      yield* answerMalformed(server)
      yield* HttpServer.serveEffect(app)
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          yield* draining.begin
          yield* Effect.sleep((yield* draining.isWatched) ? drainDelay : Duration.min(drainDelay, farewell))
          yield* closeIdle
        }),
      )
    }),
  )

const listen = (server: Server, { host, port }: ListenOptions) =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const http = yield* NodeHttpServer.make(() => server, { host, port, gracefulShutdownTimeout: drainFor })
      yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
      return http
    }),
  )

/** The HTTP API on its own port. `HttpServer.address` says where it listens. */
export const httpServer = (
  options: ListenOptions,
  logSink: (lines: string) => void = (lines) => process.stderr.write(lines),
) =>
  Layer.unwrap(
    Effect.sync(() => {
      const server = makeServer(options.limits ?? connectionLimits)
      return serve(server, options.drainDelay ?? Duration.zero).pipe(
        Layer.provide([Authenticator.layer, FailedAttempts.layer]),
        Layer.provide([
          RequestLog.layer(logSink),
          Draining.layer,
          OpenStreams.layer,
          LargeAnswers.layer,
          PlainReports.layer,
        ]),
        Layer.provide(NodeHttpServer.layerHttpServices),
        Layer.provideMerge(listen(server, options)),
      )
    }),
  )
