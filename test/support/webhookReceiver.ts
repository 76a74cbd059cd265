import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo, Server } from "node:net"

/** One POST as it arrived. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** With TLS: the name that the client requested. */
  readonly servername: string | undefined
}

/** What the receiver does with a request; `count` is 1 for the first one. */
export type Behavior = (response: ServerResponse, count: number, request: Received) => void

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behavior =>
  (response) =>
    void response.writeHead(status, headers).end("ok")

/** Never answers. */
export const hang: Behavior = () => {}

/** A real HTTP receiver on loopback. */
export interface Receiver {
  readonly port: number
  readonly url: string
  readonly received: Array<Received>
  /** Connections that were opened, whether or not a request came. */
  readonly connections: () => number
  behave: Behavior
  /** Resolves once this many requests have arrived; fails after 20 s. */
  readonly arrived: (count: number) => Promise<ReadonlyArray<Received>>
  readonly close: () => Promise<void>
}

export const startReceiver = async (
  behave: Behavior = answer(200),
  tls?: { readonly cert: string; readonly key: string },
): Promise<Receiver> => {
  const received: Array<Received> = []
  const waiting = new Set<() => void>()
  const onRequest: Parameters<typeof createServer>[1] = (request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      // Only Node's TLS sockets have it, which a request's type does not distinguish.
      const { servername } = request.socket as { readonly servername?: string | false }
      const one: Received = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
        at: Date.now(),
        servername: servername === false ? undefined : servername,
      }
      received.push(one)
      receiver.behave(response, received.length, one)
      for (const look of waiting) look()
    })
  }
  const server: Server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest)
  let connections = 0
  const open = new Set<{ readonly destroy: () => unknown }>()
  server.on("connection", (socket) => {
    connections++
    open.add(socket)
    socket.on("close", () => open.delete(socket))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A TCP server's address is not a path.
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    connections: () => connections,
    behave,
    arrived: (count) =>
      new Promise((resolve, reject) => {
        const fail = () => {
          waiting.delete(look)
          reject(new Error(`${received.length} of ${count} requests arrived within 20 s`))
        }
        const timer = setTimeout(fail, 20_000)
        const look = () => {
          if (received.length < count) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve([...received])
        }
        waiting.add(look)
        look()
      }),
    close: async () => {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
  return receiver
}
