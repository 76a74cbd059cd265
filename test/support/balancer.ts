import { once } from "node:events"
import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import { until } from "./cluster.ts"

/** How often readiness is probed. */
const probeInterval = 200

export interface Balancer {
  readonly url: string
  /** Connections also go there, once it has reported that it is ready. */
  readonly add: (port: number) => Promise<void>
  readonly remove: (port: number) => void
  readonly close: () => Promise<void>
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`, {
    headers: { connection: "close" },
    signal: AbortSignal.timeout(2_000),
  }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status === 200
    },
    () => false,
  )

/**
 * Balances connections as a Kubernetes Service does: each new one goes to the next backend whose `/health/ready`
 * recently returned 200, and stays there for as long as it is open.
 */
export const startBalancer = async (): Promise<Balancer> => {
  const ready = new Map<number, boolean>()
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer((client) => {
    const ports = [...ready].filter(([, isUp]) => isUp).map(([port]) => port)
    if (ports.length === 0) return void client.destroy()
    const backend = connect(ports[turn++ % ports.length]!, "127.0.0.1")
    for (const [socket, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on("error", () => other.resetAndDestroy())
      socket.on("close", () => {
        sockets.delete(socket)
        other.destroySoon()
      })
    }
    client.pipe(backend).pipe(client)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // it listens on TCP

  const probe = async (backend: number) => {
    const isUp = await isReady(backend)
    if (ready.has(backend)) ready.set(backend, isUp)
  }
  const probing = setInterval(() => {
    for (const backend of ready.keys()) void probe(backend)
  }, probeInterval)

  return {
    url: `http://127.0.0.1:${port}`,
    add: async (backend) => {
      ready.set(backend, false)
      await until("a backend's readiness", 20, async () => (ready.get(backend) === true ? true : undefined))
    },
    remove: (backend) => void ready.delete(backend),
    close: async () => {
      clearInterval(probing)
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}
