import { type ChildProcess, spawn } from "node:child_process"
import { Agent, createServer, get } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { json } from "../../adapters/http/answer/answer.ts"
import { BadgeData } from "../../adapters/http/contract/AnalysisGroup.ts"
import { failures, publicFailures } from "../../adapters/http/contract/errors.ts"
import { Uuid } from "../../adapters/http/contract/text.ts"
import { Draining } from "../../adapters/http/Draining.ts"
import { HttpSettings, defaultHttpSettings } from "../../adapters/http/HttpSettings.ts"
import { edge } from "../../adapters/http/serving/edge.ts"
import { publicEndpoints } from "../../adapters/http/serving/endpoints.ts"
import { Authenticator } from "../../adapters/http/session/Authenticator.ts"
import { FailedAttempts } from "../../adapters/http/limits/FailedAttempts.ts"
import { RequestLog } from "../../adapters/http/telemetry/RequestLog.ts"
import { RateLimiter } from "../../application/ports/RateLimiter.ts"
import { unlimited } from "../support/app.ts"
import { memoryRateLimiter } from "../../adapters/memory/MemoryRateLimiter.ts"

/**
 * What `adapters/http/serving/endpoints.ts` saves: CPU time per request of one endpoint, served by it and by
 * `HttpApiBuilder`, each behind our edge in a process of its own (`node test/bench/serving.ts [requests [rounds]]`).
 * The builder's does less: it neither counts the request nor knows the exchange.
 */

const requests = Number(process.argv[2] ?? 20_000)
const rounds = Number(process.argv[3] ?? 5)
const connections = 16

class Badge extends HttpApiGroup.make("badge").add(
  HttpApiEndpoint.get("data", "/badge/:id", {
    params: { id: Uuid },
    success: BadgeData,
    error: failures(...publicFailures, "VALIDATION_ERROR"),
  }),
) {}

const data = {
  status: "completed",
  totalFindings: 6,
  criticalFindings: 1,
  highFindings: 1,
  mediumFindings: 2,
  lowFindings: 1,
  informationalFindings: 1,
} as const

class BadgeApi extends HttpApi.make("bench").add(Badge) {}

const variants: Record<
  "ours" | "builder",
  Layer.Layer<
    never,
    never,
    HttpRouter.HttpRouter | RateLimiter | Layer.Success<typeof NodeHttpServer.layerHttpServices>
  >
> = {
  ours: Layer.unwrap(
    Effect.map(publicEndpoints(Badge, { data: () => Effect.succeed(json(data)) }), (routes) =>
      HttpRouter.addAll(routes),
    ),
  ),
  builder: HttpApiBuilder.layer(BadgeApi).pipe(
    Layer.provide(HttpApiBuilder.group(BadgeApi, "badge", (on) => on.handle("data", () => Effect.succeed(data)))),
  ),
}

const serve = (variant: keyof typeof variants) => {
  const served = Layer.effectDiscard(
    Effect.gen(function* () {
      yield* HttpServer.serveEffect(yield* edge(yield* HttpRouter.toHttpEffect(variants[variant])))
      const { address } = yield* HttpServer.HttpServer
      process.send!((address as unknown as AddressInfo).port)
    }),
  )
  process.on("message", () => process.send!(process.cpuUsage().user + process.cpuUsage().system))
  process.once("disconnect", () => process.exit())
  return Effect.runFork(
    Layer.launch(served).pipe(
      Effect.provide([
        unlimited.pipe(Layer.provide(memoryRateLimiter())),
        // For what no route answers.
        Layer.mock(Authenticator)({}),
        Layer.mock(FailedAttempts)({}),
        RequestLog.layer(() => {}),
        Draining.layer,
        Layer.succeed(HttpSettings, { ...defaultHttpSettings, requestLog: "none" }),
        NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 }),
      ]),
    ),
  )
}

const said = (child: ChildProcess) =>
  new Promise<number>((resolve) => child.once("message", (message) => resolve(Number(message))))

const cpuOf = (child: ChildProcess) => {
  const answer = said(child)
  child.send("cpu")
  return answer
}

const start = async (variant: string) => {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "", "", variant], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  })
  return { variant, child, url: `http://127.0.0.1:${await said(child)}/badge/01890a5d-ac96-774b-bcce-b302099a8057` }
}

/** Microseconds of the server's CPU time per request. */
const measure = async ({ child, url }: Awaited<ReturnType<typeof start>>) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const before = await cpuOf(child)
  const once = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
        response.resume().on("end", resolve)
      }).on("error", reject)
    })
  const client = async () => {
    for (let sent = 0; sent < requests / connections; sent++) await once()
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  return ((await cpuOf(child)) - before) / requests
}

const main = async () => {
  const servers = [await start("ours"), await start("builder")]
  const times = new Map(servers.map(({ variant }) => [variant, [] as Array<number>]))
  // In turns; the first round lets V8 compile and does not count.
  for (let round = -1; round < rounds; round++) {
    for (const server of servers) {
      const time = await measure(server)
      if (round >= 0) times.get(server.variant)!.push(time)
    }
  }
  for (const [variant, each] of times) {
    const median = each.toSorted((a, b) => a - b)[Math.floor(each.length / 2)]!
    console.log(`${variant.padEnd(8)} ${median.toFixed(1)} µs of CPU time per request`)
  }
  for (const { child } of servers) child.disconnect()
}

const role = process.argv[4]
if (role === "ours" || role === "builder") serve(role)
else await main()
