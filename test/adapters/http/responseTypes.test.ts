import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { json } from "../../../adapters/http/answer/answer.ts"
import { HealthGroup } from "../../../adapters/http/contract/HealthGroup.ts"
import { publicEndpoints } from "../../../adapters/http/endpoints.ts"

// Never run: this tests the compiler.
const compiled = () =>
  publicEndpoints(HealthGroup, {
    // @ts-expect-error -- the contract says `status`
    basic: () => Effect.succeed(json({ state: "ok" })),
    // @ts-expect-error -- the contract says more than that
    detailed: () => Effect.succeed(json({ status: "ok" })),
    ready: () => Effect.succeed(json({ status: "ok", writes: "read_only" })),
  })

it("a response that is not in the contract does not compile", () => {
  expect(compiled).toBeTypeOf("function")
})
