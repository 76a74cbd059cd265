import { createServer, type Server } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { answerMalformed } from "./answerMalformed.ts"
import { Draining } from "./Draining.ts"
import { edge } from "./edge.ts"
import { OpenStreams } from "./OpenStreams.ts"
import { RequestLog } from "./RequestLog.ts"
import { routes } from "./routes.ts"

export interface ListenOptions {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
}

/** What a slow or hostile client may hold: milliseconds, bytes, requests on one connection. */
const connectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
}
const mostConnections = 10_000
const drainFor = "20 seconds"

const makeServer = (): Server => {
  const server = createServer(connectionLimits)
  server.maxConnections = mostConnections
  server.maxHeadersCount = 100
  // An `Expect` that is not 100-continue: answer the request itself instead of Node's bare 417.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}

/** Serves the routes until the scope closes: first it drains, then it cuts what is left. */
const serve = (server: Server) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const draining = yield* Draining
      const app = yield* edge(yield* HttpRouter.toHttpEffect(routes))
      yield* answerMalformed(server)
      yield* HttpServer.serveEffect(app)
      yield* Effect.addFinalizer(() => draining.begin)
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

/** The HTTP interface on a port of its own. `HttpServer.address` says where it listens. */
export const httpServer = (
  options: ListenOptions,
  logSink: (lines: string) => void = (lines) => process.stderr.write(lines),
) =>
  Layer.unwrap(
    Effect.sync(() => {
      const server = makeServer()
      return serve(server).pipe(
        Layer.provide([RequestLog.layer(logSink), Draining.layer, OpenStreams.layer]),
        Layer.provide(NodeHttpServer.layerHttpServices),
        Layer.provideMerge(listen(server, options)),
      )
    }),
  )
