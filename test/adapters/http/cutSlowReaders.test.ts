import { createServer, get, type IncomingMessage, Agent } from "node:http"
import { once } from "node:events"
import type { AddressInfo, Socket } from "node:net"
import { expect, it } from "vitest"
import { cutSlowReaders } from "../../../adapters/http/limits/cutSlowReaders.ts"

const patience = 300
/** More than the system's buffers hold. */
const large = Buffer.alloc(32_000_000)

/** Responds to `/large` at once, and to anything else only after twice the patience. */
const serve = async () => {
  const server = createServer({ keepAliveTimeout: 50 }, (request, response) => {
    if (request.url === "/large") response.end(large)
    else setTimeout(() => response.end("late"), 2 * patience)
  })
  cutSlowReaders(server, patience)
  const sockets: Array<Socket> = []
  server.on("connection", (socket: Socket) => sockets.push(socket))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // it listens on TCP
  return { server, sockets, url: `http://127.0.0.1:${port}` }
}

const ask = (url: string, agent = new Agent()) =>
  new Promise<IncomingMessage>((resolve, reject) => get(url, { agent }, resolve).on("error", reject))

it("closes a connection whose client reads nothing, but not if it reads slowly or is waiting for us", async () => {
  const { server, sockets, url } = await serve()
  const unread = await ask(`${url}/large`)
  const ended = once(sockets[0]!, "close")
  const late = ask(`${url}/late`)

  const read = await ask(`${url}/large`)
  let bytes = 0
  const whole = new Promise<void>((resolve, reject) => {
    // Less than the patience between two parts of the response, but more than it in total.
    read.on("data", (chunk: Buffer) => {
      if (Math.floor(bytes / 4_000_000) < Math.floor((bytes += chunk.length) / 4_000_000)) {
        read.pause()
        setTimeout(() => read.resume(), patience / 4)
      }
    })
    read.on("end", resolve).on("error", reject)
  })

  await ended
  await expect(unread.toArray()).rejects.toThrow("aborted")
  await whole
  expect(bytes).toBe(large.length)
  expect(Buffer.concat(await (await late).toArray()).toString()).toBe("late")
  server.close()
})

it("leaves a kept-alive connection to its own timeout", async () => {
  const { server, sockets, url } = await serve()
  const agent = new Agent({ keepAlive: true })
  const response = await ask(`${url}/late`, agent)
  response.resume()
  await once(response, "end")
  await once(sockets[0]!, "close")
  expect(sockets).toHaveLength(1)
  agent.destroy()
  server.close()
})
