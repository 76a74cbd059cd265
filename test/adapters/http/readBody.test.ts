import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"
import { expect, it } from "vitest"
import { readBody } from "../../../adapters/http/request/readBody.ts"

const read = (stream: Stream.Stream<Uint8Array>) => readBody({ headers: {}, stream } as unknown as HttpServerRequest) // what it uses of a request

const bytesOf = function* (count: number): Generator<Uint8Array> {
  for (let index = 0; index < count; index++) yield Uint8Array.of(index)
}

const memory = (): number => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
  return process.memoryUsage().heapUsed
}

it("a body in chunks of one byte takes about as much memory as any other", async () => {
  const count = 200_000
  const before = memory()
  const during = await Effect.runPromise(
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const end = yield* Deferred.make<void>()
      const marker = Stream.fromEffectDrain(Effect.andThen(Deferred.succeed(arrived, undefined), Deferred.await(end)))
      const reading = yield* Effect.forkChild(read(Stream.concat(Stream.fromIterable(bytesOf(count)), marker)))
      yield* Deferred.await(arrived)
      const taken = memory()
      yield* Deferred.succeed(end, undefined)
      const body = yield* Fiber.join(reading)
      expect(body.length).toBe(count)
      expect(body.every((byte, index) => byte === index % 256)).toBe(true)
      return taken
    }),
  )
  // Kept chunks would be 20 MB.
  expect(during - before).toBeLessThan(5_000_000)
})
