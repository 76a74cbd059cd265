import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** A relay to a port on loopback that can be slow and can fail. */
export interface TcpProxy {
  readonly port: number
  /** From now on, delays every response by this many milliseconds. */
  readonly slowDown: (milliseconds: number) => void
  /** From now on, nothing passes on any connection, old or new, and none is closed, as if a host were cut off. */
  readonly fallSilent: () => void
  /** New connections reach the server behind `port`, or the previous one; earlier connections stay silent. */
  readonly speak: (port?: number) => void
  /** Ends every connection with a reset. */
  readonly reset: () => void
  readonly close: () => Promise<void>
}

export const startProxy = async (target: number): Promise<TcpProxy> => {
  const clients = new Set<Socket>()
  let delay = 0
  let server = target
  let isSilent = false
  const silenced = new WeakSet<Socket>()
  const proxy = createServer((client) => {
    clients.add(client)
    if (isSilent) {
      silenced.add(client)
      client.on("error", () => {}).on("close", () => clients.delete(client))
      return
    }
    relay(client, connect(server, "127.0.0.1"))
  })
  const relay = (client: Socket, server: Socket) => {
    client.on("data", (bytes) => silenced.has(client) || server.write(bytes))
    server.on("data", (bytes) => {
      setTimeout(() => silenced.has(client) || client.write(bytes), delay)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      const end = () => {
        // A client that is cut off does not notice the other side's end either.
        if (one === client || !silenced.has(client)) other.destroy()
      }
      one.on("error", end)
      one.on("close", end)
    }
    client.on("close", () => clients.delete(client))
  }
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")
  // A TCP server's address is not a path.
  const { port } = proxy.address() as AddressInfo
  const reset = () => {
    for (const client of clients) client.resetAndDestroy()
  }
  return {
    port,
    slowDown: (milliseconds) => {
      delay = milliseconds
    },
    fallSilent: () => {
      isSilent = true
      for (const client of clients) silenced.add(client)
    },
    speak: (port = server) => {
      isSilent = false
      server = port
    },
    reset,
    close: async () => {
      reset()
      proxy.close()
      await once(proxy, "close")
    },
  }
}
