import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { expect, it } from "vitest"
import { empty, json, opaque, withHeader } from "../../../adapters/http/answer/answer.ts"
import { failures } from "../../../adapters/http/contract/errors.ts"
import { HealthGroup } from "../../../adapters/http/contract/HealthGroup.ts"
import { noContent, withStatus } from "../../../adapters/http/contract/status.ts"
import { publicEndpoints } from "../../../adapters/http/serving/endpoints.ts"
import { envelope, unavailable } from "../../../adapters/http/request/Problem.ts"

const Made = Schema.Struct({ id: Schema.String })

class Things extends HttpApiGroup.make("things").add(
  HttpApiEndpoint.post("create", "/things", { success: Made.pipe(withStatus(201)), error: failures("NOT_FOUND") }),
  HttpApiEndpoint.get("find", "/things/:id", { success: Made, error: failures("NOT_FOUND") }),
  HttpApiEndpoint.delete("remove", "/things/:id", { success: noContent("Done."), error: failures("NOT_FOUND") }),
) {}

const dependencies = { database: "connected", redis: "connected", uptime: 1, externalServices: {} } as const
const made = { id: "1" }

// Never run: these test the compiler.
const compiled = [
  () =>
    publicEndpoints(HealthGroup, {
      // @ts-expect-error -- the contract says `status`
      basic: () => Effect.succeed(json({ state: "ok" })),
      // @ts-expect-error -- the contract says more than that
      detailed: () => Effect.succeed(json({ status: "ok" })),
      ready: () => Effect.succeed(json({ status: "ok", writes: "read_only" })),
    }),
  () =>
    publicEndpoints(Things, {
      create: () => Effect.succeed(withHeader(json(made, 201), "location", "/things/1")),
      find: () => Effect.succeed(opaque(HttpServerResponse.text(JSON.stringify(made)))),
      remove: () => Effect.succeed(empty(204)),
    }),
  () =>
    publicEndpoints(Things, {
      // @ts-expect-error -- the contract says 201
      create: () => Effect.succeed(json(made)),
      // @ts-expect-error -- the contract says 200
      find: () => Effect.succeed(json(made, 201)),
      // @ts-expect-error -- nothing is sent with 204
      remove: () => Effect.succeed(json(made, 204)),
    }),
  () =>
    publicEndpoints(Things, {
      // @ts-expect-error -- a header more does not hide what is in it
      create: () => Effect.succeed(withHeader(json({ name: "1" }, 201), "location", "/things/1")),
      // @ts-expect-error -- a response of no known type says so with `opaque`
      find: () => Effect.succeed(HttpServerResponse.text(JSON.stringify(made))),
      // @ts-expect-error -- the contract says 204
      remove: () => Effect.succeed(empty(200)),
    }),
  () =>
    publicEndpoints(HealthGroup, {
      basic: () => Effect.succeed(json({ status: "ok" })),
      // @ts-expect-error -- a failure has its own status, 503
      ready: () => Effect.succeed(json({ status: "degraded", ...envelope("id", unavailable) })),
      detailed: () => Effect.succeed(json({ status: "ok", ...dependencies })),
    }),
]

it("a response with a body or a status that is not in the contract does not compile", () => {
  expect(compiled).toHaveLength(5)
})
