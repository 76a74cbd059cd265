import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** A relay to a port on loopback that can be slow and can break off. */
export interface TcpProxy {
  readonly port: number
  /** Holds back every answer for so many milliseconds, from now on. */
  readonly slowDown: (milliseconds: number) => void
  /** Ends every connection with a reset. */
  readonly reset: () => void
  readonly close: () => Promise<void>
}

export const startProxy = async (target: number): Promise<TcpProxy> => {
  const clients = new Set<Socket>()
  let delay = 0
  const proxy = createServer((client) => {
    const server = connect(target, "127.0.0.1")
    clients.add(client)
    client.on("data", (bytes) => server.write(bytes))
    server.on("data", (bytes) => {
      setTimeout(() => client.write(bytes), delay)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on("error", () => other.destroy())
      one.on("close", () => {
        clients.delete(client)
        other.destroy()
      })
    }
  }).listen(0, "127.0.0.1")
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
    reset,
    close: async () => {
      reset()
      proxy.close()
      await once(proxy, "close")
    },
  }
}
