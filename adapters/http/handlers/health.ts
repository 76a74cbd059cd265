import * as Effect from "effect/Effect"
import { HealthProbe } from "../../../application/ports/HealthProbe.ts"
import { CurrentBrokenLoops } from "../../../application/supervise.ts"
import { json } from "../answer/answer.ts"
import { HealthGroup } from "../contract/HealthGroup.ts"
import { Draining } from "../Draining.ts"
import { publicEndpoints } from "../serving/endpoints.ts"
import { CurrentExchange } from "../request/Exchange.ts"
import { envelope, unavailable } from "../request/Problem.ts"

const ok = json({ status: "ok" })

const detailed = Effect.gen(function* () {
  const probe = yield* HealthProbe
  const [database, redis, externalServices] = yield* Effect.all([probe.database, probe.redis, probe.externalServices], {
    concurrency: "unbounded",
  })
  const health = { database, redis, uptime: Math.floor(process.uptime()), externalServices }
  if (database === "connected") return json({ status: "ok", ...health })
  const { requestId } = yield* CurrentExchange
  return json({ status: "degraded", ...health, ...envelope(requestId, unavailable) }, 503)
})

const ready = Effect.gen(function* () {
  const draining = yield* Draining
  yield* draining.probed
  const probe = yield* HealthProbe
  if (!draining.begun && (yield* probe.database) === "connected") {
    const writes = yield* probe.writes
    const brokenLoops = (yield* CurrentBrokenLoops).names
    if (writes === "possible" && brokenLoops.length === 0) return ok
    return json({ status: "ok", writes, brokenLoops })
  }
  const { requestId } = yield* CurrentExchange
  return json({ status: "degraded", ...envelope(requestId, unavailable) }, 503)
})

export const healthRoutes = publicEndpoints(HealthGroup, {
  basic: () => Effect.succeed(ok),
  detailed: () => detailed,
  ready: () => ready,
})
