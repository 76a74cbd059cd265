import { createServer, type Socket } from "node:net"
import { once } from "node:events"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as NodeWebhookSender from "../../../adapters/webhook/NodeWebhookSender.ts"
import type { Resolve } from "../../../adapters/webhook/resolveReceiver.ts"
import { WebhookSender } from "../../../application/ports/notification/WebhookSender.ts"
import { selfSigned } from "../../support/selfSigned.ts"
import { answer, type Behavior, hang, type Receiver, startReceiver } from "../../support/webhookReceiver.ts"

let receiver: Receiver
/** What a redirect or a second answer of the name server would lead to. */
let trap: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  trap = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await trap.close()
})

type Options = Partial<Parameters<typeof NodeWebhookSender.layer>[0]>

const sending = (url: string, options: Options = {}) =>
  WebhookSender.use((sender) => sender.send({ url, headers: { "webhook-id": "1" }, body: '{"ü":1}' })).pipe(
    Effect.provide(NodeWebhookSender.layer({ allowPrivate: true, userAgent: "Assay-Webhooks/test", ...options })),
  )
const send = (url: string, options?: Options) => Effect.runPromise(Effect.result(sending(url, options)))
const failure = async (url: string, options?: Options) => {
  const result = await send(url, options)
  return Result.isFailure(result) ? result.failure.message : `answered ${result.success.statusCode}`
}
const status = async (behave: Behavior, options?: Options) => {
  receiver.behave = behave
  const result = await send(receiver.url, options)
  return Result.isSuccess(result) ? result.success.statusCode : result.failure.message
}
const resolvesTo =
  (...addresses: ReadonlyArray<string>): Resolve =>
  async () =>
    addresses
const quick = { timeout: Duration.millis(300) }

describe("a request", () => {
  it("is a single POST with the body and our headers, on a separate connection", async () => {
    const before = receiver.connections()
    expect(await status(answer(200))).toBe(200)
    const { method, path, headers, body } = receiver.received.at(-1)!
    expect({ method, path, body }).toEqual({ method: "POST", path: "/hook", body: '{"ü":1}' })
    expect(headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      "webhook-id": "1",
      "user-agent": "Assay-Webhooks/test",
      "content-length": "8",
      connection: "close",
    })
    expect(await status(answer(204))).toBe(204)
    expect(receiver.connections()).toBe(before + 2)
  })

  it("ignores the environment's proxy", async () => {
    const names = ["HTTP_PROXY", "http_proxy", "NODE_USE_ENV_PROXY"]
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = name.startsWith("NODE") ? "1" : `http://127.0.0.1:${trap.port}`
    try {
      expect(await status(answer(200))).toBe(200)
      expect(trap.connections()).toBe(0)
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) delete process.env[name]
        else process.env[name] = before[index]
      }
    }
  })

  it("returns Retry-After unchanged", async () => {
    receiver.behave = answer(429, { "retry-after": "Sat, 31 Jan 2026 12:00:00 GMT" })
    expect(await send(receiver.url)).toEqual(
      Result.succeed({ statusCode: 429, retryAfter: "Sat, 31 Jan 2026 12:00:00 GMT" }),
    )
  })

  it.each([301, 302, 303, 307, 308])("does not follow a redirect %d, wherever it leads", async (code) => {
    for (const location of ["http://169.254.169.254/latest/meta-data/", trap.url]) {
      expect(await status(answer(code, { location }))).toBe(code)
    }
    expect(trap.connections()).toBe(0)
  })
})

describe("an answer", () => {
  it("counts by its status if its body is endless, and delays nobody", async () => {
    const drip: Behavior = (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write("."), 20)
      response.on("close", () => clearInterval(timer))
    }
    const begun = performance.now()
    expect(await status(drip)).toBe(200)
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it("is cut off after a few kilobytes if its body is huge", async () => {
    let written = 0
    let closed: Promise<unknown> = Promise.resolve()
    const flood: Behavior = (response) => {
      response.writeHead(200)
      closed = once(response, "close")
      const chunk = Buffer.alloc(1024 * 1024)
      const write = (): void => {
        let room = true
        while (room && !response.destroyed && written < 1e9) {
          written += chunk.length
          room = response.write(chunk)
        }
        if (!response.destroyed) response.once("drain", write)
      }
      write()
    }
    expect(await status(flood)).toBe(200)
    await closed
    // What fits into the buffers of both sockets.
    expect(written).toBeLessThan(16 * 1024 * 1024)
  })

  it("counts by its status if its body breaks off", async () => {
    const breakOff: Behavior = (response) => {
      response.writeHead(200, { "content-length": "100" })
      response.write("x", () => response.destroy())
    }
    expect(await status(breakOff)).toBe(200)
  })

  it("counts as missing after the timeout if it does not arrive, and the connection is closed", async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const silent: Behavior = (response) => {
      closed = once(response, "close")
    }
    expect(await status(silent, quick)).toBe("No response arrived within 0.3 seconds.")
    await closed
  })

  it("counts as missing after the timeout if its headers arrive byte by byte", async () => {
    const sockets: Array<Socket> = []
    const server = createServer((socket) => {
      sockets.push(socket)
      const timer = setInterval(() => socket.write("H"), 20)
      socket.on("close", () => clearInterval(timer)).on("error", () => {})
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as { readonly port: number }
    expect(await failure(`http://127.0.0.1:${port}/`, quick)).toMatch(/No response|not HTTP/)
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it.each([
    ["garbage", "garbage\r\n\r\n", /not HTTP/],
    ["headers without end", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(20_000)}`, /headers are too large/],
    ["an upgrade", "HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", /closed/],
    ["nothing", "", /closed/],
  ])("of %s is none", async (_what, text, message) => {
    const server = createServer((socket) => {
      socket.on("error", () => {})
      socket.once("data", () => socket.end(text))
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as { readonly port: number }
    expect(await failure(`http://127.0.0.1:${port}/`)).toMatch(message)
    server.close()
  })

  it("counts as missing if nothing listens on the port", async () => {
    const gone = await startReceiver()
    await gone.close()
    expect(await failure(gone.url)).toBe("The connection was refused.")
  })
})

describe("an interrupted request", () => {
  it("closes its connection", async () => {
    let closed: Promise<unknown> = Promise.resolve()
    receiver.behave = (response) => {
      closed = once(response, "close")
    }
    const count = receiver.received.length
    const fiber = Effect.runFork(sending(receiver.url))
    await receiver.arrived(count + 1)
    await Effect.runPromise(Fiber.interrupt(fiber))
    await expect(closed).resolves.toEqual([])
  })
})

describe("addresses", () => {
  const guarded = (url: string, ...addresses: ReadonlyArray<string>) =>
    failure(url, { allowPrivate: false, resolve: resolvesTo(...addresses), ...quick })
  const named = () => `http://receiver.example.com:${receiver.port}/hook`

  it("are rejected before connecting if they are in our own network", async () => {
    const before = receiver.connections()
    for (const address of [
      "127.0.0.1",
      "10.0.0.1",
      "169.254.169.254",
      "::1",
      "::ffff:127.0.0.1",
      "fd00::1",
      "0.0.0.0",
    ]) {
      expect(await guarded(named(), address)).toContain("not public")
    }
    expect(receiver.connections()).toBe(before)
  })

  it("are all rejected if one of several is not public", async () => {
    expect(await guarded(named(), "93.184.216.34", "127.0.0.1")).toContain("not public")
    expect(await guarded(named(), "127.0.0.1")).toBe(await guarded(named()))
    expect(await guarded(named(), "127.0.0.1", "93.184.216.34")).toContain("not public")
  })

  it.each([
    ["http://127.0.0.1/"],
    ["http://2130706433/"],
    ["http://0x7f.1/"],
    ["http://0177.0.0.1/"],
    ["http://[::1]/"],
    ["http://[::ffff:7f00:1]/"],
    ["http://[64:ff9b::7f00:1]/"],
    ["http://localhost/"],
    ["http://user:password@example.com/"],
    ["ftp://example.com/"],
  ])("in a URL are checked again: %s", async (url) => {
    expect(await guarded(url, "93.184.216.34")).toMatch(/^The URL must/)
  })

  it("are looked up once, so that later answers have no effect", async () => {
    let lookups = 0
    const rebinding: Resolve = async () => (++lookups === 1 ? ["127.0.0.1"] : ["127.0.0.2"])
    receiver.behave = answer(200)
    expect(await failure(named(), { resolve: rebinding })).toBe("answered 200")
    expect(lookups).toBe(1)
    expect(receiver.received.at(-1)!.headers.host).toBe(`receiver.example.com:${receiver.port}`)
  })

  it("are tried one after another", async () => {
    receiver.behave = answer(200)
    // Nothing listens at the first one.
    expect(await failure(named(), { resolve: resolvesTo("127.0.0.9", "127.0.0.1") })).toBe("answered 200")
  })

  it.each([
    ["none", async () => []],
    ["no addresses", async () => ["nonsense"]],
    ["an error", () => Promise.reject(new Error("SERVFAIL"))],
  ])("that are %s make the host unknown", async (_what, resolve: Resolve) => {
    expect(await failure(named(), { resolve })).toBe("The host receiver.example.com does not exist or is not public.")
  })

  it("count toward the timeout while being resolved, and a slow lookup is aborted", async () => {
    let aborted = false
    const never: Resolve = (_host, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => {
          aborted = true
          reject(new Error("aborted"))
        }),
      )
    expect(await failure(named(), { resolve: never, ...quick })).toContain("No response arrived")
    expect(aborted).toBe(true)
  })

  it("may be those of private names if allowed", async () => {
    receiver.behave = answer(200)
    expect(await failure(`http://localhost:${receiver.port}/`)).toBe("answered 200")
  })
})

describe("over TLS", () => {
  const host = "receiver.example.com"
  const own = selfSigned(host)
  const send = async (tls: ReturnType<typeof selfSigned>, options: Options, name = host) => {
    const secure = await startReceiver(answer(200), tls)
    const message = await failure(`https://${name}:${secure.port}/`, { resolve: resolvesTo("127.0.0.1"), ...options })
    await secure.close()
    return { message, received: secure.received }
  }

  it("certificate, SNI and Host are those of the name although the address is pinned", async () => {
    const { message, received } = await send(own, { authority: own.cert })
    expect(message).toBe("answered 200")
    expect(received[0]!.servername).toBe(host)
    expect(received[0]!.headers.host).toMatch(/^receiver\.example\.com:\d+$/)
  })

  it("a self-signed or expired certificate, or one for another name, is rejected whatever the environment says", async () => {
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"
    try {
      const ended = selfSigned(host, new Date(Date.now() - 86_400_000))
      for (const { message, received } of [
        await send(own, {}),
        await send(own, { authority: own.cert }, "other.example.com"),
        await send(ended, { authority: ended.cert }),
      ]) {
        expect(message).toMatch(/^The certificate is not valid \([A-Z_]+\)\.$/)
        expect(received).toEqual([])
      }
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before
    }
  })

  it("a server without TLS is rejected", async () => {
    receiver.behave = hang
    expect(await failure(`https://127.0.0.1:${receiver.port}/`)).toBe("The TLS connection failed.")
  })
})
