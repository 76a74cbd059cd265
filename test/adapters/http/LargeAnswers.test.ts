import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, expect, it, vi } from "vitest"
import { Exchange } from "../../../adapters/http/request/Exchange.ts"
import { defaultHttpSettings, HttpSettings } from "../../../adapters/http/HttpSettings.ts"
import { LargeAnswers } from "../../../adapters/http/limits/LargeAnswers.ts"

afterEach(() => void vi.useRealTimers())

const megabyte = 1_000_000
const answers = (settings: Partial<typeof defaultHttpSettings> = {}) =>
  Effect.runPromise(
    LargeAnswers.pipe(
      Effect.provide(
        LargeAnswers.layer.pipe(
          Layer.provide(Layer.succeed(HttpSettings, { ...defaultHttpSettings, largeAnswersPerCaller: 3, ...settings })),
        ),
      ),
    ),
  )
const exchange = (address = "127.0.0.1") => new Exchange("request-1", address, 0)
const response = () => new ServerResponse(new IncomingMessage(new Socket()))
const bytes = new Uint8Array(megabyte)

it("a response whose client disconnected before it began does not stay counted", async () => {
  const { admit } = await answers()
  for (let time = 0; time < 10; time++) {
    const gone = response()
    gone.destroy()
    expect(admit(exchange(), gone, bytes, megabyte)).toBeUndefined()
  }
  expect(admit(exchange(), response(), bytes, megabyte)).toBeUndefined()
})

it("counts large responses in transit, however little of them is buffered, and not small ones", async () => {
  const { admit } = await answers()
  for (let time = 0; time < 10; time++) expect(admit(exchange(), response(), bytes, 1_000)).toBeUndefined()
  const few = new Uint8Array(1_000)
  for (let time = 0; time < 3; time++) expect(admit(exchange(), response(), few, megabyte)).toBeUndefined()
  expect(admit(exchange(), response(), few, megabyte)).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" })
})

it("a slowly read response is cut off after a minute plus one second per 16 kB", async () => {
  vi.useFakeTimers()
  const { admit } = await answers()
  const slow = response()
  admit(exchange(), slow, bytes, megabyte)
  vi.advanceTimersByTime(60_000 + 61_000)
  expect(slow.destroyed).toBe(false)
  vi.advanceTimersByTime(1_000)
  expect(slow.destroyed).toBe(true)
})

it("a caller without a free slot takes over that of the slowest reader once its time is up", async () => {
  vi.useFakeTimers()
  const { admit } = await answers({ largeAnswerBytes: 4.9 * megabyte })
  const fresh = () => new Uint8Array(megabyte)
  const slow = Array.from({ length: 4 }, response)
  for (const [index, each] of slow.entries()) {
    expect(admit(exchange(`192.0.2.${index}`), each, fresh(), megabyte)).toBeUndefined()
    vi.advanceTimersByTime(1_000)
  }
  expect(admit(exchange(), response(), fresh(), megabyte)).toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  vi.advanceTimersByTime(5_000)
  const next = response()
  expect(admit(exchange(), next, fresh(), megabyte)).toBeUndefined()
  expect([...slow, next].map(({ destroyed }) => destroyed)).toEqual([true, false, false, false, false])
})
